"""How little would make a plan start with another action."""

from dataclasses import replace
from fractions import Fraction

from branchwise.analysis.sensitivity.nearest_thresholds import nearest_thresholds
from branchwise.analysis.sensitivity.thresholds import thresholds
from branchwise.formats.read import read, read_text
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.solver import solve
from branchwise.tree.solution import Status
from pages import ROOT


def gamble(**changes):
    """Give a choice of one: 0.4 of 10, or a sure 3."""
    risky = Action("risky", outcomes={"ok": "0.4", "no": "0.6"})
    safe = Action("safe", outcomes={"ok": 1})
    rewards = [Reward(risky["ok"], 10), Reward(safe["ok"], 3)]
    return Problem([risky, safe], rewards, budget=1, **changes)


def test_the_nearest_comes_first_and_lies_where_both_starts_are_worth_the_same():
    """
    Risky is worth 10 p, safe 3, or what it pays: p = 0.3 and a reward of 7.5 are a
    quarter away from 0.4 and 10, and a sure 4 is a third away from 3.
    """
    found = nearest_thresholds(solve(gamble()), time_limit_seconds=None)

    assert [each.parameter for each in found.thresholds] == [
        "reward of risky=ok",
        "P(risky=ok)",
        "reward of safe=ok",
    ]
    for each, exact in zip(found.thresholds, ("7.5", "0.3", "4"), strict=True):
        low, high = sorted((each.before, each.after))
        assert low <= Fraction(exact) <= high
        assert high - low <= abs(each.value) * Fraction(15, 100) / 64
        assert each.first_action == "safe"
        assert each.is_above is (exact == "4")


def test_another_start_that_is_only_tied_is_no_threshold():
    """Two ways that are worth the same: a third number may choose between them."""
    problem = read_text(
        """
        budget: 2
        actions:
          left: {outcomes: {ok: 0.5, no: 0.5}}
          right: {outcomes: {ok: 0.5, no: 0.5}}
          bonus: {requires: left=ok and right=ok, outcomes: {ok: 0.5, no: 0.5}}
        rewards:
          - {when: left=ok, value: 10}
          - {when: right=ok, value: 10}
        """,
        format="yaml",
    )
    found = nearest_thresholds(solve(problem), time_limit_seconds=None)

    # Both are tried in any order, whatever each pays or how likely it is.
    assert found.thresholds == ()
    assert found.within == Fraction(3, 4)


def test_agrees_with_the_search_over_whole_ranges():
    """That search knows the place to within 1/1024 of three times a number."""
    problem = read(ROOT / "examples" / "used_car.yaml")
    solution = solve(problem)
    found = nearest_thresholds(solution, most=100, time_limit_seconds=None)
    known = {
        (each.parameter, is_above): at
        for each in thresholds(problem).curves
        for is_above in (False, True)
        if (at := each.nearest(is_above=is_above, is_action=True)) is not None
        and 0 < abs(at - each.value) < abs(each.value) * found.within
    }

    assert known
    near = {(each.parameter, each.is_above): each for each in found.thresholds}
    for where, at in known.items():
        low, high = sorted((near[where].before, near[where].after))
        slack = 3 * abs(near[where].value) / 1024
        assert low - slack <= at <= high + slack


def test_what_is_not_proven_has_none_and_no_time_means_nothing_is_known():
    solution = solve(gamble())
    late = nearest_thresholds(solution, time_limit_seconds=1e-9)

    assert nearest_thresholds(replace(solution, status=Status.TIME_LIMIT)) is None
    assert late is None or late.thresholds == ()
