"""Listings of rewarding sets, as far as limits of number and time allow."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from branchwise.errors import Issue, LimitError
from branchwise.model.problem import Problem
from branchwise.rewarding.sets import RewardingSet, RewardingSets

_SHARE_OF_THE_LIST: Final = 0.9

T = TypeVar("T")


class SetsListing:
    """
    Rewarding sets, the strongest first, and what else is known of the problem by them.

    Sets are found as they are asked for, once. What a limit does not let us find out is
    None.

    Parameters
    ----------
    sets
        The sets; None where not even counting them was possible.
    limit
        How many sets to list; None for all.
    time_limit_seconds
        How long to go on; None for as long as it takes. A tenth of it is kept for what
        is asked after the list.
    """

    def __init__(
        self,
        sets: RewardingSets | None,
        *,
        limit: int | None = None,
        time_limit_seconds: float | None = None,
    ) -> None:
        seconds = math.inf if time_limit_seconds is None else time_limit_seconds
        start = time.monotonic()
        self._sets = sets
        self._limit = limit
        self._list_until = start + _SHARE_OF_THE_LIST * seconds
        self._ask_until = start + seconds
        self._has_ended = False
        self.num_listed = 0
        self.why_stopped = ""
        self.num_sets = self._known(lambda known: known.num_sets)
        self.unused_actions = self._known(lambda known: known.unused_actions)

    def __iter__(self) -> Iterator[RewardingSet]:
        """Return the sets one by one, until there are no more or a limit is reached."""
        stream = iter(self._sets or ())
        while self.num_listed != self._limit:
            if time.monotonic() > self._list_until:
                self.why_stopped = "the time is up"
                return
            try:
                rewarding = next(stream, None)
            except LimitError as error:
                self.why_stopped = str(error)
                return
            if rewarding is None:
                self._has_ended = self._sets is not None
                return
            self.num_listed += 1
            yield rewarding

    @property
    def problem(self) -> Problem | None:
        """Whose sets these are; None where they could not be counted."""
        return None if self._sets is None else self._sets.problem

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that costs name; none where a cost is one plain number."""
        if self._sets is None or self._sets.problem.budget.is_plain:
            return ()
        return tuple(self._sets.problem.budget)

    @property
    def is_complete(self) -> bool:
        """Whether all sets have been listed."""
        return self._has_ended or self.num_listed == self.num_sets

    def dead_ends(self) -> tuple[Issue, ...] | None:
        """Return the rewards that no set reaches."""
        return self._known(lambda known: known.dead_ends)

    def perfect_information(self) -> float | None:
        """Return what no plan can exceed."""
        return self._known(lambda known: known.perfect_information)

    def _known(self, answer: Callable[[RewardingSets], T]) -> T | None:
        if self._sets is None or time.monotonic() > self._ask_until:
            return None
        try:
            return answer(self._sets)
        except LimitError:
            return None
