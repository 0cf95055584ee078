"""The diagram: all rewarding sets of a problem, held without listing them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise._core import Families, Family
from branchwise.model.action import Action
from branchwise.model.condition import Condition, Happened, all_of, negation
from branchwise.rewarding.composition import (
    Composition,
    DiagramLimits,
    PlainComposition,
)
from branchwise.rewarding.levels import Level, levels
from branchwise.rewarding.relevance import is_positive, relevant_actions
from branchwise.rewarding.way_composition import WayComposition
from branchwise.space.problem_space import ProblemSpace

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
        is_plain = all(map(_is_plain, actions))
        is_plain = is_plain and all(map(is_positive, goals))
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
        """Return the actions that some way needs."""
        elements = {
            element
            for family in self.levels
            for element in self.families.elements_of(family.reasons)
        }
        return {self.outcomes[e].action for e in elements if e in self.outcomes}

    def reaches(self, condition: Condition) -> bool:
        """Whether some set makes a condition hold."""
        empty = self.families.empty()
        return any(family != empty for family in self._composition.reach(condition))

    def perfect_information(self) -> float:
        """Return the expected reward with perfect information."""
        sets = [family.sets for family in self.levels]
        values = [float(family.level.value) for family in self.levels]
        certain, groups = self._chances()
        sets = [
            self.families.minimal(self.families.project_out(family, certain))
            for family in sets
        ]
        if self.problem.combine == "max":
            return self.families.expected_best(sets, values, groups)
        return self._floor() + sum(
            value * self.families.probability(family, groups)
            for family, value in zip(sets, values, strict=True)
        )

    def _chances(self) -> tuple[list[int], list[list[tuple[int, float]]]]:
        """Return the outcomes taken for granted, and how likely the others are."""
        certain: list[int] = []
        groups = []
        for name, group in self.elements.groups.items():
            action = self.problem.action(name)
            if action.given or action.is_repeatable:
                certain += group
                continue
            labels = (self.outcomes[element].outcome for element in group)
            probabilities = [
                float(action.outcome(label).probability) for label in labels
            ]
            groups.append(list(zip(group, probabilities, strict=True)))
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


def _is_plain(action: Action) -> bool:
    available = all_of(action.requires, negation(action.precluded_by))
    return not action.given and is_positive(available)
