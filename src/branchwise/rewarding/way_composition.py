"""Families where it matters how an outcome comes about: negation and conditioning."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from branchwise._core import Family
from branchwise.model.conditions.condition import Condition, Happened
from branchwise.rewarding.composition import DiagramLimits, Elements, Limits, grown
from branchwise.rewarding.terms import Terms, TooManyError
from branchwise.rewarding.ways import Way, Ways
from branchwise.space.packed import bits, union
from branchwise.space.problem_space import ProblemSpace

_MOST_CONFLICTS = 200_000
_MOST_TERMS = 5_000


class _Carrier(NamedTuple):
    """A way, and the element that stands for it: a mark, or the outcome itself."""

    element: int
    outcome: int
    way: Way


class WayComposition:
    """Families whose sets say in which of several ways each outcome happens."""

    # Two sets with the same outcomes may differ in what they avoid, cost or promise,
    # and one that has no order must not stand for another that has one. So an outcome
    # with several ways has a mark for each. Sets in which nothing is both needed and
    # avoided can always be carried out; the others are looked at one by one.

    def __init__(
        self,
        space: ProblemSpace,
        actions: Iterable[str],
        goals: Iterable[Condition],
        limits: DiagramLimits,
    ) -> None:
        self._terms = Terms(space.problem, limit=_MOST_TERMS)
        self._ways = Ways(space, self._terms)
        self._carriers: dict[Happened, list[_Carrier]] = {}
        self.elements = Elements()
        for name in actions:
            self._number(name, (0,) * len(space.root.left))
        self._by_element = {c.element: c for cs in self._carriers.values() for c in cs}
        bit_of, outcomes = self._terms.bits, self.elements.outcomes
        self._bit_of = {element: bit_of[event] for event, element in outcomes.items()}
        self.families = self.elements.families(limits)
        self._limits = Limits(space, self.elements, self.families, self._needed(goals))
        self._found = dict.fromkeys(self._carriers, self.families.empty())
        grown(self._found, self._users(), self._outcome)

    def reach(self, condition: Condition) -> Iterator[Family]:
        """Return a family for each alternative of a condition."""
        for needs, avoids in self._terms.of(condition):
            family = self._limits.keep(self._join(self.families.unit(), needs))
            for bit in bits(avoids):
                family = self.families.without(family, self._element(bit))
            yield self._orderly(family)

    def _number(self, action: str, nothing: tuple[int, ...]) -> None:
        """Number the outcomes of an action side by side, and then their ways."""
        ways = {
            outcome: self._ways.of(bit)
            for outcome, bit in self._terms.bits.items()
            if outcome.action == action
        }
        for outcome, known in ways.items():
            is_single = len(known) == 1
            price = known[0].price if is_single else nothing
            weight = float(known[0].probability) if is_single else 1.0
            element = self.elements.add_outcome(outcome, price, weight)
            if is_single:
                self._carriers[outcome] = [_Carrier(element, element, known[0])]
        for outcome, known in ways.items():
            element = self.elements.outcomes[outcome]
            if len(known) != 1:
                self._carriers[outcome] = []
                for way in known:
                    mark = self.elements.add_mark(way.price, float(way.probability))
                    self._carriers[outcome].append(_Carrier(mark, element, way))

    def _needed(self, goals: Iterable[Condition]) -> set[Happened]:
        asked = union(term.needs for goal in goals for term in self._terms.of(goal))
        needed = asked | union(each.way.needs for each in self._by_element.values())
        return {self._terms.outcome(bit) for bit in bits(needed)}

    def _users(self) -> dict[Happened, list[Happened]]:
        found: dict[Happened, list[Happened]] = {o: [] for o in self._carriers}
        for outcome, carriers in self._carriers.items():
            for bit in bits(union(carrier.way.needs for carrier in carriers)):
                found[self._terms.outcome(bit)].append(outcome)
        return found

    def _outcome(self, outcome: Happened) -> Family:
        families = self.families
        family = families.empty()
        for carrier in self._carriers[outcome]:
            itself = families.from_sets([sorted({carrier.element, carrier.outcome})])
            way = self._join(itself, carrier.way.needs)
            family = families.minimal_union(family, way)
        return self._limits.keep(family)

    def _join(self, family: Family, needs: int) -> Family:
        for bit in bits(needs):
            needed = self._found[self._terms.outcome(bit)]
            family = self.families.minimal_join(family, needed)
        return family

    def _element(self, bit: int) -> int:
        return self.elements.outcomes[self._terms.outcome(bit)]

    def _orderly(self, family: Family) -> Family:
        """Keep the sets that can be carried out in some order."""
        families = self.families
        doubtful = families.empty()
        for carrier in self._by_element.values():
            chosen = families.with_element(family, carrier.element)
            for bit in bits(carrier.way.avoids):
                both = families.with_element(chosen, self._element(bit))
                doubtful = families.unite(doubtful, both)
        candidates = families.sets(doubtful, _MOST_CONFLICTS + 1)
        if len(candidates) > _MOST_CONFLICTS:
            raise TooManyError
        good = [each for each in candidates if self.order(each) is not None]
        settled = families.subtract(family, doubtful)
        return families.unite(settled, families.from_sets(good))

    def order(self, elements: Sequence[int]) -> list[Happened] | None:
        """Return an order in which a set can be carried out; None if there is none."""
        # Carry out whatever can be: after what it needs, and after all that avoid it.
        # Doing more never blocks anything here, so the greedy order is as good as any.
        chosen = [self._by_element[e] for e in elements if e in self._by_element]
        left = {self._bit_of[carrier.outcome]: carrier.way for carrier in chosen}
        done = 0
        order = []
        while left:
            avoided = union(way.avoids for way in left.values())
            able = [bit for bit, way in left.items() if not way.needs & ~done]
            ready = [bit for bit in able if not bit & avoided]
            if not ready:
                return None
            for bit in ready:
                done |= bit
                del left[bit]
                order.append(self._terms.outcome(bit))
        return order
