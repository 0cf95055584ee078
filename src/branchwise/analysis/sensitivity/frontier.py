"""The budget frontier: what every budget up to the one asked is worth."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, Unpack

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.table import Columns, Table, Tabular, find, own_columns
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.errors import LimitError, UnsupportedError
from branchwise.model.budget import UNLIMITED, Limit
from branchwise.model.conditions.quantity import Left
from branchwise.model.features import FINISH, features_of
from branchwise.model.numbers.number import TIE
from branchwise.model.problem import Problem
from branchwise.space.packed import most_attempts
from branchwise.tree.solution import Solution

_MOST_TRIED: Final = 500


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """
    A budget from which on the best plan is worth more than with the next smaller one.

    Or less, where a problem may be worth less with a larger budget.

    Parameters
    ----------
    budget
        How much there is of the resource.
    expected_reward
        What the best plan is worth, from here up to the next point.
    gain
        How much more that is than at the point before; 0 at the first.
    gain_per_unit
        The same for each unit of the resource between the two points.
    is_kink
        Whether it pays to come up to here: no mix of a smaller and a larger budget
        promises more. These are the corners of the concave hull of the frontier, where
        the return on each further unit falls.
    first_action
        What the best plan does first; None where it does nothing.
    tree_nodes, depth
        How large its tree is.
    """

    budget: Fraction
    expected_reward: float
    gain: float
    gain_per_unit: float
    is_kink: bool
    first_action: str | None
    tree_nodes: int
    depth: int


@dataclass(frozen=True, slots=True)
class ResourceFrontier:
    """
    What each amount of one resource is worth, all others held as they are.

    Parameters
    ----------
    resource
        Its name.
    limit
        How much there is of it.
    points
        Where the value rises, by rising budget, from 0 on.
    gain_of_more, loss_of_less
        The shadow price: what one unit more would gain, and one unit less would lose;
        None where there is no unit less, or no plan is then sure to finish.
    """

    resource: str
    limit: Limit
    points: tuple[FrontierPoint, ...]
    gain_of_more: float | None
    loss_of_less: float | None

    def worth(self, budget: Limit) -> float:
        """Return what a budget up to the limit is worth."""
        known = [p for p in self.points if p.budget <= budget <= self.limit]
        if not known:
            raise ValueError(f"nothing is known of a budget of {budget}")
        return known[-1].expected_reward


@dataclass(frozen=True, slots=True)
class BudgetFrontier(Tabular):
    """
    What every budget up to the problem's own is worth.

    Parameters
    ----------
    expected_reward
        What the best plan is worth with all of the budget.
    resources
        The frontier along each resource.
    """

    expected_reward: float
    resources: tuple[ResourceFrontier, ...]

    def resource(self, name: str) -> ResourceFrontier:
        """Return the frontier along a resource."""
        return find(self.resources, "resource", name)

    def tables(self) -> tuple[Table, ...]:
        """Return the rows: of points, and of shadow prices."""
        points = ((each.resource, each.points) for each in self.resources)
        prices: Columns = {
            **own_columns("resource"),
            "limit": lambda each: None if each.limit == UNLIMITED else each.limit,
            **own_columns("gain_of_more", "loss_of_less"),
        }
        return (
            Table.of_owned("points", "resource", FrontierPoint, points),
            Table.of_columns("shadow-prices", prices, self.resources),
        )


def budget_frontier(problem: Problem, **limits: Unpack[WhatIfLimits]) -> BudgetFrontier:
    """
    Work out what every budget up to the problem's own is worth.

    The value is a step function of the budget; every step is found exactly, at any
    fineness of costs. Of several resources one is varied at a time. Where the value may
    fall as the budget rises, because conditions ask what is left or a plan must finish,
    every budget is tried, up to 500 of them; those with which no plan is sure to finish
    are left out.

    Parameters
    ----------
    problem
        What to look into; its budget is the largest one.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, attempts=3)
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=2)
    >>> [found] = budget_frontier(problem).resources
    >>> [(int(p.budget), p.expected_reward, p.gain) for p in found.points]
    [(0, 0.0, 0.0), (1, 4.0, 4.0), (2, 6.0, 2.0)]
    >>> found.gain_of_more, found.loss_of_less
    (1.0, 2.0)
    """
    return frontier_section(WhatIfs(problem, **limits), AnalysisOptions())


def frontier_section(what_ifs: WhatIfs, options: AnalysisOptions) -> BudgetFrontier:  # noqa: ARG001
    """Work the frontier out with what-ifs that are at hand."""
    resources = tuple(_along(what_ifs, each) for each in what_ifs.problem.budget)
    return BudgetFrontier(what_ifs.expected_reward, resources)


def _may_fall(problem: Problem) -> bool:
    """Whether a problem may be worth less with a larger budget, or not finish."""
    compared = (leaf for when in problem.conditions() for leaf in when.comparisons())
    asks_for_rest = any(isinstance(leaf.quantity, Left) for leaf in compared)
    return asks_for_rest or FINISH in features_of(problem)


def _asked(problem: Problem, resource: str) -> list[Fraction]:
    """Return the amounts that conditions compare with what is left of a resource."""
    compared = (leaf for when in problem.conditions() for leaf in when.comparisons())
    return [leaf.number for leaf in compared if leaf.quantity == Left(resource)]


class _Best(NamedTuple):
    """What is kept of the best plan of a budget."""

    value: float
    first_action: str | None
    tree_nodes: int
    depth: int


def _best(solution: Solution) -> _Best:
    tree = solution.tree
    value = float(solution.expected_reward)
    return _Best(value, solution.first_action, tree.num_nodes, tree.depth)


def _along(what_ifs: WhatIfs, resource: str) -> ResourceFrontier:
    problem = what_ifs.problem
    limit = problem.budget[resource]
    more, less = _neighbors(what_ifs, resource, limit)
    total = _all_there_is_to_pay(problem, resource)
    if _may_fall(problem):
        # With one more, `left(days) > 3` holds to the end.
        most_asked = max([Fraction(0), *(n + 1 for n in _asked(problem, resource))])
        top = min(limit, total + most_asked)
        found = _each(what_ifs, resource, Fraction(top))
    else:
        found = _Steps(what_ifs, resource, Fraction(min(limit, total)), total).find()
    return ResourceFrontier(resource, limit, tuple(_points(found)), more, less)


def _neighbors(
    what_ifs: WhatIfs, resource: str, limit: Limit
) -> tuple[float | None, float | None]:
    """Return what a unit more would gain, and what a unit less would lose."""
    if limit == UNLIMITED:
        return 0.0, 0.0
    limits = [limit + 1, limit - 1] if limit >= 1 else [limit + 1]
    changed = (what_ifs.problem.with_budget({resource: each}) for each in limits)
    values = what_ifs.values_or_stuck(changed)
    more, *less = (None if v is None else what_ifs.gain(v) for v in values)
    return more, 0.0 - less[0] if less and less[0] is not None else None


def _all_there_is_to_pay(problem: Problem, resource: str) -> Fraction:
    """
    Return what all attempts cost at most; nothing beyond that can be spent.

    That is finite: without end are only attempts that some finite resource pays for.
    """
    total = Fraction(0)
    for action in problem.actions:
        dearest = max(cost.of(resource) for cost in action.costs())
        dearest += action.dearest.of(resource)
        if dearest:
            total += dearest * int(most_attempts(problem, action))
    return total


def _unit(problem: Problem, resource: str) -> Fraction:
    """Return the unit of which all costs, and all that is asked for, are multiples."""
    amounts = [c.of(resource) for a in problem.actions for c in a.every_cost()]
    amounts += _asked(problem, resource)
    return Fraction(1, math.lcm(*(amount.denominator for amount in amounts)))


def _each(
    what_ifs: WhatIfs, resource: str, top: Fraction
) -> list[tuple[Fraction, _Best]]:
    """Try every budget, and keep those at which the value is another."""
    unit = _unit(what_ifs.problem, resource)
    budgets = [number * unit for number in range(math.floor(top / unit) + 1)]
    if len(budgets) > _MOST_TRIED:
        raise LimitError(
            f"with `finish` or `left(...)` every budget is tried, and there are "
            f"{len(budgets):,}: more than {_MOST_TRIED}\n    fix: round costs, so that "
            "they are multiples of a larger unit, or try some with `--budget`"
        )
    problems = [what_ifs.problem.with_budget({resource: each}) for each in budgets]
    found: list[tuple[Fraction, _Best]] = []
    for budget, best in zip(
        budgets, what_ifs.map_or_stuck(problems, _best), strict=True
    ):
        if best is None:
            if found:
                raise UnsupportedError(
                    f"with {budget} of {resource} every plan may get stuck, and with "
                    f"{found[0][0]} it need not: there is no frontier"
                )
        elif not found or not what_ifs.is_same(found[-1][1].value, best.value):
            found.append((budget, best))
    return found


class _Steps:
    """The search for all budgets at which the value rises."""

    def __init__(
        self, what_ifs: WhatIfs, resource: str, top: Fraction, total: Fraction
    ) -> None:
        self._resource = resource
        problem = what_ifs.problem
        self._unit = _unit(problem, resource)
        self._top = math.floor(top / self._unit)
        # A budget that pays for everything is not counted by the engine, so that others
        # would not fit: the states are those of the next smaller one.
        most = self._top - 1 if top >= total and self._top else self._top
        self._what_ifs = what_ifs.of(self._problem(what_ifs.problem, most))

    def find(self) -> list[tuple[Fraction, _Best]]:
        """Halve every range whose ends differ, until they are one unit apart."""
        known = self._solved([0, self._top])
        open_ranges = [(0, self._top)]
        while open_ranges:
            halved = [
                (low, (low + high) // 2, high)
                for low, high in open_ranges
                if high - low > 1 and self._rises(known[low], known[high])
            ]
            known |= self._solved([middle for _, middle, _ in halved])
            open_ranges = [r for a, b, c in halved for r in ((a, b), (b, c))]
        found: list[tuple[Fraction, _Best]] = []
        for number in sorted(known):
            if not found or self._rises(found[-1][1], known[number]):
                found.append((number * self._unit, known[number]))
        return found

    def _rises(self, low: _Best, high: _Best) -> bool:
        return not self._what_ifs.is_same(low.value, high.value)

    def _solved(self, numbers: Sequence[int]) -> dict[int, _Best]:
        problem = self._what_ifs.problem
        asked = [self._problem(problem, number) for number in numbers]
        return dict(zip(numbers, self._what_ifs.map(asked, _best), strict=True))

    def _problem(self, problem: Problem, number: int) -> Problem:
        return problem.with_budget({self._resource: number * self._unit})


def _points(steps: Sequence[tuple[Fraction, _Best]]) -> Iterator[FrontierPoint]:
    corners = _hull([(budget, best.value) for budget, best in steps])
    for number, (budget, best) in enumerate(steps):
        before_at, before = steps[max(number - 1, 0)]
        gain = best.value - before.value
        per_unit = gain / float(budget - before_at) if number else 0.0
        yield FrontierPoint(
            budget, best.value, gain, per_unit, budget in corners, *best[1:]
        )


_Point = tuple[Fraction, float]


def _hull(points: Sequence[_Point]) -> set[Fraction]:
    """Return where the corners of the concave hull stand."""
    kept: list[_Point] = []
    for point in points:
        while len(kept) > 1 and _is_below(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return {budget for budget, _ in kept}


def _is_below(left: _Point, middle: _Point, right: _Point) -> bool:
    """Whether a point is not above the line between its neighbors."""
    share = float((middle[0] - left[0]) / (right[0] - left[0]))
    line = left[1] + share * (right[1] - left[1])
    return middle[1] <= line + TIE * abs(line)
