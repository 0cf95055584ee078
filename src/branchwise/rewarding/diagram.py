"""The diagram: all rewarding sets of a problem, held without listing them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise._core import Families, Family
from branchwise.model.conditions.condition import Condition, Happened
from branchwise.rewarding.composition import (
    Composition,
    DiagramLimits,
    PlainComposition,
)
from branchwise.rewarding.levels import Level, levels
from branchwise.rewarding.relevance import is_positive, relevant_actions
from branchwise.rewarding.way_composition import WayComposition
from branchwise.space.problem_space import ProblemSpace, allowed

_USUAL: Final = DiagramLimits()


@dataclass(frozen=True, slots=True)
class LevelFamily:
    """The rewarding sets of one level."""

    level: Level  # What they reach
    # Sets of outcomes and marks: every way that is not made up of another one.
    reasons: Family
    sets: Family  # Sets of outcomes: the minimal ones among all ways
    # Those of the sets that no level of a higher value has; the others are listed
    # there.
    own: Family


class Diagram:
    """The rewarding sets of a problem as zero-suppressed decision diagrams."""

    def __init__(self, space: ProblemSpace, limits: DiagramLimits = _USUAL) -> None:
        problem = space.problem
        found = levels(problem)
        goals = [level.when for level in found]
        names = relevant_actions(problem, goals)
        actions = [problem.action(name) for name in names]
        gates = map(allowed, actions)
        is_plain = not any(action.given for action in actions)
        is_plain = is_plain and all(map(is_positive, (*gates, *goals)))
        kind = PlainComposition if is_plain else WayComposition
        composition: Composition = kind(space, names, goals, limits)
        self.problem = problem
        self._composition = composition
        self.elements = composition.elements
        self.families: Families = composition.families
        self.outcomes = {e: o for o, e in self.elements.outcomes.items()}
        is_sum = problem.combine == "sum"
        self.levels = list(_families(composition, found, is_sum=is_sum))

    def count(self) -> int:
        """Count the rewarding sets."""
        return sum(self.families.count(family.own) for family in self.levels)

    def used_actions(self) -> set[str]:
        """Return the actions that some way needs, minimal or not."""
        return self._actions_in(family.reasons for family in self.levels)

    def needed_actions(self) -> set[str]:
        """Return the actions that some rewarding set needs."""
        return self._actions_in(family.sets for family in self.levels)

    def _actions_in(self, families: Iterable[Family]) -> set[str]:
        found = (self.families.elements_of(family) for family in families)
        needed = {element for elements in found for element in elements}
        return {self.outcomes[e].action for e in needed if e in self.outcomes}

    def reaches(self, condition: Condition) -> bool:
        """Whether some set makes a condition hold."""
        empty = self.families.empty()
        return any(family != empty for family in self._composition.reach(condition))

    def perfect_information(self) -> float:
        """Return the expected reward with perfect information."""
        families, (certain, groups) = self.families, self._chances()
        values = [float(family.level.value) for family in self.levels]
        reached = [families.project_out(family.sets, certain) for family in self.levels]
        sets = [families.minimal(family) for family in reached]
        if self.problem.combine == "max":
            return families.expected_best(sets, values, groups)
        likely = [families.probability(family, groups) for family in sets]
        return self._floor() + sum(v * p for v, p in zip(values, likely, strict=True))

    def _chances(self) -> tuple[list[int], list[list[tuple[int, float]]]]:
        """Return the outcomes taken for granted, and how likely the others are."""
        certain: list[int] = []
        groups = []
        for name, group in self.elements.groups.items():
            action = self.problem.action(name)
            if action.given or action.is_repeatable:
                certain += group
                continue
            chances = {o.label: float(o.probability) for o in action.outcomes}
            groups.append([(e, chances[self.outcomes[e].outcome]) for e in group])
        return certain, groups

    def _floor(self) -> float:
        """Return what penalties cost where none of them can be avoided."""
        penalties = (r.value for r in self.problem.rewards if r.value < 0)
        return float(sum(penalties, Fraction(0)))

    def order(self, elements: Sequence[int]) -> list[Happened]:
        """Return an order in which a set can be carried out."""
        order = self._composition.order(elements)
        assert order is not None, "a family holds only sets that have an order"
        return order

    def strongest(
        self, family: LevelFamily, *, at_once: int
    ) -> Iterator[tuple[Sequence[int], float]]:
        """Return the sets of a level that are its own, and how likely they are."""
        if not self.elements.marks:
            yield from self._stream(family.own, at_once)
            return
        seen: set[tuple[int, ...]] = set()
        for elements, weight in self._stream(family.reasons, at_once):
            outcomes = tuple(e for e in elements if e in self.outcomes)
            if outcomes in seen:
                continue  # A likelier way to the same outcomes came before.
            seen.add(outcomes)
            if self.families.contains(family.own, outcomes):
                yield elements, weight

    def _stream(
        self, family: Family, at_once: int
    ) -> Iterator[tuple[Sequence[int], float]]:
        stream = self.families.strongest(family, self.elements.weights)
        while True:
            sets, weights = stream.next(at_once)
            if not sets:
                return
            yield from zip(sets, weights, strict=True)


def _families(
    composition: Composition, found: tuple[Level, ...], *, is_sum: bool
) -> Iterator[LevelFamily]:
    """Put the family of each level together, the most valuable first."""
    families = composition.families
    higher = families.empty()
    for level in found:
        reasons = families.empty()
        for alternative in composition.reach(level.when):
            reasons = families.unite(reasons, alternative)
        outcomes = families.project_out(reasons, composition.elements.marks)
        sets = families.minimal(outcomes)
        yield LevelFamily(level, reasons, sets, families.subtract(sets, higher))
        if not is_sum:
            higher = families.unite(higher, sets)
