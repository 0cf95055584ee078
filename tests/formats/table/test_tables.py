"""Tables to problems: the paper's Table 1, every block, errors by cell."""

import csv
import io
from pathlib import Path

import openpyxl
import pytest

from branchwise.formats.document.build import build
from branchwise.formats.table.tables import (
    table_nodes_from_csv,
    table_nodes_from_xlsx,
)
from branchwise.model.action import Action, Given
from branchwise.model.budget import UNLIMITED, Budget
from branchwise.model.problem import Problem, Reward
from problems.paper import illustrative

EXAMPLE = Path(__file__).parents[3] / "examples" / "illustrative.csv"

# The paper's Table 1, its columns and dashes and nothing else.
TABLE_1 = """\
Action,Prerequisite,Preclusion,Cost,Outcome,Probability,Reward
a1,--,--,1,1,0.4,--
,,,,2,0.6,--
a2,\N{EN DASH},\N{EN DASH},1,1,0.4,\N{EN DASH}
,,,,2,0.6,\N{EN DASH}
a3,-,-,1,1,0.7,-
,,,,2,0.3,-
a4,"(a1,2) OR (a3,2)",--,1,1,0.7,--
,,,,2,0.3,--
a5,"(a4,2)","(a3,1) OR (a3,2)",1,1,0.4,--
,,,,2,0.6,50
a6,"(a4,2) AND (a2,2)",—,1,1,0.6,—
,,,,2,0.4,10
a7,"(a3,2)",--,1,1,0.9,--
,,,,2,0.1,100
"""


def reading(text):
    nodes, issues = table_nodes_from_csv(text.encode(), "plan.csv")
    return build(nodes, "plan.csv", issues)


def problem_in(text):
    found = reading(text)
    assert not found.has_errors, found.issues
    return found.problem


def messages(text):
    return [f"{issue.where}: {issue.what}" for issue in reading(text).issues]


def from_xlsx(data):
    nodes, issues = table_nodes_from_xlsx(data, "plan.xlsx")
    found = build(nodes, "plan.xlsx", issues)
    assert found.problem is not None, found.issues
    return found.problem


def saved(book):
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def test_the_papers_table_is_read_as_it_stands():
    assert problem_in(TABLE_1) == illustrative(UNLIMITED, name="")


def test_the_example_has_a_budget_too():
    problem = problem_in(EXAMPLE.read_text(encoding="utf-8"))
    assert problem.name == "Illustrative example"
    assert problem.with_budget(UNLIMITED) == Problem(
        illustrative(1, name="").actions,
        illustrative(1, name="").rewards,
        name="Illustrative example",
    )
    assert problem.budget == Budget(6)


def test_a_workbook_with_merged_cells_is_the_same_table():
    book = openpyxl.Workbook()
    for line in TABLE_1.replace('"(', "'(").replace(')"', ")'").splitlines():
        cells = next(iter(csv.reader([line], quotechar="'")))
        book.active.append([_number(cell) for cell in cells])
    for row in range(2, 16, 2):
        for column in "ABCD":
            book.active.merge_cells(f"{column}{row}:{column}{row + 1}")
    assert from_xlsx(saved(book)) == illustrative(UNLIMITED, name="")


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell or None


def test_columns_in_any_order_and_under_other_names():
    text = """\
PROBABILITY;outcome;requires;Precluded_By;action;attempts
0.5;ok;;;a;2
rest;fail;;;a;2
1;done;a=ok;a=fail and b;b;
"""
    assert problem_in(text) == Problem(
        [
            Action("a", outcomes={"ok": 0.5, "fail": 0.5}, attempts=2),
            Action(
                "b",
                outcomes={"done": 1},
                requires="a=ok",
                precluded_by="a=fail and b",
            ),
        ]
    )


def test_every_block_in_one_file():
    text = """\
action,cost,outcome,probability
dig,"money: 3, ""man days"": 1/2",gold,20%
,,mud,rest
ask,{money: 1},yes,1

given,when,cost,outcome,probability
dig,ask=yes,,gold,1/2
,,,mud,1/2
,ask,money: 1,,
ask,dig,0

setting,value
name,Gold
budget,"money: 10; man days: unlimited"
combine,Sum
cost weight,"money: 0.5"

reward when,value
dig=gold and ask,50
not ask,'''1/3'''
""".replace("'", '"')
    assert problem_in(text) == Problem(
        [
            Action(
                "dig",
                outcomes={"gold": "20%", "mud": "rest"},
                cost={"money": 3, "man days": "1/2"},
                given=[
                    Given("ask=yes", outcomes={"gold": "1/2", "mud": "1/2"}),
                    Given("ask", cost={"money": 1}),
                ],
            ),
            Action(
                "ask",
                outcomes={"yes": 1},
                cost={"money": 1},
                given=[Given("dig", cost=0)],
            ),
        ],
        [Reward("dig=gold and ask", 50), Reward("not ask", "1/3")],
        budget={"money": 10, "man days": "unlimited"},
        name="Gold",
        combine="sum",
        cost_weight={"money": "0.5"},
    )


HEADER = "action,prerequisite,cost,outcome,probability,reward\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["plan.csv actions: the file is empty"]),
        (
            "My plan\n\n" + HEADER + "a,,,ok,1,",
            ["plan.csv:A1: `My plan` stands above any header row"],
        ),
        (
            "action,outcome,probabilty\na,ok,1",
            [
                "plan.csv:C1: there is no column `probabilty` in a table of actions"
                "; did you mean `probability`?"
            ],
        ),
        (
            "acton,outcom,probabilty\na,ok,1",
            [
                "plan.csv:A1: there is no column `acton` in a table of actions"
                "; did you mean `action`?",
                "plan.csv:B1: there is no column `outcom` in a table of actions"
                "; did you mean `outcome`?",
                "plan.csv:C1: there is no column `probabilty` in a table of actions"
                "; did you mean `probability`?",
            ],
        ),
        (
            "action,outcome,cost,outcome\na,ok,1,",
            [
                "plan.csv:A1 actions: the table of actions has no column `probability`",
                "plan.csv:D1: the column `outcome` stands here a second time",
            ],
        ),
        (
            "setting,value\nbudgte,6",
            [
                "plan.csv actions: there is no table of actions",
                "plan.csv:A2 budgte: there is no setting `budgte`"
                "; did you mean `budget`?",
            ],
        ),
        (
            HEADER + ",,,ok,1,\na,,,ok,1,",
            ["plan.csv:A2: this row belongs to no action"],
        ),
        (
            HEADER + "a,,,ok,0.5,\n,b,2,fail,0.5,\nb,,,ok,1,,huh",
            [
                "plan.csv:B3 actions.a.requires: "
                "the prerequisite `b` differs from the one above, none",
                "plan.csv:C3 actions.a.cost: "
                "the cost `2` differs from the one above, none",
                "plan.csv:G4: `huh` stands in a column without a name",
            ],
        ),
        (
            HEADER + "a,,,ok,,\n,,,,0.5,\n,,,,,7",
            [
                "plan.csv:E2 actions.a.outcomes.ok: "
                "the outcome `ok` has no probability",
                "plan.csv:D3 actions.a.outcomes: "
                "this row does not say which outcome it is about",
                "plan.csv:D4 actions.a.outcomes: "
                "this row does not say which outcome it is about",
            ],
        ),
        (
            HEADER + 'a,,money 3: x: y,ok,1,\n"""b"" c",,,ok,1,',
            [
                "plan.csv:C2 actions.a.cost: "
                "`money 3: x: y` is neither a number nor one for each resource",
                'plan.csv:A3: `"b" c` is misquoted',
            ],
        ),
        (
            HEADER + "dig,,,ok,1,\n\ngiven,when,cost\ndgi,dig,2\n,,3\ndig,,1",
            [
                "plan.csv:A5: there is no action `dgi`; did you mean `dig`?",
                "plan.csv:C6 actions.dgi.given: "
                "the cost `3` differs from the one above, `2`",
                "plan.csv:B7 actions.dig.given: the clause does not say when it counts",
            ],
        ),
        (
            HEADER + "a,,,ok,1,\n\nreward when,value\n,5\na=ok,",
            [
                "plan.csv:A5 rewards.0.when: the reward does not say when it is paid",
                "plan.csv:B6 rewards.1.value: the reward has no value",
            ],
        ),
    ],
)
def test_layout_errors_name_the_cell_and_come_all_at_once(text, expected):
    assert messages(text) == expected


@pytest.mark.parametrize(
    ("row", "cell", "culprit"),
    [
        ("a,b=ok and,,ok,1,", "B2", "the condition ends too early"),
        ('a,,"0,5",ok,1,', "C2", "`0,5` is not a number"),
        ("a,,-,ok,1,", "C2", "`-` is not a number"),
        ("a,,,ok,often,", "E2", "`often` is not a number"),
        ("a,,,ok,1,much", "F2", "`much` is not a number"),
        ("a,,,ok,0.5,\na,,,ok,0.5,", "D3", "`ok` stands here twice"),
        ("a,nope=ok,,ok,1,", "B2", "nope"),
    ],
)
def test_errors_in_what_cells_say_name_the_cell(row, cell, culprit):
    found = [m for m in messages(HEADER + row) if m.startswith(f"plan.csv:{cell}")]
    assert culprit in found[0]


def test_errors_in_a_workbook_name_sheet_and_cell():
    book = openpyxl.Workbook()
    book.active.title = "My actions"
    book.active.append(["action", "outcome", "probability"])
    book.active.append(["a", "ok", "=1-0"])
    book.active.append(["b", "ok", "often"])
    nodes, issues = table_nodes_from_xlsx(saved(book), "plan.xlsx")
    found = build(nodes, "p", issues).issues
    found = [issue.where.partition(" actions.")[0] for issue in found]
    assert "plan.xlsx:'My actions'!C2" in found
    assert "plan.xlsx:'My actions'!C3" in found
