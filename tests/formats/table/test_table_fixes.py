"""Fixes in messages about tables speak of cells, columns and settings."""

import re

import pytest

from branchwise import FormatError, ProblemError, read_text
from branchwise.errors import Issue
from branchwise.formats.table.table_fixes import worded_for_cells

HEADER = "action,cost,attempts,outcome,probability,reward\n"


def fixes(text):
    with pytest.raises((FormatError, ProblemError)) as error:
        read_text(text, format="csv")
    return [issue.fix for issue in error.value.issues]


@pytest.mark.parametrize(
    ("table", "fix"),
    [
        (
            f"{HEADER}a1,1,1,ok,0.6,9\n,,,no,0.6,\n",
            "lower one by 0.2, or write `rest` as the probability of `no`",
        ),
        (
            f"{HEADER}a1,1,unlimited,ok,1,9\n",
            "write a number of attempts: `3` in the column `attempts`, or a budget: "
            "`10` for the setting `budget`",
        ),
        (f"{HEADER}a1,1,0,ok,1,9\n", "write `1`, `2`, ... or `unlimited`"),
        (
            f"{HEADER}a1,1,1,ok,1,-9\n",
            "write `sum` for the setting `combine`, or a value above 0",
        ),
    ],
)
def test_a_fix_says_which_cell_to_fill(table, fix):
    assert fixes(table) == [fix]


@pytest.mark.parametrize(
    ("path", "fix", "worded"),
    [
        (
            ("rewards",),
            "add one: `rewards: [{when: a1=ok, value: 100}]`",
            "add one: a number in the column `reward`, or a table `reward when, value`",
        ),
        (
            ("budget",),
            "write `budget: 10`, `budget: unlimited` or `budget: {money: 10}`",
            "write `10` for the setting `budget`, `unlimited` for the setting "
            "`budget` or `money: 10` for the setting `budget`",
        ),
        (
            ("actions", "a", "requires"),
            "write for example `a1=ok and not a2`, or `{all: [a1=ok, {not: a2}]}`",
            "write for example `a1=ok and not a2`",
        ),
        (
            ("defenses", "d2"),
            "add `forbids: [a1]`, `raises`, `changes` or `scales`, or remove it",
            "add `forbids`, `raises`, `changes` or `scales`, or remove it",
        ),
        (
            ("defenses", "d2", "changes"),
            "write `excludes: [d1]` here, or `scales` instead",
            "write `d1` in the column `excludes` here, or `scales` instead",
        ),
        (
            ("actions", "a", "outcomes"),
            "write `cost: 1: rest`",
            "write `rest` as the probability of `cost: 1`",
        ),
        (
            ("actions", "a", "cost"),
            "write for example `money: 3, days: 1`",
            "write for example `money: 3, days: 1`",
        ),
    ],
)
def test_keys_become_cells_and_the_rest_stays(path, fix, worded):
    assert worded_for_cells(Issue("plan.csv:A1", "", fix, path=path)).fix == worded


def test_a_document_still_speaks_of_keys():
    document = "{actions: {a1: {outcomes: {ok: 0.6, no: 0.6}}}}"
    with pytest.raises(ProblemError, match=re.escape("or write `no: rest`")):
        read_text(document)
