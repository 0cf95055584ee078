"""The first line of an answer: the name makes room for the budget, not vice versa."""

from branchwise import Action, Problem, Reward
from branchwise.report.text.ink import Look, title_line


def problem(name):
    toss = Action("toss", cost=1, outcomes={"heads": 0.5, "tails": 0.5})
    return Problem([toss], [Reward(toss["heads"], 8)], budget=3, name=name)


def test_a_problem_without_a_name_has_a_budget():
    assert title_line(problem("  "), Look()) == "budget 3"


def test_a_name_stands_on_one_line_before_the_budget():
    line = title_line(problem("Heads\n or  tails"), Look(), more=" left")

    assert line == "Heads or tails (budget 3 left)"


def test_a_long_name_is_cut_so_that_the_budget_keeps_its_place():
    """Of 40 columns the name may take 0.6 * 40 = 24, the last one for the mark."""
    line = title_line(problem("x" * 100), Look(width=40))

    assert line == f"{'x' * 23}… (budget 3)"
