"""A problem in the normal form of certificates, which needs no parser to read."""

from collections.abc import Mapping
from typing import Any

from branchwise.model.action import Action
from branchwise.model.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Condition,
    Happened,
    Not,
)
from branchwise.model.problem import Problem
from branchwise.space.problem_space import ProblemSpace, allowed, clauses

Document = dict[str, Any]
_Labels = Mapping[str, tuple[str, ...]]


def problem_document(problem: Problem) -> Document:
    """Lay a problem out for the checker."""
    # Every default is said and every number is exact. Amounts of the resources that run
    # out count their smallest units; what is unlimited shows in the charges alone. The
    # title, which proves nothing, is left out.
    space = ProblemSpace(problem)
    labels = {action.name: action.labels for action in problem.actions}
    return {
        "left": list(space.root.left),
        "combine": problem.combine,
        "actions": [_action(action, space, labels) for action in problem.actions],
        "rewards": _rewards(problem, labels),
    }


def _action(action: Action, space: ProblemSpace, labels: _Labels) -> Document:
    variants = [
        {
            "when": _condition(clause.when, labels),
            "price": list(space.units(cost)),
            "charge": str(space.problem.cost_weight.times(cost)),
            "probabilities": {
                outcome.label: str(outcome.probability) for outcome in outcomes
            },
        }
        for clause, cost, outcomes in clauses(action)
    ]
    return {
        "name": action.name,
        "attempts": int(action.attempts) if isinstance(action.attempts, int) else None,
        "outcomes": list(action.labels),
        "gate": _condition(allowed(action), labels),
        "variants": variants,
    }


def _rewards(problem: Problem, labels: _Labels) -> list[Document]:
    """The rewards by falling value; of `max`, those of one value are one."""
    found: list[tuple[str, list[Any]]] = []
    for reward in sorted(problem.rewards, key=lambda reward: -reward.value):
        value, when = str(reward.value), _condition(reward.when, labels)
        if found and found[-1][0] == value and problem.combine == "max":
            found[-1][1].append(when)
        else:
            found.append((value, [when]))
    return [{"value": value, "when": {"any": whens}} for value, whens in found]


def _condition(condition: Condition, labels: _Labels) -> Document | list[str]:
    match condition:
        case Happened(action, outcome):
            return [action, outcome]
        case Attempted(action):
            return {"any": [[action, label] for label in labels[action]]}
        case Not(inner):
            return {"not": _condition(inner, labels)}
        case AllOf(parts):
            return {"all": [_condition(part, labels) for part in parts]}
        case AnyOf(parts):
            return {"any": [_condition(part, labels) for part in parts]}
        case AtLeast(parts, count):
            return {"at_least": [count, [_condition(part, labels) for part in parts]]}
    raise TypeError(f"not a condition: {condition!r}")
