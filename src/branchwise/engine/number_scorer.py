"""Scoring again: one set of states, with other numbers each time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from threading import Event
from typing import NamedTuple

import branchwise._core as core
from branchwise.engine.canonical_run import MOST_EXPLORED
from branchwise.engine.lower import Lowered
from branchwise.engine.plan_book import FixedPlan, PlanBook
from branchwise.model.features import refuse_features
from branchwise.model.problem import Problem

Variant = tuple[int, int, float, float, list[float]]
"""An action, a variant of it, and its cost, charge and probabilities."""


class TooManyStatesError(Exception):
    """There are too many states to explore them all."""


class Scored(NamedTuple):
    """What the best plan is worth, and its number in the book."""

    expected_reward: float
    plan: int


class NumberScorer:
    """Solves problems that differ in their numbers, but not in their states."""

    # Rewards must stay in the same order, what is impossible impossible, and prices and
    # budget as they are. Nothing is checked here, and no tree is built, so this is many
    # times faster than solving each afresh; the plans are the same.

    def __init__(self, problem: Problem, book: PlanBook) -> None:
        refuse_features(problem, "scoring with other numbers")
        lowered = Lowered(problem)
        self._instance = lowered.instance
        scales = lowered.scales.items()
        self._budget = [int(problem.budget[r] * scale) for r, scale in scales]
        self._engine = core.CanonicalEngine(self._instance, 1)
        self._book = book

    def score(
        self,
        variants: Iterable[Variant],
        rewards: Sequence[Fraction],
        *,
        has_rewards: bool,
        time_limit_seconds: float | None,
        cancel: Event,
    ) -> Scored | None:
        """Find the best plan by other numbers; None where a limit was met."""
        # `has_rewards` says whether the rewards differ from one call to the next. A
        # `TooManyStatesError` says that there are more states than can be explored in
        # little time.
        engine, is_full = self._engine, False

        def listen(_: str, num_states: int, *__: float) -> bool:
            nonlocal is_full
            is_full = num_states > MOST_EXPLORED
            return not is_full and not cancel.is_set()

        _change(self._instance, variants, rewards)
        engine.change_all_probabilities(self._instance)
        if has_rewards:
            engine.change_rewards(self._instance)
        engine.start(self._budget)
        objective = core.Objective.FEWEST_NODES
        is_done, _ = engine.explore(objective, time_limit_seconds, None, listen)
        if is_full:
            raise TooManyStatesError
        if not is_done:
            return None
        plan = core.Plan(engine, None)
        score = plan.score(plan.root, plan.deviations)
        secured = sum((rewards[n] for n in plan.root_gained), Fraction(0))
        number = self._book.core.enter(plan)
        return Scored(score + float(secured) if secured else score, number)


class PlanValuer:
    """Values fixed plans at other numbers, which may differ as for `NumberScorer`."""

    def __init__(self, problem: Problem) -> None:
        refuse_features(problem, "valuing plans at other numbers")
        # What others planned may spend more than is worth it here.
        self._instance = Lowered(problem, every_resource=True).instance

    def values(
        self,
        plans: Iterable[FixedPlan | None],
        variants: Iterable[Variant],
        rewards: Sequence[Fraction],
    ) -> list[float | None]:
        """Return what each plan is worth; None for one that could not be made."""
        _change(self._instance, variants, rewards)
        return [None if plan is None else plan.value(self._instance) for plan in plans]


def _change(
    instance: core.Instance, variants: Iterable[Variant], rewards: Sequence[Fraction]
) -> None:
    for variant in variants:
        instance.change_variant(*variant)
    for number, value in enumerate(rewards):
        instance.change_reward(number, float(value))
