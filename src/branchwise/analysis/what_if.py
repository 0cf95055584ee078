"""What-ifs: many problems that differ a little, solved side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from threading import Event
from typing import Final, TypedDict, TypeVar, cast

from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.canonical_run import Bounds, PlanStart
from branchwise.engine.limits import Limits, thread_count
from branchwise.engine.running_out import most_moved
from branchwise.errors import LimitError, StuckError
from branchwise.executors.executor import Executor, checked_executor
from branchwise.executors.share import share
from branchwise.model.checks.validate import checked
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem, Reward
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Solution, Status

# How long to wait before looking whether it is to stop.
_LOOK_SECONDS: Final = 0.1

# Of all the time, what the problem itself may take, as everything rests on it.
_SHARE_OF_BASE: Final = 0.5

_NOT_IN_TIME: Final = "not worked out in the time"

Answer = TypeVar("Answer")


class WhatIfLimits(TypedDict, total=False):
    """How what-ifs are solved; see `WhatIfs`."""

    num_threads: int | None
    gap: float
    time_limit_seconds: float | None
    progress: Listener
    cancel: Event | None
    executor: Executor | None


class VariationSolver:
    """
    Solves variations of a problem, over states that are known already where they fit.

    Any thread may ask; it then has a solver to itself. Every answer says whether the
    states were known.
    """

    def __init__(self, problem: Problem, num_threads: int = 1) -> None:
        self._problem = problem
        self.first = CanonicalSolver(problem, num_threads=num_threads)
        # A solver works for one thread at a time; those at rest wait here.
        self._resting: SimpleQueue[CanonicalSolver] = SimpleQueue()
        self._resting.put(self.first)

    def bounds(
        self, problem: Problem, limits: Limits, most_states: int | None
    ) -> tuple[tuple[Bounds, int], bool]:
        """Return what a variation is worth, and how many states were explored."""
        solver = CanonicalSolver(problem, num_threads=1)
        found = solver.bounds(most_states, limits=limits)
        if limits.is_cancelled:
            raise KeyboardInterrupt
        return (found, solver.num_states), False

    def start(self, problem: Problem, limits: Limits) -> tuple[PlanStart, bool]:
        """Return how the best plan of one variation starts; see `solved`."""
        with self._warm_solver() as solver:
            known = solver.start_of(problem, limits=limits)
        if known is not None:
            return known, True
        return self.solved(problem, limits, start_of)

    def solved(
        self, problem: Problem, limits: Limits, ask: Callable[[Solution], Answer]
    ) -> tuple[Answer, bool]:
        """Solve one variation in this thread, and ask something of its solution."""
        if not self.first.fits(problem):
            solver = CanonicalSolver(problem, num_threads=1)
            return ask(_optimal(solver, problem, limits)), False
        with self._warm_solver() as solver:
            return ask(_optimal(solver, problem, limits)), True

    @contextmanager
    def _warm_solver(self) -> Iterator[CanonicalSolver]:
        """Lend a solver that knows the states of the problem, or soon will."""
        try:
            solver = self._resting.get_nowait()
        except Empty:
            solver = CanonicalSolver(self._problem, num_threads=1)
        try:
            yield solver
        finally:
            self._resting.put(solver)


Work = Callable[[VariationSolver, Problem, Limits], tuple[Answer, bool]]
"""What is to be found out about a variation; and whether its states were known."""


class WhatIfs:
    """
    Solves variations of a problem, on all cores, each to its optimum.

    Variations with other probabilities or cost weights, or with a smaller budget, use
    the states that are known already; others are solved afresh. The answers come in
    the order of the questions and do not depend on who works them out.

    Parameters
    ----------
    problem
        What is varied. Give it the largest budget there will be.
    num_threads
        How many variations are solved at a time; as many as there are cores unless
        said.
    gap
        Stop looking for the plan of the problem itself when no plan can be better by
        more than this share. Where it is then not proven optimal, no variation can be
        compared with it, but the plan is there and can be looked at: see `is_proven`.
    time_limit_seconds
        How long all of it may take.
    progress
        Called with how many variations are solved, of how many.
    cancel
        Set this event, from any thread, to end it like Ctrl-C.
    executor
        Who solves the variations instead of threads of this process: an executor of
        `concurrent.futures`, or a Dask client.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, attempts=3)
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=3)
    >>> WhatIfs(problem).values([problem.with_budget(budget) for budget in (2, 1, 0)])
    [6.0, 4.0, 0.0]
    """

    def __init__(
        self,
        problem: Problem,
        *,
        num_threads: int | None = None,
        gap: float = 0.0,
        time_limit_seconds: float | None = None,
        progress: Listener = silent,
        cancel: Event | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.problem = problem
        self._executor = executor and checked_executor(executor)
        self._num_threads = thread_count(num_threads)
        self.deadline = Deadline.after(time_limit_seconds)
        self.progress = progress
        self.cancel = cancel
        self._halt = Event()
        self.num_warm = 0
        """How many variations were solved over states that were known."""
        self.num_afresh = 0
        """How many had states of their own."""
        self._solvers = VariationSolver(checked(problem), self._num_threads)
        limits = replace(self._limits(cancel, _SHARE_OF_BASE), gap=gap)
        first = self._solvers.first
        self.solution = first.solve(problem, limits=limits, progress=progress)
        self._rounding = tie_width(problem)
        self._remembered: dict[str, object] = {}

    def remember(self, key: str, work: Callable[[], Answer]) -> Answer:
        """Return what some work comes to, which several sections may need, once."""
        if key not in self._remembered:
            self._remembered[key] = work()
        return cast("Answer", self._remembered[key])

    @property
    def expected_reward(self) -> float:
        """What the best plan of the problem itself is worth."""
        return float(self.solution.expected_reward)

    def solve(self, problems: Iterable[Problem]) -> list[Solution]:
        """Solve variations; their solutions come in the same order."""
        return self.map(problems, lambda solution: solution)

    def values(self, problems: Iterable[Problem]) -> list[float]:
        """Return the expected reward of the best plan of each variation."""
        return [start.expected_reward for start in self.starts(problems)]

    def starts(self, problems: Iterable[Problem]) -> list[PlanStart]:
        """Return what the best plan of each is worth, and what it does first."""
        return self._share(problems, VariationSolver.start)

    def kept_starts(self, problems: Iterable[Problem]) -> list[PlanStart]:
        """Return the same; where what the problem starts with is as good, with that."""
        wanted = list(problems)
        starts = self.starts(wanted)
        first = self.solution.first_action
        others = [n for n, each in enumerate(starts) if each.first_action != first]
        may_stop = self.problem.finish is None
        known = first, self._rounding
        ask = partial(_is_start_as_good, *known, may_stop=may_stop)
        are_as_good = self.map((wanted[n] for n in others), ask)
        for number, is_as_good in zip(others, are_as_good, strict=True):
            if is_as_good:
                starts[number] = PlanStart(starts[number].expected_reward, first)
        return starts

    def bounds(
        self, problems: Iterable[Problem], most_states: int | None
    ) -> list[tuple[Bounds, int]]:
        """
        Return what each variation is worth at least and at most, afresh.

        Parameters
        ----------
        problems
            The variations.
        most_states
            How many states of each are explored; None for all there are. The answers
            come with how many there were.
        """
        asked = partial(VariationSolver.bounds, most_states=most_states)
        return self._share(problems, asked)

    def gains(self, problems: Iterable[Problem]) -> list[float]:
        """Return how much more each variation is worth; 0 where that is rounding."""
        return [self.gain(value) for value in self.values(problems)]

    def values_or_stuck(self, problems: Iterable[Problem]) -> list[float | None]:
        """Return what variations are worth; None where every plan may get stuck."""
        starts = self._share(problems, partial(_unless_stuck, VariationSolver.start))
        return [start and start.expected_reward for start in starts]

    def map_or_stuck(
        self, problems: Iterable[Problem], ask: Callable[[Solution], Answer]
    ) -> list[Answer | None]:
        """Do as `map` does; None where every plan may get stuck."""
        solved = partial(VariationSolver.solved, ask=ask)
        return self._share(problems, partial(_unless_stuck, solved))

    def gain_between(self, bounds: Bounds) -> Bounds:
        """Return what something gains that can do no harm, from what it is worth."""
        low, high = (max(0.0, self.gain(each)) for each in bounds)
        return Bounds(low, low if self.is_same(*bounds) else high)

    def gain(self, value: float) -> float:
        """Return how much more a value is than that of the problem; 0 if rounding."""
        before = self.expected_reward
        return 0.0 if self.is_same(value, before) else value - before

    def is_same(self, one: float, other: float) -> bool:
        """Whether two values differ by no more than rounding."""
        return abs(one - other) <= self._rounding

    def of(self, problem: Problem) -> WhatIfs:
        """Return the what-ifs of another problem, within the same limits."""
        if problem == self.problem:
            return self
        return WhatIfs(
            problem,
            num_threads=self._num_threads,
            time_limit_seconds=self.deadline.time_limit_seconds(),
            progress=self.progress,
            cancel=self.cancel,
            executor=self._executor,
        )

    def map(
        self,
        problems: Iterable[Problem],
        ask: Callable[[Solution], Answer],
        *,
        is_here: bool = False,
    ) -> list[Answer]:
        """
        Ask something of the solution of each variation.

        Parameters
        ----------
        problems
            The variations; equal ones are solved once.
        ask
            What is kept of a solution; called by the one who has solved it, before its
            solver turns to another variation. An executor pickles it.
        is_here
            Whether it must be this process, as the answers cannot be pickled.
        """
        solved = partial(VariationSolver.solved, ask=ask)
        return self._share(problems, solved, is_here=is_here)

    def _share(
        self,
        problems: Iterable[Problem],
        work: Work[Answer],
        *,
        is_here: bool = False,
    ) -> list[Answer]:
        """Do the same work for each variation, once for equal ones, side by side."""
        self.need_proof()
        wanted = list(problems)
        distinct = list(dict.fromkeys(wanted))
        is_here = is_here or self._executor is None
        by_whom = self._in_threads if is_here else self._by_executor
        found = dict(zip(distinct, by_whom(work, distinct), strict=True))
        num_warm = sum(is_warm for _, is_warm in found.values())
        self.num_warm += num_warm
        self.num_afresh += len(found) - num_warm
        return [found[each][0] for each in wanted]

    def _in_threads(
        self,
        work: Work[Answer],
        problems: Sequence[Problem],
    ) -> list[tuple[Answer, bool]]:
        def one(problem: Problem) -> tuple[Answer, bool]:
            return work(self._solvers, problem, self._limits())

        with self._crew() as crew:
            answers = [crew.submit(one, each) for each in problems]
            self._follow(answers)
        return [answer.result() for answer in answers]

    def _by_executor(
        self,
        work: Work[Answer],
        problems: Sequence[Problem],
    ) -> list[tuple[Answer, bool]]:
        def look(number: int) -> None:
            told = Progress(Stage.WHAT_IFS, number, num_all=len(problems))
            self.progress(told)
            self.check_time()

        assert self._executor is not None
        seconds = self.deadline.time_limit_seconds()
        asked = partial(_worked_out, work, self.problem, seconds)
        return share(asked, problems, self._executor, look)

    @contextmanager
    def _crew(self) -> Iterator[ThreadPoolExecutor]:
        """Provide threads; an error or an interruption ends them all."""
        crew = ThreadPoolExecutor(self._num_threads)
        try:
            yield crew
        except BaseException:
            self._halt.set()
            crew.shutdown(cancel_futures=True)
            self._halt.clear()
            raise
        crew.shutdown()

    def _follow(self, answers: list[Future[Answer]]) -> None:
        """Wait for all answers; report how many there are, raise what goes wrong."""
        for number, answer in enumerate(answers):
            self.progress(Progress(Stage.WHAT_IFS, number, num_all=len(answers)))
            while True:
                if self.cancel is not None and self.cancel.is_set():
                    raise KeyboardInterrupt
                try:
                    answer.result(_LOOK_SECONDS)
                    break
                except NotYet:
                    continue

    def _limits(self, cancel: Event | None = None, share: float = 1.0) -> Limits:
        seconds = self.deadline.time_limit_seconds(share)
        return Limits(time_limit_seconds=seconds, cancel=cancel or self._halt)

    def check_time(self) -> None:
        """Raise where the time is over, or it was asked to end."""
        if self.cancel is not None and self.cancel.is_set():
            raise KeyboardInterrupt
        self.deadline.check(_NOT_IN_TIME)

    @property
    def is_proven(self) -> bool:
        """Whether the plan of the problem itself is proven to be the best."""
        return self.solution.status is Status.OPTIMAL

    def need_proof(self, what_for: str = "") -> None:
        """Refuse to compare with a plan that may not be the best."""
        low, high = self.expected_reward, float(self.solution.upper_bound)
        if self.solution.status is Status.WITHIN_GAP:
            why = f"the plan in hand is worth {low:.6g}, the optimum up to {high:.6g}"
        else:
            why = "the best plan itself could not be proven in the time: it is worth"
            why = f"{why} {low:.6g} to {high:.6g}"
        _proven(self.solution, f"{what_for}; {why}" if what_for else why)


# A worker has batch after batch of one problem; what it has explored stays with it.
_solver_of = lru_cache(maxsize=2)(VariationSolver)


def _worked_out(
    work: Work[Answer],
    problem: Problem,
    seconds: float | None,
    variations: Sequence[Problem],
    cancel: Event,
) -> list[tuple[Answer, bool]]:
    """Do the same work for some variations, in a worker."""
    solvers = _solver_of(problem)
    limits = Limits(time_limit_seconds=seconds, cancel=cancel)
    return [work(solvers, each, limits) for each in variations]


def _unless_stuck(
    work: Work[Answer],
    solvers: VariationSolver,
    problem: Problem,
    limits: Limits,
) -> tuple[Answer | None, bool]:
    try:
        return work(solvers, problem, limits)
    except StuckError:
        return None, solvers.first.fits(problem)


def _optimal(solver: CanonicalSolver, problem: Problem, limits: Limits) -> Solution:
    return _proven(solver.solve(problem, limits=limits), _NOT_IN_TIME)


def _is_start_as_good(
    first: str | None, rounding: float, solution: Solution, *, may_stop: bool
) -> bool:
    """Whether what another problem starts with is surely as good in this one."""
    root, best = solution.tree.root, float(solution.expected_reward)
    if first is None:
        return may_stop and abs(float(root.reward) - best) <= rounding
    return any(
        other.action == first
        and not other.is_bound
        and abs(float(other.value) - best) <= rounding
        for other in root.alternatives
    )


def _proven(solution: Solution, why_not: str) -> Solution:
    if solution.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    if solution.status is not Status.OPTIMAL:
        raise LimitError(why_not)
    return solution


def start_of(solution: Solution) -> PlanStart:
    """Return what a plan is worth, and what it does first."""
    return PlanStart(float(solution.expected_reward), solution.first_action)


def tie_width(problem: Problem) -> float:
    """Return by how much two values of a problem may differ and still be the same."""
    return TIE * reward_spread(problem)


def _most_times(problem: Problem, reward: Reward) -> int:
    """Return how often a reward can be paid, at most."""
    if reward.per is None:
        return 1
    counter = problem.counter(reward.per)
    moved = max(most_moved(problem, counter.name, sign) for sign in (1, -1))
    # A range may be wider than attempts can move it.
    return min(max(abs(counter.low), abs(counter.high)), abs(counter.start) + moved)


def reward_spread(problem: Problem) -> float:
    """Return how far two final rewards can lie apart, at most."""
    sizes = [abs(float(r.value)) * _most_times(problem, r) for r in problem.rewards]
    if problem.is_least_cost:
        sizes = [float(problem.unfinished or 1)]
    return sum(sizes) if problem.combine == "sum" else max(sizes, default=0.0)
