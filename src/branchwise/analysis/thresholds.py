"""Thresholds: where, as one number changes, another plan becomes the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from branchwise.analysis.envelope import Envelope, Piece
from branchwise.analysis.option_checks import Range, asked_range, asked_ranges
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameters import Parameter, find_parameter
from branchwise.analysis.plan_line import PlanLine, bends, plan_line
from branchwise.analysis.segments import OneWay, Segment, Thresholds
from branchwise.analysis.tornado import leading_parameters
from branchwise.analysis.what_if import WhatIfs
from branchwise.model.budget import UNLIMITED
from branchwise.model.number import Number
from branchwise.model.problem import Problem
from branchwise.tree.solution import Solution

__all__ = ["one_way", "thresholds", "thresholds_section"]

# A number that has no upper end is looked at up to so many times itself.
_REACH: Final = 3

# Into how many straight parts a curve is drawn that bends everywhere.
_PARTS: Final = 8


def one_way(
    problem: Problem,
    parameter: str,
    low: Number | None = None,
    high: Number | None = None,
    **how: Any,
) -> OneWay:
    """
    Follow the value as one number goes through its range.

    Parameters
    ----------
    problem
        What to look into.
    parameter
        The name of the number, as `parameters` tells it.
    low, high
        The range; all of it for a probability, and from 0 to three times itself for
        another number, unless said.
    how
        ``num_threads``, ``time_limit_seconds``, ``progress`` and ``cancel``, as for
        `solve`; they hold for all what-ifs together.

    Raises
    ------
    ValueError
        There is no such number, or it cannot have this range; or it is a cost that
        fills a limited budget, so that plans come and go with it.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> risky = Action("risky", outcomes={"ok": 0.4, "no": 0.6})
    >>> safe = Action("safe", outcomes={"ok": 1})
    >>> rewards = [Reward(risky["ok"], 10), Reward(safe["ok"], 3)]
    >>> found = one_way(Problem([risky, safe], rewards, budget=1), "P(risky=ok)")
    >>> [round(float(each), 9) for each in found.action_thresholds]
    [0.3]
    """
    what_ifs = WhatIfs(problem, **how)
    each = find_parameter(problem, parameter)
    ends = _ends(problem, each, low, high)
    return _one_ways(what_ifs, {each: ends})[0]


def thresholds(
    problem: Problem,
    *,
    ranges: Mapping[str, tuple[Number, Number]] | None = None,
    **how: Any,
) -> Thresholds:
    """
    Tell how wrong each number may be before the plan changes.

    Parameters
    ----------
    problem
        What to look into.
    ranges
        The range to look at, by the name of the number. Where any are given, only these
        numbers are looked at; costs that fill a limited budget are left out.
    how
        ``num_threads``, ``time_limit_seconds``, ``progress`` and ``cancel``, as for
        `solve`; they hold for all what-ifs together.
    """
    options = AnalysisOptions(ranges=ranges or {})
    return thresholds_section(WhatIfs(problem, **how), options)


def thresholds_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Thresholds:
    """Work thresholds out with what-ifs that are at hand."""
    problem = what_ifs.problem
    ranges = asked_ranges(problem, options) or {
        each: _whole(problem, each) for each in leading_parameters(what_ifs)
    }
    ranges = {
        each: ends for each, ends in ranges.items() if not _fills_budget(problem, each)
    }
    value = float(what_ifs.solution.expected_reward)
    return Thresholds(value, tuple(_one_ways(what_ifs, ranges)))


def _fills_budget(problem: Problem, parameter: Parameter) -> bool:
    is_cost = parameter.kind == "cost"
    return is_cost and problem.budget[parameter.resource] != UNLIMITED


def _ends(
    problem: Problem, parameter: Parameter, low: Number | None, high: Number | None
) -> Range:
    if _fills_budget(problem, parameter):
        message = f"`{parameter.name}` also fills the budget, so that plans come and go"
        raise ValueError(f"{message}; the frontier tells what less budget means")
    start, end = _whole(problem, parameter)
    return asked_range(
        problem,
        parameter,
        start if low is None else low,
        end if high is None else high,
    )


def _whole(problem: Problem, parameter: Parameter) -> Range:
    """Give the range that is looked at unless another one is asked for."""
    if parameter.kind == "probability":
        return Fraction(0), Fraction(1)
    reach = _REACH * parameter.value(problem)
    return min(reach, Fraction(0)), max(reach, Fraction(0)) or Fraction(1)


def _one_ways(what_ifs: WhatIfs, ranges: Mapping[Parameter, Range]) -> list[OneWay]:
    """Search all envelopes at once, so that all cores have something to do."""
    problem = what_ifs.problem
    found = {
        each: Envelope(problem, each, low, high) for each, (low, high) in ranges.items()
    }
    while asked := [(each, at) for each, env in found.items() for at in env.open()]:
        groups: dict[Problem, list[tuple[Parameter, Fraction]]] = {}
        for each, at in asked:
            groups.setdefault(each.changed(problem, at), []).append((each, at))
        lines = what_ifs.map(groups, partial(_lines, groups))
        for group, known in zip(groups.values(), lines, strict=True):
            for (each, at), line in zip(group, known, strict=True):
                found[each].learn(at, line)
    return [_told(problem, each, env) for each, env in found.items()]


def _lines(
    groups: Mapping[Problem, list[tuple[Parameter, Fraction]]], solution: Solution
) -> list[PlanLine]:
    """Give the plan as a line of each number that was asked for."""
    problem = solution.problem
    assert problem is not None
    return [plan_line(problem, each, solution) for each, _ in groups[problem]]


def _told(problem: Problem, parameter: Parameter, envelope: Envelope) -> OneWay:
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
    parts = 1 if envelope.is_straight else _PARTS
    points = tuple(p for piece in pieces for p in _drawn(piece, parts, at_bends))
    value = parameter.value(problem)
    return OneWay(parameter.name, parameter.kind, value, segments, points)


def _drawn(
    piece: Piece, parts: int, at_bends: Sequence[Fraction]
) -> Iterator[tuple[Fraction, float]]:
    """Give points enough to draw a piece: a bent one needs some between its ends."""
    wide = piece.high - piece.low
    places = {piece.low + wide * part / parts for part in range(parts + 1)}
    places |= {at for at in at_bends if piece.low < at < piece.high}
    for at in sorted(places):
        yield at, piece.plan.worth(at)
