"""What the user means: problems, actions, conditions and rewards, by name."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.model.action import Action, Given, Outcome
    from branchwise.model.adversary import Adversary
    from branchwise.model.budget import UNLIMITED, Amounts, Budget
    from branchwise.model.checks.validate import validate
    from branchwise.model.condition import (
        AllOf,
        AnyOf,
        Attempted,
        Condition,
        Happened,
        Not,
        all_of,
        any_of,
    )
    from branchwise.model.defended_problem import defended
    from branchwise.model.defense import Defense
    from branchwise.model.problem import Problem, Reward
    from branchwise.model.remaining import problem_after
    from branchwise.model.spread import Spread
    from branchwise.model.state import State

__all__ = [
    "UNLIMITED",
    "Action",
    "Adversary",
    "AllOf",
    "Amounts",
    "AnyOf",
    "Attempted",
    "Budget",
    "Condition",
    "Defense",
    "Given",
    "Happened",
    "Not",
    "Outcome",
    "Problem",
    "Reward",
    "Spread",
    "State",
    "all_of",
    "any_of",
    "defended",
    "problem_after",
    "validate",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "action": "Action Given Outcome",
        "adversary": "Adversary",
        "budget": "Amounts Budget UNLIMITED",
        "checks.validate": "validate",
        "condition": "AllOf AnyOf Attempted Condition Happened Not all_of any_of",
        "defended_problem": "defended",
        "defense": "Defense",
        "problem": "Problem Reward",
        "remaining": "problem_after",
        "spread": "Spread",
        "state": "State",
    },
)
