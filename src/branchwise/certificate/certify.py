"""Certifying: an answer, and a proof that anybody can check."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from threading import Event
from typing import Final

from branchwise.certificate import checker
from branchwise.certificate.best_first_bounds import BestFirstBounds
from branchwise.certificate.certificate import Certificate
from branchwise.certificate.checker import State
from branchwise.certificate.planned_policy import planned_policy
from branchwise.certificate.problem_document import problem_document
from branchwise.certificate.proof_rows import ProofRows, Reason, Watch
from branchwise.engine.limits import Limits, watched
from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.model.validate import checked
from branchwise.solver import solve
from branchwise.tree.progress import Listener, Progress, Stage, silent

__all__ = ["certify"]

_MOST_STATES: Final = 200_000
_MOST_STATES_FOR_A_GAP: Final = 10_000
_LONGEST_NUMBER: Final = 300  # digits; past this, values are rounded outward
_FINEST: Final = Fraction(1, 10**18)  # of the largest value


def certify(
    problem: Problem,
    *,
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Certificate:
    """
    Solve a problem, and prove how good the answer is.

    Where there are few enough states, the proof is exact: the plan is worth as much as
    no plan can exceed. Otherwise the certificate proves two bounds, and says so.

    Parameters
    ----------
    problem
        What to solve. Intervals of probabilities and defenses, where it has any, are
        left aside: the certificate is about the nominal problem.
    gap
        Be content with bounds that differ by no more than this share of the upper one.
    time_limit_seconds, memory_limit_bytes
        Look no further for a proof when so much time has passed, or the process holds
        so much memory; writing down what was found takes some more.
    progress
        Told how far it has come.
    cancel
        Set this event, from any thread, to stop.

    Returns
    -------
    Certificate
        The bounds and their proof.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    >>> certificate = certify(Problem([toss], [Reward(toss["heads"], 10)]))
    >>> certificate.lower_bound, certificate.upper_bound
    (Fraction(15, 2), Fraction(15, 2))
    """
    limits = Limits(gap, time_limit_seconds, memory_limit_bytes, cancel)
    return _Proof(checked(problem), limits, progress).find()


class _Proof:
    """The search for the proof of one problem."""

    def __init__(self, problem: Problem, limits: Limits, progress: Listener) -> None:
        self._problem, self._limits, self._progress = problem, limits, progress
        self._document = problem_document(problem)
        self._read = checker.Problem(self._document)
        self._began = time.monotonic()

    def find(self) -> Certificate:
        try:
            bounds = self._all_states()
        except LimitError:
            return self._best_first()
        policy = ProofRows(self._read, checker.following, _greedy(bounds))
        return self._certificate(policy, bounds)

    def _all_states(self) -> ProofRows:
        """Bounds of every state, where there are few enough."""
        most = _MOST_STATES_FOR_A_GAP if self._limits.gap else _MOST_STATES
        space = self._read.space

        def reason(state: State) -> Reason:
            is_idle = space.worth(state, now=False) <= space.worth(state, now=True)
            return ("close",) if is_idle else ("expand",)

        watch = self._watch(Stage.EXPLORING, share=0.4, most=most)
        bounds = ProofRows(self._read, checker.bounding, reason, watch)
        bounds.work_out(upward=True)
        return bounds

    def _best_first(self) -> Certificate:
        """The plan of the engine, and bounds where they matter."""
        limits = self._limits
        solution = solve(
            self._problem,
            gap=limits.gap,
            time_limit_seconds=self._seconds(0.6),
            memory_limit_bytes=limits.memory_limit_bytes,
            progress=self._progress,
            cancel=limits.cancel,
        )
        decided = planned_policy(self._read, solution)
        policy = ProofRows(self._read, checker.following, decided.__getitem__)
        policy.work_out(upward=False)
        watch = self._watch(Stage.SEARCHING, share=1.0, most=_MOST_STATES)
        bounds = BestFirstBounds(self._read)
        with suppress(LimitError):  # What was found until then is proven as well.
            bounds.lower_to(float(policy.value), limits.gap, watch)
        rows = ProofRows(self._read, checker.bounding, bounds.reason)
        return self._certificate(policy, rows)

    def _seconds(self, share: float) -> float | None:
        """The time left until this share of the time limit has passed."""
        if self._limits.time_limit_seconds is None:
            return None
        passed = time.monotonic() - self._began
        return max(share * self._limits.time_limit_seconds - passed, 0.001)

    def _watch(self, stage: Stage, share: float, most: int) -> Watch:
        limits = Limits(
            time_limit_seconds=self._seconds(share),
            memory_limit_bytes=self._limits.memory_limit_bytes,
            cancel=self._limits.cancel,
        )
        listener = watched(self._progress, limits)

        def watch(num_states: int) -> None:
            if num_states > most:
                raise LimitError(f"there are more than {most} states")
            listener(Progress(stage, num_states))

        return watch

    def _certificate(self, policy: ProofRows, bounds: ProofRows) -> Certificate:
        for rows, upward in ((policy, False), (bounds, True)):
            rows.work_out(upward=upward)
            if rows.longest_number > _LONGEST_NUMBER:
                largest = max(map(abs, self._read.space.values), default=Fraction(1))
                rows.work_out(largest * _FINEST, upward=upward)
        return Certificate(
            problem=self._document,
            lower_bound=policy.value,
            upper_bound=bounds.value,
            policy=policy.rows(),
            bounds=bounds.rows(),
        )


def _greedy(bounds: ProofRows) -> Callable[[State], Reason]:
    """The best action by exact scores; stopping beats acting."""

    def reason(state: State) -> Reason:
        place = bounds.places[state]
        score, space = bounds.values[place], bounds.space
        if score == space.worth(state, now=True):
            return (None,)
        # The first option of an expanded state is to stop.
        options = zip(space.available(state), bounds.options[place][1:], strict=True)
        return next((m.name,) for m, o in options if bounds.total(o) == score)

    return reason
