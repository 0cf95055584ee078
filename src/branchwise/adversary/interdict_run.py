"""One question of how to defend: the best defenses, and all that is known of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final, Protocol, TypeVar

from branchwise.adversary.defense_clauses import Choices
from branchwise.adversary.defense_effects import Effects
from branchwise.adversary.interdict_attack import Attacker, StoppedError
from branchwise.adversary.interdict_search import PATIENCE, Best, Scope, Search
from branchwise.adversary.interdiction import (
    DefensePoint,
    DefenseWorth,
    Interdiction,
    InterdictionStatistics,
    Method,
)
from branchwise.engine.limits import Limits
from branchwise.errors import LimitError
from branchwise.model.defended_problem import defended
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.state_space import Real
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Solution, Status

__all__ = ["Run"]

# Values that differ by less than this share of all rewards count as equal.
_TOLERANCE: Final = 1e-10
_MOST_COUNTED: Final = 10**5
_FEW: Final = 100

T = TypeVar("T")


class _Finder(Protocol):
    """Finds the best set of defenses in a scope."""

    best: Best | None
    num_nodes: int

    def find(self, scope: Scope) -> Best | None: ...

    def lower_bound(self, scope: Scope) -> Real | None: ...


class Run:
    """One question of how to defend, and how far the answer has come."""

    def __init__(
        self,
        problem: Problem,
        method: Method,
        limits: Limits,
        *,
        exact: bool,
        progress: Listener,
    ) -> None:
        self._start = time.perf_counter()
        self._problem = problem
        self._method = method
        self._limits = limits
        self._exact = exact
        self._progress = progress
        self._status = Status.OPTIMAL
        self._is_stopped = False
        self._bound: Real | None = None
        self._choices = Choices(problem)
        self._scope = Scope(self._choices.units(problem.defense_budget))
        self._num_sets = self._choices.count(self._scope.units, _MOST_COUNTED)
        self._attacker = Attacker(Effects(problem), limits, exact=exact)
        self._finder = self._made()

    def _made(self) -> _Finder:
        if self._method == "program":
            from branchwise.adversary.interdict_program import (  # noqa: PLC0415
                Program,
            )

            return Program(
                self._attacker,
                self._choices,
                gap=self._limits.gap,
                deadline=self._attacker.deadline,
            )
        return Search(
            self._attacker,
            self._choices,
            tolerance=self._tolerance(),
            gap=self._limits.gap,
            # Of a few sets, growing one may take longer than trying another.
            patience=PATIENCE if self._num_sets is None or self._num_sets > _FEW else 0,
            listen=self._tell,
        )

    def _tolerance(self) -> Real:
        if self._exact:
            return Fraction(0)
        rewards = (abs(reward.value) for reward in self._problem.rewards)
        return _TOLERANCE * float(sum(rewards, Fraction(0)))

    def _tell(self, best: Best | None) -> None:
        """Return how far it has come, and end it where that is asked for."""
        value = None if best is None else best.value
        report = Progress(
            Stage.DEFENDING, self._attacker.num_solved, self._bound, value
        )
        self._progress(report)
        self._attacker.look()

    def interdiction(self, *, worths: bool) -> Interdiction:
        """Put the answer together."""
        before = self._solved(self._problem)
        best = self._best()
        solved, seconds = self._attacker.num_solved, self._seconds
        num_nodes = self._finder.num_nodes
        chosen = self._names(best.defenses if best else 0)
        reply = before if not chosen else self._solved(defended(self._problem, chosen))
        frontier: tuple[DefensePoint, ...] = ()
        worth: tuple[DefenseWorth, ...] = ()
        if worths and best and self._status is Status.OPTIMAL:
            frontier = tuple(self._until_stopped(self._frontier(best)))[::-1]
            worth = tuple(self._until_stopped(self._worths(best)))
        return Interdiction(
            problem=self._problem,
            chosen=chosen,
            cost=self._choices.amount(self._choices.cost(best.defenses if best else 0)),
            before=before,
            reply=reply,
            status=self._status,
            bound=self._bound,
            frontier=frontier,
            worths=worth if len(worth) == len(self._problem.defenses) else (),
            method=self._method,
            statistics=InterdictionStatistics(
                num_nodes=num_nodes,
                num_solved=solved,
                num_solved_in_all=self._attacker.num_solved,
                num_sets=self._num_sets,
                seconds=seconds,
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
                exact=self._exact,
                cancel=stop if is_first else None,
                progress=self._progress if is_first else silent,
            )
        except KeyboardInterrupt:
            # Fractions are for the reference engine, which has no plan before its end.
            if is_first and stop.status is Status.TIME_LIMIT:
                what = "the time limit was met before there was a plan"
                raise LimitError(what) from None
            raise
        is_broken_off = solution.status is Status.INTERRUPTED
        if is_broken_off and stop.status is not None:
            return replace(solution, status=stop.status)
        return solution

    def _best(self) -> Best | None:
        """Find the best set; what is known of it when that is broken off."""
        floor = self._problem.reward({})
        try:
            best = self._finder.find(self._scope)
        except (StoppedError, KeyboardInterrupt) as error:
            self._status = Status.INTERRUPTED
            if isinstance(error, StoppedError):
                self._status = error.status
            best = self._finder.best
        if self._status is Status.OPTIMAL and not self._limits.gap:
            return best
        known = self._finder.lower_bound(self._scope)
        self._bound = floor if known is None else max(floor, known)
        if best is not None and best.value - self._bound <= self._tolerance():
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
        point: Best | None = best
        while point is not None:
            cost = self._choices.cost(point.defenses)
            names = self._names(point.defenses)
            yield DefensePoint(self._choices.amount(cost), point.value, names)
            point = self._finder.find(Scope(cost - 1)) if cost else None

    def _worths(self, best: Best) -> Iterator[DefenseWorth]:
        for number, defense in enumerate(self._problem.defenses):
            bit = 1 << number
            is_chosen = bool(best.defenses & bit)
            scope = Scope(self._scope.units, has=bit)
            if is_chosen:
                scope = Scope(self._scope.units, lacks=bit)
            other = self._finder.find(scope)
            alone = self._attacker.answer(bit).value
            otherwise = margin = None
            if other is not None:
                otherwise = other.value
                # What is within the tolerance is no difference.
                margin = max(otherwise - best.value, 0 * best.value)
            yield DefenseWorth(defense.name, is_chosen, alone, otherwise, margin)
