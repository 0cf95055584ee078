"""Choices of rewarding sets: some that a plan goes by, and the actions they take."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, Literal, NamedTuple

from branchwise.errors import LimitError
from branchwise.model.arguments import a_kind, a_whole_number
from branchwise.model.problem import Problem
from branchwise.rewarding.sets import RewardingSet, RewardingSets

WantedSets = int | Literal["auto"] | Iterable[RewardingSet]
"""How many of the strongest sets, ever more of them, or which ones."""

GROWING: Final = "auto"
"""What asks for ever more sets, until there is no need for more."""

# A diagram of so many nodes takes about a second, and so does what is asked of it.
_MOST_NODES: Final = 500_000

# More sets than that take long to list, and hardly ever bring in another action.
_LAST_DOUBLING: Final = 14

_CHOSEN_FIX: Final = "take them from `RewardingSets(problem)`, or say how many"


class SetChoice(NamedTuple):
    """Some rewarding sets, by what they take."""

    num_sets: int
    actions: frozenset[str]  # Those of all of these sets
    are_strongest: bool  # Or else they were chosen one by one

    def __str__(self) -> str:
        if self.num_sets == 1:
            return f"{'the strongest' if self.are_strongest else 'one'} rewarding set"
        which = "the {:,} strongest" if self.are_strongest else "{:,} chosen"
        return f"{which.format(self.num_sets)} rewarding sets"


def chosen_one_by_one(wanted: Iterable[RewardingSet]) -> list[RewardingSet]:
    """Return the sets, if that is what they are."""
    name, kind = "each of rewarding_sets", RewardingSet
    return [a_kind(name, each, kind, _CHOSEN_FIX) for each in wanted]


class SetChoices:
    """
    The choices to go by, one after another: a single one, or ever larger ones.

    The strongest sets are listed only as far as they are asked for, and only as long as
    they bring in actions that were not there before.

    Parameters
    ----------
    problem
        The problem.
    wanted
        How many of the strongest sets, or which ones; or ``"auto"`` for twice as many
        each time.
    time_limit_seconds
        When to give up listing them.

    Raises
    ------
    LimitError
        The sets take too large a diagram, or too long, and a number of them was asked
        for.
    """

    def __init__(
        self,
        problem: Problem,
        wanted: WantedSets,
        *,
        time_limit_seconds: float | None = None,
    ) -> None:
        start = time.perf_counter()
        self.grows = isinstance(wanted, str)
        self.why_none = ""  # Where ever more sets are wanted, and none can be listed
        self._sets: RewardingSets | None = None
        self._fixed: SetChoice | None = None
        if isinstance(wanted, str):
            _check_word(wanted)
        elif isinstance(wanted, Iterable):
            chosen = chosen_one_by_one(wanted)
            actions = frozenset(name for each in chosen for name in each.actions)
            self._fixed = SetChoice(len(chosen), actions, are_strongest=False)
        else:
            wanted = a_whole_number("rewarding_sets", wanted, least=0)
        self._list(problem, wanted, time_limit_seconds)
        self.seconds = time.perf_counter() - start  # What that took

    def _list(self, problem: Problem, wanted: object, seconds: float | None) -> None:
        # Where sets are chosen one by one, all that is asked for is a bound.
        most = None if self._fixed is None else _MOST_NODES
        try:
            self._sets = RewardingSets(
                problem, time_limit_seconds=seconds, num_nodes=most
            )
            if isinstance(wanted, int):
                *_, self._fixed = self._strongest([wanted])
        except LimitError as error:
            self.why_none = f"the strongest rewarding sets cannot be listed: {error}"
            if not self.grows and self._fixed is None:
                fix = f"write `{GROWING}` instead of a number, and all actions count"
                raise LimitError(f"{self.why_none}\n    fix: {fix}") from None

    def __iter__(self) -> Iterator[SetChoice]:
        """Return the choices; a larger one only if it has more actions."""
        if self._fixed is not None:
            yield self._fixed
        elif self._sets is not None:
            before: frozenset[str] = frozenset()
            with suppress(LimitError):  # What was listed so far will do.
                last = min(self._sets.num_sets.bit_length(), _LAST_DOUBLING)
                for choice in self._strongest(2**i for i in range(last + 1)):
                    if choice.actions != before:
                        yield choice
                    before = choice.actions

    def upper_bound(self) -> float:
        """Return what no plan can exceed; infinity where that would take long."""
        if self._sets is None or self._sets.num_nodes > _MOST_NODES:
            return math.inf
        with suppress(LimitError):
            return self._sets.perfect_information
        return math.inf

    def _strongest(self, numbers: Iterable[int]) -> Iterator[SetChoice]:
        """Choose so many of the strongest sets, for rising numbers."""
        assert self._sets is not None
        stream, all_actions = iter(self._sets), self._sets.needed_actions
        actions: set[str] = set()
        num_listed = 0
        for number in numbers:
            while num_listed < number and actions != all_actions:
                found = next(stream, None)
                if found is None:
                    break
                num_listed += 1
                actions |= found.actions
            num_sets = min(number, self._sets.num_sets)
            yield SetChoice(num_sets, frozenset(actions), are_strongest=True)


def _check_word(wanted: str) -> None:
    if wanted != GROWING:
        raise ValueError(
            f"rewarding_sets is a number, sets, or `{GROWING}`, not `{wanted}`"
        )
