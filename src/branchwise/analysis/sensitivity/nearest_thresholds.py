"""The nearest thresholds, looked for in rings around the numbers as they are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from threading import Event
from typing import Final, NamedTuple

from branchwise.analysis.parameter import Parameter
from branchwise.analysis.sensitivity.tornado import leading_parameters
from branchwise.analysis.what_if import WhatIfs, tie_width
from branchwise.errors import LimitError, ProblemError
from branchwise.model.problem import Problem
from branchwise.tree.nearest_thresholds import ActionThreshold, NearestThresholds
from branchwise.tree.solution import Solution, Status

_STEPS: Final = tuple(Fraction(part, 100) for part in (1, 2, 5, 10, 20, 35, 50, 75))
_HALVINGS: Final = 6  # a threshold is found to within 1/64 of the step it lies in


class _Question(NamedTuple):
    """A number moved by a share of itself, and where it was moved to before."""

    parameter: Parameter
    before: Fraction
    after: Fraction


def nearest_thresholds(
    solution: Solution,
    *,
    most: int = 3,
    time_limit_seconds: float | None = 2.0,
    cancel: Event | None = None,
) -> NearestThresholds | None:
    """
    Find how little would make the plan of a solution start with another action.

    Every number is moved by growing shares of itself, up and down, until some of them
    change the first action. `thresholds` looks at the whole range of each instead, and
    at the plans that start alike, which takes longer.

    Parameters
    ----------
    solution
        An optimal plan for a problem.
    most
        Stop looking when so many are known.
    time_limit_seconds
        How long it may take; what there was no time for is left out.
    cancel
        Set this event, from any thread, to end it like Ctrl-C.

    Returns
    -------
    NearestThresholds or None
        None where the plan is not the one with the highest expected reward, so that no
        variation can be compared with it, or where there was no time for that.
    """
    problem = solution.problem
    is_plain = solution.aim is None and solution.adversary is None
    if problem is None or not is_plain or solution.status is not Status.OPTIMAL:
        return None
    what_ifs = WhatIfs(problem, time_limit_seconds=time_limit_seconds, cancel=cancel)
    if not what_ifs.is_proven:
        return None
    return _Rings(what_ifs, solution.first_action).found(most)


class _Rings:
    """The search: all numbers are moved by one share before any by the next."""

    def __init__(self, what_ifs: WhatIfs, first_action: str | None) -> None:
        self._what_ifs, self._problem = what_ifs, what_ifs.problem
        self._first_action = first_action
        self._numbers = list(leading_parameters(what_ifs))

    def found(self, most: int) -> NearestThresholds:
        """Look in one ring after another; what time is left for is what is known."""
        known: list[ActionThreshold] = []
        done: list[Fraction] = []
        settled: set[tuple[Parameter, bool]] = set()
        try:
            for share in _STEPS:
                inner = done[-1] if done else Fraction(0)
                ring = [*self._ring(inner, share, settled)]
                changed = self._changed(ring)
                settled |= {(e.parameter, e.after > e.before) for e, _ in changed}
                known += sorted(self._narrowed(changed), key=_distance)
                done.append(share)
                if len(known) >= most:
                    break
        except LimitError:
            pass
        within = done[-1] if done else Fraction(0)
        return NearestThresholds(
            tuple(known[:most]), len(self._numbers), within, tuple(done)
        )

    def _ring(
        self, inner: Fraction, outer: Fraction, settled: set[tuple[Parameter, bool]]
    ) -> Iterator[_Question]:
        for each in self._numbers:
            now = each.value(self._problem)
            for sign in (-1, 1):
                before, after = (
                    now + sign * share * abs(now) for share in (inner, outer)
                )
                is_new = (each, after > before) not in settled
                if is_new and after != before and each.fits(self._problem, after):
                    yield _Question(each, before, after)

    def _changed(self, ring: list[_Question]) -> list[tuple[_Question, str | None]]:
        """Return the questions at which another action comes first, and which."""
        varied = {
            each: problem
            for each in ring
            if (problem := _varied(self._problem, each.parameter, each.after))
        }
        firsts = self._firsts([*varied.values()])
        pairs = zip(varied, firsts, strict=True)
        return [(each, first) for each, first in pairs if first != self._first_action]

    def _firsts(self, problems: list[Problem]) -> list[str | None]:
        """Return what to do first in each; the plan's own start if that is as good."""
        self._what_ifs.check_time()
        firsts = [start.first_action for start in self._what_ifs.starts(problems)]
        # Of starts that are tied, another one may be chosen: that is no threshold.
        others = [n for n, first in enumerate(firsts) if first != self._first_action]
        ask = partial(_better_start, self._first_action, tie_width(self._problem))
        checked = self._what_ifs.map([problems[n] for n in others], ask)
        for number, first in zip(others, checked, strict=True):
            firsts[number] = first
        return firsts

    def _narrowed(
        self, changed: list[tuple[_Question, str | None]]
    ) -> Iterator[ActionThreshold]:
        """Halve the step in which each threshold lies."""
        for (parameter, before, after), first in changed:
            low, high, action = before, after, first
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                varied = _varied(self._problem, parameter, middle)
                if varied is None:
                    break
                (there,) = self._firsts([varied])
                if there == self._first_action:
                    low = middle
                else:
                    high, action = middle, there
            now = parameter.value(self._problem)
            yield ActionThreshold(parameter.name, now, low, high, action)


def _better_start(usual: str | None, rounding: float, solution: Solution) -> str | None:
    """Return the first action of a plan; the usual one if that is as good."""
    best = float(solution.expected_reward)
    for other in solution.tree.root.alternatives:
        is_usual, value = other.action == usual, float(other.value)
        # What is only bounded may be as good as its bound.
        if is_usual and (
            abs(value - best) <= rounding or (other.is_bound and value > best)
        ):
            return usual
    return solution.first_action


def _varied(problem: Problem, parameter: Parameter, at: Fraction) -> Problem | None:
    """Return the problem with another number; None where that contradicts itself."""
    try:
        return parameter.changed(problem, at)
    except (ProblemError, ValueError):
        return None


def _distance(threshold: ActionThreshold) -> Fraction:
    """Return how far a threshold is, as a share of the number."""
    return abs(threshold.after - threshold.value) / abs(threshold.value)
