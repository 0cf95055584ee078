"""Two-way maps: the value and the first action, as two numbers change at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameters import Parameter, find_parameter
from branchwise.analysis.slopes import Slopes
from branchwise.analysis.table import Table
from branchwise.analysis.tornado import clipped, leading_parameters
from branchwise.analysis.what_if import WhatIfs
from branchwise.model.number import Number, exact
from branchwise.model.problem import Problem

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["MapCell", "TwoWay", "two_way", "two_way_section"]

_STEPS: Final = 12


@dataclass(frozen=True, slots=True)
class MapCell:
    """
    The best plan where two numbers are these.

    Parameters
    ----------
    x, y
        The two numbers.
    expected_reward
        What the best plan is worth there.
    first_action
        What it does first; None where it does nothing.
    """

    x: Fraction
    y: Fraction
    expected_reward: float
    first_action: str | None


@dataclass(frozen=True, slots=True)
class TwoWay:
    """
    The value and the first action over the ranges of two numbers.

    Parameters
    ----------
    x_parameter, y_parameter
        The names of the numbers; empty where there are no two to vary.
    x_value, y_value
        What they are now.
    cells
        Every combination of equally spaced values, ends included; by rising y, then x.
    """

    x_parameter: str
    y_parameter: str
    x_value: Fraction
    y_value: Fraction
    cells: tuple[MapCell, ...]

    def tables(self) -> tuple[Table, ...]:
        """Give the rows."""
        columns = (self.x_parameter, self.y_parameter)
        rows = (
            (*columns, each.x, each.y, each.expected_reward, each.first_action)
            for each in self.cells
        )
        names = ("x_parameter", "y_parameter", "x", "y")
        return (Table.of("cells", (*names, "expected_reward", "first_action"), rows),)

    def frame(self) -> DataFrame:
        """Give the cells as a pandas data frame."""
        return self.tables()[0].frame()


def two_way(
    problem: Problem,
    x: tuple[str, Number, Number],
    y: tuple[str, Number, Number],
    *,
    num_steps: int = _STEPS,
    **how: Any,
) -> TwoWay:
    """
    Map the value and the first action over the ranges of two numbers.

    Parameters
    ----------
    problem
        What to look into.
    x, y
        The name of a number, as `parameters` tells it, and the ends of its range.
    num_steps
        Into how many steps each range is cut.
    how
        ``num_threads``, ``time_limit_seconds``, ``progress`` and ``cancel``, as for
        `solve`; they hold for all what-ifs together.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> risky = Action("risky", outcomes={"ok": 0.4, "no": 0.6})
    >>> safe = Action("safe", outcomes={"ok": 1})
    >>> rewards = [Reward(risky["ok"], 10), Reward(safe["ok"], 3)]
    >>> problem = Problem([risky, safe], rewards, budget=1)
    >>> ranges = ("P(risky=ok)", 0.1, 0.5), ("reward of safe=ok", 2, 4)
    >>> found = two_way(problem, *ranges, num_steps=1)
    >>> [each.first_action for each in found.cells]
    ['safe', 'risky', 'safe', 'risky']
    """
    if num_steps < 1:
        raise ValueError(f"there must be at least one step, not {num_steps}")
    found = [
        (each := find_parameter(problem, name), *_range(problem, each, low, high))
        for name, low, high in (x, y)
    ]
    if found[0][0] == found[1][0]:
        raise ValueError(f"`{x[0]}` cannot be varied against itself")
    return _map(WhatIfs(problem, **how), found[0], found[1], num_steps)


def two_way_section(what_ifs: WhatIfs, options: AnalysisOptions) -> TwoWay:
    """
    Map the two numbers whose ranges are given, or the two that matter most.

    Those are probabilities, over all of their range: one percent of each does most.
    """
    problem = what_ifs.problem
    given = [
        (each := find_parameter(problem, name), *_range(problem, each, low, high))
        for name, (low, high) in islice(options.ranges.items(), 2)
    ]
    if len(given) < 2:
        zero, one = Fraction(0), Fraction(1)
        given = [(each, zero, one) for each in islice(_weightiest(what_ifs), 2)]
    if len(given) < 2:
        return TwoWay("", "", Fraction(0), Fraction(0), ())
    return _map(what_ifs, given[0], given[1], _STEPS)


def _weightiest(what_ifs: WhatIfs) -> Iterator[Parameter]:
    problem = what_ifs.problem
    slopes = Slopes(problem, what_ifs.solution, most_places=0)
    odds = [e for e in leading_parameters(what_ifs) if e.kind == "probability"]
    odds.sort(key=lambda e: -abs(slopes.of(e).right * float(e.value(problem))))
    taken = set()
    for each in odds:
        # Two outcomes of the same odds would push each other about.
        if (each.action, each.clause) not in taken:
            taken.add((each.action, each.clause))
            yield each


def _range(
    problem: Problem, parameter: Parameter, low: Number, high: Number
) -> tuple[Fraction, Fraction]:
    return clipped(problem, parameter, exact(low), exact(high))


def _map(
    what_ifs: WhatIfs,
    x_range: tuple[Parameter, Fraction, Fraction],
    y_range: tuple[Parameter, Fraction, Fraction],
    num_steps: int,
) -> TwoWay:
    problem = what_ifs.problem
    (x, *x_ends), (y, *y_ends) = x_range, y_range
    places = [
        (
            x_ends[0] + (x_ends[1] - x_ends[0]) * i / num_steps,
            y_ends[0] + (y_ends[1] - y_ends[0]) * j / num_steps,
        )
        for j in range(num_steps + 1)
        for i in range(num_steps + 1)
    ]
    asked = (y.changed(x.changed(problem, a), b) for a, b in places)
    found = what_ifs.starts(asked)
    cells = (MapCell(*at, *kept) for at, kept in zip(places, found, strict=True))
    return TwoWay(x.name, y.name, x.value(problem), y.value(problem), tuple(cells))
