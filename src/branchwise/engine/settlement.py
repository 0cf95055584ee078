"""Settling ties: what contenders are worth, and which of them are optimal."""

from __future__ import annotations

from collections.abc import Callable

from branchwise.engine.contenders import Contender, Contenders
from branchwise.model.number import Real

Look = Callable[[int], object]
"""Called with how many states are done; raises to end the work."""


class Settlement:
    """The scores of contenders, exact where these have fractions."""

    # With fractions the tolerance is 0: then only what is equal is tied.

    def __init__(
        self, contenders: Contenders, tolerance: float, look: Look = int
    ) -> None:
        self.contenders, self._tolerance = contenders, tolerance
        self.scores: list[Real] = []
        """By place: the score of a state, less what was gained on the way."""
        self.worths: list[list[Real]] = []
        """By place: what each option is worth."""
        for place, reward in enumerate(contenders.rewards):
            look(place)
            worths = [self._worth(option) for option in contenders.options[place]]
            self.worths.append(worths)
            self.scores.append(max([reward, *worths]))

    def _worth(self, option: Contender) -> Real:
        total: Real = 0
        for _, probability, gain, _, child in option.links:
            score = self.scores[child]
            total += probability * (gain + score if gain else score)
        return total - option.action.charge

    @property
    def root(self) -> int:
        """The place of the root."""
        return len(self.scores) - 1

    def is_end(self, place: int) -> bool:
        """Whether stopping is optimal, which beats acting then."""
        gain = self.scores[place] - self.contenders.rewards[place]
        return gain <= self._tolerance

    def optimal(self, place: int) -> list[int]:
        """Return which options of a state are optimal."""
        best, worths = self.scores[place], enumerate(self.worths[place])
        return [at for at, worth in worths if best - worth <= self._tolerance]

    def makes_difference(self, place: int, option: Contender) -> bool:
        """Whether an outcome leads to where more or less is to be had."""
        for link in option.links:
            change: Real = link.gain + self.scores[link.child] - self.scores[place]
            if max(change, -change) > self._tolerance:
                return True
        return False

    def count_reduced(self) -> int:
        """Count the states in the union of all optimal trees."""
        met, pending = {self.root}, [self.root]
        while pending:
            place = pending.pop()
            options = self.contenders.options[place]
            for at in self.optimal(place):
                new = {link.child for link in options[at].links} - met
                met |= new
                pending.extend(new)
        return len(met)
