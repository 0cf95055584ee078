"""A task: what is to be solved, which engine suits it, and how each is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from branchwise.engine.limits import Limits, Search
from branchwise.model.adversary import Adversary
from branchwise.model.problem import Problem
from branchwise.reference.objective import Objective
from branchwise.space.state_space import StateSpace
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from branchwise.rewarding.sets import RewardingSet

__all__ = ["ENGINES", "Task"]

ENGINES: Final = ("auto", "canonical", "paper", "reference")
"""The engines there are; the first one, which chooses another, is the default."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be solved, and what it asks of an engine."""

    problem: Problem | StateSpace[Any]
    prefer: str | Objective
    naive: bool
    exact: bool
    rewarding_sets: int | Iterable[RewardingSet] | None = None
    adversary: Adversary | None = None

    def choose(self, engine: str) -> tuple[str, str]:
        """Give the engine to use, and why."""
        if engine not in ENGINES:
            known = ", ".join(ENGINES)
            raise ValueError(f"there is no engine `{engine}`; there are {known}")
        needs_reference = self._needs_reference()
        if self.naive and self.rewarding_sets is not None:
            raise ValueError("without pruning there are no rewarding sets to go by")
        if self.adversary is not None:
            self._check_robust(engine)
        if engine == "auto":
            if needs_reference:
                return "reference", needs_reference
            if self.naive and self.adversary is not None:
                return "reference", "the naive full graph was asked for"
            if self.naive:
                return "paper", "the naive full graph was asked for"
            return "canonical", ""
        if engine != "reference" and needs_reference:
            raise ValueError(f"the engine `{engine}` cannot do this: {needs_reference}")
        if engine == "canonical" and self.naive:
            raise ValueError("the engine `canonical` has no naive full graph")
        return engine, "it was asked for"

    def _check_robust(self, engine: str) -> None:
        if engine == "paper":
            raise ValueError(
                "the engine `paper` knows no adversary; `canonical` and `reference` do"
            )
        if self.rewarding_sets is not None:
            raise ValueError("a robust plan goes by all rewarding sets, not by some")

    def _needs_reference(self) -> str:
        """Say why only the reference engine will do; nothing if others will."""
        if not isinstance(self.problem, Problem):
            return "it is a state space of your own"
        if not isinstance(self.prefer, str):
            return "a function of yours chooses among optimal trees"
        if self.exact:
            return "only the engine `reference` computes with fractions"
        if self.rewarding_sets is not None:
            return "only some rewarding sets count"
        return ""

    def canonical(
        self,
        search: Search,
        limits: Limits,
        num_threads: int | None,
        progress: Listener,
    ) -> Solution:
        """Solve over canonical states."""
        from branchwise.engine.canonical import CanonicalSolver  # noqa: PLC0415

        assert isinstance(self.problem, Problem)
        assert isinstance(self.prefer, str)
        start = perf_counter()
        solver = CanonicalSolver(
            self.problem, num_threads=num_threads, adversary=self.adversary
        )
        return solver.solve(
            prefer=self.prefer,
            search=search,
            limits=limits.less(perf_counter() - start),
            adversary=self.adversary,
            progress=progress,
        )

    def paper(
        self, limits: Limits, num_threads: int | None, progress: Listener
    ) -> Solution:
        """Solve by the paper's three stages in C++."""
        from branchwise.engine.paper import solve_by_paper  # noqa: PLC0415

        assert isinstance(self.problem, Problem)
        assert isinstance(self.prefer, str)
        return solve_by_paper(
            self.problem,
            prefer=self.prefer,
            naive=self.naive,
            limits=limits,
            num_threads=num_threads,
            progress=progress,
        )

    def reference(self, progress: Listener) -> Solution:
        """Solve by the paper line by line, in Python."""
        # Start-up is felt, so what few ask for is loaded only here.
        from branchwise.reference.pipeline import solve_by_reference  # noqa: PLC0415

        if self.rewarding_sets is None:
            return solve_by_reference(
                self.problem,
                prefer=self.prefer,
                naive=self.naive,
                exact=self.exact,
                adversary=self.adversary,
                progress=progress,
            )
        if not isinstance(self.problem, Problem):
            raise ValueError("a state space of your own has no rewarding sets")
        from branchwise.reference.some_sets import solve_with_some_sets  # noqa: PLC0415

        return solve_with_some_sets(
            self.problem,
            self.rewarding_sets,
            prefer=self.prefer,
            exact=self.exact,
            progress=progress,
        )
