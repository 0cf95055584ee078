"""Solving for many individuals: alike ones once, on all cores, within limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from queue import Empty, SimpleQueue
from threading import Event
from typing import Final

from branchwise.analysis.individuals.profile_numbers import Overrides, ProfileNumbers
from branchwise.analysis.individuals.profile_worker import Answer, LaidOut, ProfileBench
from branchwise.engine.plan_book import FixedPlan, PlanBook
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Status

__all__ = ["ProfileSolver"]

# So many individuals are dealt out at a time.
_AT_A_TIME: Final = 64

# How long to wait before looking whether somebody wants to stop.
_LOOK_SECONDS: Final = 0.1

# What a search for one individual may take at least.
_LEAST_SECONDS: Final = 0.01

_Work = Callable[[ProfileBench, int, LaidOut], None]


class ProfileSolver:
    """
    Solves the problems of individuals, and values plans for each of them.

    Individuals with the same states follow each other, so that states are explored once
    in each thread, and then only scored again.

    Parameters
    ----------
    numbers
        Gives the numbers of individuals.
    individuals
        What is different about each; no two are alike.
    place
        Tells where an individual stands, by its number, for messages.
    num_threads, time_limit_seconds, progress, cancel
        As for `profiles`.
    """

    def __init__(
        self,
        numbers: ProfileNumbers,
        individuals: Sequence[Overrides],
        place: Callable[[int], str],
        *,
        num_threads: int,
        time_limit_seconds: float | None,
        progress: Listener,
        cancel: Event | None,
    ) -> None:
        self._numbers = numbers
        self._individuals = individuals
        self._place = place
        self._num_threads = num_threads
        self._deadline = time_limit_seconds and time.monotonic() + time_limit_seconds
        self._progress = progress
        self._cancel = cancel
        self.halt = Event()
        self.book = PlanBook(numbers.problem)
        self.status = Status.OPTIMAL
        self._num_done = 0
        self._laid_out: list[LaidOut] = []

    def solve(self) -> list[Answer | None]:
        """Find the best plan for each; None for those that a limit left out."""
        answers: list[Answer | None] = [None] * len(self._individuals)

        def work(bench: ProfileBench, number: int, numbers: LaidOut) -> None:
            answers[number] = bench.solve(number, numbers)

        self._lay_out()
        self._share(work, range(len(self._laid_out)), self._look)
        return answers

    def value(
        self, plans: Sequence[FixedPlan | None], wanted: Sequence[int]
    ) -> dict[int, list[float | None]]:
        """
        Give what each plan is worth to some individuals.

        This takes little time, so no limit ends it but another Ctrl-C.
        """
        values: dict[int, list[float | None]] = {}

        def work(bench: ProfileBench, number: int, numbers: LaidOut) -> None:
            values[number] = bench.value(plans, number, numbers)

        self._share(work, wanted, lambda: None)
        return values

    def place(self, number: int) -> str:
        """Tell where an individual stands."""
        return self._place(number)

    def overrides(self, number: int) -> Overrides:
        """Give what is different about an individual."""
        return self._individuals[number]

    def seconds_left(self) -> float | None:
        """Give how much time is left; None where there is no limit."""
        if self._deadline is None:
            return None
        return max(self._deadline - time.monotonic(), 1e-9)

    def fair_seconds(self) -> float | None:
        """Give what one of those who are left may take, so that all have a turn."""
        left = self.seconds_left()
        waiting = max(len(self._individuals) - self._num_done, 1)
        return left and max(left * self._num_threads / waiting, _LEAST_SECONDS)

    def _lay_out(self) -> None:
        """Work out everybody's numbers, which takes time where there are many."""
        try:
            for number, overrides in enumerate(self._individuals):
                if number % _AT_A_TIME == 0:
                    self._look()
                if self.halt.is_set():
                    return
                numbers = self._numbers.of(overrides)
                laid_out = LaidOut(
                    self._numbers.structure(numbers),
                    list(self._numbers.variants(numbers)),
                    numbers.rewards,
                )
                self._laid_out.append(laid_out)
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED)

    def _share(
        self, work: _Work, wanted: Sequence[int], look: Callable[[], None]
    ) -> None:
        """Do the same for every individual wanted, in threads."""
        units: SimpleQueue[Sequence[int]] = SimpleQueue()
        for unit in self._units(wanted):
            units.put(unit)
        self._num_done = 0
        with ThreadPoolExecutor(self._num_threads) as crew:
            threads = [
                crew.submit(self._run, units, work) for _ in range(self._num_threads)
            ]
            try:
                while wait(threads, _LOOK_SECONDS, FIRST_EXCEPTION).not_done:
                    look()
            except KeyboardInterrupt:
                self._stop(Status.INTERRUPTED)
        self.halt.clear()
        for thread in threads:
            thread.result()

    def _look(self) -> None:
        """Tell how far it has come; see whether it is to end."""
        num_all = len(self._individuals)
        self._progress(Progress(Stage.PROFILES, self._num_done, num_all=num_all))
        if self._cancel is not None and self._cancel.is_set():
            self._stop(Status.INTERRUPTED)
        if self._deadline is not None and time.monotonic() >= self._deadline:
            self._stop(Status.TIME_LIMIT)

    def _stop(self, status: Status) -> None:
        if self.status is Status.OPTIMAL:
            self.status = status
        self.halt.set()

    def _units(self, wanted: Sequence[int]) -> Iterator[Sequence[int]]:
        """Deal out individuals, those with the same states together."""
        groups: dict[Hashable, list[int]] = {}
        for number in wanted:
            groups.setdefault(self._laid_out[number].structure, []).append(number)
        for members in groups.values():
            for first in range(0, len(members), _AT_A_TIME):
                yield members[first : first + _AT_A_TIME]

    def _run(self, units: SimpleQueue[Sequence[int]], work: _Work) -> None:
        """Work until there is nothing left, or somebody says stop."""
        bench = ProfileBench(self._numbers, self)
        try:
            while not self.halt.is_set():
                for number in units.get_nowait():
                    if self.halt.is_set():
                        return
                    work(bench, number, self._laid_out[number])
                    self._num_done += 1
        except Empty:
            return
        except BaseException:
            self.halt.set()
            raise
