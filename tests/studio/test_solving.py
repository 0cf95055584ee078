"""What is looked into beside a plan: what other budgets are worth."""

from pathlib import Path

import pytest

from branchwise.formats.read import read
from branchwise.solver import solve
from branchwise.studio.answers import budgets_of
from branchwise.studio.solving import curve_of

EXAMPLES = Path("examples")


def test_a_curve_has_what_each_budget_is_worth():
    """The paper's example; the values are those of its tables."""
    problem = read(EXAMPLES / "illustrative.yaml")
    [budget] = budgets_of(problem)
    curve = curve_of(solve(problem), budget)
    assert curve["most"] == 12
    known = dict(curve["points"])
    values = {3: 33 / 5, 4: 393 / 50, 5: 4119 / 500, 6: 105459 / 12500}
    values[7] = 530211 / 62500
    assert {each: known[each] for each in values} == pytest.approx(values)


def test_a_curve_of_costs_has_costs():
    """Without a budget nothing can be done, which counts as 50."""
    problem = read(EXAMPLES / "illustrative.yaml")
    costly = problem.__class__(
        problem.actions, budget=4, finish="a1=ok or a3=ok", objective="least-cost",
        unfinished=50,
    )  # fmt: skip
    [budget] = budgets_of(costly)
    worths = [worth for _, worth in curve_of(solve(costly), budget)["points"]]
    assert worths[0] == max(worths) == 50
    assert min(worths) > 0
