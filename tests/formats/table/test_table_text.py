"""Problems to tables and back: round trips, awkward names, formulas, looks."""

import csv
import io
import json
import random
import re
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchwise.errors import FormatError
from branchwise.formats.document.build import build
from branchwise.formats.document.syntax.json_document import json_nodes
from branchwise.formats.table.table_text import csv_text, xlsx_bytes
from branchwise.formats.table.tables import table_nodes_from_csv, table_nodes_from_xlsx
from branchwise.model.action import Action, Given
from branchwise.model.budget import UNLIMITED
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Attempted,
    Happened,
    all_of,
)
from branchwise.model.problem import Problem, Reward
from problems.hostile_names import HOSTILE
from problems.paper import illustrative
from problems.strategies import awkward_names, seeded_documents


def from_xlsx(data):
    nodes, issues = table_nodes_from_xlsx(data, "plan.xlsx")
    found = build(nodes, "plan.xlsx", issues)
    assert found.problem is not None, found.issues
    return found.problem


def assert_round_trips(problem):
    nodes, issues = table_nodes_from_csv(csv_text(problem).encode(), "plan.csv")
    found = build(nodes, "plan.csv", issues)
    assert found.problem == problem, (found.issues, csv_text(problem))
    assert from_xlsx(xlsx_bytes(problem)) == problem


def documents():
    for document in seeded_documents(60, "tables"):
        yield document
        yield awkward_names(document, random.Random(document["name"]))


@pytest.mark.parametrize("document", list(documents()), ids=lambda d: d["name"])
def test_random_problems_round_trip(document):
    nodes, _ = json_nodes(json.dumps(document), "p.json")
    assert_round_trips(build(nodes, "p.json").problem)


NAMES = [
    *"yes no 1 01 1e5 2024-01-01 null ~ =1+1 +1 -1 @x - -- \u2013 — 🎲 שלום".split(),
    *["", "TRUE", " x ", '"', "'x'", '"x"', "a\tb", "a\nb", "a\r\nb", "a\0b", "a\x85b"],
    *["#N/A"],
    *["action", "Reward When", "outcome", "given", "when", "rest", "never"],
    *["1/2", "MARCH1", "_x0041_", "_x005F_", "\ufeffx", "x\ufffe", "a, b; c", "{a: 1}"],
    *HOSTILE,
    *["x" * 500, "\uff1d1+1", "=cmd|'/c calc'!A1", "\t=1", "\\", "\\u0041", "\u2028"],
]


def awkward(name):
    """A problem that has this name wherever a name may stand."""
    other = f"{name}'"
    actions = [
        Action(name, outcomes={name: "1/3", other: "2/3"}, cost={name: 1, other: 2}),
        Action(
            other,
            outcomes={name: "0.1234567890123456789", "z": "rest"},
            requires=Attempted(name),
            precluded_by=Happened(name, other),
            cost=0,
            attempts=UNLIMITED,
            given=[
                Given(Attempted(name)),
                Given(NEVER, outcomes={name: 1}, cost={other: "1/3"}),
                Given(all_of(Attempted(name), ~Attempted(other)), cost=0),
            ],
        ),
        Action("last", outcomes={name: 1}, requires=NEVER, precluded_by=ALWAYS),
    ]
    rewards = [Reward(Attempted(name), -5), Reward(Happened(other, name), "1/7")]
    return Problem(
        actions,
        rewards,
        budget={name: UNLIMITED, other: "7/2"},
        name=name,
        cost_weight={name: 3},
    )


@pytest.mark.parametrize("name", NAMES)
def test_awkward_names_round_trip(name):
    # Some of these are refused as names, which is not the tables' business.
    for problem in (awkward(name), Problem([Action(name, outcomes={name: 1})])):
        text = csv_text(problem)
        for line in text.splitlines():
            assert "\0" not in line
        nodes, issues = table_nodes_from_csv(text.encode(), "p")
        assert not issues
        assert build(nodes, "p").problem == problem
        nodes, issues = table_nodes_from_xlsx(xlsx_bytes(problem), "p")
        assert not issues
        assert build(nodes, "p").problem == problem


@settings(deadline=None)
@given(st.text(st.characters(), max_size=20))
def test_any_text_may_be_a_name(name):
    problem = Problem([Action(name, outcomes={name: 1})], [Reward(Attempted(name), 1)])
    for nodes, issues in (
        table_nodes_from_csv(csv_text(problem).encode(), "p"),
        table_nodes_from_xlsx(xlsx_bytes(problem), "p"),
    ):
        assert not issues
        assert build(nodes, "p").problem == problem


def test_rewards_stand_beside_their_outcomes_only_if_nothing_is_lost():
    problem = illustrative(6, name="")
    assert "100\n" in csv_text(problem)
    assert "reward when" not in csv_text(problem)
    backwards = Problem(problem.actions, problem.rewards[::-1], budget=6)
    assert "reward when" in csv_text(backwards)
    assert_round_trips(backwards)
    twice = Problem(problem.actions, problem.rewards[:1] * 2, budget=6)
    assert_round_trips(twice)


@pytest.mark.parametrize(
    "name",
    [
        *["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "#REF!"],
        *["a;=1+1", "a;+1", "a; @x", 'a;"=1', "=1;", "x;", "a\t=1", "a\r=1", "a,=1"],
        "=HYPERLINK(A1)",
    ],
)
def test_no_cell_can_be_taken_for_a_formula(name):
    problem = awkward(name)
    # Spreadsheets in other countries break lines at other signs.
    for delimiter in ",;\t":
        for row in csv.reader(io.StringIO(csv_text(problem)), delimiter=delimiter):
            assert not [c for c in row if c.lstrip()[:1] in {*"=+@#\t\r", "\uff1d"}]
            assert not [c for c in row if re.match(r"-(?!\d+\Z)", c)]
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(problem)))
    kinds = {c.data_type for sheet in book for row in sheet for c in row if c.value}
    assert kinds == {"s", "n"}
    with zipfile.ZipFile(io.BytesIO(xlsx_bytes(problem))) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


def test_a_workbook_is_pleasant_to_look_at():
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(illustrative(6, name=""))))
    assert book.sheetnames == ["Actions", "Settings"]
    page = book["Actions"]
    assert page["A1"].font.bold
    assert page.freeze_panes == "A2"
    assert "A2:A3" in {str(cells) for cells in page.merged_cells.ranges}
    assert page["F2"].value == 0.4
    assert [c.value for c in page[2]] == ["a1", None, None, 1, "1", 0.4, None]


def test_a_text_too_long_for_a_cell_is_refused_rather_than_cut():
    long = " or ".join(["a"] * 10_000)
    problem = Problem([Action("a", outcomes={"x": 1}, requires=long)])
    with pytest.raises(FormatError, match=r"Actions!B2: a text of 49,996 characters"):
        xlsx_bytes(problem)
