"""Solving beside the page: the newest problem only, and what was found about it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Event, Lock
from time import monotonic
from typing import Any, Final

from branchwise.analysis.sensitivity.frontier import budget_frontier
from branchwise.analysis.sensitivity.nearest_thresholds import nearest_thresholds
from branchwise.errors import BranchwiseError, LimitError
from branchwise.model.budget import DEFAULT_RESOURCE
from branchwise.model.problem import Problem
from branchwise.report.page.solution import plan_alone_page
from branchwise.risk.aims import Aim
from branchwise.solver import solve
from branchwise.studio.answers import (
    answer_document,
    budgets_of,
    threshold_documents,
)
from branchwise.tree.progress import Progress
from branchwise.tree.solution import Solution

Tell = Callable[[str, dict[str, Any]], None]
"""Called from any thread with the kind of an event and what it says."""

_BETWEEN_REPORTS: Final = 0.1
_SECONDS_OF_REST: Final = 0.2
_SECONDS_FOR_THRESHOLDS: Final = 1.0
_SECONDS_FOR_CURVE: Final = 1.0
_MEMORY: Final = 2 * 2**30


@dataclass(slots=True)
class Run:
    """One problem, being solved or solved."""

    version: int
    problem: Problem
    aim: Aim | None = None
    cancel: Event = field(default_factory=Event)
    is_overtaken: bool = False
    solution: Solution | None = None
    page: str = ""
    reported: float = 0.0


class Solving:
    """
    Solves the problem as it was last given; what is older is given up.

    Parameters
    ----------
    tell
        What events are told to: ``progress``, ``answer``, ``thresholds`` and a
        ``curve of`` each resource, with the version of the document.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._lock = Lock()
        self._run: Run | None = None
        self._solver = ThreadPoolExecutor(1, "solving")
        self._thresholds = ThreadPoolExecutor(1, "thresholds")

    @property
    def last(self) -> Run | None:
        """The newest run, done or not."""
        return self._run

    def start(self, version: int, problem: Problem, aim: Aim | None) -> None:
        """Solve a problem, and give up any other."""
        run = Run(version, problem, aim)
        self.give_up()
        with self._lock:
            self._run = run
        self._solver.submit(self._solve, run)

    def stop(self) -> None:
        """Make do with the best plan so far."""
        if self._run is not None:
            self._run.cancel.set()

    def give_up(self) -> None:
        """End what is being solved: its answer is not wanted any more."""
        with self._lock:
            run, self._run = self._run, None
        if run is not None:
            run.is_overtaken = True
            run.cancel.set()

    def close(self) -> None:
        """End all work."""
        self.give_up()
        self._solver.shutdown(wait=True, cancel_futures=True)
        self._thresholds.shutdown(wait=True, cancel_futures=True)

    def _solve(self, run: Run) -> None:
        if run.is_overtaken:
            return
        start = monotonic()
        run.reported = start
        try:
            run.solution = self._solution(run)
            run.page = plan_alone_page(run.solution)
            answer = answer_document(run.solution)
        except (BranchwiseError, ValueError, MemoryError) as error:
            self._report(run, "answer", {"error": str(error) or "not enough memory"})
            return
        answer["seconds"] = monotonic() - start
        answer["budgets"] = budgets_of(run.problem)
        self._report(run, "answer", answer)
        if run.aim is None and answer["is_optimal"] and not run.is_overtaken:
            self._thresholds.submit(self._look_around, run)

    def _solution(self, run: Run) -> Solution:
        def progress(found: Progress) -> None:
            now = monotonic()
            if now - run.reported >= _BETWEEN_REPORTS:
                run.reported = now
                self._report(run, "progress", progress_document(found))

        if run.aim is not None:
            return solve(
                run.problem,
                aim=run.aim,
                cancel=run.cancel,
                progress=progress,
                memory_limit_bytes=_MEMORY,
            )
        return solve(
            run.problem,
            cancel=run.cancel,
            progress=progress,
            memory_limit_bytes=_MEMORY,
        )

    def _look_around(self, run: Run) -> None:
        """Find out what would change the plan, and what other budgets are worth."""
        # Who changes one thing after the other wants the plan first.
        if run.solution is None or run.cancel.wait(_SECONDS_OF_REST):
            return
        # What is cancelled ends like Ctrl-C.
        with suppress(BranchwiseError, KeyboardInterrupt):
            found = nearest_thresholds(
                run.solution,
                time_limit_seconds=_SECONDS_FOR_THRESHOLDS,
                cancel=run.cancel,
            )
            documents = threshold_documents(found, run.problem)
            within = 0.0 if found is None else float(found.within)
            self._report(run, "thresholds", {"thresholds": documents, "within": within})
        for budget in budgets_of(run.problem):
            with suppress(BranchwiseError, KeyboardInterrupt):
                curve = curve_of(run.solution, budget, run.cancel)
                self._report(run, f"curve of {budget['resource']}", curve)

    def _report(self, run: Run, kind: str, said: dict[str, Any]) -> None:
        if not run.is_overtaken:
            self._tell(kind, {"version": run.version, **said})


def curve_of(
    solution: Solution, budget: dict[str, Any], cancel: Event | None = None
) -> dict[str, Any]:
    """
    Return what every budget that the slider of a resource can be set to is worth.

    Parameters
    ----------
    solution
        An optimal plan.
    budget
        The resource, its limit and how far its slider goes; see `budgets_of`.
    cancel
        Ends it like Ctrl-C.
    """
    problem, resource = solution.problem, budget["resource"] or DEFAULT_RESOURCE
    assert problem is not None
    sign = 1 if solution.expected_cost is None else -1
    for most in (budget["most"], budget["limit"]):
        wider = problem.with_budget({resource: Fraction(most)})
        try:
            found = budget_frontier(
                wider, time_limit_seconds=_SECONDS_FOR_CURVE, cancel=cancel
            )
        except LimitError:
            continue
        points = found.resource(resource).points
        return {
            "resource": budget["resource"],
            "most": most,
            "points": [[float(p.budget), sign * p.expected_reward] for p in points],
        }
    raise LimitError("there was no time for a curve")


def progress_document(found: Progress) -> dict[str, Any]:
    """Return how far solving has come."""
    lower, upper = found.lower_bound, found.upper_bound
    return {
        "stage": str(found.stage),
        "states": found.num_states,
        "lower": None if lower is None else float(lower),
        "upper": None if upper is None else float(upper),
    }
