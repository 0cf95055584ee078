"""Interdiction: which defenses leave an attacker least, with proof."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from threading import Event
from typing import Final, Protocol, TypeVar

from branchwise.adversary.defenses import Choices
from branchwise.adversary.interdict_attack import StoppedError
from branchwise.adversary.interdict_every import EverySet, SolvingAttacker
from branchwise.adversary.interdict_scouts import (
    Errand,
    Ground,
    attacker_of,
    budget_errands,
    scout,
    set_errands,
    worth_errands,
)
from branchwise.adversary.interdict_search import PATIENCE, Best, Scope, Search
from branchwise.adversary.interdiction import (
    DefensePoint,
    DefenseWorth,
    Interdiction,
    InterdictionStatistics,
    Method,
)
from branchwise.engine.limits import Limits
from branchwise.errors import LimitError, ProblemError
from branchwise.executors.executor import Executor, checked_executor
from branchwise.model.budget import as_limit
from branchwise.model.checks.issue import about
from branchwise.model.checks.validate import checked
from branchwise.model.defended_problem import defended
from branchwise.model.features import (
    FEATURES,
    FINISH,
    features_of,
    refuse_features,
)
from branchwise.model.numbers.number import Number
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Solution, Status

DEFENSE_METHODS: Final[tuple[Method, ...]] = ("search", "program")
"""How the best defenses may be found; the first is the default."""

# Values that differ by less than this share of all rewards count as equal.
_TOLERANCE: Final = 1e-10
_MOST_COUNTED: Final = 10**5
_FEW: Final = 100

T = TypeVar("T")


# Every argument past the first has a name and a default, so many do no harm.
def defend(  # noqa: PLR0913
    problem: Problem,
    *,
    budget: Number | None = None,
    method: Method = "search",
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    exact: bool = False,
    worths: bool = True,
    progress: Listener = silent,
    cancel: Event | None = None,
    executor: Executor | None = None,
) -> Interdiction:
    """
    Find the defenses that leave the attacker least.

    The attacker sees which defenses are in place, and has the best plan against them.

    Parameters
    ----------
    problem
        A problem with defenses.
    budget
        What may be spent on defenses; the problem's own unless said.
    method
        ``search`` proposes sets and learns from the attacker's answers. ``program`` is
        a mixed-integer program solved by HiGHS, for small problems.
    gap
        Stop when no other set can be better by more than this share.
    time_limit_seconds, memory_limit_bytes
        Stop when so much time has passed, or the process holds so much memory, with
        the best defenses so far and a bound.
    exact
        Compute with fractions; for small problems, and not for ``program``.
    worths
        Whether to work out the frontier and what every defense is worth.
    progress
        Called with how many attacker's problems were solved, and the bounds.
    cancel
        Set this event, from any thread, to stop with the best defenses so far.
    executor
        Who asks for the attacker's plans ahead of the search: an executor of
        `concurrent.futures`, or a Dask client. The answer does not depend on it. They
        are of use for what each budget achieves and each defense is worth, and where
        every set is tried; the best defenses of an ordinary problem are found here.

    Raises
    ------
    ProblemError
        The problem contradicts itself; the error lists every issue.
    ExecutorError
        The executor has no workers any more, or such of another version.
    LimitError
        The problem is too large for ``program``, or HiGHS is not installed.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.defense import Defense
    >>> from branchwise.model.problem import Reward
    >>> phish = Action("phish", outcomes={"clicked": 0.4, "ignored": 0.6})
    >>> call = Action("call", outcomes={"told": 0.1, "refused": 0.9})
    >>> training = Defense("training", cost=2, scales={"phish": {"clicked": 0.5}})
    >>> filter = Defense("filter", forbids=["phish"])
    >>> rewards = [Reward("phish=clicked", 10), Reward("call=told", 10)]
    >>> problem = Problem([phish, call], rewards, budget=1, defenses=[training, filter])
    >>> answer = defend(problem, budget=2)
    >>> answer.value_before, answer.chosen, answer.value
    (4.0, ('filter',), 1.0)
    """
    others = [feature for feature in FEATURES if feature != FINISH]
    refuse_features(
        checked(problem), "the choice of defenses", known=others, why=_WHY, fix=_FIX
    )
    if budget is not None:
        problem = replace(problem, defense_budget=as_limit(budget))
    if method not in DEFENSE_METHODS:
        known = ", ".join(DEFENSE_METHODS)
        raise ValueError(f"there is no method `{method}`; there are {known}")
    if features_of(problem) and method == "program":
        refuse_features(problem, "the method `program`", fix="use `search`")
    if exact and method == "program":
        raise ValueError("the method `program` cannot compute with fractions")
    if not problem.defenses:
        fix = "add some: `defenses: {patch: {cost: 2, forbids: [a1]}}`"
        issue = about(("defenses",), "there are no defenses to choose from", fix)
        raise ProblemError([issue])
    limits = Limits(gap, time_limit_seconds, memory_limit_bytes, cancel)
    run = _Run(
        problem=problem,
        method=method,
        limits=limits,
        exact=exact,
        progress=progress,
        executor=executor and checked_executor(executor),
    )
    return run.interdiction(worths=worths)


_WHY: Final = "defenses may keep the other side from ever finishing"
_FIX: Final = "state what must be reached as a reward instead of `finish`"


class _Finder(Protocol):
    best: Best | None
    num_nodes: int

    def find(self, scope: Scope) -> Best | None: ...

    def lower_bound(self, scope: Scope) -> Real | None: ...


@dataclass(eq=False, kw_only=True)
class _Run:
    """One question of how to defend, and how far the answer has come."""

    problem: Problem
    method: Method
    limits: Limits
    exact: bool
    progress: Listener
    executor: Executor | None

    def __post_init__(self) -> None:
        self._status = Status.OPTIMAL
        self._is_stopped = False
        self._bound: Real | None = None
        self._start, problem, exact = time.perf_counter(), self.problem, self.exact
        sizes = sum((abs(reward.value) for reward in problem.rewards), Fraction(0))
        self._tolerance = Fraction(0) if exact else _TOLERANCE * float(sizes)
        self._choices = Choices(problem)
        self._scope = Scope(self._choices.units(problem.defense_budget))
        self._num_sets = self._choices.count(self._scope.units, _MOST_COUNTED)
        self._finder = self._made()

    def _made(self) -> _Finder:
        self._attacker = attacker_of(self.problem, self.limits, exact=self.exact)
        attacker, choices, gap = self._attacker, self._choices, self.limits.gap
        if isinstance(attacker, SolvingAttacker):
            return EverySet(attacker, choices, self._tolerance)
        if self.method == "program":
            from branchwise.adversary.interdict_program import Program  # noqa: PLC0415

            return Program(attacker, choices, gap=gap)
        # Of a few sets, growing one may take longer than trying another.
        patience = PATIENCE if self._num_sets is None or self._num_sets > _FEW else 0
        return Search(attacker, choices, self._tolerance, gap, patience, self._tell)

    def _scout(self, errands: Sequence[Errand]) -> None:
        """Have workers ask the attacker what is about to be asked."""
        if self.executor is None:
            return
        finder, attacker = self._finder, self._attacker
        start = finder.start if isinstance(finder, Search) else None
        seconds = attacker.deadline.time_limit_seconds()
        ground = Ground(self.problem, self.exact, seconds, attacker.answers, start)

        def look(_: int) -> None:
            self._tell(finder.best)

        attacker.foretold.update(scout(ground, errands, self.executor, look))

    def _tell(self, best: Best | None) -> None:
        """Return how far it has come, and end it where that is asked for."""
        value, solved = best and best.value, self._attacker.num_solved
        self.progress(Progress(Stage.DEFENDING, solved, self._bound, value))
        self._attacker.look()

    def interdiction(self, *, worths: bool) -> Interdiction:
        before = self._solved(self.problem)
        best = self._best()
        statistics = InterdictionStatistics(
            num_nodes=self._finder.num_nodes,
            num_solved=self._attacker.num_solved,
            num_solved_in_all=0,
            num_sets=self._num_sets,
            seconds=self._seconds,
            seconds_in_all=0.0,
        )
        defenses = best.defenses if best else 0
        chosen = self._names(defenses)
        reply = before if not chosen else self._solved(defended(self.problem, chosen))
        frontier: tuple[DefensePoint, ...] = ()
        worth: tuple[DefenseWorth, ...] = ()
        if worths and best and self._status is Status.OPTIMAL:
            frontier = tuple(self._until_stopped(self._frontier(best)))[::-1]
            worth = tuple(self._until_stopped(self._worths(best)))
        return Interdiction(
            problem=self.problem,
            chosen=chosen,
            cost=self._choices.amount(self._choices.cost(defenses)),
            before=before,
            reply=reply,
            status=self._status,
            bound=self._bound,
            frontier=frontier,
            worths=worth if len(worth) == len(self.problem.defenses) else (),
            method=self.method,
            statistics=replace(
                statistics,
                num_solved_in_all=self._attacker.num_solved,
                seconds_in_all=self._seconds,
            ),
        )

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._start

    def _names(self, defenses: int) -> tuple[str, ...]:
        return tuple(d.name for d in self._attacker.effects.chosen(defenses))

    def _solved(self, problem: Problem) -> Solution:
        """
        Return the attacker's best plan, as a tree.

        The best defenses have been answered before, so that no limit is needed again.
        """
        is_first = not self._attacker.num_solved
        stop = self._attacker.stop
        try:
            solution = solve(
                problem,
                exact=self.exact,
                cancel=stop if is_first else None,
                progress=self.progress if is_first else silent,
            )
        except KeyboardInterrupt:
            # Fractions are for the reference engine, which has no plan before its end.
            if is_first and stop.status is Status.TIME_LIMIT:
                what = "the time limit was met before there was a plan"
                raise LimitError(what) from None
            raise
        if solution.status is Status.INTERRUPTED and stop.status is not None:
            return replace(solution, status=stop.status)
        return solution

    def _best(self) -> Best | None:
        """Find the best set; what is known of it when that is broken off."""
        space = ProblemSpace(self.problem, exact=self.exact)
        floor = space.reward(space.root)
        try:
            if isinstance(self._finder, EverySet):
                self._scout(set_errands(self._finder.sets(self._scope)))
            best = self._finder.find(self._scope)
        except (StoppedError, KeyboardInterrupt) as error:
            self._status = Status.INTERRUPTED
            if isinstance(error, StoppedError):
                self._status = error.status
            best = self._finder.best
        if self._status is Status.OPTIMAL and not self.limits.gap:
            return best
        known = self._finder.lower_bound(self._scope)
        self._bound = floor if known is None else max(floor, known)
        if best is not None and best.value - self._bound <= self._tolerance:
            self._status, self._bound = Status.OPTIMAL, None
        elif self._status is Status.OPTIMAL:
            self._status = Status.WITHIN_GAP
        return best

    def _until_stopped(self, found: Iterator[T]) -> Iterator[T]:
        """Return what is found until a limit is met."""
        if not self._is_stopped:
            try:
                yield from found
            except (StoppedError, KeyboardInterrupt):
                self._is_stopped = True

    def _frontier(self, best: Best) -> Iterator[DefensePoint]:
        """Return what smaller and smaller budgets can achieve, down to nothing."""
        # What each defense is worth is asked for soon, and needs no more than this.
        errands = budget_errands(self._choices.cost(best.defenses))
        count = len(self.problem.defenses)
        self._scout(errands + worth_errands(self._scope, best, count))
        point: Best | None = best
        while point is not None:
            cost = self._choices.cost(point.defenses)
            names = self._names(point.defenses)
            yield DefensePoint(self._choices.amount(cost), point.value, names)
            point = self._finder.find(Scope(cost - 1)) if cost else None

    def _worths(self, best: Best) -> Iterator[DefenseWorth]:
        for number, defense in enumerate(self.problem.defenses):
            bit = 1 << number
            is_chosen = bool(best.defenses & bit)
            other = self._finder.find(self._scope.without(number, best.defenses))
            alone = self._attacker.answer(bit).value
            otherwise = margin = None
            if other is not None:
                otherwise = other.value
                # What is within the tolerance is no difference.
                margin = max(otherwise - best.value, 0 * best.value)
            yield DefenseWorth(defense.name, is_chosen, alone, otherwise, margin)
