"""Tests for what a document means, and for what is wrong with it."""

from fractions import Fraction

import pytest

from branchwise.formats.document.build import build
from branchwise.formats.document.syntax.json_document import json_nodes
from branchwise.formats.document.syntax.yaml_document import yaml_nodes
from branchwise.model.budget import UNLIMITED, Budget
from branchwise.model.conditions.condition import (
    Attempted,
    Happened,
    Not,
    all_of,
    any_of,
)


def reading(text, nodes=yaml_nodes):
    root, issues = nodes(text, "oil.yaml")
    return build(root, "oil.yaml", issues)


def problem(text):
    result = reading(text)
    assert [i for i in result.issues if i.severity == "error"] == []
    return result.problem


def issues(text, nodes=yaml_nodes):
    return [(i.where, i.what, i.fix) for i in reading(text, nodes).issues]


def only(text, nodes=yaml_nodes):
    """The one issue of a document."""
    found = issues(text, nodes)
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]


EXAMPLE = """\
name: Illustrative example
budget: 6                         # a number, `unlimited`, or one entry per resource
actions:
  a1:
    outcomes: {fail: 0.4, ok: 0.6}
  a2: {outcomes: {fail: 0.4, ok: 0.6}}
  a3: {outcomes: {fail: 0.4, ok: 0.6}}
  a4:
    cost: 1
    requires: a1=ok or a3=ok
    outcomes: {fail: 0.7, ok: 0.3}
  a5:
    requires: a4=ok
    precluded_by: a3
    outcomes: {fail: 0.4, ok: 0.6}
  probe:
    attempts: 3
    outcomes: {nothing: 0.8, found: 0.2}
    given:
      - when: a2=ok and not a3=fail
        outcomes: {nothing: 0.5, found: 0.5}
        cost: 2
rewards:
  - {when: a5=ok, value: 50}
  - {when: a4=ok and probe=found, value: 100}
combine: max
cost_weight: 0
"""


def test_the_example_of_the_design_is_read_whole():
    example = problem(EXAMPLE)
    assert example.name == "Illustrative example"
    assert example.budget == Budget(6)
    assert [a.name for a in example.actions] == "a1 a2 a3 a4 a5 probe".split()
    assert example.action("a4").outcome("ok").probability == Fraction(3, 10)
    assert example.action("a5").precluded_by == Attempted("a3")
    probe = example.action("probe")
    assert probe.attempts == 3
    (clause,) = probe.given
    assert clause.when == Happened("a2", "ok") & ~Happened("a3", "fail")
    assert clause.cost == {"budget": 2}
    assert [r.value for r in example.rewards] == [50, 100]


def test_labels_and_names_are_always_text():
    text = (
        "actions: {yes: {outcomes: {no: 0.1, on: 0.2, 1: 0.3, 2024-01-01: 0.1, "
        "0x1F: 0.1, 1e3: 0.1, ~: 0.05, null: 0.05}}}\n"
        "rewards: [{when: yes=no or yes=1 or yes=2024-01-01 or yes=~, value: 1}]"
    )
    (action,) = problem(text).actions
    assert action.name == "yes"
    assert action.labels == ("no", "on", "1", "2024-01-01", "0x1F", "1e3", "~", "null")


def test_numbers_are_exact():
    text = "actions: {a: {cost: 0.1, outcomes: {x: 1/3, y: 30%, z: rest}}}"
    (action,) = problem(text).actions
    assert action.cost["budget"] == Fraction(1, 10)
    assert [o.probability for o in action.outcomes] == [
        Fraction(1, 3),
        Fraction(3, 10),
        Fraction(11, 30),
    ]


def test_what_is_left_out_or_empty_has_its_default():
    text = (
        "name:\nbudget: ~\ncombine: null\ncost_weight:\nrewards:\n"
        "actions:\n  a:\n    cost:\n    requires:\n    precluded_by: ~\n"
        "    attempts:\n    given:\n    outcomes: {x: 1}"
    )
    assert problem(text) == problem("actions: {a: {outcomes: {x: 1}}}")
    assert problem(text).budget == Budget(UNLIMITED)
    assert problem(text).actions[0].cost == {"budget": 1}


def test_resources_are_read_by_name():
    text = (
        "budget: {money: 10, days: unlimited}\ncost_weight: {money: 0.5}\n"
        "actions: {a: {cost: {money: 3, days: 1}, outcomes: {x: 1}}}"
    )
    found = problem(text)
    assert found.budget == Budget({"money": 10, "days": UNLIMITED})
    assert found.cost_weight == {"money": Fraction(1, 2)}
    assert found.actions[0].cost == {"money": 3, "days": 1}


def test_conditions_may_be_structured_to_any_depth():
    text = (
        "actions:\n  a: {outcomes: {x: 1}}\n  b:\n    outcomes: {x: 1}\n"
        "    requires: {all: [a=x, {any: [a, {not: {all: [a=x, b]}}]}]}"
    )
    a, b = Happened("a", "x"), Attempted("b")
    wanted = all_of(a, any_of(Attempted("a"), Not(all_of(a, b))))
    assert problem(text).action("b").requires == wanted


def test_json_means_the_same():
    text = '{"actions": {"a": {"outcomes": {"x": 0.5, "y": "1/2"}, "cost": null}}}'
    result = reading(text, json_nodes)
    assert result.problem == problem("actions: {a: {outcomes: {x: 1/2, y: 0.5}}}")


def test_all_issues_come_at_once_and_in_order():
    text = (
        "budget: lots\n"
        "actions:\n"
        "  a: {outcomes: {x: 0.5, y: 0.6}, costs: 3}\n"
        "  b: {outcomes: {x: 1}, requires: a=z and (c or a=)}\n"
        "  c: {outcomes: {x: 1}, requires: a=z and d}\n"
        "rewards:\n  - {when: a=x, value: .inf}\n  - {value: 3}\n"
        "combine: avg\n"
    )
    assert [where for where, _, _ in issues(text)] == [
        "oil.yaml:1:9 budget",
        "oil.yaml:3:7 actions.a.outcomes",
        "oil.yaml:3:35 actions.a.costs",
        "oil.yaml:4:51 actions.b.requires",
        "oil.yaml:5:37 actions.c.requires",
        "oil.yaml:5:43 actions.c.requires",
        "oil.yaml:7:24 rewards.0.value",
        "oil.yaml:8:5 rewards.1.when",
        "oil.yaml:9:10 combine",
    ]


ACTION = "actions: {a: {outcomes: {x: 0.5, y: 0.5}}}\n"
ISSUES = {
    "empty file": (
        "",
        ("oil.yaml:1:1", "there is nothing in this file", "write for example"),
    ),
    "text": (
        "hello",
        ("oil.yaml:1:1", "the text `hello` stands where a problem", "write"),
    ),
    "list": (
        "- a\n- b",
        ("oil.yaml:1:1", "a list stands where a problem", "write for example"),
    ),
    "no actions": (
        "name: x",
        ("oil.yaml:1:1 actions", "there are no actions", "add one"),
    ),
    "empty actions": (
        "actions: {}",
        ("oil.yaml:1:1 actions", "there are no actions", "add one"),
    ),
    "list of actions": (
        "actions: [{outcomes: {x: 1}}]\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:1:10 actions", "a list stands where a map", "write a map from"),
    ),
    "unknown key": (
        ACTION + "colour: red",
        ("oil.yaml:2:1 colour", "has no key `colour`", "`name`, `parameters`, `bud"),
    ),
    "misspelled key": (
        ACTION + "reward: []",
        (
            "oil.yaml:2:1 reward",
            "a problem has no key `reward`; did you mean `rewards`?",
            "write `rewards`",
        ),
    ),
    "misspelled outcomes": (
        "actions: {a: {outcome: {x: 1}}}\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:1:15 actions.a.outcome", "an action has no key", "write `outcom"),
    ),
    "repeated key": (
        "name: x\nname: y\n" + ACTION,
        ("oil.yaml:2:1 name", "the key `name` stands here twice, first in line 1", ""),
    ),
    "repeated action": (
        "actions:\n  a: {outcomes: {x: 1}}\n  a: {outcomes: {z: 1}}\n"
        "rewards: [{when: a=z, value: 1}]",
        ("oil.yaml:3:3 actions.a", "twice, first in line 2", "remove one"),
    ),
    "repeated label": (
        "actions: {a: {outcomes: {x: 0.5, x: 0.5}}}",
        ("oil.yaml:1:34 actions.a.outcomes.x", "twice, first in line 1", "remove"),
    ),
    "merge key": (
        "x: 1\nactions: {b: {<<: {outcomes: {x: 1}}}}".replace("x: 1\n", "", 1),
        ("oil.yaml:1:15 actions.b", "`<<` would merge", "write the keys out"),
    ),
    "merge key among labels": (
        "actions: {b: {outcomes: {<<: {x: 1}}}}\nrewards: [{when: b=x, value: 1}]",
        ("oil.yaml:1:26 actions.b.outcomes", "`<<` would merge", "write the keys"),
    ),
    "tag": (
        "actions: {b: {cost: !!int 3, outcomes: {x: 1}}}",
        ("oil.yaml:1:21 actions.b.cost", "`!!int` is a tag", "remove `!!int`"),
    ),
    "not a number": (
        ACTION + "budget: lots",
        ("oil.yaml:2:9 budget", "`lots` is not a number", "or `unlimited`"),
    ),
    "decimal comma": (
        ACTION + "budget: 1,5",
        ("oil.yaml:2:9 budget", "`1,5` is not a number", "write `1.5` with a point"),
    ),
    "separated thousands": (
        ACTION + "budget: 10_000",
        ("oil.yaml:2:9 budget", "`10_000` is not a number", "write `10000`"),
    ),
    "list for a number": (
        ACTION + "budget: [1]",
        ("oil.yaml:2:9 budget", "a list stands where a number", "write a number"),
    ),
    "NaN": (
        ACTION + "budget: .nan",
        ("oil.yaml:2:9 budget", "`.nan` is not a finite number", "or `unlimited`"),
    ),
    "infinity": (
        ACTION + "budget: {money: .inf}",
        ("oil.yaml:2:17 budget.money", "`.inf` is not a finite", "write `unlimited`"),
    ),
    "empty number": (
        ACTION + "budget: ''",
        ("oil.yaml:2:9 budget", "an empty text is not a number", "write a number"),
    ),
    "nothing as a number": (
        ACTION + "budget: {money: }",
        ("oil.yaml:2:17 budget.money", "nothing stands where a number", "write"),
    ),
    "division by zero": (
        ACTION + "budget: 1/0",
        ("oil.yaml:2:9 budget", "`1/0` divides by zero", "write a number"),
    ),
    "long number": (
        ACTION + "budget: " + "9" * 1000,
        ("oil.yaml:2:9 budget", "a number of 1000 characters is too long", "write"),
    ),
    "negative cost": (
        "actions: {a: {cost: -1, outcomes: {x: 1}}}",
        ("oil.yaml:1:21 actions.a.cost", "the cost is -1, less than 0", "write"),
    ),
    "negative budget": (
        ACTION + "budget: {money: -1}",
        ("oil.yaml:2:17 budget.money", "is -1, less than 0", "write"),
    ),
    "attempts not whole": (
        "actions: {a: {attempts: 2.5, outcomes: {x: 1}}}",
        ("oil.yaml:1:25 actions.a.attempts", "a whole number from 1 on, not 2.5", ""),
    ),
    "no attempts": (
        "actions: {a: {attempts: 0, outcomes: {x: 1}}}",
        ("oil.yaml:1:25 actions.a.attempts", "from 1 on, not 0", "`unlimited`"),
    ),
    "no outcomes": (
        "actions: {a: {cost: 1}}\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:1:11 actions.a.outcomes", "there are no outcomes", "add some"),
    ),
    "empty action": (
        "actions:\n  a:\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:2:3 actions.a.outcomes", "there are no outcomes", "add some"),
    ),
    "empty outcomes": (
        "actions: {a: {outcomes: {}}}\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:1:11 actions.a.outcomes", "there are no outcomes", "add some"),
    ),
    "text for an action": (
        "actions: {a: 3}\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:1:14 actions.a", "the text `3` stands where an action", "write"),
    ),
    "list of outcomes": (
        "actions: {a: {outcomes: [x, y]}}\nrewards: [{when: a=x, value: 1}]",
        ("oil.yaml:1:25 actions.a.outcomes", "a list stands where a map", "write a"),
    ),
    "no probability": (
        "actions: {a: {outcomes: {x: 0.5, y}}}",
        ("oil.yaml:1:34 actions.a.outcomes.y", "has no probability", "`y: rest`"),
    ),
    "glued label": (
        "actions: {a: {outcomes: {x: 0.5, y:0.5}}}\nrewards: [{when: a=y, value: 1}]",
        ("oil.yaml:1:34 actions.a.outcomes.y:0.5", "has no prob", "write `y: 0.5`"),
    ),
    "unreadable probability": (
        "actions: {a: {outcomes: {x: half, y: 0.5}}}",
        ("oil.yaml:1:29 actions.a.outcomes.x", "`half` is not a number", "write"),
    ),
    "wrong sum": (
        "actions: {a: {outcomes: {x: 0.5, y: 0.6}}}",
        ("oil.yaml:1:15 actions.a.outcomes", "= 1.1, not 1", "lower one by 0.1"),
    ),
    "two rests": (
        "actions: {a: {outcomes: {x: rest, y: rest}}}",
        ("oil.yaml:1:38 actions.a.outcomes.y", "a second `rest`, after that", "wri"),
    ),
    "overfull rest": (
        "actions: {a: {outcomes: {x: 0.7, y: 0.6, z: rest}}}",
        (
            "oil.yaml:1:42 actions.a.outcomes.z",
            "nothing is left for `rest`: the others sum to 1.3",
            "lower the others by 0.3 or more, or remove `z`",
        ),
    ),
    "bad condition": (
        "actions: {a: {requires: b and and c, outcomes: {x: 1}}}",
        ("oil.yaml:1:31 actions.a.requires", "`and` is out of place", "write for"),
    ),
    "empty condition": (
        "actions: {a: {requires: '', outcomes: {x: 1}}}",
        ("oil.yaml:1:25 actions.a.requires", "where a condition belongs", "write"),
    ),
    "list for a condition": (
        "actions: {a: {requires: [a, a], outcomes: {x: 1}}}",
        ("oil.yaml:1:25 actions.a.requires", "a list stands where", "`{all: [...]}`"),
    ),
    "map for a condition": (
        "actions: {a: {requires: {a: x}, outcomes: {x: 1}}}",
        ("oil.yaml:1:26 actions.a.requires", "`a` is none of `all`", "write `a=x` as"),
    ),
    "two kinds of condition": (
        "actions: {a: {requires: {all: [a], any: [a]}, outcomes: {x: 1}}}",
        (
            "oil.yaml:1:25 actions.a.requires",
            "is one of `all`, `any`, `at_least` and",
            "write",
        ),
    ),
    "text for a list of conditions": (
        "actions: {a: {requires: {all: a=x}, outcomes: {x: 1}}}",
        ("oil.yaml:1:31 actions.a.requires.all", "a list of conditions", "`all: ["),
    ),
    "unknown action": (
        "actions: {drill: {outcomes: {x: 1}, requires: drill=x or drlil}}",
        ("oil.yaml:1:58 actions.drill.requires", "did you mean `drill`?", "write"),
    ),
    "unknown outcome": (
        "actions: {a: {outcomes: {x: 1}, requires: a=x or a=xx}}",
        ("oil.yaml:1:52 actions.a.requires", "`a` has no outcome `xx`", "write `x`"),
    ),
    "unknown name in a structure": (
        "actions:\n  a:\n    outcomes: {x: 1}\n    requires:\n      all:\n"
        "        - a=x\n        - not: {any: [a, 'a or b']}",
        ("oil.yaml:7:32 actions.a.requires", "there is no action `b`", "write `a`"),
    ),
    "text for given": (
        "actions: {a: {outcomes: {x: 1}, given: {when: a, cost: 2}}}",
        ("oil.yaml:1:40 actions.a.given", "a list of clauses belongs", "start each"),
    ),
    "text for a clause": (
        "actions: {a: {outcomes: {x: 1}, given: [a]}}",
        ("oil.yaml:1:41 actions.a.given.0", "where a clause (a map)", "{when: a1=ok"),
    ),
    "clause without when": (
        "actions: {a: {outcomes: {x: 1}, given: [{cost: 2}]}}",
        ("oil.yaml:1:41 actions.a.given.0.when", "does not say when", "add `when:"),
    ),
    "unknown label in a clause": (
        "actions: {a: {outcomes: {x: 1}, given: [{when: a, outcomes: {z: 1}}]}}",
        ("oil.yaml:1:62 actions.a.given.0.outcomes.z", "no outcome `z`", "write `x`"),
    ),
    "map of rewards": (
        ACTION + "rewards: {when: a, value: 1}",
        ("oil.yaml:2:10 rewards", "a list of rewards belongs", "start each reward"),
    ),
    "text for a reward": (
        ACTION + "rewards: [7]",
        ("oil.yaml:2:11 rewards.0", "the text `7` stands where a reward", "write `{"),
    ),
    "reward without when": (
        ACTION + "rewards: [{value: 3}]",
        ("oil.yaml:2:11 rewards.0.when", "the reward has no `when`", "add `when:"),
    ),
    "reward without value": (
        ACTION + "rewards: [{when: a=x}]",
        ("oil.yaml:2:11 rewards.0.value", "the reward has no `value`", "add `value:"),
    ),
    "unknown name in a later reward": (
        ACTION + "rewards:\n  - {when: a=x, value: 1}\n  - {when: a=z, value: 1}",
        ("oil.yaml:4:14 rewards.1.when", "`a` has no outcome `z`", "write `x` or `y`"),
    ),
    "combine": (
        ACTION + "combine: Max",
        ("oil.yaml:2:10 combine", "; did you mean `max`?", "write `max`"),
    ),
    "list to combine": (
        ACTION + "combine: [max]",
        ("oil.yaml:2:10 combine", "a list stands where `max` or `sum`", "write `max`"),
    ),
    "list as name": (
        ACTION + "name: [x]",
        ("oil.yaml:2:7 name", "a list stands where text belongs", "write one line"),
    ),
    "unlimited attempts for nothing": (
        "actions: {a: {attempts: unlimited, cost: 0, outcomes: {x: 1}}}\nbudget: 3",
        ("oil.yaml:1:25 actions.a.attempts", "taken for ever", "write `cost: 1`"),
    ),
}


@pytest.mark.parametrize("case", ISSUES)
def test_each_mistake_has_its_place_its_message_and_its_fix(case):
    text, (where, what, fix) = ISSUES[case]
    found = only(text)
    assert found[0] == where
    assert what in found[1]
    assert found[2].startswith(fix) or fix in found[2]


def test_json_nan_says_what_to_write():
    text = '{"actions": {"a": {"outcomes": {"x": 1}}}, "budget": NaN}'
    where, what, fix = only(text, json_nodes)
    assert where == "oil.yaml:1:54 budget"
    assert what == "`NaN` is not a finite number"
    assert "`unlimited`" in fix


def test_quoted_merge_sign_is_a_label_like_any_other():
    assert problem("actions: {a: {outcomes: {'<<': 1}}}").actions[0].labels == ("<<",)


@pytest.mark.parametrize(
    "text",
    [
        # The resource of the cost is known once the budget is.
        "budget: {money: x}\nactions: {a: {cost: {days: 1}, outcomes: {x: 1}}}",
        # Attempts may be unlimited once the cost can be read.
        "budget: 3\nactions: {a: {attempts: unlimited, cost: x, outcomes: {x: 1}}}",
        # A negative reward is fine if rewards add up.
        ACTION + "combine: some\nrewards: [{when: a=x, value: -3}]",
    ],
)
def test_mere_consequences_of_another_issue_are_not_reported(text):
    assert len(issues(text)) == 1


def test_warnings_come_only_without_errors():
    warned = "actions: {a: {outcomes: {x: 1}}}\nrewards: []"
    assert {i.severity for i in reading(warned).issues} == {"warning"}
    assert reading(warned).problem is not None
    assert not reading(warned).has_errors
    broken = reading(warned + "\nbudget: x")
    assert [i.severity for i in broken.issues] == ["error"]
    assert broken.problem is None


def test_ten_thousand_issues_are_cut_to_a_hundred():
    text = "actions:\n" + "\n".join(f"  a{n}: {{cost: x}}" for n in range(10_000))
    found = reading(text).issues
    assert len(found) == 101
    assert found[0].where.startswith("oil.yaml:2:")
    assert found[-1].what == "there are at least 900 more issues like these"


def test_a_thousand_warnings_are_cut_too_and_stay_warnings():
    lines = [f"  a{n}: {{outcomes: {{x: 1}}}}" for n in range(1000)]
    rewards = "rewards: [{when: a0=x, value: 1}]"  # The other actions go unused.
    result = reading("\n".join(["actions:", *lines, rewards]))
    assert not result.has_errors
    assert result.problem is not None
    assert len(result.issues) == 101


def test_ten_thousand_actions_are_read():
    lines = ["budget: 10", "actions:"]
    for n in range(10_000):
        lines.append(f"  a{n}:")
        lines.append("    outcomes: {yes: 0.3, no: rest}")
        if n:
            lines.append(f"    requires: a{n // 2}=yes and not (a0=no or a{n}=no)")
    lines.append("rewards: [{when: a15=yes, value: 1}]")
    large = problem("\n".join(lines))
    assert len(large.actions) == 10_000
    assert large.actions[-1].requires == all_of(
        Happened("a4999", "yes"),
        Not(any_of(Happened("a0", "no"), Happened("a9999", "no"))),
    )


def test_hostile_names_do_not_break_the_message():
    text = 'actions: {a: {outcomes: {x: 1}, "co\\nst\\u2028": 1}}'
    where, what, _ = only(text)
    assert "\n" not in where + what
    assert len(where + what) < 200


def test_a_page_long_key_is_shortened():
    where, what, _ = only(f"{ACTION}? {'k' * 5000}\n: 1")
    assert len(what) < 200
    assert len(where) < 6000


def test_of_two_thousand_unknown_resources_a_thousand_are_counted():
    actions = "".join(
        f"  a{n}: {{cost: {{gold: 1}}, requires: a1999=ok, outcomes: {{ok: 1}}}}\n"
        for n in range(2_000)
    )
    found = reading(f"budget: {{money: 5}}\nactions:\n{actions}")

    assert found.has_errors
    assert {issue.what for issue in found.issues[:-1]} == {
        "there is no resource `gold`"
    }
    assert found.issues[-1].what == "there are at least 900 more issues like these"
