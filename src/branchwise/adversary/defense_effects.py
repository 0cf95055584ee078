"""What defenses do to an attacker: which can only hurt, and which go together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final

from branchwise.adversary.defense_clauses import numbers_in
from branchwise.model.action import Action
from branchwise.model.condition import AllOf, AnyOf, Condition, Happened, Not
from branchwise.model.defended_problem import hardened
from branchwise.model.defense import Defense
from branchwise.model.problem import Problem

# Of an action that more defenses change, not all combinations are looked at.
_MOST_TOGETHER: Final = 8

Probabilities = list[dict[str, Fraction]]
"""The probabilities of an action's outcomes, under each of its clauses."""


class Effects:
    """The defenses of a problem by their numbers; sets of them are bits of a number."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.defenses = problem.defenses
        # For every action, the defenses that have an effect on it.
        self.touching = {action.name: 0 for action in problem.actions}
        for number, defense in enumerate(self.defenses):
            for name in defense.touched:
                self.touching[name] |= 1 << number
        self._signs = _signs(problem)
        # Those that can only hurt the attacker, whatever else is in place.
        self.hurting = (1 << len(self.defenses)) - 1
        for action in problem.actions:
            self.hurting &= ~self._doubtful(action)

    def chosen(self, defenses: int) -> list[Defense]:
        """Return the defenses of a set, in order."""
        return [self.defenses[number] for number in numbers_in(defenses)]

    def combine(self, defenses: int) -> bool:
        """
        Whether it is clear what these do together.

        So it is for all that may be chosen together, and for many that may not.
        """
        chosen = self.chosen(defenses)
        changed = [action for defense in chosen for action in defense.changes]
        if len(changed) != len(set(changed)):
            return False
        scaled: dict[str, set[str]] = defaultdict(set)
        for defense in chosen:
            for action, left in defense.scales.items():
                scaled[action].update(left)
        return all(
            len(labels) < len(self.problem.action(action).labels)
            for action, labels in scaled.items()
        )

    def touching_any(self, actions: Collection[str]) -> int:
        """Return the defenses that have an effect on any of these actions."""
        return reduce(or_, (self.touching[action] for action in actions), 0)

    def _doubtful(self, action: Action) -> int:
        """Return the defenses of an action whose changes might help the attacker."""
        numbers = [
            number
            for number, defense in enumerate(self.defenses)
            if action.name in defense.changes or action.name in defense.scales
        ]
        if len(numbers) > _MOST_TOGETHER:
            return sum(1 << number for number in numbers)
        sets = [0]
        for number in numbers:
            sets += [some | 1 << number for some in sets]
        probabilities = {
            some: self._probabilities(action, some)
            for some in sets
            if self.combine(some)
        }
        doubtful = 0
        for some, before in probabilities.items():
            for number in numbers:
                after = probabilities.get(some | 1 << number)
                if after is not None and not self._is_worse(action, before, after):
                    doubtful |= 1 << number
        return doubtful

    def _probabilities(self, action: Action, defenses: int) -> Probabilities:
        hard = hardened(action, self.chosen(defenses))
        probabilities = [clause.outcomes or hard.outcomes for clause in hard.given]
        return [
            {outcome.label: outcome.probability for outcome in outcomes}
            for outcomes in (*probabilities, hard.outcomes)
        ]

    def _is_worse(
        self, action: Action, before: Probabilities, after: Probabilities
    ) -> bool:
        """
        Whether probability goes only from outcomes that are never worse to others.

        An outcome that conditions only ever wish for is never worse than one that none
        mentions, and that never worse than one that they only ever wish away.
        """
        pairs = [
            (
                self._signs[Happened(action.name, label)],
                old.get(label, 0),
                new.get(label, 0),
            )
            for old, new in zip(before, after, strict=True)
            for label in action.labels
        ]
        return all(
            (1 not in signs or new <= old) and (-1 not in signs or new >= old)
            for signs, old, new in pairs
        )


def _signs(problem: Problem) -> defaultdict[Condition, set[int]]:
    """Find which outcomes conditions wish for (1), and which they wish away (-1)."""
    signs: defaultdict[Condition, set[int]] = defaultdict(set)
    for condition, wish in _wishes(problem):
        pending = [(condition, wish)]
        while pending:
            part, sign = pending.pop()
            match part:
                case Not(inner):
                    pending.append((inner, -sign))
                case AllOf(parts) | AnyOf(parts):
                    pending += ((each, sign) for each in parts)
                case _:
                    signs[part].add(sign)
    return signs


def _wishes(problem: Problem) -> Iterator[tuple[Condition, int]]:
    """Return every condition, and whether the attacker wishes it to hold."""
    for action in problem.actions:
        yield action.requires, 1
        yield action.precluded_by, -1
        for clause in action.given:
            yield clause.when, 1
            yield clause.when, -1
    for reward in problem.rewards:
        if reward.value:
            yield reward.when, 1 if reward.value > 0 else -1
