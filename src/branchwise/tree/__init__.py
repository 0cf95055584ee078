"""The answer: the decision tree, its statistics, and its exact value."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.tree.alternatives import Alternative, Prospect
    from branchwise.tree.decision_tree import DecisionTree, Node
    from branchwise.tree.distribution import Distribution
    from branchwise.tree.objectives import OBJECTIVE_NAMES
    from branchwise.tree.outlook import Outlook
    from branchwise.tree.progress import Progress, Stage
    from branchwise.tree.robustness import Perturbation, Robustness
    from branchwise.tree.solution import (
        AimMet,
        MeasuredPlan,
        Solution,
        Statistics,
        Status,
        Verification,
    )

__all__ = [
    "OBJECTIVE_NAMES",
    "AimMet",
    "Alternative",
    "DecisionTree",
    "Distribution",
    "MeasuredPlan",
    "Node",
    "Outlook",
    "Perturbation",
    "Progress",
    "Prospect",
    "Robustness",
    "Solution",
    "Stage",
    "Statistics",
    "Status",
    "Verification",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "alternatives": "Alternative Prospect",
        "decision_tree": "DecisionTree Node",
        "distribution": "Distribution",
        "objectives": "OBJECTIVE_NAMES",
        "outlook": "Outlook",
        "progress": "Progress Stage",
        "robustness": "Perturbation Robustness",
        "solution": "AimMet MeasuredPlan Solution Statistics Status Verification",
    },
)
