"""What cannot be paid for: actions, with all that they cannot do without."""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from branchwise.model.action import Action, Given
from branchwise.model.budget import Amounts
from branchwise.model.checks.demands import needs_of
from branchwise.model.conditions.condition import ALWAYS, Condition
from branchwise.model.problem import Problem
from branchwise.model.spread import distance_of, possible_labels

# A long search for what cannot be paid may end early: it only finds more to warn of.
_MOST_STEPS = 50_000


class Option(NamedTuple):
    """What an action may be at some time: its own self, or one of its clauses."""

    when: Condition
    labels: frozenset[str]  # of the outcomes that can come up
    cost: Amounts
    needed: Amounts  # what has to be there: the same, and the dearest outcome


class Shortfall(NamedTuple):
    """A resource that cannot pay for actions of which every one is needed."""

    resource: str
    cost: Fraction
    actions: tuple[str, ...]


class Expenses:
    """
    The least that actions cost, with all that they cannot do without.

    >>> test = Action("test", outcomes={"good": 1}, cost=4)
    >>> drill = Action("drill", outcomes={"oil": 1}, cost=7, requires="test=good")
    >>> Expenses(Problem([test, drill], budget=10)).shortfall(["drill"]).cost
    Fraction(11, 1)
    """

    def __init__(self, problem: Problem) -> None:
        limits = problem.budget.items()
        self._limits = {r: limit for r, limit in limits if isinstance(limit, Fraction)}
        self._needs = {action.name: needs_of(action) for action in problem.actions}
        self.options = _options_by_name(problem.actions)
        """What each action may be at some time."""
        shared = {id(each): each for each in self.options.values()}
        least = {key: self._least_cost(each) for key, each in shared.items()}
        self._least = {name: least[id(each)] for name, each in self.options.items()}
        self._steps_left = _MOST_STEPS

    def unpaid(self, found: Iterable[str]) -> set[str]:
        """Return those not paid for, of actions that come after all that they need."""
        names = list(found)
        return {name for r in self._limits for name in self._unpaid(r, names)}

    def shortfall(self, actions: Iterable[str]) -> Shortfall | None:
        """Find a resource that cannot pay for these actions and all they need."""
        needed: dict[str, None] = {}
        spent = dict.fromkeys(self._limits, Fraction(0))
        pending = deque(actions) if self._limits else deque[str]()
        while pending and self._steps_left:
            name = pending.popleft()
            if name in needed:
                continue
            needed[name] = None
            self._steps_left -= 1
            for resource, cost in self._least[name].items():
                spent[resource] += cost
                if spent[resource] > self._limits[resource]:
                    return Shortfall(resource, spent[resource], tuple(needed))
            pending.extend(self._needs[name])
        return None

    def _unpaid(self, resource: str, names: Iterable[str]) -> Iterator[str]:
        """Decide by bounds where they are clear, and look closely elsewhere."""
        zero = Fraction(0)
        costs = {name: each.get(resource, zero) for name, each in self._least.items()}
        # In whole numbers of the smallest unit, which is far faster.
        shared = {id(cost): cost for cost in costs.values()}
        bottoms = {cost.denominator for cost in shared.values()}
        unit = math.lcm(self._limits[resource].denominator, *bottoms)
        limit = int(self._limits[resource] * unit)
        units = {
            key: cost.numerator * (unit // cost.denominator)
            for key, cost in shared.items()
        }
        whole = {name: units[id(cost)] for name, cost in costs.items()}
        total = sum(whole.values())
        lower: dict[str, int] = {}
        upper: dict[str, int] = {}
        for name in names:
            needs, own = self._needs[name], whole[name]
            lower[name] = own + max([lower[need] for need in needs], default=0)
            upper[name] = min(own + sum([upper[need] for need in needs]), total)
            is_unclear = lower[name] <= limit < upper[name]
            if lower[name] > limit or (is_unclear and self.shortfall([name])):
                yield name

    def _least_cost(self, options: Sequence[Option]) -> dict[str, Fraction]:
        least = {r: min([each.cost.of(r) for each in options]) for r in self._limits}
        return {resource: cost for resource, cost in least.items() if cost}


def _variants(action: Action) -> Iterator[Given | None]:
    """Return the clauses that count at some time, and None if there may be none."""
    for clause in action.given:
        yield clause
        if clause.when == ALWAYS:
            return
    yield None


def _options_by_name(actions: Iterable[Action]) -> dict[str, tuple[Option, ...]]:
    """Return everything that actions may be; those of one file share their parts."""
    shared: dict[tuple[int, int], tuple[Option, ...]] = {}
    found: dict[str, tuple[Option, ...]] = {}
    for action in actions:
        if action.given or action.distance is not None:
            found[action.name] = tuple(_options(action))
            continue
        parts = id(action.outcomes), id(action.cost)
        if parts not in shared:
            shared[parts] = tuple(_options(action))
        found[action.name] = shared[parts]
    return found


def _options(action: Action) -> Iterator[Option]:
    kept: dict[bool | None, frozenset[str]] = {}
    dearest = action.dearest
    for clause in _variants(action):
        when = ALWAYS if clause is None else clause.when
        cost, _ = action.under(clause)
        needed = cost.plus(dearest) if dearest else cost
        yield Option(when, _labels(action, clause, kept), cost, needed)


def possible_at_some_time(action: Action) -> set[str]:
    """Return the outcomes that may come up, with or without a clause."""
    kept: dict[bool | None, frozenset[str]] = {}
    found = set(possible_labels(action))
    for clause in action.given:
        labels = _labels(action, clause, kept)
        if clause.outcomes is not None:
            found |= labels
    return found.union(*kept.values())


def _labels(
    action: Action, clause: Given | None, kept: dict[bool | None, frozenset[str]]
) -> frozenset[str]:
    """Return what may come up under a clause; clauses without any share it."""
    if clause is None or clause.outcomes is not None:
        return possible_labels(action, clause)
    # How far probabilities may move is all the same, only not whether they may.
    distance = distance_of(action, clause)
    moves = None if distance is None else distance > 0
    if moves not in kept:
        kept[moves] = possible_labels(action, clause)
    return kept[moves]
