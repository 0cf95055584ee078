"""Probabilities that are none, or do not sum to one."""

from fractions import Fraction

import pytest

from branchwise.model.action import Action
from branchwise.model.checks.validate import validate
from branchwise.model.problem import Problem, Reward

SCAN = Action("scan", outcomes={"open": "0.3", "closed": "0.7"})
OPEN = [Reward("scan=open", 10)]


def only_issue(*actions, rewards=OPEN, **options):
    """Give the one issue of a problem that has exactly one."""
    issues = validate(Problem([SCAN, *actions], rewards, **options))
    assert len(issues) == 1, issues
    return issues[0]


@pytest.mark.parametrize(
    ("outcomes", "what", "fix"),
    [
        (
            {"oil": "0.4", "dry": "0.7"},
            "0.4 + 0.7 = 1.1, not 1",
            "lower one by 0.1, or write `dry: rest`",
        ),
        (
            {"oil": "0.4", "dry": "0.5"},
            "0.4 + 0.5 = 0.9, not 1",
            "raise one by 0.1, or write `dry: rest`",
        ),
        (
            {"oil": "0.9", "gas": "0.8", "dry": "0.1"},
            "0.9 + 0.8 + 0.1 = 1.8, not 1",
            "lower one by 0.8, or write `oil: rest`",
        ),
        (
            {"oil": 1, "gas": 1, "dry": 1},
            "1 + 1 + 1 = 3, not 1",
            "lower them by 2 in all",
        ),
        (
            {"oil": "0.333", "gas": "0.333", "dry": "0.333"},
            "0.333 + 0.333 + 0.333 = 0.999, not 1: the numbers are rounded",
            "write `dry: rest`, or exact fractions: `oil: 1/3`, `gas: 1/3`, `dry: 1/3`",
        ),
        (
            {"oil": "0.17", "gas": "0.17", "dry": "0.67"},
            "0.17 + 0.17 + 0.67 = 1.01, not 1: the numbers are rounded",
            "write `dry: rest`, or exact fractions: `oil: 1/6`, `gas: 1/6`, `dry: 2/3`",
        ),
        (
            {"oil": "0.113", "gas": "0.213", "dry": "0.673"},
            "0.113 + 0.213 + 0.673 = 0.999, not 1: the numbers are rounded",
            "write `dry: rest`",
        ),
        (
            {"oil": "0.5", "dry": "0.49"},  # a slip, not rounding
            "0.5 + 0.49 = 0.99, not 1",
            "raise one by 0.01, or write `dry: rest`",
        ),
        (
            {"oil": "0.5"},
            "the only outcome has probability 0.5, not 1",
            "write `oil: 1`, or add the other outcomes",
        ),
        (
            {f"well {i}": "0.2" for i in range(10)},
            "the 10 probabilities sum to 2, not 1",
            "lower them by 1 in all",
        ),
        (
            {"oil": "1/3", "gas": "1/3", "dry": "0.33333333333333333333"},
            "1/3 + 1/3 + 0.33333333333333333333 = "
            "a little under 1 (by 1/300000000000000000000), not 1: "
            "the numbers are rounded",
            "write `dry: rest`, or exact fractions: `oil: 1/3`, `gas: 1/3`, `dry: 1/3`",
        ),
    ],
)
def test_probabilities_that_do_not_sum_to_one(outcomes, what, fix):
    issue = only_issue(Action("drill", outcomes=outcomes))
    assert (issue.path, issue.what, issue.fix) == (
        ("actions", "drill", "outcomes"),
        what,
        fix,
    )


def test_the_advice_on_rest_is_sound():
    """Following it leaves no probability below 0 and a sum of 1."""
    for numbers in ([9, 8, 1], [4, 7], [1, 12, 3], [5, 5, 1], [3, 3, 3]):
        outcomes = {f"o{i}": Fraction(n, 10) for i, n in enumerate(numbers)}
        [issue] = validate(Problem([Action("drill", outcomes=outcomes)]))[:1]
        if "rest" in issue.fix:
            label = issue.fix.split("`")[1].split(":")[0]
            drill = Action("drill", outcomes=outcomes | {label: "rest"})
            issues = validate(Problem([drill]))
            assert all(issue.severity == "warning" for issue in issues), issue


def test_probabilities_out_of_range():
    action = Action("drill", outcomes={"oil": 20, "dry": 80})
    issues = validate(Problem([action]))
    assert [issue.path[-1] for issue in issues] == ["oil", "dry"]
    assert issues[0].what == "the probability of `oil` is 20, more than 1"
    assert issues[0].fix.startswith("write `20%`")


def test_a_rest_below_zero_says_what_the_others_sum_to():
    action = Action("drill", outcomes={"oil": "0.7", "gas": "0.5", "dry": "rest"})
    issue = only_issue(action)
    assert issue.path == ("actions", "drill", "outcomes", "dry")
    assert "is -0.2, less than 0: the others already sum to 1.2" in issue.what
    assert issue.fix == (
        "lower the others by 0.2 or more in all: write `oil: 0.5`, say"
    )
