"""The answer: the decision tree, its statistics, and its exact value."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.tree.alternatives import Alternative as Alternative
    from branchwise.tree.alternatives import Prospect as Prospect
    from branchwise.tree.decision_tree import DecisionTree as DecisionTree
    from branchwise.tree.decision_tree import Node as Node
    from branchwise.tree.distribution import Distribution as Distribution
    from branchwise.tree.objectives import OBJECTIVE_NAMES as OBJECTIVE_NAMES
    from branchwise.tree.outlook import Outlook as Outlook
    from branchwise.tree.preference import Preference as Preference
    from branchwise.tree.progress import Progress as Progress
    from branchwise.tree.progress import Stage as Stage
    from branchwise.tree.robustness import Perturbation as Perturbation
    from branchwise.tree.robustness import Robustness as Robustness
    from branchwise.tree.solution import AimMet as AimMet
    from branchwise.tree.solution import MeasuredPlan as MeasuredPlan
    from branchwise.tree.solution import Solution as Solution
    from branchwise.tree.solution import Statistics as Statistics
    from branchwise.tree.solution import Status as Status
    from branchwise.tree.solution import Verification as Verification

__all__, __getattr__, __dir__ = lazy(
    __name__,
    {
        "alternatives": "Alternative Prospect",
        "decision_tree": "DecisionTree Node",
        "distribution": "Distribution",
        "objectives": "OBJECTIVE_NAMES",
        "outlook": "Outlook",
        "preference": "Preference",
        "progress": "Progress Stage",
        "robustness": "Perturbation Robustness",
        "solution": "AimMet MeasuredPlan Solution Statistics Status Verification",
    },
)
