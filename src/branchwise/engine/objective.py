"""The secondary objectives by name, as the core knows them."""

from __future__ import annotations

import branchwise._core as core
from branchwise.tree.objectives import OBJECTIVE_NAMES


def core_objective(prefer: str) -> core.Objective:
    """
    Return the objective of the core that has this name.

    Examples
    --------
    >>> core_objective("least-depth").name
    'LEAST_DEPTH'
    """
    if prefer not in OBJECTIVE_NAMES:
        known = ", ".join(OBJECTIVE_NAMES)
        raise ValueError(f"there is no objective `{prefer}`; there are {known}")
    return core.Objective[prefer.replace("-", "_").upper()]
