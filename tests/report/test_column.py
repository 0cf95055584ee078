"""One list of columns, and the same table as text, as HTML and as data."""

import re
from typing import NamedTuple

import pytest

from branchwise.report.column import Column, table_html, table_lines
from branchwise.report.text.ink import Look


class Well(NamedTuple):
    """A record of a table."""

    name: str
    worth: float
    gain: float
    first_action: str | None
    error: float | None = None


COLUMNS = (
    Column("name", "well", "name"),
    Column("worth", "worth", "rounded"),
    Column("gain", "gain", "change", write=lambda gain: f"{gain:+.1f}"),
    Column("first_action", "first action", "action"),
    Column("error", "standard error", "rounded", is_optional=True),
)
WELLS = [Well("here", 6.0, 2.0, "drill"), Well("<there>", 1234.5678, -1.25, None)]


def cells(page):
    return re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", page)


def test_words_stand_to_the_left_and_numbers_to_the_right():
    assert list(table_lines(COLUMNS, WELLS, Look())) == [
        "well        worth  gain  first action",
        "here            6  +2.0  drill",
        "<there>  1,234.57  -1.2  none",
    ]


def test_a_page_has_the_same_titles_and_cells_and_escapes_names():
    page = table_html(COLUMNS, WELLS, "Wells")

    assert cells(page)[:4] == ["Well", "Worth", "Gain", "First action"]
    assert cells(page)[4:8] == ["<bdi>here</bdi>", "6", "+2.0", "<bdi>drill</bdi>"]
    assert "<bdi>&lt;there&gt;</bdi>" in page
    assert '<td class="action"><span class="none">' in page
    assert 'aria-label="Wells"' in page


def test_data_keeps_what_is_shortened_for_people():
    assert [column.key for column in COLUMNS] == [
        "name",
        "worth",
        "gain",
        "first_action",
        "error",
    ]
    assert [column.cell(WELLS[1]) for column in COLUMNS] == [
        "<there>",
        1234.5678,
        -1.25,
        None,
        None,
    ]


def test_an_optional_column_is_there_where_a_cell_is():
    sampled = [*WELLS, Well("beyond", 1.0, 0.0, "drill", 0.5)]

    titles, *rows = table_lines(COLUMNS, sampled, Look())

    assert titles.endswith("first action  standard error")
    assert rows[-1].endswith("drill                    0.5")
    assert cells(table_html(COLUMNS, sampled))[4] == "Standard error"


@pytest.mark.parametrize(("most", "last"), [(1, "and 1 other well"), (2, "1,234.57")])
def test_of_many_rows_the_others_are_counted(most, last):
    *_, line = table_lines(COLUMNS, WELLS, Look(), most=most, others="well")

    assert last in line


def test_a_long_name_is_cut_to_its_share_of_the_width():
    well = Well("the well beyond the hills of the north", 6.0, 2.0, "drill")

    _, row = table_lines(COLUMNS, [well], Look(width=60))

    assert row.startswith("the well beyond the hil…  ")


def test_without_records_there_is_nothing_to_show():
    assert list(table_lines(COLUMNS, [], Look())) == []


def test_without_a_label_a_table_is_narrow():
    assert table_html(COLUMNS, WELLS).startswith('<table class="narrow">')
