"""Risk: plans for those to whom the expected reward is not all."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.risk.aims import Aim as Aim
    from branchwise.risk.aims import AtLeast as AtLeast
    from branchwise.risk.aims import CVaR as CVaR
    from branchwise.risk.aims import ExponentialUtility as ExponentialUtility
    from branchwise.risk.aims import UtilityTable as UtilityTable
    from branchwise.risk.aims import parse_aim as parse_aim

__all__, __getattr__, __dir__ = lazy(
    __name__, {"aims": "Aim AtLeast CVaR ExponentialUtility UtilityTable parse_aim"}
)
