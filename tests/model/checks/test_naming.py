"""Names that cannot be seen, names that are not known, and nesting too deep."""

import pytest

from branchwise.model.action import Action
from branchwise.model.checks.validate import validate
from branchwise.model.conditions.condition import (
    Attempted,
    Happened,
    Not,
    all_of,
    any_of,
)
from branchwise.model.problem import Problem, Reward
from problems.scanning import OPEN, SCAN, exploit, only_issue


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("", "an action has an empty name"),
        (" drill", 'the action " drill" starts or ends with a space'),
        ("dr\nill", r"the action `dr\nill` contains `\n`"),
        ("dr\x1bill", r"contains `\x1b`"),
        ("dr\ud800ill", r"contains `\ud800`, half a character"),
        ("dr\u2028ill", r"contains `\u2028`"),
    ],
)
def test_names_that_cannot_be_seen(name, what):
    action = Action(name, outcomes={"oil": 1})
    issue = only_issue(action)
    assert what in issue.what
    assert issue.path == ("actions", name)
    assert str(issue).isprintable() or "\n    fix" in str(issue)
    str(issue).encode()  # No half characters in what we say.


def test_labels_resources_and_titles_are_names_too():
    problem = Problem(
        [Action("drill", outcomes={"": "0.5", "dry ": "0.5"}, cost={"a\tb": 1})],
        budget={"a\tb": 5, "": 1},
        name="Oil\x07",
    )
    assert [issue.path for issue in validate(problem)] == [
        ("name",),
        ("budget", "a\tb"),
        ("budget", ""),
        ("actions", "drill", "outcomes", ""),
        ("actions", "drill", "outcomes", "dry "),
    ]


@pytest.mark.parametrize("name", ["não", "油井", "drill deep", "a.b", "1", "🛢️", "not"])
def test_any_other_name_will_do(name):
    problem = Problem(
        [Action(name, outcomes={name: 1})], [Reward(Happened(name, name), 1)]
    )
    assert validate(problem) == ()


@pytest.mark.parametrize("place", ["requires", "precluded_by"])
def test_unknown_names_in_the_conditions_of_an_action(place):
    condition = "scna=open or scan=opne or scan=colsed or zebra"
    issues = validate(Problem([SCAN, exploit(**{place: condition})], OPEN))
    assert [issue.culprit for issue in issues] == ["scna", "opne", "colsed", "zebra"]
    assert {issue.path for issue in issues} == {("actions", "exploit", place)}
    assert issues[0].what == "there is no action `scna`; did you mean `scan`?"
    assert issues[1].what == "`scan` has no outcome `opne`; did you mean `open`?"
    assert issues[3].fix == "write `scan` or `exploit`, or add an action `zebra`"


def test_an_unknown_name_is_reported_once_per_condition():
    issue = only_issue(exploit(requires="scna=open or not scna=closed or scna"))
    assert issue.culprit == "scna"


def test_a_dot_for_an_equals_sign_is_understood():
    assert only_issue(exploit(requires="scan.open")).fix.startswith("write `scan=open`")


def test_conditions_nest_100_levels_and_no_more():
    condition = Attempted("scan")
    for level in range(99):
        kind = any_of if level % 2 else all_of
        condition = kind(condition, Attempted("scan"))
    assert all(
        issue.severity == "warning"
        for issue in validate(Problem([SCAN], [Reward(condition, 1)]))
    )
    deeper = Not(condition)
    issue = only_issue(rewards=[Reward(deeper, 1)])
    assert issue.what == "the condition is nested 101 levels deep, more than 100"


def test_very_deep_conditions_do_not_exhaust_the_stack():
    condition = Attempted("scan")
    for level in range(20_000):
        condition = (any_of if level % 2 else all_of)(condition, Attempted("scan"))
    assert "nested 20001 levels" in only_issue(rewards=[Reward(condition, 1)]).what
