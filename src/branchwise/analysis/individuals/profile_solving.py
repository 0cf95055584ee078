"""Solving for many individuals: alike ones once, on all cores, within limits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event
from typing import Final, NamedTuple, TypeVar

from branchwise.analysis.individuals.book_plan import book_plan_value
from branchwise.analysis.individuals.profile_numbers import Overrides, ProfileNumbers
from branchwise.analysis.sensitivity.slopes import NO_FACTS, Facts, WatchedFacts
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import Limits
from branchwise.engine.number_scorer import (
    NumberScorer,
    PlanValuer,
    TooManyStatesError,
    Variant,
)
from branchwise.engine.plan_book import FixedPlan, PlanBook, PlanSteps
from branchwise.errors import LimitError, ProblemError
from branchwise.executors.executor import Executor
from branchwise.executors.share import answers, share
from branchwise.model.checks.validate import checked
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.solver import Solver
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Solution, Status

# So many individuals are dealt out at a time.
_AT_A_TIME: Final = 64

# How long to wait before looking whether it is to stop.
_LOOK_SECONDS: Final = 0.1

# What a search for one individual may take at least.
_LEAST_SECONDS: Final = 0.01


# A plan with more positions than this is worth more time than it saves.
_MOST_POSITIONS: Final = 200_000

# Wide enough for how often an action can be taken along a path.
_DIGITS: Final = 32


class _LaidOut(NamedTuple):
    """The numbers of an individual as the engine wants them."""

    structure: Hashable  # what it must have in common with others to share their states
    variants: list[Variant]  # its probabilities and charges
    rewards: tuple[Fraction, ...]  # what rewards are worth to it


class Answer(NamedTuple):
    """The plan for one individual."""

    # What it is worth, and what no plan can exceed.
    expected_reward: float
    upper_bound: float
    plan: int  # its number in the book
    status: Status  # how far the solver came


@dataclass(eq=False)
class _Worker(ABC):
    """What a thread has at hand for the individuals that it plans for."""

    _numbers: ProfileNumbers
    _shared: ProfileSolver

    @abstractmethod
    def solve(self, number: int, numbers: _LaidOut) -> Answer | None:
        """Find the best plan for an individual; None where a limit was met."""

    @abstractmethod
    def value(
        self, number: int, numbers: _LaidOut, plans: Sequence[int]
    ) -> list[float | None]:
        """Return what each plan is worth to an individual; None where it is unknown."""

    def _problem(self, number: int) -> Problem:
        return self._numbers.problem_of(self._shared.individuals[number])

    def _checked(self, number: int) -> Problem:
        """Return the problem of an individual; an error names whose it is."""
        try:
            return checked(self._problem(number))
        except ProblemError as error:
            whose = self._shared.place(number)
            raise ProblemError(
                [replace(each, where=f"{whose} {each.where}") for each in error.issues]
            ) from None


@dataclass(eq=False)
class _ScoringWorker(_Worker):
    """Explores states once for those who share them, and scores them again for each."""

    _structure: Hashable = None
    _scorer: NumberScorer | None = None
    _searcher: Solver | None = None
    _valuer: PlanValuer | None = None

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
        self, number: int, numbers: _LaidOut, plans: Sequence[int]
    ) -> list[float | None]:
        """Return what each plan is worth to an individual; None of one too large."""
        self._turn_to(numbers)
        if self._valuer is None:
            # An individual with a plan has a sound problem.
            self._valuer = PlanValuer(self._problem(number))
        fixed = [self._shared.fixed(plan) for plan in plans]
        return self._valuer.values(fixed, numbers.variants, numbers.rewards)

    def _turn_to(self, numbers: _LaidOut) -> None:
        """Clear away what does not fit these numbers."""
        if numbers.structure != self._structure:
            self._structure = numbers.structure
            self._scorer = self._searcher = self._valuer = None

    def _searched(self, number: int) -> Answer | None:
        """Search best first, as far as the share of the time allows."""
        assert self._searcher is not None
        found = self._searcher.solve(
            self._problem(number),
            search="best-first",
            time_limit_seconds=self._shared.fair_seconds(),
            cancel=self._shared.halt,
        )
        return self._shared.answer(found)


@dataclass(eq=False)
class _AfreshWorker(_Worker):
    """
    Solves for one after another, where states hold more than outcomes.

    What is known of hidden facts is part of a state there, and another prevalence makes
    other knowledge of the same results; so states are shared only by those whom the
    engine finds to have the same.
    """

    _solver: CanonicalSolver | None = None

    def solve(self, number: int, numbers: _LaidOut) -> Answer | None:
        """Find the best plan for an individual; None where a limit was met."""
        del numbers
        problem = self._checked(number)
        if self._solver is None or not self._solver.fits(problem):
            self._solver = CanonicalSolver(problem, num_threads=1)
        shared = self._shared
        limits = Limits(time_limit_seconds=shared.fair_seconds(), cancel=shared.halt)
        try:
            return shared.answer(self._solver.solve(problem, limits=limits))
        except LimitError:
            shared.note(Status.TIME_LIMIT)
            return None

    def value(
        self, number: int, numbers: _LaidOut, plans: Sequence[int]
    ) -> list[float | None]:
        """Return what each plan is worth to an individual; None where it is unknown."""
        del numbers
        problem, book = self._problem(number), self._shared.book
        return [book_plan_value(problem, book, each, _MOST_POSITIONS) for each in plans]


class _Asked(NamedTuple):
    """An individual, as a worker is told of it."""

    overrides: Overrides
    place: str


class _Planned(NamedTuple):
    """What a worker tells of an individual."""

    answer: Answer | None  # its plan is a number of the steps
    status: Status
    steps: PlanSteps  # those of all plans of the batch


def _planned(
    numbers: ProfileNumbers,
    seconds: float | None,
    asked: Sequence[_Asked],
    cancel: Event,
) -> list[_Planned]:
    """Plan for some individuals, in a worker."""
    solver = _solver(numbers, asked, seconds, cancel)
    found = solver.solve()
    steps = solver.book.exported({each.plan for each in found if each is not None})
    return [_Planned(each, solver.status, steps) for each in found]


def _valued(
    numbers: ProfileNumbers,
    steps: PlanSteps,
    plans: Sequence[int],
    asked: Sequence[_Asked],
    cancel: Event,
) -> list[list[float | None]]:
    """Value plans for some individuals, in a worker."""
    solver = _solver(numbers, asked, None, cancel)
    solver.lay_out()
    here = solver.book.imported(steps)
    found = solver.value([here[plan] for plan in plans], range(len(asked)))
    return [found[number] for number in range(len(asked))]


def _solver(
    numbers: ProfileNumbers,
    asked: Sequence[_Asked],
    seconds: float | None,
    cancel: Event,
) -> ProfileSolver:
    individuals = [each.overrides for each in asked]
    deadline = Deadline.after(seconds)
    known = numbers, individuals, lambda number: asked[number].place
    return ProfileSolver(*known, 1, deadline, silent, cancel)


T = TypeVar("T")
_Work = Callable[[_Worker, int, _LaidOut], T]


@dataclass(eq=False)
class ProfileSolver:
    """
    Solves the problems of individuals, and values plans for each of them.

    Individuals with the same states follow each other, so that states are explored once
    in each thread, and then only scored again.
    """

    _numbers: ProfileNumbers
    individuals: Sequence[Overrides]  # what is different about each; no two are alike
    place: Callable[[int], str]  # tells where one stands, by its number, for messages
    _num_threads: int
    deadline: Deadline
    _progress: Listener
    _cancel: Event | None
    _executor: Executor | None = None
    halt: Event = field(default_factory=Event)
    status: Status = Status.OPTIMAL
    _num_done: int = 0
    _laid_out: list[_LaidOut] = field(default_factory=list)

    def __post_init__(self) -> None:
        problem = self._numbers.problem
        self.book = PlanBook(problem)
        self._worker = _AfreshWorker if features_of(problem) else _ScoringWorker
        self._fixed: dict[int, FixedPlan | None] = {}

    def solve(self) -> list[Answer | None]:
        """Find the best plan for each; None for those that a limit left out."""
        if self._executor is not None:
            return self._solved_elsewhere(self._executor)
        self.lay_out()
        wanted = range(len(self._laid_out))
        answers = self._share(
            lambda worker, *asked: worker.solve(*asked), wanted, self._look
        )
        return [answers.get(number) for number in range(len(self.individuals))]

    def value(
        self, plans: Sequence[int], wanted: Sequence[int]
    ) -> dict[int, list[float | None]]:
        """
        Return what each plan is worth to some individuals.

        This takes little time, so no limit ends it but another Ctrl-C.
        """
        if self._executor is not None:
            return self._valued_elsewhere(self._executor, plans, wanted)
        if self._worker is _ScoringWorker:
            made = {plan: fixed_plan(self._numbers, self.book, plan) for plan in plans}
            self._fixed.update(made)
        return self._share(
            lambda worker, *asked: worker.value(*asked, plans), wanted, lambda: None
        )

    def _solved_elsewhere(self, executor: Executor) -> list[Answer | None]:
        # Whose states are the same is found out by the workers, batch by batch.
        asked = [_Asked(each, self.place(n)) for n, each in enumerate(self.individuals)]
        seconds = self.deadline.time_limit_seconds()
        found: list[Answer | None] = [None] * len(self.individuals)
        work = partial(_planned, self._numbers, seconds)
        known: tuple[PlanSteps, dict[int, int]] = [], {}
        try:
            for number, planned in answers(work, asked, executor, self._look_elsewhere):
                if planned.answer is not None:
                    if planned.steps is not known[0]:  # All of a batch have the same.
                        known = planned.steps, self.book.imported(planned.steps)
                    here = known[1][planned.answer.plan]
                    found[number] = planned.answer._replace(plan=here)
                if planned.status is not Status.OPTIMAL:
                    self.note(planned.status)
                if self.halt.is_set():
                    break
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED)
        self.halt.clear()
        return found

    def _valued_elsewhere(
        self, executor: Executor, plans: Sequence[int], wanted: Sequence[int]
    ) -> dict[int, list[float | None]]:
        asked = [_Asked(self.individuals[number], "") for number in wanted]
        work = partial(_valued, self._numbers, self.book.exported(plans), plans)
        values = share(work, asked, executor)
        return dict(zip(wanted, values, strict=True))

    def _look_elsewhere(self, num_done: int) -> None:
        self._num_done = num_done
        self._look()

    def fixed(self, plan: int) -> FixedPlan | None:
        """Return a plan that is being valued; None where it has too many positions."""
        return self._fixed[plan]

    def answer(self, found: Solution) -> Answer | None:
        """Enter a plan that was found; None where the search was interrupted."""
        if found.status is Status.INTERRUPTED:
            return None
        value, bound = float(found.expected_reward), float(found.upper_bound)
        return Answer(value, bound, self.book.enter(found.tree), found.status)

    def note(self, status: Status) -> None:
        """Note that a limit has left an individual out."""
        if self.status is Status.OPTIMAL:
            self.status = status

    def fair_seconds(self) -> float | None:
        """Return what one of those who are left may take, so that all have a turn."""
        left = self.deadline.time_limit_seconds()
        waiting = max(len(self.individuals) - self._num_done, 1)
        return left and max(left * self._num_threads / waiting, _LEAST_SECONDS)

    def lay_out(self) -> None:
        """Lay out the numbers of all, which takes time where there are many."""
        try:
            for number, overrides in enumerate(self.individuals):
                if number % _AT_A_TIME == 0:
                    self._look()
                if self.halt.is_set():
                    return
                numbers = self._numbers.of(overrides)
                structure = self._numbers.structure(numbers)
                variants = list(self._numbers.variants(numbers))
                self._laid_out.append(_LaidOut(structure, variants, numbers.rewards))
        except KeyboardInterrupt:
            self._stop(Status.INTERRUPTED)

    def _share(
        self, work: _Work[T], wanted: Sequence[int], look: Callable[[], None]
    ) -> dict[int, T]:
        """Do the same for every individual wanted, in threads."""
        found: dict[int, T] = {}
        units: SimpleQueue[Sequence[int]] = SimpleQueue()
        for unit in self._units(wanted):
            units.put(unit)
        self._num_done = 0
        with ThreadPoolExecutor(self._num_threads) as crew:
            threads = [
                crew.submit(self._run, units, work, found)
                for _ in range(self._num_threads)
            ]
            try:
                while wait(threads, _LOOK_SECONDS, FIRST_EXCEPTION).not_done:
                    look()
            except KeyboardInterrupt:
                self._stop(Status.INTERRUPTED)
        self.halt.clear()
        for thread in threads:
            thread.result()
        return found

    def _look(self) -> None:
        """Report progress; see whether it is to end."""
        num_all = len(self.individuals)
        self._progress(Progress(Stage.PROFILES, self._num_done, num_all=num_all))
        if self._cancel is not None and self._cancel.is_set():
            self._stop(Status.INTERRUPTED)
        if self.deadline.is_over:
            self._stop(Status.TIME_LIMIT)

    def _stop(self, status: Status) -> None:
        self.note(status)
        self.halt.set()

    def _units(self, wanted: Sequence[int]) -> Iterator[Sequence[int]]:
        """Deal out individuals, those with the same states together."""
        groups: dict[Hashable, list[int]] = {}
        for number in wanted:
            groups.setdefault(self._laid_out[number].structure, []).append(number)
        for members in groups.values():
            for first in range(0, len(members), _AT_A_TIME):
                yield members[first : first + _AT_A_TIME]

    def _run(
        self, units: SimpleQueue[Sequence[int]], work: _Work[T], found: dict[int, T]
    ) -> None:
        """Work until there is nothing left, or it is to stop."""
        worker = self._worker(self._numbers, self)
        try:
            while not self.halt.is_set():
                for number in units.get_nowait():
                    if self.halt.is_set():
                        return
                    found[number] = work(worker, number, self._laid_out[number])
                    self._num_done += 1
        except Empty:
            return
        except BaseException:
            self.halt.set()
            raise


class _Position(NamedTuple):
    """A node of the plan, the facts by then that matter, and what has been paid for."""

    node: int
    facts: Facts
    paid: int


def fixed_plan(numbers: ProfileNumbers, book: PlanBook, plan: int) -> FixedPlan | None:
    """
    Return a plan that can be valued at the numbers of any individual.

    Where a plan says nothing, since an outcome was impossible for the individual it was
    made for, and where an action costs more than an individual has left, it stops. None
    where the plan has too many positions.
    """
    making = _Making(numbers.problem, book, has_prices=numbers.has_prices)
    return making.plan if making.make(plan) else None


class _Making:
    """Puts a plan together, position by position."""

    def __init__(self, problem: Problem, book: PlanBook, *, has_prices: bool) -> None:
        self.plan = FixedPlan()
        self._actions = problem.actions
        self._book = book
        self._facts = WatchedFacts(problem, with_clauses=True)
        self._has_prices = has_prices
        self._numbers: dict[_Position, int] = {}
        # What is paid for is counted by variants, each in its own digits.
        sizes = [len(action.given) + 1 for action in problem.actions]
        self._firsts = [sum(sizes[:n]) for n in range(len(sizes))]

    def make(self, plan: int) -> bool:
        """Add all positions, the first one last; False where there are too many."""
        pending = [_Position(plan, NO_FACTS, 0)]
        while pending:
            position = pending[-1]
            if position in self._numbers:
                pending.pop()
                continue
            following = self._following(position)
            missing = [each for each in following if each not in self._numbers]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            self._add(position, following)
            if len(self._numbers) > _MOST_POSITIONS:
                return False
        return True

    def _variant(self, position: _Position) -> tuple[int, int]:
        step = self._book.step(position.node)
        assert step is not None
        return step[0], self._facts.clause(position.facts, self._actions[step[0]])

    def _following(self, position: _Position) -> list[_Position]:
        """Return the next position for each outcome, also where the plan has none."""
        step = self._book.step(position.node)
        if step is None:
            return []
        number, variant = self._variant(position)
        action, nodes = self._actions[number], dict(step[1])
        one = 1 << _DIGITS * (self._firsts[number] + variant)
        paid = position.paid + one if self._has_prices else 0
        return [
            _Position(
                nodes.get(label, 0),
                self._facts.after(position.facts, action.name, name),
                # What was paid counts no more where the plan stops.
                paid if nodes.get(label, 0) else 0,
            )
            for label, name in enumerate(action.labels)
        ]

    def _add(self, position: _Position, following: list[_Position]) -> None:
        held = self._facts.held(position.facts)
        if not position.node:
            self._numbers[position] = self.plan.add_stop(held)
            return
        children = [self._numbers[each] for each in following]
        action, variant = self._variant(position)
        self._numbers[position] = self.plan.add_step(action, variant, children, held)
