"""Risk: plans for those to whom the expected reward is not all."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.risk.aims import (
        Aim,
        AtLeast,
        CVaR,
        ExponentialUtility,
        UtilityTable,
        parse_aim,
    )

__all__ = ["Aim", "AtLeast", "CVaR", "ExponentialUtility", "UtilityTable", "parse_aim"]

__getattr__, __dir__ = lazy(
    __name__, {"aims": "Aim AtLeast CVaR ExponentialUtility UtilityTable parse_aim"}
)
