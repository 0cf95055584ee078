"""Which sheets of a workbook have tables, and which are left out."""

import io

import openpyxl
import pytest

from branchwise.formats.document.build import build
from branchwise.formats.table.tables import table_nodes_from_xlsx


def sheets(**rows):
    """A workbook of a table of one action, and of these sheets."""
    book = openpyxl.Workbook()
    for row in [["action", "outcome", "probability"], ["a1", "1", 0.4], ["", "2", 0.6]]:
        book.active.append(row)
    for title, lines in rows.items():
        sheet = book.create_sheet(title)
        for line in lines:
            sheet.append(line)
    data = io.BytesIO()
    book.save(data)
    nodes, issues = table_nodes_from_xlsx(data.getvalue(), "plan.xlsx")
    return build(nodes, "plan.xlsx", issues)


def test_a_sheet_of_notes_is_left_out_and_told():
    lines = [
        ["Probabilities by phone, 3 May"],
        [],
        ["drill", "ask Ann again"],
        ["rig", 70],
    ]
    found = sheets(Notes=lines)

    [told] = [issue for issue in found.issues if "Notes" in issue.where]
    assert str(told) == (
        "plan.xlsx:Notes!A1: warning: the sheet `Notes` has no table of ours and is "
        "left out\n    fix: delete the sheet, or give its table a header row"
    )
    assert found.problem == sheets().problem is not None
    assert not found.has_errors


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("Rewards", [["when it works", "worth"], ["a1=2", 50]]),
        (
            "More",
            [["Rest of it"], ["acton", "results", "probabilities"], ["a9", "ok", 1]],
        ),
        ("More", [["reward wen", "worth"], ["a1=2", 50]]),
        ("More", [["Actoin", "Outcme", "Probablity"], ["a9", "ok", 1]]),
    ],
)
def test_a_sheet_that_may_be_a_misspelled_table_is_an_error(title, lines):
    found = sheets(**{title: lines})
    assert found.has_errors
    assert all(issue.where.startswith(f"plan.xlsx:{title}!") for issue in found.issues)


def test_what_is_told_of_a_left_out_sheet_gives_way_to_errors():
    found = sheets(Notes=[["nothing here"]], Given=[["given", "when", "cost"], ["a9"]])
    assert found.has_errors
    assert not [issue for issue in found.issues if "Notes" in issue.where]
