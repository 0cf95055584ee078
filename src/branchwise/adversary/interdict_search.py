"""
The best defenses by search: propose a set, hear the attacker, learn a clause.

The attacker's best plan against a set of defenses is worth as much against every other
set that treats its actions no worse. So to do better one must choose one of
the defenses that touch the plan, or give up one that might help it: a clause. To make
clauses short the set is grown first, past any budget, as long as the attacker does no
worse than against the best set so far. The next proposal is a cheapest set that
satisfies all clauses; when there is none within the budget, the best set is proven.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from branchwise.adversary.defenses import Choices, Clause, Rank
from branchwise.adversary.interdict_attack import Answer, Attacker
from branchwise.space.state_space import Real

PATIENCE: Final = 4
"""After so many defenses that a set cannot be grown by, more are seldom of use."""


class Scope(NamedTuple):
    """Which sets of defenses to choose from."""

    units: int  # what they may cost
    # Defenses that they must have, and must not.
    has: int = 0
    lacks: int = 0

    def without(self, number: int, chosen: int) -> Scope:
        """Return where a defense is chosen if it was not, and not if it was."""
        bit = 1 << number
        has, lacks = (0, bit) if chosen & bit else (bit, 0)
        return Scope(self.units, has, lacks)


class Best(NamedTuple):
    """The best set of defenses found, and the attacker's optimum against it."""

    defenses: int
    value: Real


@dataclass(eq=False)
class Search:
    """Finds the best defenses, again and again, and keeps all it learns."""

    _attacker: Attacker
    _choices: Choices
    _tolerance: Real  # values that differ by no more count as equal
    _gap: float  # which share of its value the best set may be too high
    _patience: int  # how many defenses to try in vain before a set counts as grown
    _listen: Callable[[Best | None], object]  # told of the best before every proposal
    _clauses: dict[tuple[int, int], Clause] = field(default_factory=dict)
    num_nodes: int = 0
    best: Best | None = None

    @property
    def start(self) -> SearchStart:
        """What another search needs to go on from here."""
        how = self._tolerance, self._gap, self._patience
        return SearchStart(*how, dict(self._clauses))

    def find(self, scope: Scope) -> Best | None:
        """
        Find the best set, and among equally good ones the first; None if there is none.

        What was found when this is broken off stays in `best`.
        """
        self.best = None
        if self._cheapest([], scope) is None:
            return None
        self._begin(scope)
        while (chosen := self._proposal(scope)) is not None:
            self._hear(chosen, scope)
        while (chosen := self._earlier(scope)) is not None:
            value = self._attacker.answer(chosen).value
            if value <= self._value + self._tolerance:
                # It comes before all others that are as good, or may be.
                self.best = Best(chosen, value)
            else:
                self._learn(chosen, self._value, is_strict=True)
        return self.best

    def lower_bound(self, scope: Scope) -> Real | None:
        """Return what the attacker is sure of, whatever is chosen; None if unknown."""
        clauses = sorted(self._clauses.values(), key=lambda clause: -clause.value)
        low, high = 0, len(clauses)
        while low < high:  # The fewest of the highest that no set satisfies.
            middle = (low + high) // 2
            is_short = self._cheapest(clauses[: middle + 1], scope) is not None
            low, high = (middle + 1, high) if is_short else (low, middle)
        return clauses[low].value if low < len(clauses) else None

    @property
    def _value(self) -> Real:
        assert self.best is not None
        return self.best.value

    def _cheapest(
        self, clauses: list[Clause], scope: Scope, below: Rank | None = None
    ) -> int | None:
        return self._choices.cheapest(clauses, *scope, below)

    def _proposal(self, scope: Scope) -> int | None:
        """Return a set that may be better than the best one by more than the gap."""
        self._listen(self.best)
        enough = self._value - self._tolerance
        if self._gap:
            share = Fraction(self._gap) if isinstance(enough, Fraction) else self._gap
            enough -= share * max(enough, -enough)
        hard = [clause for clause in self._clauses.values() if clause.value >= enough]
        return self._cheapest(hard, scope)

    def _earlier(self, scope: Scope) -> int | None:
        """Return the first set that may be as good as the best one and precedes it."""
        assert self.best is not None
        if self._gap:
            return None
        self._listen(self.best)
        limit = self._value + self._tolerance
        hard = [clause for clause in self._clauses.values() if clause.value > limit]
        return self._cheapest(hard, scope, self._choices.rank(self.best.defenses))

    def _begin(self, scope: Scope) -> None:
        """Begin with the best set that is known, or with a greedy one."""
        for defenses, answer in self._attacker.answers.items():
            if self._is_in(defenses, scope):
                self._compare(defenses, answer)
        start = self._cheapest([], scope)
        assert start is not None
        self._compare(start, self._attacker.answer(start))
        self._fill(start, scope)

    def _is_in(self, defenses: int, scope: Scope) -> bool:
        return (
            self._choices.cost(defenses) <= scope.units
            and not scope.has & ~defenses
            and not scope.lacks & defenses
            and self._choices.are_compatible(defenses)
        )

    def _compare(self, defenses: int, answer: Answer) -> None:
        """Keep a set that is better than the best so far, or as good and before it."""
        if self.best is not None:
            difference = answer.value - self._value
            if difference > self._tolerance:
                return
            rank = self._choices.rank
            is_tie = -difference <= self._tolerance
            if is_tie and rank(defenses) >= rank(self.best.defenses):
                return
        self.best = Best(defenses, answer.value)

    def _hear(self, chosen: int, scope: Scope) -> None:
        """Hear the attacker's answer to a proposal, and learn from it."""
        self.num_nodes += 1
        answer = self._attacker.answer(chosen)
        if answer.value < self._value - self._tolerance:
            self._compare(chosen, answer)
            self._fill(chosen, scope)
        self._learn(chosen, self._value, is_strict=False)

    def _fill(self, chosen: int, scope: Scope) -> None:
        """Add what seems to hurt most, as long as the budget allows."""
        answer = self._attacker.answer(chosen)
        while True:
            losses = {
                number: answer.losses[number] / (self._choices.costs[number] or 0.5)
                for number in self._choices.may_add(chosen, scope.units)
                if number in answer.losses and not scope.lacks >> number & 1
            }
            if not losses:
                return
            chosen |= 1 << max(losses, key=lambda number: (losses[number], -number))
            answer = self._attacker.answer(chosen)
            self._compare(chosen, answer)

    def _learn(self, chosen: int, value: Real, *, is_strict: bool) -> None:
        """Learn what any set must have, or lack, to be better than a value."""
        grown, answer = self._grown(chosen, value, is_strict=is_strict)
        touching = answer.touching
        some_of = touching & ~grown
        not_all_of = touching & grown & ~self._attacker.effects.hurting
        self._clauses[some_of, not_all_of] = Clause(some_of, not_all_of, answer.value)

    def _grown(
        self, chosen: int, value: Real, *, is_strict: bool
    ) -> tuple[int, Answer]:
        """Add defenses, past any budget, while the attacker does no worse than this."""
        answer, effects = self._attacker.answer(chosen), self._attacker.effects
        refused, num_tried, step = 0, 0, 1
        while True:
            free = effects.hurting & ~(chosen | refused)
            losses = {n: lost for n, lost in answer.losses.items() if free >> n & 1}
            if not losses or num_tried >= self._patience:
                return chosen, answer
            # Several at a time, the least harmful first, as long as that goes well.
            order = sorted(losses, key=lambda number: (losses[number], number))
            more = chosen | sum(1 << number for number in order[:step])
            is_possible = effects.combine(more) and self._is_enough(
                self._attacker.at_most(more), value, is_strict=is_strict
            )
            tried = self._attacker.answer(more) if is_possible else None
            if tried and self._is_enough(tried.value, value, is_strict=is_strict):
                chosen, answer, step = more, tried, step * 2
            elif step > 1:
                step = 1
            else:
                refused |= more & ~chosen
                num_tried += is_possible

    def _is_enough(self, value: Real, least: Real, *, is_strict: bool) -> bool:
        """Whether a value is at least another; strictly, if more than as good."""
        if is_strict:
            return value > least + self._tolerance
        return value >= least - self._tolerance


class SearchStart(NamedTuple):
    """How a search goes on, and all that it has learned."""

    tolerance: Real
    gap: float
    patience: int
    clauses: dict[tuple[int, int], Clause]

    def begun(
        self,
        attacker: Attacker,
        choices: Choices,
        listen: Callable[[Best | None], object],
    ) -> Search:
        """Return a search that goes on from here."""
        how = self.tolerance, self.gap, self.patience
        return Search(attacker, choices, *how, listen, dict(self.clauses))
