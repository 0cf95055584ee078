"""The search for a proof: every state where there are few, else bounds best first."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from branchwise.certificate import checker
from branchwise.certificate.certificate import Certificate
from branchwise.certificate.checker import State
from branchwise.certificate.problem_document import problem_document
from branchwise.certificate.proof_rows import ProofRows, Reason, Watch
from branchwise.engine.limits import Limits, watched
from branchwise.errors import LimitError
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.tree.progress import Listener, Progress, Stage
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from branchwise.space.own_space import OwnSpace

_MOST_STATES: Final = 200_000
_MOST_STATES_FOR_A_GAP: Final = 10_000
_LONGEST_NUMBER: Final = 300  # digits; past this, values are rounded outward
_FINEST: Final = Fraction(1, 10**18)  # of the largest value

# Of a time limit, what looking at every state may take, and what finding a plan may.
_SHARE_FOR_ALL_STATES: Final = 0.4
_SHARE_FOR_A_PLAN: Final = 0.6


class Proof:
    """The search for the proof of one problem."""

    def __init__(
        self, problem: Problem | OwnSpace, limits: Limits, progress: Listener
    ) -> None:
        self._limits, self._progress = limits, progress
        self._began = time.monotonic()
        # Of some states nothing is forgotten or bounded: all of them are expanded.
        self._is_raw = not isinstance(problem, Problem) or bool(features_of(problem))
        if isinstance(problem, Problem):
            self._document = problem_document(problem)
        else:
            # Start-up is felt, so what few ask for is loaded only here.
            from branchwise.certificate.space_document import space_document  # noqa: PLC0415

            watch = self._watch(Stage.EXPLORING, share=1.0, most=_MOST_STATES)
            self._document = space_document(problem, watch)
        self.read = checker.read(self._document)

    def find(self, plan: Callable[[Limits], Solution]) -> Certificate:
        """Prove what the best plan is worth, exactly or between bounds."""
        # `plan` finds a good plan within limits, where there are too many states.
        is_partial = self._limits.gap and not self._is_raw
        most = _MOST_STATES_FOR_A_GAP if is_partial else _MOST_STATES
        share = 1.0 if self._is_raw else _SHARE_FOR_ALL_STATES
        watch = self._watch(Stage.EXPLORING, share=share, most=most)
        try:
            return self.exact(watch)
        except LimitError:
            if self._is_raw:  # There is no bound for a state but all that follows.
                raise
            return self._best_first(plan)

    def exact(self, watch: Watch) -> Certificate:
        """Prove what the best plan is worth, by the bounds of every state."""
        # `watch` is called with how many states there are; it raises a `LimitError` to
        # end the search.
        space = self.read.space

        def reason(state: State) -> Reason:
            if self._is_raw:
                return ("expand",)
            is_idle = space.worth(state, now=False) <= space.worth(state, now=True)
            return ("close",) if is_idle else ("expand",)

        bounds = ProofRows(self.read, checker.bounding, reason, watch)
        bounds.work_out(upward=True)
        policy = ProofRows(self.read, checker.following, greedy(bounds))
        return self._certificate(policy, bounds)

    def _best_first(self, plan: Callable[[Limits], Solution]) -> Certificate:
        """The plan of the engine, and bounds where they matter."""
        # Start-up is felt, so what few ask for is loaded only here.
        from branchwise.certificate.best_first_bounds import (  # noqa: PLC0415
            BestFirstBounds,
            planned_policy,
        )

        seconds = self._seconds(_SHARE_FOR_A_PLAN)
        limits = replace(self._limits, time_limit_seconds=seconds)
        decided = planned_policy(self.read, plan(limits))
        policy = ProofRows(self.read, checker.following, decided.__getitem__)
        policy.work_out(upward=False)
        watch = self._watch(Stage.SEARCHING, share=1.0, most=_MOST_STATES)
        bounds = BestFirstBounds(self.read)
        with suppress(LimitError):  # What was found until then is proven as well.
            bounds.lower_to(float(policy.value), limits.gap, watch)
        rows = ProofRows(self.read, checker.bounding, bounds.reason)
        return self._certificate(policy, rows)

    def _seconds(self, share: float) -> float | None:
        """The time left until this share of the time limit has passed."""
        if self._limits.time_limit_seconds is None:
            return None
        passed = time.monotonic() - self._began
        return max(share * self._limits.time_limit_seconds - passed, 0.001)

    def _watch(self, stage: Stage, share: float, most: int) -> Watch:
        limits = replace(self._limits, time_limit_seconds=self._seconds(share))
        listener = watched(self._progress, limits)

        def watch(num_states: int) -> None:
            if num_states > most:
                raise LimitError(f"there are more than {most} states")
            listener(Progress(stage, num_states))

        return watch

    def _certificate(self, policy: ProofRows, bounds: ProofRows) -> Certificate:
        for rows, upward in ((policy, False), (bounds, True)):
            if not rows.values:
                rows.work_out(upward=upward)
            if rows.longest_number > _LONGEST_NUMBER:
                largest = max(map(abs, self.read.space.values), default=Fraction(1))
                rows.work_out(largest * _FINEST, upward=upward)
        return Certificate(
            problem=self._document,
            lower_bound=policy.value,
            upper_bound=bounds.value,
            policy=policy.rows(),
            bounds=bounds.rows(),
        )


def greedy(bounds: ProofRows) -> Callable[[State], Reason]:
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
