"""The adversary: who chooses the probabilities that we are not sure of, against us."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from branchwise.model.action import Action, Given
from branchwise.model.arguments import a_kind, a_whole_number
from branchwise.model.numbers.number import Number, Real, exact
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Problem
from branchwise.model.spread import Spread, distance_of, possible_labels
from branchwise.records import dataclass


def most_actions(problem: Problem) -> int | float:
    """
    Return a number of actions that no path of any plan exceeds; infinity for no limit.

    A path takes an action at most as often as it has attempts, and each time pays no
    less of a resource than the cheapest of its costs. So the attempts on a path, put
    in order of these least costs, cost at least as much as the same number of the
    cheapest attempts there are; and what a path costs fits every budget. The number of
    cheapest attempts that fit a budget is therefore a limit, for each resource.
    """
    total = sum(action.attempts for action in problem.actions)
    return min(total, *(_most_paid(problem, r) for r in problem.budget), math.inf)


def _most_paid(problem: Problem, resource: str) -> int | float:
    """Return how many of the cheapest attempts what there is of a resource pays for."""
    left = problem.budget[resource]
    if not isinstance(left, Fraction):
        return math.inf
    offers = sorted(
        (min(cost.of(resource) for cost in action.costs()), action.attempts)
        for action in problem.actions
    )
    count: int | float = 0
    for price, attempts in offers:
        affordable = math.floor(left / price) if price else math.inf
        taken = min(attempts, affordable)
        count += taken
        if taken < attempts or taken == math.inf:
            break
        left -= price * int(taken)
    return count


@dataclass(frozen=True, slots=True, init=False)
class Adversary:
    """
    Who chooses the probabilities of an action within its spread, against the planner.

    The adversary sees the state and the action taken, and decides anew each time. To
    choose other probabilities than the nominal ones is a deviation.

    Parameters
    ----------
    gamma
        How many deviations there may be along any path; None is unlimited.
    distance
        How far probabilities may lie from the nominal ones, in total variation, where
        the problem says neither an interval nor a distance; None leaves these exact.

    Examples
    --------
    >>> Adversary(gamma=2, distance="5%").distance
    Fraction(1, 20)
    """

    gamma: int | None
    distance: Fraction | None

    def __init__(
        self, gamma: int | None = None, distance: Number | None = None
    ) -> None:
        if gamma is not None:
            gamma = a_whole_number("gamma", gamma)
            if gamma < 0:
                raise ValueError(f"gamma is a whole number from 0 on, not {gamma}")
        blanket = None if distance is None else exact(distance)
        if blanket is not None and not 0 <= blanket <= 1:
            raise ValueError(f"a distance lies between 0 and 1, not at {distance}")
        object.__setattr__(self, "gamma", gamma)
        object.__setattr__(self, "distance", blanket)

    @property
    def deviations(self) -> int | float:
        """How many deviations there are at the start: a number, or infinity."""
        return math.inf if self.gamma is None else self.gamma

    def with_useful_deviations(self, problem: Problem) -> Adversary:
        """
        Return the same adversary, unlimited where the deviations cannot run out.

        On no path is there more than one deviation per action, so that as many of them
        as a path can have actions are as good as any number.
        """
        is_enough = self.deviations >= most_actions(problem)
        return Adversary(None, self.distance) if is_enough else self

    def faced_by(self, problem: Problem) -> Problem:
        """Return the problem with this distance wherever it states none."""
        if self.distance is None:
            return problem
        actions = tuple(self._with_distance(action) for action in problem.actions)
        return replace(problem, actions=actions)

    def spread_around(self, probabilities: Sequence[Real]) -> Spread | None:
        """Return all probabilities within this distance; None where there is none."""
        if self.distance is None:
            return None
        none, all_ = (0,) * len(probabilities), (1,) * len(probabilities)
        spread = Spread(tuple(probabilities), none, all_, self.distance)
        has_floats = any(isinstance(each, float) for each in probabilities)
        return (spread.with_floats() if has_floats else spread).tightened()

    def _with_distance(self, action: Action) -> Action:
        given = tuple(self._clause(action, clause) for clause in action.given)
        is_said = action.distance is not None or _has_interval(action.outcomes)
        distance = action.distance if is_said else self.distance
        return replace(action, given=given, distance=distance)

    def _clause(self, action: Action, clause: Given) -> Given:
        if clause.outcomes is None or distance_of(action, clause) is not None:
            return clause
        # The action may get a distance that is none of the clause's business.
        is_said = _has_interval(clause.outcomes)
        return replace(clause, distance=Fraction(1) if is_said else self.distance)


def checked_adversary(adversary: Adversary | None) -> None:
    """Refuse what is given for an adversary and is none."""
    if adversary is not None:
        fix = "write `Adversary(gamma=1)`, say, or leave it out"
        a_kind("adversary", adversary, Adversary, fix)


def _has_interval(outcomes: tuple[Outcome, ...]) -> bool:
    return any(outcome.low is not None for outcome in outcomes)


def supported(problem: Problem) -> Problem:
    """
    Return a problem in which all that may happen within the spreads is possible.

    It is good for asking what is possible, and for nothing else.
    """
    return replace(problem, actions=tuple(map(_supported, problem.actions)))


def _supported(action: Action) -> Action:
    clauses = (_supported_clause(action, clause) for clause in action.given)
    possible = possible_labels(action)
    share = Fraction(1, len(possible))
    own = (o.with_probability(share * (o.label in possible)) for o in action.outcomes)
    return replace(action, outcomes=tuple(own), given=tuple(clauses), distance=None)


def _supported_clause(action: Action, clause: Given) -> Given:
    if clause.outcomes is None and clause.distance is None:
        return clause
    labels = sorted(possible_labels(action, clause))
    even = tuple(Outcome(label, Fraction(1, len(labels))) for label in labels)
    return replace(clause, outcomes=even, distance=None)
