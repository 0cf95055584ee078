"""The best plans as a cost fills the budget: they come to an end one by one."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Final, NamedTuple

from branchwise.analysis.attempts import most_attempts
from branchwise.analysis.parameter import Parameter
from branchwise.analysis.sensitivity.envelope import Envelope, Piece
from branchwise.analysis.sensitivity.plan_value import PlanLine
from branchwise.analysis.what_if import tie_width
from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED
from branchwise.model.problem import Problem

# With more sums of costs than this, there are too many places to look at.
_MOST_SUMS: Final = 2_000
_MOST_PLACES: Final = 400


class Fits(NamedTuple):
    """Where plans may stop to fit the budget."""

    # The costs, by rising size: above each of them something may no longer fit that
    # fits at it. Between two of them nothing changes.
    places: tuple[Fraction, ...]
    # Less than half of how far any two of them, and the ends, can be apart.
    step: Fraction
    is_complete: bool  # whether there are no others


def fills_budget(problem: Problem, parameter: Parameter) -> bool:
    """Whether a number is a cost of something that is limited."""
    is_cost = parameter.kind == "cost"
    return is_cost and problem.budget[parameter.resource] != UNLIMITED


def fits(problem: Problem, cost: Parameter, low: Fraction, high: Fraction) -> Fits:
    """
    Find every cost at which a sum of costs may fill the budget.

    Who pays the cost k times, and s for all else, fits while it is at most the k-th
    part of what s leaves of the budget. Every sum that attempts could make is taken,
    whether or not conditions let it be, so there may be more places than are needed.
    """
    limit = problem.budget[cost.resource]
    assert isinstance(limit, Fraction)
    cheapest = cost.changed(problem, low)
    times = most_attempts(cheapest.action(cost.action), cheapest)
    sums, is_complete = _sums(problem, cost, limit)
    found = sorted(
        {
            (limit - spent) / uses
            for spent in sums
            for uses in range(1, times + 1)
            if low < (limit - spent) / uses < high
        }
    )
    if len(found) > _MOST_PLACES:
        is_complete = False
        found = found[:: len(found) // _MOST_PLACES + 1]
    ends = [low, high, limit, *sums]
    finest = lcm(*(each.denominator for each in ends)) * times
    return Fits(tuple(found), Fraction(1, 3 * finest * finest), is_complete)


def _sums(
    problem: Problem, cost: Parameter, limit: Fraction
) -> tuple[set[Fraction], bool]:
    """Return what may be spent on all else; and whether that is all of it."""
    sums = {Fraction(0)}
    for action in problem.actions:
        amounts = _amounts(action, cost) - {Fraction(0)}
        attempts = most_attempts(action, problem) if amounts else 0
        new = sums
        for _ in range(attempts):
            new = {
                more for s in new for a in amounts if (more := s + a) <= limit
            } - sums
            if not new:
                break
            sums |= new
            if len(sums) > _MOST_SUMS:
                return sums, False
    return sums, True


def _amounts(action: Action, cost: Parameter) -> set[Fraction]:
    """Return what an attempt may cost of the resource, but for the cost itself."""
    clauses = ((n, clause.cost) for n, clause in enumerate(action.given))
    places = [(None, action.cost), *clauses]
    return {
        amounts.of(cost.resource)
        for clause, amounts in places
        if amounts is not None and (action.name, clause) != (cost.action, cost.clause)
    }


class Steps:
    """
    The search for the best plan over a range of a cost that acts by the budget alone.

    The dearer it is, the fewer plans fit, and what a plan is worth does not change. So
    the value falls in steps: between two places where it is the same nothing happens,
    and the plan that is the best at the upper one is the best everywhere between.
    The plan as things are is known beforehand, and by how much the cost may rise.
    """

    is_straight = True

    def __init__(
        self,
        problem: Problem,
        parameter: Parameter,
        low: Fraction,
        high: Fraction,
        plan: PlanLine,
        increase: Fraction | None,
    ) -> None:
        found = fits(problem, parameter, low, high)
        self.is_complete = found.is_complete
        self._low = low
        self._ends = (*found.places, high)
        most = high if increase is None else plan.at + increase
        reached = [at for at in self._ends if plan.at <= at <= most]
        self._known = dict.fromkeys((*reached[:1], *reached[-1:]), plan)
        self._tie = tie_width(problem)
        self._open = [(0, len(self._ends) - 1)]

    def open(self) -> list[Fraction]:
        """Return where the best plan must be known to go on; nothing at the end."""
        while self._open:
            wanted = {self._ends[i] for pair in self._open for i in pair}
            missing = wanted - self._known.keys()
            if missing:
                return sorted(missing)
            self._open = [half for pair in self._open for half in self._halves(*pair)]
        return []

    def learn(self, at: Fraction, plan: PlanLine) -> None:
        """Take note of the best plan somewhere."""
        self._known[at] = plan

    def pieces(self) -> Iterator[Piece]:
        """Return the best plans in order, each up to where it no longer fits."""
        ends = [at for at in self._ends if at in self._known]
        low = self._low
        for at, after in pairwise(ends):
            if not self._is_same(self._known[at], self._known[after]):
                yield Piece(low, at, self._known[at])
                low = at
        yield Piece(low, ends[-1], self._known[ends[-1]])

    def _halves(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Look closer where the value has fallen between two places."""
        low, high = self._known[self._ends[first]], self._known[self._ends[last]]
        if last - first > 1 and not self._is_same(low, high):
            middle = (first + last) // 2
            yield first, middle
            yield middle, last

    def _is_same(self, one: PlanLine, other: PlanLine) -> bool:
        return abs(one.reward - other.reward) <= self._tie


class Descent:
    """
    The search where a cost also counts against the reward.

    Between two places at which plans stop to fit, the same plans fit and each is worth
    what a straight line says: an envelope. At such a place the value may fall.
    """

    is_straight = True

    def __init__(
        self, problem: Problem, parameter: Parameter, low: Fraction, high: Fraction
    ) -> None:
        found = fits(problem, parameter, low, high)
        self.is_complete = found.is_complete
        ends = (low, *found.places, high)
        self._slack = tie_width(problem) * 1e3
        self._parts = [
            Envelope(problem, parameter, at + (found.step if number else 0), end)
            for number, (at, end) in enumerate(pairwise(ends))
        ]
        self._starts = ends[:-1]

    def open(self) -> list[Fraction]:
        """Return where the best plan must be known to go on; nothing at the end."""
        return sorted(at for part in self._parts for at in part.open())

    def learn(self, at: Fraction, plan: PlanLine) -> None:
        """Take note of the best plan somewhere."""
        for part in self._parts:
            part.learn(at, plan)

    def pieces(self) -> Iterator[Piece]:
        """Return the best plans in order; a dearer one that is as good goes further."""
        found: list[Piece] = []
        for start, part in zip(self._starts, self._parts, strict=True):
            for number, piece in enumerate(part.pieces()):
                low = piece.low if number else start
                # A plan that still fits later may have been as good all along.
                if found and found[-1].is_worth_as_much(piece.plan, self._slack):
                    low = found.pop().low
                found.append(piece._replace(low=low))
        yield from found
