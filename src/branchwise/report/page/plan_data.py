"""A plan as data for the page: a record per state, the budget, and the costs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from branchwise.model.action import Action
from branchwise.model.budget import Amounts, counted
from branchwise.model.conditions.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Condition,
    Happened,
    Not,
)
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.report.json_text import json_of
from branchwise.report.page.held_notes import held_notes
from branchwise.report.text.outline import sizes
from branchwise.report.text.wording import count, value
from branchwise.report.tree_drawing.branch_costs import branch_costs, cost_text
from branchwise.report.tree_drawing.lettering import cropped, legible
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import Alternative
from branchwise.tree.choices.policy import Branch, children_first
from branchwise.tree.decision_tree import DecisionTree, Node
from branchwise.tree.solution import Solution

MAX_STATES: Final = 200_000  # a larger policy is cut to so many of its likeliest
_MAX_ALTERNATIVES: Final = 6
_MAX_COMPARED: Final = 20_000  # states whose alternatives are listed
_LONGEST_STATE: Final = 300
_LARGEST_WHOLE: Final = 2**53  # past this, JavaScript skips whole numbers
_JOINED: Final = {AllOf: "all", AnyOf: "any", Not: "not"}


def plan_document(
    solution: Solution, *, max_states: int = MAX_STATES
) -> dict[str, Any]:
    """
    Return a plan as the page wants it.

    States are numbered so that all come after those that lead to them; the root is 0.
    Names stand in one list and are given by number. The columns hold one entry per
    state, or per branch; the branches of a state start where ``start`` says. A state
    with an action but without branches is one whose future is left out.
    """
    tree, problem = solution.tree, solution.problem
    states, names = _States(tree, max_states), _Names()
    # The page adds up what is spent along the way, by outcomes alone.
    is_wide = tree.problem is not None and bool(features_of(tree.problem))
    return {
        "states": _state_columns(states, names),
        "branches": _branch_columns(states, names),
        "isCost": bool(problem and problem.is_least_cost),
        "alternatives": dict(_alternatives(tree, states, names)),
        "spending": _spending(problem, names) if problem and not is_wide else None,
        "descriptions": None
        if problem
        else [cropped(legible(str(key)), _LONGEST_STATE) for key in states.keys],
        "notes": _notes(tree, states) if is_wide else None,
        "isComplete": states.is_complete,
        "names": names.listed(),
    }


def script_json(document: Mapping[str, Any]) -> str:
    r"""
    Return data so that it may stand inside a script element, whatever it says.

    >>> script_json({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    text = json_of(document, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


class _States:
    """The states of a policy in the order of the page, and what is known of each."""

    def __init__(self, tree: DecisionTree, max_states: int) -> None:
        root, self.policy = tree.root.key, tree.policy
        self.tree = tree
        order = list(children_first(self.policy, root))[::-1]
        self.sizes = sizes(self.policy, root)
        self.places = dict.fromkeys(order, 0) | {root: 1}
        self.reached = dict.fromkeys(order, 0.0) | {root: 1.0}
        # How likely the likeliest way to a state is, and the last step of it.
        self._best: dict[Hashable, tuple[float, Hashable, int]] = {
            root: (1.0, None, -1)
        }
        for key in order:
            self._pass_on(key)
        self.is_complete = len(order) <= max_states
        self.keys, self._kept = order, set(order)
        if not self.is_complete:
            # The sort keeps the order of ties, so a state comes after the way to it.
            likeliest = sorted(order, key=lambda key: -self._best[key][0])
            self._kept = set(likeliest[:max_states])
            self.keys = self._with_frontier(order)
        self.numbers = {key: number for number, key in enumerate(self.keys)}

    def _pass_on(self, key: Hashable) -> None:
        places, reached = self.places[key], self.reached[key]
        here = self._best[key][0]
        for number, branch in enumerate(self.policy[key].branches):
            chance = float(branch.probability)
            self.places[branch.state] += places
            self.reached[branch.state] += reached * chance
            known = self._best.get(branch.state)
            if known is None or known[0] < here * chance:
                self._best[branch.state] = (here * chance, key, number)

    def _with_frontier(self, order: list[Hashable]) -> list[Hashable]:
        """Add the states that those kept lead to; only their decision is shown."""
        shown = set(self._kept)
        for key in self._kept:
            shown.update(branch.state for branch in self.policy[key].branches)
        return [key for key in order if key in shown]

    def branches(self, key: Hashable) -> tuple[Branch, ...]:
        return self.policy[key].branches if key in self._kept else ()

    def way_in(self, key: Hashable) -> tuple[int, int]:
        """Return the state before this one on the likeliest way, and the branch."""
        _, parent, number = self._best[key]
        return (-1, -1) if number < 0 else (self.numbers[parent], number)


def _notes(tree: DecisionTree, states: _States) -> list[list[list[str]]]:
    """Return what each state holds besides outcomes: pairs of a name and a text."""
    assert tree.problem is not None
    held = held_notes(states.policy, tree.root.key, tree.problem)
    return [
        [
            [legible(name), legible(text)]
            for name, text in held.get(key, {}).items()
            if text
        ]
        for key in states.keys
    ]


def _state_columns(states: _States, names: _Names) -> dict[str, list[Any]]:
    keys = states.keys
    decisions = [states.policy[key] for key in keys]
    starts = [0]
    for key in keys:
        starts.append(starts[-1] + len(states.branches(key)))
    ways = [states.way_in(key) for key in keys]
    return {
        "action": [
            -1 if decision.action is None else names.number(decision.action)
            for decision in decisions
        ],
        "value": [_number(decision.value) for decision in decisions],
        "reward": [_number(decision.reward) for decision in decisions],
        "start": starts,
        "size": [_count(states.sizes[key]) for key in keys],
        "places": [_count(states.places[key]) for key in keys],
        "reached": [_short(states.reached[key]) for key in keys],
        "before": [before for before, _ in ways],
        "by": [branch for _, branch in ways],
    }


def _branch_columns(states: _States, names: _Names) -> dict[str, list[Any] | None]:
    branches = [branch for key in states.keys for branch in states.branches(key)]
    costs = dict(branch_costs(states.tree))
    charged = [
        cost_text(costs[key][branch.outcome]) if key in costs else ""
        for key in states.keys
        for branch in states.branches(key)
    ]
    nominal = [share for key in states.keys for share in _nominal(states, key)]
    return {
        "outcome": [names.number(branch.outcome) for branch in branches],
        "probabilities": [_short(float(branch.probability)) for branch in branches],
        # Without deviations, the probabilities are the nominal ones.
        "nominal": nominal if any(share is not None for share in nominal) else None,
        "state": [states.numbers[branch.state] for branch in branches],
        # Where nothing costs anything, nothing is said of it.
        "cost": [names.number(text) for text in charged] if any(charged) else None,
    }


def _nominal(states: _States, key: Hashable) -> Iterator[float | None]:
    """Return the nominal probabilities of a state where an adversary deviates."""
    decision = states.policy[key]
    for _, share in zip(states.branches(key), decision.nominal, strict=False):
        yield _short(float(share)) if decision.has_deviation else None


def _alternatives(
    tree: DecisionTree, states: _States, names: _Names
) -> Iterator[tuple[int, list[list[Any]]]]:
    """Return what other actions would have been worth, at the likeliest decisions."""
    keys: Sequence[Hashable] = states.keys
    if len(keys) > _MAX_COMPARED:
        keys = sorted(keys, key=lambda key: -states.reached[key])[:_MAX_COMPARED]
    for key in keys:
        node = Node(tree, key, probability=1, outcome=None, parent=None)
        # An engine that does not know has none.
        considered = islice(node.alternatives, _MAX_ALTERNATIVES)
        if listed := [list(_alternative(other, names)) for other in considered]:
            yield states.numbers[key], listed


def _alternative(other: Alternative, names: _Names) -> Iterator[Any]:
    """Return an action, and of each outcome how likely it is and what it leads to."""
    yield from (names.number(other.action), _number(other.value), int(other.is_bound))
    for outcome, probability, worth in other.prospects:
        yield from (names.number(outcome), _short(float(probability)), _number(worth))


def _number(number: Real) -> float | str:
    """Return a number that JavaScript can hold, or how it is written."""
    try:
        short = _short(float(number))
    except OverflowError:
        return value(number)
    return short if math.isfinite(short) else value(number)


def _short(number: float) -> float:
    """Keep twice the digits that are ever shown."""
    rounded = float(f"{number:.12g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def _count(number: int) -> int | str:
    return number if number < _LARGEST_WHOLE else count(number)


class _Names:
    """The names of a plan, each listed once; elsewhere its number stands for it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def listed(self) -> list[str]:
        """Return the names in the order of their numbers, as they may be shown."""
        return [legible(name) for name in self._numbers]


def _spending(problem: Problem, names: _Names) -> dict[str, Any]:
    """
    Return the budget, and what each action costs, in whole numbers.

    What an action costs may depend on what has happened, and a plan's state need not
    show it: where the budget no longer matters, states of different budgets are one. So
    the page is given the clauses, and adds up along the way.
    """
    scales = {resource: _scale(problem, resource) for resource in problem.budget}
    return {
        "resources": [
            {
                "name": "" if problem.budget.is_plain else legible(resource),
                # One of it is not called by a plural.
                "one": "" if problem.budget.is_plain else legible(counted(resource, 1)),
                "limit": int(limit * scales[resource])
                if isinstance(limit, Fraction)
                else None,
                "scale": scales[resource],
            }
            for resource, limit in problem.budget.items()
        ],
        "costs": {
            names.number(action.name): _cost(action, scales, names)
            for action in problem.actions
        },
    }


def _scale(problem: Problem, resource: str) -> int:
    """Return by what to multiply amounts of a resource to make them whole."""
    limit = problem.budget[resource]
    costs = (cost.of(resource) for a in problem.actions for cost in a.costs())
    amounts = [*costs, limit if isinstance(limit, Fraction) else Fraction(0)]
    return math.lcm(*(amount.denominator for amount in amounts))


def _cost(action: Action, scales: dict[str, int], names: _Names) -> dict[str, Any]:
    def amounts(cost: Amounts | None) -> list[int]:
        paid = action.cost if cost is None else cost
        return [int(paid.of(resource) * scale) for resource, scale in scales.items()]

    document: dict[str, Any] = {"cost": amounts(action.cost)}
    if any(clause.cost is not None for clause in action.given):
        document["given"] = [
            {"when": _condition(clause.when, names), "cost": amounts(clause.cost)}
            for clause in action.given
        ]
    return document


def _condition(condition: Condition, names: _Names) -> list[Any]:
    """Write a condition as nested lists: what it is, and of what."""
    match condition:
        case Happened():
            parts = [names.number(condition.action), names.number(condition.outcome)]
            return ["happened", *parts]
        case Attempted():
            return ["attempted", names.number(condition.action)]
        case AllOf() | AnyOf() | Not():
            word = _JOINED[type(condition)]
            return [word, *(_condition(part, names) for part in condition.parts())]
        case AtLeast(parts, count):
            return ["at_least", count, *(_condition(part, names) for part in parts)]
    raise TypeError(f"there is no such condition: {condition!r}")
