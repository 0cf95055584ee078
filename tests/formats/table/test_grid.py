"""Cells, and the CSV files they come from: what is read, what is refused."""

import pytest

from branchwise.errors import FormatError
from branchwise.formats.place import cell_name
from branchwise.formats.table.csv_grid import grid_from_csv


def cells(data):
    if isinstance(data, str):
        data = data.encode()
    return [row.texts for row in grid_from_csv(data, "t.csv").rows]


def refusal(reader, data):
    with pytest.raises(FormatError) as caught:
        reader(data, "t")
    (issue,) = caught.value.issues
    return f"{issue.where}: {issue.what}; {issue.fix}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_csv_that_spreadsheets_save_is_read(encoding, mark, end):
    lines = [mark.join(["action", "outcome"]), mark.join([" ä ", f'"o{mark}""k"""'])]
    assert cells(end.join(lines).encode(encoding)) == [
        ("action", "outcome"),
        ("ä", f'o{mark}"k"'),
    ]


def test_the_delimiter_may_be_named():
    grid = grid_from_csv(b"sep=;\naction;a,b,c,d", "t.csv")
    assert grid.rows[0].texts == ("action", "a,b,c,d")
    assert str(grid.rows[0].place(1)) == "t.csv:B2"


def test_a_line_break_in_quotes_does_not_count_as_a_row():
    rows = grid_from_csv(b'a,"b\nc"\n\n,d', "t.csv").rows
    assert [row.number for row in rows] == [1, 3]
    assert str(rows[1].place(1)) == "t.csv:B3"


def test_cells_are_named_as_in_a_spreadsheet():
    assert [cell_name("", 1, column) for column in (0, 25, 26, 701, 702)] == [
        "A1",
        "Z1",
        "AA1",
        "ZZ1",
        "AAA1",
    ]
    assert cell_name("it's", 3, 0) == "'it''s'!A3"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\nc,\xff", "t:2:3: byte 0xff is not UTF-8 text; save the file as `CSV"),
        (b"a,\0", "t:1:3: a zero byte"),
        (b'a,b\nc,"d\ne', "t:B2: the quotes are never closed"),
        (b'a,b\n"my action"=ok,1', "t:A2: `=ok,1` stands after the closing quotes"),
        (b"," * 201, "t: row 1 has more than 200 cells"),
        (b"a\n" * 1_048_577, "t: the table has more than 1,048,576 rows"),
    ],
)
def test_a_csv_that_cannot_be_read_says_where_and_why(data, message):
    assert message in refusal(grid_from_csv, data)
