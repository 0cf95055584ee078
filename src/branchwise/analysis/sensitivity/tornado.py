"""The tornado: how far each number, within its range, moves the value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Unpack

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameter import Kind, Parameter, parameters
from branchwise.analysis.sensitivity.plan_value import (
    AllowableIncrease,
    curve_of,
    plan_line,
    slope_of,
)
from branchwise.analysis.sensitivity.ranges import (
    Range,
    RangeOrigin,
    asked_ranges,
    share_range,
    stated_range,
)
from branchwise.analysis.table import Table, Tabular, find
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.model.features import features_of
from branchwise.model.numbers.number import Number, exact
from branchwise.model.problem import Problem

_End = tuple[float | None, str | None]
"""What a plan is worth at an end of a range, and what it does first."""


@dataclass(frozen=True, slots=True)
class Swing:
    """
    How far one number moves the value.

    Parameters
    ----------
    parameter
        The name of the number: ``P(a1=ok)``.
    kind
        What it is: ``parameter`` if it has a name of its own, else ``probability``,
        ``cost``, ``reward`` or ``cost_weight``.
    value, low, high
        What it is now, and the ends of its range.
    reward_low, reward_high
        What the best plan is worth at either end; None where a plan that is kept does
        not fit the budget there.
    first_action_low, first_action_high
        What the best plan does first there; None where it does nothing.
    range_from
        Who says what the range is: an ``option``, the ``problem``, or a ``share`` of
        the number.
    """

    parameter: str
    kind: Kind
    value: Fraction
    low: Fraction
    high: Fraction
    reward_low: float | None
    reward_high: float | None
    first_action_low: str | None
    first_action_high: str | None
    range_from: RangeOrigin = "share"

    @property
    def size(self) -> float:
        """How far apart the values at both ends are; 0 where one is missing."""
        if self.reward_low is None or self.reward_high is None:
            return 0.0
        return abs(self.reward_high - self.reward_low)


@dataclass(frozen=True, slots=True)
class Tornado(Tabular):
    """
    How far each number moves the value, the widest swing first.

    Parameters
    ----------
    expected_reward, first_action
        What the best plan is worth as things are, and what it does first.
    swings
        One for each number, by falling size.
    is_plan_kept
        Whether the plan in hand, which is not proven optimal, is kept at either end.
    """

    expected_reward: float
    first_action: str | None
    swings: tuple[Swing, ...]
    is_plan_kept: bool = False

    def of(self, parameter: str) -> Swing:
        """Return the swing of a number, by its name."""
        return find(self.swings, "parameter", parameter)

    def tables(self) -> tuple[Table, ...]:
        """Return the rows."""
        return (Table.of_records("swings", Swing, self.swings),)


def tornado(
    problem: Problem,
    *,
    share: Number = "10%",
    ranges: Mapping[str, tuple[Number, Number]] | None = None,
    **limits: Unpack[WhatIfLimits],
) -> Tornado:
    """
    Work out how far each number of a problem, within its range, moves the value.

    One number is varied at a time, and one plans anew at either end.

    Parameters
    ----------
    problem
        What to look into.
    share
        How far a number may be off, as a share of itself: 0.1 is ten percent. It counts
        for numbers without an interval in the problem; probabilities stay between 0
        and 1.
    ranges
        The ends of the range of some numbers, by name, whatever the problem says. Where
        any are given, only these numbers are varied.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"})
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=1)
    >>> swing = tornado(problem, share="20%").of("P(toss=heads)")
    >>> swing.low, swing.high, swing.reward_low, swing.reward_high
    (Fraction(2, 5), Fraction(3, 5), 3.2, 4.8)
    """
    options = AnalysisOptions(share=share, ranges=ranges or {})
    return tornado_section(WhatIfs(problem, **limits), options)


def tornado_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Tornado:
    """Work the tornado out with what-ifs that are at hand."""
    problem = what_ifs.problem
    ends = _ranges(what_ifs, options)
    found = (
        _planned_anew(what_ifs, ends) if what_ifs.is_proven else _kept(what_ifs, ends)
    )
    swings = []
    for each, (low, high, origin) in ends.items():
        (reward_low, first_low), (reward_high, first_high) = next(found), next(found)
        number = each.name, each.kind, each.value(problem), low, high
        best = reward_low, reward_high, first_low, first_high
        swings.append(Swing(*number, *best, origin))
    swings.sort(key=lambda swing: -swing.size)
    first_action = what_ifs.solution.first_action
    return Tornado(
        what_ifs.expected_reward,
        first_action,
        tuple(swings),
        is_plan_kept=not what_ifs.is_proven,
    )


def _planned_anew(what_ifs: WhatIfs, ends: Mapping[Parameter, Range]) -> Iterator[_End]:
    """Return what the best plans at either end of each range are worth."""
    asked = [
        each.changed(what_ifs.problem, end)
        for each, (low, high, _) in ends.items()
        for end in (low, high)
    ]
    yield from what_ifs.starts(asked)


def _kept(what_ifs: WhatIfs, ends: Mapping[Parameter, Range]) -> Iterator[_End]:
    """Return what the plan in hand is worth at either end of each range."""
    problem, solution = what_ifs.problem, what_ifs.solution
    if features_of(problem):  # Then it is carried out anew.
        yield from _carried_out(what_ifs, ends)
        return
    increases = AllowableIncrease(problem, solution.tree.policy)
    curve = curve_of(problem, solution)
    for each, (low, high, _) in ends.items():
        what_ifs.check_time()
        line = plan_line(problem, each, solution, curve)
        most = increases.of(each) if each.kind == "cost" else None
        for end in (low, high):
            fits = most is None or end - line.at <= most
            yield (line.worth(end) if fits else None), line.first_action


def _carried_out(what_ifs: WhatIfs, ends: Mapping[Parameter, Range]) -> Iterator[_End]:
    for each, (low, high, _) in ends.items():
        line = plan_line(what_ifs.problem, each, what_ifs.solution)
        for end in (low, high):
            what_ifs.check_time()
            worth = line.worth(end)
            yield (worth if isfinite(worth) else None), line.first_action


def _ranges(what_ifs: WhatIfs, options: AnalysisOptions) -> dict[Parameter, Range]:
    """Return the range of every number that is varied; shares end where it must."""
    problem = what_ifs.problem
    if options.ranges:
        return asked_ranges(problem, options)
    found = {}
    share = exact(options.share)
    for each in leading_parameters(what_ifs):
        stated = stated_range(problem, each)
        if stated is None:
            found[each] = share_range(problem, each, share)
        elif not stated.is_point:
            found[each] = stated
    return found


def leading_parameters(what_ifs: WhatIfs) -> Iterator[Parameter]:
    """
    Choose the numbers to vary.

    Of two outcomes, the one that helps stands for both. Costs are left out where they
    act through the budget alone, as the frontier tells more of that; so is all that is
    zero. What has an interval is varied all the same.
    """
    problem = what_ifs.problem
    is_wide = bool(features_of(problem))  # Then plans have no curve, and any will do.
    curve = None if is_wide else curve_of(problem, what_ifs.solution)
    pairs: dict[tuple[str, int | None], list[Parameter]] = {}
    for each in parameters(problem):
        if each.kind == "probability":
            pairs.setdefault((each.action, each.clause), []).append(each)
        elif each.interval(problem) is not None:
            yield each
        elif each.kind == "cost" and not problem.charge_weight.of(each.resource):
            continue
        elif each.value(problem):
            yield each
    for some in pairs.values():
        if len(some) == 2 and curve is None:
            yield some[0]
        elif len(some) == 2 and curve is not None:
            yield max(some, key=lambda each: slope_of(problem, each, curve))
        else:
            yield from some
