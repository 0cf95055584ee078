"""Least costs, shown: what counts below zero is turned into costs above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar

from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.solution import AimMet, MeasuredPlan, Solution

T = TypeVar("T")

# What counts in units of the objective, besides every `expected_reward`, by the names
# of classes, so that what is not asked for need not be loaded. Gains and losses are
# differences of worths, so they turn around with them.
_WORTHS: Final[Mapping[str, tuple[str, ...]]] = {
    "Swing": ("reward_low", "reward_high"),
    "Derivative": ("left", "right", "partial"),
    "Segment": ("reward_low", "reward_high"),
    "FrontierPoint": ("gain", "gain_per_unit"),
    "ActionCriticality": (
        "loss_removed",
        "loss_failing",
        "gain_certain",
        "reward_through",
    ),
    "LiftedCondition": ("gain", "gain_at_most"),
    "Estimate": ("value",),
    "ActionInformation": ("value", "gain"),
    "OutcomeTestResult": ("value",),
    "ValuedTest": ("value", "gain"),
    "FactInformation": ("value", "gain"),
    "InformingAction": ("value", "loss"),
    # What another plan loses stays what it is: how much more it costs.
    "Individual": ("upper_bound",),
    "ProfilePlan": ("mean_expected_reward", "mean_for_all"),
    "Profiles": ("base_expected_reward",),
}


def in_costs(found: T) -> T:
    """Return a result of an analysis with all worths turned into costs."""
    turned: Any = _turned(found)
    return turned  # type: ignore[no-any-return]


def shown_aim(solution: Solution) -> AimMet | None:
    """Return how well a plan meets its aim, in costs where these count."""
    is_cost = solution.problem is not None and solution.problem.is_least_cost
    return in_costs(solution).aim if is_cost else solution.aim


def _turned(found: Any) -> Any:
    match found:
        case Distribution():
            return Distribution.of((_less(x), p) for x, p in found.chances)
        case Solution():
            aim = None if found.aim is None else _turned_aim(found.aim)
            worth = _less(found.expected_reward)
            return replace(found, expected_reward=worth, aim=aim)
        case MeasuredPlan():
            return _turned_plan(found)
    if isinstance(found, tuple) and not hasattr(found, "_fields"):
        return tuple(map(_turned, found))
    return _with_costs(found)


def _with_costs(found: Any) -> Any:
    """Turn the worths of a record, and its parts; leave what is none as it is."""
    names: tuple[str, ...] = getattr(found, "_fields", ())
    if is_dataclass(found) and not isinstance(found, type):
        names = tuple(field.name for field in fields(found))
    if not _holds_worths(found, names):
        return found
    worths = {"expected_reward", *_WORTHS.get(type(found).__name__, ())}
    changes = {
        name: _less(part) if name in worths else _turned(part)
        for name in names
        if (part := getattr(found, name)) is not None
    }
    if type(found).__name__ == "OneWay":  # Of each point, what it is worth there.
        changes["points"] = tuple((at, _less(worth)) for at, worth in found.points)
    is_tuple = isinstance(found, tuple)
    return found._replace(**changes) if is_tuple else replace(found, **changes)


def _holds_worths(found: Any, names: tuple[str, ...]) -> bool:
    """Whether a part of a section has something to turn."""
    is_ours = type(found).__module__.startswith("branchwise.analysis.")
    return is_ours and bool(names)


def _less(number: Any) -> Any:
    return None if number is None else 0 - number


def _turned_plan(plan: MeasuredPlan) -> MeasuredPlan:
    return replace(
        plan,
        solution=_turned(plan.solution),
        rewards=_turned(plan.rewards),
        worth=_less(plan.worth) if _is_amount(plan) else plan.worth,
        certainty_equivalent=_less(plan.certainty_equivalent),
    )


def _is_amount(measured: MeasuredPlan | AimMet) -> bool:
    """Whether an aim counts in units of cost: not a probability, nor a utility."""
    return measured.certainty_equivalent == measured.worth


def _turned_aim(aim: AimMet) -> AimMet:
    worth, bound = aim.worth, aim.bound
    if _is_amount(aim):
        worth, bound = _less(worth), _less(bound)
    return aim._replace(
        worth=worth,
        bound=bound,
        certainty_equivalent=_less(aim.certainty_equivalent),
        rewards=None if aim.rewards is None else _turned(aim.rewards),
        neutral=None if aim.neutral is None else _turned_plan(aim.neutral),
    )
