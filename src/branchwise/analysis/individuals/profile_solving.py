"""Solving for many individuals: alike ones once, on all cores, within limits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from fractions import Fraction
from queue import Empty, SimpleQueue
from threading import Event
from typing import Final, NamedTuple

from branchwise.analysis.individuals.profile_numbers import Overrides, ProfileNumbers
from branchwise.engine.number_scorer import (
    NumberScorer,
    PlanValuer,
    TooManyStatesError,
    Variant,
)
from branchwise.engine.plan_book import FixedPlan, PlanBook
from branchwise.errors import ProblemError
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.solver import Solver
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Status

__all__ = ["Answer", "ProfileSolver"]

# So many individuals are dealt out at a time.
_AT_A_TIME: Final = 64

# How long to wait before looking whether it is to stop.
_LOOK_SECONDS: Final = 0.1

# What a search for one individual may take at least.
_LEAST_SECONDS: Final = 0.01


class _LaidOut(NamedTuple):
    """The numbers of an individual as the engine wants them."""

    # All that it must have in common with others to share their states.
    structure: Hashable
    # Its probabilities and charges, and what rewards are worth to it.
    variants: list[Variant]
    rewards: tuple[Fraction, ...]


class Answer(NamedTuple):
    """The plan for one individual."""

    # What it is worth, and what no plan can exceed.
    expected_reward: float
    upper_bound: float
    plan: int  # its number in the book
    status: Status  # how far the solver came


class _Worker:
    """
    What one thread has at hand: the states of the individuals it has just solved for.

    Parameters
    ----------
    numbers
        Gives the problems of individuals.
    shared
        What all threads share.
    """

    def __init__(self, numbers: ProfileNumbers, shared: ProfileSolver) -> None:
        self._numbers = numbers
        self._shared = shared
        self._structure: Hashable = None
        self._scorer: NumberScorer | None = None
        self._searcher: Solver | None = None
        self._valuer: PlanValuer | None = None

    def solve(self, number: int, numbers: _LaidOut) -> Answer | None:
        """Find the best plan for an individual; None where a limit was met."""
        self._turn_to(numbers)
        if self._searcher is not None:
            return self._searched(number)
        if self._scorer is None:
            self._scorer = NumberScorer(self._checked(number), self._shared.book)
        try:
            found = self._scorer.score(
                numbers.variants,
                numbers.rewards,
                has_rewards=self._numbers.has_rewards,
                time_limit_seconds=self._shared.deadline.time_limit_seconds(),
                cancel=self._shared.halt,
            )
        except TooManyStatesError:
            self._searcher = Solver(self._checked(number), num_threads=1)
            return self._searched(number)
        if found is None:
            return None
        value = found.expected_reward
        return Answer(value, value, found.plan, Status.OPTIMAL)

    def value(
        self, plans: Sequence[FixedPlan | None], number: int, numbers: _LaidOut
    ) -> list[float | None]:
        """Return what each plan is worth to an individual."""
        self._turn_to(numbers)
        if self._valuer is None:
            # An individual with a plan has a sound problem.
            overrides = self._shared.individuals[number]
            self._valuer = PlanValuer(self._numbers.problem_of(overrides))
        return self._valuer.values(plans, numbers.variants, numbers.rewards)

    def _turn_to(self, numbers: _LaidOut) -> None:
        """Clear away what does not fit these numbers."""
        if numbers.structure != self._structure:
            self._structure = numbers.structure
            self._scorer = self._searcher = self._valuer = None

    def _checked(self, number: int) -> Problem:
        """Return the problem of an individual; an error names whose it is."""
        problem = self._numbers.problem_of(self._shared.individuals[number])
        try:
            return checked(problem)
        except ProblemError as error:
            whose = self._shared.place(number)
            raise ProblemError(
                [replace(each, where=f"{whose} {each.where}") for each in error.issues]
            ) from None

    def _searched(self, number: int) -> Answer | None:
        """Search best first, as far as the share of the time allows."""
        assert self._searcher is not None
        found = self._searcher.solve(
            self._numbers.problem_of(self._shared.individuals[number]),
            search="best-first",
            time_limit_seconds=self._shared.fair_seconds(),
            cancel=self._shared.halt,
        )
        if found.status is Status.INTERRUPTED:
            return None
        return Answer(
            float(found.expected_reward),
            float(found.upper_bound),
            self._shared.book.enter(found.tree),
            found.status,
        )


_Work = Callable[[_Worker, int, _LaidOut], None]


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
        self.individuals = individuals
        self.place = place
        self._num_threads = num_threads
        self.deadline = Deadline.after(time_limit_seconds)
        self._progress = progress
        self._cancel = cancel
        self.halt = Event()
        self.book = PlanBook(numbers.problem)
        self.status = Status.OPTIMAL
        self._num_done = 0
        self._laid_out: list[_LaidOut] = []

    def solve(self) -> list[Answer | None]:
        """Find the best plan for each; None for those that a limit left out."""
        answers: list[Answer | None] = [None] * len(self.individuals)

        def work(worker: _Worker, number: int, numbers: _LaidOut) -> None:
            answers[number] = worker.solve(number, numbers)

        self._lay_out()
        self._share(work, range(len(self._laid_out)), self._look)
        return answers

    def value(
        self, plans: Sequence[FixedPlan | None], wanted: Sequence[int]
    ) -> dict[int, list[float | None]]:
        """
        Return what each plan is worth to some individuals.

        This takes little time, so no limit ends it but another Ctrl-C.
        """
        values: dict[int, list[float | None]] = {}

        def work(worker: _Worker, number: int, numbers: _LaidOut) -> None:
            values[number] = worker.value(plans, number, numbers)

        self._share(work, wanted, lambda: None)
        return values

    def fair_seconds(self) -> float | None:
        """Return what one of those who are left may take, so that all have a turn."""
        left = self.deadline.time_limit_seconds()
        waiting = max(len(self.individuals) - self._num_done, 1)
        return left and max(left * self._num_threads / waiting, _LEAST_SECONDS)

    def _lay_out(self) -> None:
        """Lay out the numbers of all, which takes time where there are many."""
        try:
            for number, overrides in enumerate(self.individuals):
                if number % _AT_A_TIME == 0:
                    self._look()
                if self.halt.is_set():
                    return
                numbers = self._numbers.of(overrides)
                laid_out = _LaidOut(
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
        """Report progress; see whether it is to end."""
        num_all = len(self.individuals)
        self._progress(Progress(Stage.PROFILES, self._num_done, num_all=num_all))
        if self._cancel is not None and self._cancel.is_set():
            self._stop(Status.INTERRUPTED)
        if self.deadline.is_over:
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
        """Work until there is nothing left, or it is to stop."""
        worker = _Worker(self._numbers, self)
        try:
            while not self.halt.is_set():
                for number in units.get_nowait():
                    if self.halt.is_set():
                        return
                    work(worker, number, self._laid_out[number])
                    self._num_done += 1
        except Empty:
            return
        except BaseException:
            self.halt.set()
            raise
