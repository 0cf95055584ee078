"""What the user means: problems, actions, conditions and rewards, by name."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.model.action import Action as Action
    from branchwise.model.action import Given as Given
    from branchwise.model.action import Outcome as Outcome
    from branchwise.model.adversary import Adversary as Adversary
    from branchwise.model.budget import UNLIMITED as UNLIMITED
    from branchwise.model.budget import Amounts as Amounts
    from branchwise.model.budget import Budget as Budget
    from branchwise.model.checks.validate import validate as validate
    from branchwise.model.condition import AllOf as AllOf
    from branchwise.model.condition import AnyOf as AnyOf
    from branchwise.model.condition import AtLeast as AtLeast
    from branchwise.model.condition import Attempted as Attempted
    from branchwise.model.condition import Condition as Condition
    from branchwise.model.condition import Happened as Happened
    from branchwise.model.condition import Not as Not
    from branchwise.model.condition import all_of as all_of
    from branchwise.model.condition import any_of as any_of
    from branchwise.model.condition import at_least as at_least
    from branchwise.model.defended_problem import defended as defended
    from branchwise.model.defense import Defense as Defense
    from branchwise.model.expression import Expression as Expression
    from branchwise.model.expression import NamedParameter as NamedParameter
    from branchwise.model.expression import highest as highest
    from branchwise.model.expression import lowest as lowest
    from branchwise.model.expression import parameter as parameter
    from branchwise.model.problem import Problem as Problem
    from branchwise.model.problem import Reward as Reward
    from branchwise.model.remaining import problem_after as problem_after
    from branchwise.model.spread import Spread as Spread
    from branchwise.model.state import State as State

__all__, __getattr__, __dir__ = lazy(
    __name__,
    {
        "action": "Action Given Outcome",
        "adversary": "Adversary",
        "budget": "Amounts Budget UNLIMITED",
        "checks.validate": "validate",
        "condition": "AllOf AnyOf AtLeast Attempted Condition Happened Not "
        "all_of any_of at_least",
        "defended_problem": "defended",
        "defense": "Defense",
        "expression": "Expression NamedParameter highest lowest parameter",
        "problem": "Problem Reward",
        "remaining": "problem_after",
        "spread": "Spread",
        "state": "State",
    },
)
