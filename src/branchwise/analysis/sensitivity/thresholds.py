"""Thresholds: where, as one number changes, another plan becomes the best."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from operator import methodcaller
from typing import Final, Unpack

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameter import Kind, Parameter, find_parameter, parameters
from branchwise.analysis.sensitivity.budget_steps import Descent, Steps, fills_budget
from branchwise.analysis.sensitivity.envelope import (
    MOST_STATES,
    Ceiling,
    Envelope,
    Piece,
)
from branchwise.analysis.sensitivity.plan_value import (
    AllowableIncrease,
    PlanLine,
    bends,
    can_be_sent,
    is_straight,
    plan_line,
)
from branchwise.analysis.sensitivity.ranges import (
    Range,
    RangeOrigin,
    asked_range,
    asked_ranges,
    stated_range,
)
from branchwise.analysis.sensitivity.sampling import Sampling
from branchwise.analysis.sensitivity.tornado import leading_parameters
from branchwise.analysis.table import Columns, Table, Tabular, find, own_columns
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.model.features import features_of
from branchwise.model.numbers.number import Number
from branchwise.model.problem import Problem
from branchwise.tree.solution import Solution

# A number that has no upper end is looked at up to so many times itself.
_REACH: Final = 3

# Into how many straight parts a curve is drawn that bends everywhere.
_PARTS: Final = 8


@dataclass(frozen=True, slots=True)
class Segment:
    """
    A range of a number over which one plan is the best.

    Parameters
    ----------
    low, high
        Where it begins and ends.
    reward_low, reward_high
        What the plan is worth at either end.
    first_action
        What the plan does first; None where it does nothing.
    tree_nodes
        How large its tree is.
    """

    low: Fraction
    high: Fraction
    reward_low: float
    reward_high: float
    first_action: str | None
    tree_nodes: int


@dataclass(frozen=True, slots=True)
class OneWay:
    """
    The value as one number goes through its range, all others held.

    Parameters
    ----------
    parameter
        The name of the number: ``P(a1=ok)``.
    kind
        What it is: ``parameter`` if it has a name of its own, else ``probability``,
        ``cost``, ``reward`` or ``cost_weight``.
    value
        What it is now.
    segments
        The best plans, by rising value of the number. Two that follow each other are
        worth the same at the threshold between them; only where a cost fills a limited
        budget, the first one no longer fits past it, and the value may fall.
    points
        The curve: the number, and what the best plan is worth.
    range_from
        Who says what the range is: an ``option``, the ``problem``, or else the
        ``whole`` range is looked at.
    is_complete
        Whether no threshold can have been missed.
    is_filling
        Whether it is a cost that fills a limited budget: then the plan up to a
        threshold is the best at the threshold itself, too.
    """

    parameter: str
    kind: Kind
    value: Fraction
    segments: tuple[Segment, ...]
    points: tuple[tuple[Fraction, float], ...]
    range_from: RangeOrigin = "whole"
    is_complete: bool = True
    is_filling: bool = False

    @property
    def tree_thresholds(self) -> tuple[Fraction, ...]:
        """Where another plan becomes the best."""
        return tuple(segment.low for segment in self.segments[1:])

    @property
    def action_thresholds(self) -> tuple[Fraction, ...]:
        """Where the best plan comes to start with another action."""
        return tuple(
            after.low
            for before, after in pairwise(self.segments)
            if after.first_action != before.first_action
        )

    def distance(self, *, is_action: bool) -> float:
        """
        Return how far the nearest threshold is, as a share of the number.

        Infinity where there is none; the number itself where it is 0 now.

        Parameters
        ----------
        is_action
            Whether the plan must start with another action there, or only differ.
        """
        sides = (self.nearest(is_above=up, is_action=is_action) for up in (False, True))
        near = [abs(float(side - self.value)) for side in sides if side is not None]
        return min(near, default=math.inf) / (abs(float(self.value)) or 1.0)

    def nearest(self, *, is_above: bool, is_action: bool) -> Fraction | None:
        """
        Return the nearest threshold on one side of what the number is now.

        Parameters
        ----------
        is_above
            Whether to look above, or below.
        is_action
            Whether the plan must start with another action there, or only differ.
        """
        found = self.action_thresholds if is_action else self.tree_thresholds
        if is_above:
            return min((each for each in found if each >= self.value), default=None)
        if self.is_filling:
            found = tuple(each for each in found if each != self.value)
        return max((each for each in found if each <= self.value), default=None)


@dataclass(frozen=True, slots=True)
class Thresholds(Tabular):
    """
    How wrong each number may be before the plan changes.

    Parameters
    ----------
    expected_reward
        What the best plan is worth as things are.
    curves
        One for each number, in the order of the problem.
    """

    expected_reward: float
    curves: tuple[OneWay, ...]

    @property
    def ranked(self) -> tuple[OneWay, ...]:
        """The curves by what comes first: another first action, then another plan."""

        def rank(each: OneWay) -> tuple[float, float]:
            return each.distance(is_action=True), each.distance(is_action=False)

        return tuple(sorted(self.curves, key=rank))

    def of(self, parameter: str) -> OneWay:
        """Return the curve of a number, by its name."""
        return find(self.curves, "parameter", parameter)

    def tables(self) -> tuple[Table, ...]:
        """Return the rows: of thresholds near by, and of all segments."""
        segments = ((each.parameter, each.segments) for each in self.curves)
        return (
            Table.of_columns("margins", _MARGIN_COLUMNS, self.curves),
            Table.of_owned("segments", "parameter", Segment, segments),
        )


_MARGIN_COLUMNS: Final[Columns] = {
    **own_columns("parameter", "kind", "value"),
    "tree_below": methodcaller("nearest", is_above=False, is_action=False),
    "tree_above": methodcaller("nearest", is_above=True, is_action=False),
    "action_below": methodcaller("nearest", is_above=False, is_action=True),
    "action_above": methodcaller("nearest", is_above=True, is_action=True),
    "low": lambda each: each.segments[0].low,
    "high": lambda each: each.segments[-1].high,
    **own_columns("range_from"),
}

_Search = Envelope | Steps | Descent | Sampling


def one_way(
    problem: Problem,
    parameter: str,
    low: Number | None = None,
    high: Number | None = None,
    **limits: Unpack[WhatIfLimits],
) -> OneWay:
    """
    Follow the value as one number goes through its range.

    Parameters
    ----------
    problem
        What to look into.
    parameter
        The name of the number, as `parameters` names it.
    low, high
        The range; unless said, the interval that the problem states, or else all of it
        for a probability, and from 0 to three times itself for another number.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Raises
    ------
    ValueError
        There is no such number, or it cannot have this range.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> risky = Action("risky", outcomes={"ok": 0.4, "no": 0.6})
    >>> safe = Action("safe", outcomes={"ok": 1})
    >>> rewards = [Reward(risky["ok"], 10), Reward(safe["ok"], 3)]
    >>> found = one_way(Problem([risky, safe], rewards, budget=1), "P(risky=ok)")
    >>> [round(float(each), 9) for each in found.action_thresholds]
    [0.3]
    """
    what_ifs = WhatIfs(problem, **limits)
    each = find_parameter(problem, parameter)
    ends = _unasked(problem, each)
    if low is not None or high is not None:
        start = ends.low if low is None else low
        ends = asked_range(problem, each, start, ends.high if high is None else high)
    return _one_ways(what_ifs, {each: ends})[0]


def thresholds(
    problem: Problem,
    *,
    ranges: Mapping[str, tuple[Number, Number]] | None = None,
    **limits: Unpack[WhatIfLimits],
) -> Thresholds:
    """
    Find how wrong each number may be before the plan changes.

    Parameters
    ----------
    problem
        What to look into.
    ranges
        The range to look at, by the name of the number, whatever the problem says.
        Where any are given, only these numbers are looked at.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.
    """
    options = AnalysisOptions(ranges=ranges or {})
    return thresholds_section(WhatIfs(problem, **limits), options)


def thresholds_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Thresholds:
    """Work thresholds out with what-ifs that are at hand, once for all sections."""
    key = f"thresholds {sorted(options.ranges.items())}"
    return what_ifs.remember(key, lambda: _thresholds(what_ifs, options))


def _thresholds(what_ifs: WhatIfs, options: AnalysisOptions) -> Thresholds:
    problem = what_ifs.problem
    ranges = asked_ranges(problem, options)
    if not ranges:
        filling = (
            each
            for each in parameters(problem)
            if fills_budget(problem, each) and each.value(problem)
        )
        leading = dict.fromkeys((*leading_parameters(what_ifs), *filling))
        ranges = {each: _unasked(problem, each) for each in leading}
    ranges = {each: ends for each, ends in ranges.items() if not ends.is_point}
    return Thresholds(what_ifs.expected_reward, tuple(_one_ways(what_ifs, ranges)))


def _unasked(problem: Problem, parameter: Parameter) -> Range:
    """Return the range that is looked at unless another one is asked for."""
    stated = stated_range(problem, parameter)
    if stated is not None:
        return stated
    if parameter.kind == "probability":
        return Range(Fraction(0), Fraction(1), "whole")
    reach = _REACH * parameter.value(problem)
    if parameter.kind == "parameter":
        ends = sorted((reach, Fraction(0)) if reach else (Fraction(0), Fraction(1)))
        low, high = (parameter.nearest_fitting(problem, end) for end in ends)
        return Range(low, high, "whole")
    if parameter.ends_attempts(problem):
        return Range(parameter.value(problem) / _REACH, reach, "whole")
    low, high = min(reach, Fraction(0)), max(reach, Fraction(0)) or Fraction(1)
    return Range(low, high, "whole")


def _one_ways(what_ifs: WhatIfs, ranges: Mapping[Parameter, Range]) -> list[OneWay]:
    """Search all envelopes at once, so that all cores have something to do."""
    problem = what_ifs.problem
    policy = what_ifs.solution.tree.policy
    increases = cache(lambda: AllowableIncrease(problem, policy))
    found = {e: _search(what_ifs, e, ends, increases) for e, ends in ranges.items()}
    while asked := [(each, at) for each, env in found.items() for at in env.open()]:
        groups: dict[Problem, list[tuple[Parameter, Fraction]]] = {}
        for each, at in asked:
            groups.setdefault(each.changed(problem, at), []).append((each, at))
        for is_here, part in _parts(problem, groups):
            lines = what_ifs.map(part, partial(_lines, part), is_here=is_here)
            for group, known in zip(part.values(), lines, strict=True):
                for (each, at), line in zip(group, known, strict=True):
                    found[each].learn(at, line)
    return [_one_way(problem, e, env, ranges[e].origin) for e, env in found.items()]


def _search(
    what_ifs: WhatIfs,
    parameter: Parameter,
    ends: Range,
    increases: Callable[[], AllowableIncrease],
) -> _Search:
    """Choose how to search, by how the number acts."""
    problem, solution = what_ifs.problem, what_ifs.solution
    range_of = problem, parameter, ends.low, ends.high
    # Where states hold more than outcomes nothing is proven of how plans bend.
    if parameter.kind == "parameter" or features_of(problem):
        return Sampling(problem, ends.low, ends.high, parameter.value(problem))
    if fills_budget(problem, parameter):
        if problem.cost_weight.of(parameter.resource):
            return Descent(*range_of)
        # It begins with what the plan as things are says, as long as it fits.
        plan = plan_line(problem, parameter, solution)
        return Steps(*range_of, plan, increases().of(parameter))
    known = solution.statistics
    # Curves are proven by all states, where these are known, and few enough.
    is_small = known.reduced_graph_states is not None
    is_small = is_small and known.full_graph_states <= MOST_STATES
    is_proven = is_small and not is_straight(problem, parameter)
    return Envelope(*range_of, Ceiling(problem, parameter) if is_proven else None)


_Groups = Mapping[Problem, list[tuple[Parameter, Fraction]]]


def _parts(problem: Problem, groups: _Groups) -> Iterator[tuple[bool, _Groups]]:
    """Tell what must be worked out in this process from what may be elsewhere."""
    sent: dict[bool, dict[Problem, list[tuple[Parameter, Fraction]]]] = {}
    for each, asked in groups.items():
        is_here = not all(can_be_sent(problem, parameter) for parameter, _ in asked)
        sent.setdefault(is_here, {})[each] = asked
    yield from sent.items()


def _lines(groups: _Groups, solution: Solution) -> list[PlanLine]:
    """Return the plan as a line of each number that was asked for."""
    problem = solution.problem
    assert problem is not None
    return [plan_line(problem, each, solution) for each, _ in groups[problem]]


def _one_way(
    problem: Problem, parameter: Parameter, envelope: _Search, origin: RangeOrigin
) -> OneWay:
    pieces = list(envelope.pieces())
    segments = tuple(
        Segment(
            piece.low,
            piece.high,
            piece.plan.worth(piece.low),
            piece.plan.worth(piece.high),
            piece.plan.first_action,
            piece.plan.tree_nodes,
        )
        for piece in pieces
    )
    at_bends = bends(problem, parameter)
    if isinstance(envelope, Sampling):
        at_bends = [*at_bends, *envelope.looked_at]
    parts = 1 if envelope.is_straight else _PARTS
    points = tuple(p for piece in pieces for p in _drawn(piece, parts, at_bends))
    return OneWay(
        parameter.name,
        parameter.kind,
        parameter.value(problem),
        segments,
        points,
        origin,
        is_complete=envelope.is_complete,
        is_filling=fills_budget(problem, parameter),
    )


def _drawn(
    piece: Piece, parts: int, at_bends: Sequence[Fraction]
) -> Iterator[tuple[Fraction, float]]:
    """Return points enough to draw a piece: a bent one needs some between its ends."""
    wide = piece.high - piece.low
    places = {piece.low + wide * part / parts for part in range(parts + 1)}
    places |= {at for at in at_bends if piece.low < at < piece.high}
    for at in sorted(places):
        yield at, piece.plan.worth(at)
