"""The names of the secondary objectives: which of the optimal trees to prefer."""

from __future__ import annotations

from typing import Final

__all__ = ["OBJECTIVE_NAMES", "objective_number"]

OBJECTIVE_NAMES: Final = (
    "fewest-nodes",
    "least-depth",
    "least-expected-cost",
    "fewest-expected-actions",
    "order",
)
"""Known to every engine; the first one is the default."""


def objective_number(prefer: str) -> int:
    """Return the place of an objective among all, by its name."""
    if prefer not in OBJECTIVE_NAMES:
        known = ", ".join(OBJECTIVE_NAMES)
        raise ValueError(f"there is no objective `{prefer}`; there are {known}")
    return OBJECTIVE_NAMES.index(prefer)
