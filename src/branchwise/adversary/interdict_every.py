"""The best defenses where states hold more than outcomes: every set is tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from branchwise.adversary.defenses import Choices
from branchwise.adversary.interdict_attack import Answer, Attacker, StoppedError
from branchwise.adversary.interdict_search import Best, Scope
from branchwise.errors import LimitError
from branchwise.model.defended_problem import left_by
from branchwise.solver import solve
from branchwise.space.state_space import Real
from branchwise.tree.solution import Status

# Each set is an attacker's problem to solve; and no set is left out untried, as what is
# known of defenses that can only hurt holds for outcomes alone.
MOST_SETS = 4096


class SolvingAttacker(Attacker):
    """Answers sets of defenses, each by solving what it leaves."""

    def _known(self, defenses: int) -> None:
        """Return None: where states hold more, no set is known by another."""

    def _found(self, defenses: int) -> Answer:
        self.look()
        left = left_by(self.effects.problem, self.effects.chosen(defenses))
        found = solve(left, exact=self._exact, cancel=self.stop)
        if found.status is not Status.OPTIMAL:
            raise StoppedError(self.stop.status or Status.INTERRUPTED)
        return Answer(found.expected_reward, 0, {})


@dataclass(eq=False)
class EverySet:
    """Finds the best defenses by trying all that may be chosen."""

    _attacker: SolvingAttacker
    _choices: Choices
    _tolerance: Real
    best: Best | None = None
    num_nodes: int = 0

    def find(self, scope: Scope) -> Best | None:
        """Return the best set: the cheapest of those that leave the attacker least."""
        self.best = None
        for defenses in self.sets(scope):
            self.num_nodes += 1
            value = self._attacker.answer(defenses).value
            if self.best is None or self._is_better(defenses, value, self.best):
                self.best = Best(defenses, value)
        return self.best

    def lower_bound(self, scope: Scope) -> Real | None:
        """Return None: what was not tried may leave the attacker anything."""
        del scope
        return None

    def _is_better(self, defenses: int, value: Real, best: Best) -> bool:
        difference: Real = value - best.value
        if max(difference, -difference) <= self._tolerance:
            return self._choices.rank(defenses) < self._choices.rank(best.defenses)
        return difference < 0

    def sets(self, scope: Scope) -> Iterator[int]:
        """Return the sets within a scope; all that two may be chosen with."""
        sets = [0]
        for number, cost in enumerate(self._choices.costs):
            bit = 1 << number
            if bit & scope.lacks:
                continue
            sets += [
                some | bit
                for some in sets
                if not some & self._choices.excluded[number]
                and self._choices.cost(some) + cost <= scope.units
            ]
            if len(sets) > MOST_SETS:
                raise LimitError(
                    f"there are more than {MOST_SETS:,} sets of defenses, and each has "
                    "to be tried here\n    fix: lower the defender's budget, or "
                    "leave defenses out"
                )
        return (some for some in sets if some & scope.has == scope.has)
