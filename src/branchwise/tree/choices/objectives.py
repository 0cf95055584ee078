"""The names of the secondary objectives: which of the optimal trees to prefer."""

from typing import Final

OBJECTIVE_NAMES: Final = (
    "fewest-nodes",
    "least-depth",
    "least-expected-cost",
    "fewest-expected-actions",
    "order",
)
"""Known to every engine; the first one is the default."""


def checked_objective(prefer: str) -> str:
    """Return the name of an objective, if there is such a one."""
    if prefer not in OBJECTIVE_NAMES:
        known = ", ".join(OBJECTIVE_NAMES)
        others = "`random=SEED` and `order=ACTION, ACTION, ...`"
        raise ValueError(
            f"there is no objective `{prefer}`; there are {known}, {others}"
        )
    return prefer
