"""
Families of rewarding sets, put together from the conditions of a problem.

What an outcome needs is a family of sets: those of the alternatives of its action's
condition, each with the outcome itself added. Starting from actions that need nothing,
families grow until nothing changes, so that no set lifts itself by its own bootstraps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from branchwise._core import Families, Family
from branchwise.model.conditions.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Condition,
    Happened,
    joined_at_least,
)
from branchwise.rewarding.relevance import needed_first, users
from branchwise.rewarding.terms import TooManyError
from branchwise.space.packed import Units
from branchwise.space.problem_space import ProblemSpace, allowed

K = TypeVar("K", bound=Hashable)

# With what is remembered of them, and space to grow: a gigabyte.
_MOST_NODES = 20_000_000
_MOST_UNITS = 2**62


class Elements:
    """The elements of a diagram, numbered, with their costs and probabilities."""

    # The outcomes of an action stand side by side. A mark stands for one of several
    # ways in which an outcome can happen; it carries cost and probabilities in the
    # outcome's place.

    def __init__(self) -> None:
        self.outcomes: dict[Happened, int] = {}
        self.groups: dict[str, list[int]] = {}
        self.marks: list[int] = []
        self.weights: list[float] = []
        self._prices: list[Units] = []

    def add_outcome(self, outcome: Happened, price: Units, weight: float) -> int:
        """Number an outcome."""
        element = self._add(price, weight)
        self.outcomes[outcome] = element
        self.groups.setdefault(outcome.action, []).append(element)
        return element

    def add_mark(self, price: Units, weight: float) -> int:
        """Number a way."""
        element = self._add(price, weight)
        self.marks.append(element)
        return element

    def prices(self, resource: int) -> list[int]:
        """Return what each element costs of one resource, by its position."""
        return [price[resource] for price in self._prices]

    def families(self, limits: DiagramLimits) -> Families:
        """Start a diagram that gives up when the time is over, or memory runs out."""
        families = Families(len(self.weights), limits.num_nodes)
        families.time_limit_seconds = limits.time_limit_seconds
        return families

    def _add(self, price: Units, weight: float) -> int:
        self._prices.append(price)
        self.weights.append(weight)
        return len(self.weights) - 1


class DiagramLimits(NamedTuple):
    """When the building of a diagram is given up."""

    time_limit_seconds: float | None = None  # After so long; None for never
    num_nodes: int = _MOST_NODES  # When it has so many nodes


class Composition(Protocol):
    """Puts the families of a problem together."""

    elements: Elements
    families: Families

    def reach(self, condition: Condition) -> Iterator[Family]:
        """
        Return the families that make a condition hold, alternative by alternative.

        Their sets can be carried out in some order, within attempts and budget. They
        may hold marks beside outcomes.
        """

    def order(self, elements: Sequence[int]) -> list[Happened] | None:
        """Return an order in which a set can be carried out."""


class Limits:
    """What a set may cost, and how often an action may be in it."""

    # Only outcomes that something needs are ever in a set.

    def __init__(
        self,
        space: ProblemSpace,
        elements: Elements,
        families: Families,
        needed: set[Happened],
    ) -> None:
        self._families = families
        left = enumerate(space.root.left)
        self._prices = [(_capped(elements.prices(i), have), have) for i, have in left]
        attempts = {action.name: action.attempts for action in space.problem.actions}
        in_sets: dict[str, list[int]] = {}
        for outcome, element in elements.outcomes.items():
            if outcome in needed:
                in_sets.setdefault(outcome.action, []).append(element)
        self._attempts = [
            (group, int(attempts[name]))
            for name, group in in_sets.items()
            if attempts[name] < len(group)
        ]

    def keep(self, family: Family) -> Family:
        """Keep the sets that budget and attempts allow."""
        for prices, budget in self._prices:
            family = self._families.within(family, prices, budget)
        for group, attempts in self._attempts:
            family = self._families.at_most(family, group, attempts)
        return family


def _capped(prices: list[int], budget: int) -> list[int]:
    """Cut prices that cannot be paid, so that their sum fits the diagram's numbers."""
    capped = [min(price, budget + 1) for price in prices]
    if sum(capped) >= _MOST_UNITS:
        raise TooManyError
    return capped


class PlainComposition:
    """Families where nothing is avoided and nothing depends on how it came about."""

    # Conditions only ask for things to happen, and no action has conditioning. Then
    # ``and`` is a join and ``or`` a union, and however many sets there are, none is
    # ever listed.

    def __init__(
        self,
        space: ProblemSpace,
        actions: Iterable[str],
        goals: Iterable[Condition],
        limits: DiagramLimits,
    ) -> None:
        self._actions = {name: space.problem.action(name) for name in actions}
        self.elements = Elements()
        for action in self._actions.values():
            price = space.units(action.cost)
            for outcome in action.outcomes:
                if outcome.probability > 0:
                    happened = Happened(action.name, outcome.label)
                    weight = float(outcome.probability)
                    self.elements.add_outcome(happened, price, weight)
        self._names = {e: o for o, e in self.elements.outcomes.items()}
        self.families = self.elements.families(limits)
        self._limits = Limits(space, self.elements, self.families, self._needed(goals))
        self._available = dict.fromkeys(self._actions, self.families.empty())
        grown(self._available, users(self._actions), self._availability)

    def reach(self, condition: Condition) -> Iterator[Family]:
        """Return the family that makes a condition hold."""
        yield self._limits.keep(self._family(condition))

    def order(self, elements: Sequence[int]) -> list[Happened]:
        """Carry out whatever can be, until all is done."""
        left = [self._names[element] for element in reversed(elements)]
        known: dict[str, list[str]] = {}
        order: list[Happened] = []
        while left:
            ready = [o for o in left if self._actions[o.action].requires.holds(known)]
            assert ready, "a family holds only sets that have an order"
            for outcome in ready:
                known.setdefault(outcome.action, []).append(outcome.outcome)
            order += ready
            left = [outcome for outcome in left if outcome not in ready]
        return order

    def _needed(self, goals: Iterable[Condition]) -> set[Happened]:
        found: set[Happened] = set()
        gates = (action.requires for action in self._actions.values())
        for condition in (*goals, *gates):
            for mention in condition.mentions():
                if isinstance(mention, Happened):
                    found.add(mention)
                else:
                    labels = self._actions[mention.action].labels
                    found.update(Happened(mention.action, label) for label in labels)
        return found

    def _availability(self, name: str) -> Family:
        return self._limits.keep(self._family(allowed(self._actions[name])))

    def _family(self, condition: Condition, *, holds: bool = True) -> Family:
        match condition:
            case Happened():
                return self._outcome(condition)
            case Attempted(name):
                labels = self._actions[name].labels
                return self._union(self._outcome(Happened(name, o)) for o in labels)
            case AllOf(parts) | AnyOf(parts):
                inside = (self._family(part, holds=holds) for part in parts)
                if isinstance(condition, AllOf) is not holds:
                    return self._union(inside)
                return self._join(inside)
            case AtLeast(parts, count):
                each = [self._family(part, holds=holds) for part in parts]
                needed = count if holds else condition.count_against
                return joined_at_least(needed, each, self._join, self._union)
        (inner,) = condition.parts()
        return self._family(inner, holds=not holds)

    def _join(self, parts: Iterable[Family]) -> Family:
        family = self.families.unit()
        for part in parts:
            family = self.families.minimal_join(family, part)
        return family

    def _union(self, parts: Iterable[Family]) -> Family:
        family = self.families.empty()
        for part in parts:
            family = self.families.minimal_union(family, part)
        return family

    def _outcome(self, outcome: Happened) -> Family:
        if outcome not in self.elements.outcomes:
            return self.families.empty()
        itself = self.families.single(self.elements.outcomes[outcome])
        return self.families.minimal_join(itself, self._available[outcome.action])


def grown(
    found: dict[K, Family],
    dependents: Mapping[K, Iterable[K]],
    family_of: Callable[[K], Family],
) -> None:
    """Let families grow until nothing changes, those that others need first."""
    needs: dict[K, list[K]] = {key: [] for key in found}
    for key, users_of_key in dependents.items():
        for user in users_of_key:
            needs[user].append(key)
    queue = deque(needed_first(needs))
    waiting = set(queue)
    while queue:
        key = queue.popleft()
        waiting.discard(key)
        family = family_of(key)
        if family == found[key]:
            continue
        found[key] = family
        again = [user for user in dependents[key] if user not in waiting]
        waiting.update(again)
        queue.extend(again)
