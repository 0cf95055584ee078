"""Where one thread plans for individuals, one after another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from threading import Event
from typing import NamedTuple, Protocol

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
from branchwise.tree.solution import Status

__all__ = ["Answer", "LaidOut", "ProfileBench"]


class LaidOut(NamedTuple):
    """
    The numbers of an individual as the engine wants them.

    Parameters
    ----------
    structure
        All that it must have in common with others to share their states.
    variants, rewards
        Its odds and charges, and what rewards are worth to it.
    """

    structure: Hashable
    variants: list[Variant]
    rewards: tuple[Fraction, ...]


class Answer(NamedTuple):
    """
    The plan for one individual.

    Parameters
    ----------
    expected_reward, upper_bound
        What it is worth, and what no plan can exceed.
    plan
        Its number in the book.
    status
        How far the solver came.
    """

    expected_reward: float
    upper_bound: float
    plan: int
    status: Status


class Shared(Protocol):
    """What all threads share: the book of plans, and when to stop."""

    book: PlanBook
    halt: Event

    def place(self, number: int) -> str:
        """Tell where an individual stands."""

    def overrides(self, number: int) -> Overrides:
        """Give what is different about an individual."""

    def seconds_left(self) -> float | None:
        """Give how much time is left; None where there is no limit."""

    def fair_seconds(self) -> float | None:
        """Give what one of those who are left may take, so that all have a turn."""


class ProfileBench:
    """
    What one thread has at hand: the states of those it has just worked for.

    Parameters
    ----------
    numbers
        Gives the problems of individuals.
    shared
        What all threads share.
    """

    def __init__(self, numbers: ProfileNumbers, shared: Shared) -> None:
        self._numbers = numbers
        self._shared = shared
        self._structure: Hashable = None
        self._scorer: NumberScorer | None = None
        self._searcher: Solver | None = None
        self._valuer: PlanValuer | None = None

    def solve(self, number: int, numbers: LaidOut) -> Answer | None:
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
                time_limit_seconds=self._shared.seconds_left(),
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
        self, plans: Sequence[FixedPlan | None], number: int, numbers: LaidOut
    ) -> list[float | None]:
        """Give what each plan is worth to an individual."""
        self._turn_to(numbers)
        if self._valuer is None:
            # Whoever has a plan has had a sound problem.
            overrides = self._shared.overrides(number)
            self._valuer = PlanValuer(self._numbers.problem_of(overrides))
        return self._valuer.values(plans, numbers.variants, numbers.rewards)

    def _turn_to(self, numbers: LaidOut) -> None:
        """Clear away what does not fit these numbers."""
        if numbers.structure != self._structure:
            self._structure = numbers.structure
            self._scorer = self._searcher = self._valuer = None

    def _checked(self, number: int) -> Problem:
        """Give the problem of an individual; say whose it is if it is unsound."""
        problem = self._numbers.problem_of(self._shared.overrides(number))
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
            self._numbers.problem_of(self._shared.overrides(number)),
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
