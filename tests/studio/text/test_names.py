"""A new name stands wherever the old one did, and nowhere else."""

from pathlib import Path

import pytest

from branchwise.formats.read import read_text
from branchwise.formats.write import write_text
from branchwise.studio.text.names import renamed
from branchwise.studio.text.spans import spans_of

TEXT = """\
parameters: {max_doses: 1, rate: 0.5, "per day": 2 * rate}
budget: {money: 10 * rate, days: 4}
hidden:
  rain: {yes: rate, no: rest}
  flood:
    outcomes: {yes: 0.1, no: rest}
    given: [{when: rain=yes, outcomes: {yes: "0.3 [0.1, rate]", no: rest}}]
counters:
  doses: {start: 3, range: 0..3}
actions:
  rate:
    cost: {money: rate, days: 1}
    attempts: 2
    requires: doses >= max_doses and left(days) >= (rate + 1)
    effects: {doses: -1}
    outcomes: {yes: "min(rate, 0.5)", no: {probability: rest, cost: {days: rate}}}
    given:
      - {when: rain=yes or rate=no, outcomes: {yes: 0.7, no: rest}}
  next:
    cost: {money: 1}
    given: [{when: rate, cost: {days: 2}}]
    requires: {all: [rate, {not: "count(rate=yes) >= 2"}]}
    precluded_by: (rate, no)
    outcomes: {yes: 0.9, maybe: rest}
rewards:
  - {when: rate=yes and flood=yes, value: 10 * rate}
  - {per: doses, value: -rate}
combine: sum
cost_weight: {money: rate}
defenses:
  wall: {cost: rate, excludes: [fence], forbids: [rate]}
  fence:
    raises: {rate: {days: rate}}
    changes: {rate: {yes: rate, no: rest}}
    scales: {next: {yes: rate}}
"""


def after(*path, to):
    text = TEXT
    for splice in renamed(text, path, to):
        text = splice.apply(text)
    return text


CASES = {
    ("actions", "rate"): (
        "try it",
        [
            ("  rate:\n", "  try it:\n"),
            ("rain=yes or rate=no", "'rain=yes or \"try it\"=no'"),
            ("[rate, {not", "['\"try it\"', {not"),
            ('"count(rate=yes) >= 2"', "'count(\"try it\"=yes) >= 2'"),
            ("when: rate,", "when: '\"try it\"',"),
            ("(rate, no)", "(\"try it\", no)"),
            ("rate=yes and flood=yes", "'\"try it\"=yes and flood=yes'"),
            ("forbids: [rate]", "forbids: [try it]"),
            ("raises: {rate:", "raises: {try it:"),
            ("changes: {rate:", "changes: {try it:"),
        ],
    ),
    ("parameters", "rate"): (
        "r",
        [
            ("{max_doses: 1, rate: 0.5,", "{max_doses: 1, r: 0.5,"),
            ('"per day": 2 * rate', '"per day": 2 * r'),
            ("10 * rate, days", "10 * r, days"),
            ("{yes: rate, no: rest}\n  flood", "{yes: r, no: rest}\n  flood"),
            ('"0.3 [0.1, rate]"', '"0.3 [0.1, r]"'),
            ("cost: {money: rate, days: 1}", "cost: {money: r, days: 1}"),
            ("(rate + 1)", "(r + 1)"),
            ("min(rate, 0.5)", "min(r, 0.5)"),
            ("cost: {days: rate}}}", "cost: {days: r}}}"),
            ("10 * rate}", "10 * r}"),
            ("value: -rate", "value: -r"),
            ("cost_weight: {money: rate}", "cost_weight: {money: r}"),
            ("{cost: rate, excludes", "{cost: r, excludes"),
            ("{days: rate}}\n    changes", "{days: r}}\n    changes"),
            ("{yes: rate, no: rest}}\n    scales", "{yes: r, no: rest}}\n    scales"),
            ("{next: {yes: rate}}", "{next: {yes: r}}"),
        ],
    ),
    ("parameters", "max_doses"): (
        "most",
        [("{max_doses: 1", "{most: 1"), (">= max_doses", ">= most")],
    ),
    ("budget", "days"): (
        "hours",
        [
            ("days: 4", "hours: 4"),
            ("rate, days: 1}", "rate, hours: 1}"),
            ("left(days)", "left(hours)"),
            ("{days: rate}}}", "{hours: rate}}}"),
            ("cost: {days: 2}", "cost: {hours: 2}"),
            ("{rate: {days: rate}}", "{rate: {hours: rate}}"),
        ],
    ),
    ("budget", "money"): (
        "cash",
        [
            ("{money: 10 * rate", "{cash: 10 * rate"),
            ("{money: rate, days: 1}", "{cash: rate, days: 1}"),
            ("cost: {money: 1}", "cost: {cash: 1}"),
            ("cost_weight: {money", "cost_weight: {cash"),
        ],
    ),
    ("counters", "doses"): (
        "shots",
        [
            ("  doses: {start", "  shots: {start"),
            ("doses >= max_doses", "shots >= max_doses"),
            ("effects: {doses", "effects: {shots"),
            ("per: doses", "per: shots"),
        ],
    ),
    ("defenses", "fence"): (
        "moat",
        [("[fence]", "[moat]"), ("  fence:\n", "  moat:\n")],
    ),
    ("actions", "rate", "outcomes", "no"): (
        "failed",
        [
            ("no: {probability", "failed: {probability"),
            ("rate=no", "rate=failed"),
            ("yes: 0.7, no:", "yes: 0.7, failed:"),
            ("(rate, no)", "(rate, failed)"),
            ("{yes: rate, no: rest}}\n    s", "{yes: rate, failed: rest}}\n    s"),
        ],
    ),
    ("hidden", "rain", "yes"): (
        "wet",
        [
            ("rain: {yes", "rain: {wet"),
            ("when: rain=yes,", "when: rain=wet,"),
            ("rain=yes or", "rain=wet or"),
        ],
    ),
    ("hidden", "flood", "outcomes", "yes"): (
        "high",
        [
            ("{yes: 0.1", "{high: 0.1"),
            ('{yes: "0.3', '{high: "0.3'),
            ("flood=yes", "flood=high"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", CASES, ids=".".join)
def test_a_name_is_changed_wherever_it_stands(path):
    new, changes = CASES[path]
    wanted = TEXT
    for old, now in changes:
        assert wanted.count(old) == 1, old
        wanted = wanted.replace(old, now)
    found = after(*path, to=new)
    assert spans_of(found).plain() == spans_of(wanted).plain()
    assert read_text(found).name == read_text(TEXT).name


@pytest.mark.parametrize(
    "path", sorted(Path("examples").glob("*.yaml")), ids=lambda path: path.stem
)
def test_a_renamed_example_is_the_same_problem(path):
    """What is renamed and renamed back is the same text, and sound in between."""
    first = path.read_text(encoding="utf-8")
    root = spans_of(first)
    for top in ("actions", "parameters", "counters", "hidden", "budget"):
        part = root.at((top,))
        for key, _ in part.entries[:3] if part else ():
            text = first
            for old, new in ((key.text, "brand new"), ("brand new", key.text)):
                for splice in renamed(text, (top, old), new):
                    text = splice.apply(text)
                assert read_text(text)
            assert write_text(read_text(text), "yaml") == write_text(
                read_text(first), "yaml"
            )
