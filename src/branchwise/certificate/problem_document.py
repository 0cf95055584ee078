"""A problem in the normal form of certificates, which needs no parser to read."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED
from branchwise.model.conditions import condition as conditions
from branchwise.model.conditions.quantity import Count, CounterValue, Left
from branchwise.model.features import features_of
from branchwise.model.hidden import assignments
from branchwise.model.numbers.number import ratio_text
from branchwise.model.outcome import Outcome
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
    if features_of(problem):
        return _wide_document(problem, space)
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


def _condition(
    condition: conditions.Condition, labels: _Labels
) -> Document | list[str]:
    match condition:
        case conditions.Happened(action, outcome):
            return [action, outcome]
        case conditions.Attempted(action):
            return {"any": [[action, label] for label in labels[action]]}
        case conditions.Not(inner):
            return {"not": _condition(inner, labels)}
        case conditions.AllOf(parts):
            return {"all": [_condition(part, labels) for part in parts]}
        case conditions.AnyOf(parts):
            return {"any": [_condition(part, labels) for part in parts]}
        case conditions.AtLeast(parts, count):
            return {"at_least": [count, [_condition(part, labels) for part in parts]]}
    raise TypeError(f"not a plain condition: {condition!r}")


# What follows is for problems whose states hold more than outcomes and what is left.


def _wide_document(problem: Problem, space: ProblemSpace) -> Document:
    # A plan of least cost must not end unfinished where nothing says what that costs.
    amount = Fraction(0) if problem.unfinished is None else problem.unfinished
    is_forbidden = problem.is_least_cost and problem.unfinished is None
    return {
        "left": list(space.root.left),
        "combine": problem.combine,
        "hidden": [
            [ratio_text(each.probability), dict(each.labels)]
            for each in assignments(problem.hidden)
        ],
        "counters": {c.name: [c.low, c.high, c.start] for c in problem.counters},
        "actions": [_wide_action(action, space) for action in problem.actions],
        "rewards": [
            {
                "value": ratio_text(reward.value),
                "when": _wide_condition(reward.when, space),
                "per": reward.per,
            }
            for reward in problem.rewards
        ],
        "finish": None
        if problem.finish is None
        else _wide_condition(problem.finish, space),
        "unfinished": "inf" if is_forbidden else ratio_text(amount),
    }


def _wide_action(action: Action, space: ProblemSpace) -> Document:
    variants = [
        {
            "when": _wide_condition(clause.when, space),
            "price": list(space.units(cost)),
            "charge": ratio_text(space.problem.charge_weight.times(cost)),
            "probabilities": {o.label: ratio_text(o.probability) for o in outcomes},
        }
        for clause, cost, outcomes in clauses(action)
    ]
    return {
        "name": action.name,
        "attempts": int(action.attempts) if isinstance(action.attempts, int) else None,
        "outcomes": {o.label: _outcome(o, action, space) for o in action.outcomes},
        "gate": _wide_condition(allowed(action), space),
        "variants": variants,
    }


def _outcome(outcome: Outcome, action: Action, space: ProblemSpace) -> Document:
    """What an outcome costs and changes, with what its action changes anyway."""
    changed = dict.fromkeys((*action.effects, *outcome.effects))
    effects = {
        name: int(action.effects.get(name, 0) + outcome.effects.get(name, 0))
        for name in changed
    }
    return {
        "price": list(space.units(outcome.cost)),
        "charge": ratio_text(space.problem.charge_weight.times(outcome.cost)),
        "effects": effects,
        "ends": outcome.ends or "",
    }


def _wide_condition(condition: conditions.Condition, space: ProblemSpace) -> Any:
    match condition:
        case conditions.Comparison():
            return _comparison(condition, space)
        case conditions.Happened(action, outcome):
            return [action, outcome]
        case conditions.Attempted(action):
            return {"count": [action, None, ">=", "1"]}
        case conditions.Not(inner):
            return {"not": _wide_condition(inner, space)}
        case conditions.AllOf(parts):
            return {"all": [_wide_condition(part, space) for part in parts]}
        case conditions.AnyOf(parts):
            return {"any": [_wide_condition(part, space) for part in parts]}
        case conditions.AtLeast(parts, count):
            return {"at_least": [count, [_wide_condition(p, space) for p in parts]]}
    raise TypeError(f"not a condition: {condition!r}")


def _comparison(condition: conditions.Comparison, space: ProblemSpace) -> Any:
    sign, number = condition.sign, ratio_text(condition.number)
    match condition.quantity:
        case CounterValue(counter):
            return {"counter": [counter, sign, number]}
        case Count(conditions.Happened(action, outcome)):
            return {"count": [action, outcome, sign, number]}
        case Count(conditions.Attempted(action)):
            return {"count": [action, None, sign, number]}
        case Left(resource):
            return _left(condition, resource, space)
    raise TypeError(f"not a quantity: {condition.quantity!r}")


def _left(condition: conditions.Comparison, resource: str, space: ProblemSpace) -> Any:
    """Compare what is left in its smallest units; of what is unlimited, for good."""
    scales = space.scales
    if resource not in scales:
        holds = conditions.COMPARISONS[condition.sign](UNLIMITED, condition.number)
        return {"all": []} if holds else {"any": []}
    number = ratio_text(condition.number * scales[resource])
    return {"left": [list(scales).index(resource), condition.sign, number]}
