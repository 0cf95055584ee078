"""Cells of workbooks: what is read, and what is refused."""

import contextlib
import datetime as dt
import io
import random
import resource
import subprocess
import sys
import zipfile

import openpyxl
import pytest

from branchwise.errors import FormatError
from branchwise.formats.table.xlsx_grid import grids_from_xlsx
from patience import children_seconds

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def refusal(reader, data):
    with pytest.raises(FormatError) as caught:
        reader(data, "t")
    (issue,) = caught.value.issues
    return f"{issue.where}: {issue.what}; {issue.fix}"


def saved(book):
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def workbook(**values):
    book = openpyxl.Workbook()
    for name, value in values.items():
        book.active[name] = value
    return saved(book)


def with_part(data, name, part):
    """The same archive with one part replaced."""
    changed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.namelist():
            new.writestr(entry, part if entry == name else old.read(entry))
    return changed.getvalue()


def with_rows(rows):
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    return with_part(workbook(A1="x"), "xl/worksheets/sheet1.xml", sheet)


def test_cells_of_any_kind_come_out_as_they_look():
    data = workbook(
        A1="a",
        B1=True,
        C1=dt.date(2024, 1, 31),
        D1=dt.datetime(2024, 1, 31, 12, 30),  # noqa: DTZ001
        E1=0.1,
        F1=2.0,
        G1=0.123456789012345,
        H1=1e300,
        I1=dt.time(12, 30),
        J1="_x0041_",
    )
    ((grid,), issues) = grids_from_xlsx(data, "t.xlsx")
    assert not issues
    assert grid.rows[0].texts == (
        "a",
        "TRUE",
        "2024-01-31",
        "2024-01-31 12:30:00",
        "0.1",
        "2",
        "0.123456789012345",
        "1e+300",
        "12:30:00",
        "A",  # which is how workbooks write it, so the writer must escape it
    )


def test_a_percentage_is_its_number():
    book = openpyxl.Workbook()
    book.active["A1"] = 0.3
    book.active["A1"].number_format = "0%"
    ((grid,), _) = grids_from_xlsx(saved(book), "t.xlsx")
    assert grid.rows[0].texts == ("0.3",)


def test_what_a_formula_results_in_is_read_without_binary_noise():
    """As doubles, 1 - 0.9 is 0.09999999999999998; a spreadsheet shows 0.1."""
    row = (
        '<c r="B2"><f>1-0.9</f><v>0.09999999999999998</v></c>'
        '<c r="C2" t="str"><f>""</f><v></v></c>'
    )
    ((grid,), issues) = grids_from_xlsx(with_rows(f'<row r="2">{row}</row>'), "t")
    assert not issues
    assert grid.rows[0].texts == ("", "0.1", "")
    assert grid.rows[0].number == 2


def test_formulas_without_values_and_errors_are_named_by_cell():
    data = with_rows(
        '<row r="2"><c r="B2"><f>1+1</f><v/></c>'
        '<c r="D2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    )
    (_, issues) = grids_from_xlsx(data, "t.xlsx")
    assert [(issue.where, issue.what) for issue in issues] == [
        ("t.xlsx:Sheet!D2", "the cell holds the error #DIV/0!"),
        ("t.xlsx:Sheet!B2", "the formula in this cell has no stored value"),
    ]


def test_charts_are_passed_over():
    book = openpyxl.Workbook()
    book.active["B2"] = "x"
    book.create_chartsheet("Chart")
    (grids, _) = grids_from_xlsx(saved(book), "t.xlsx")
    assert [grid.sheet for grid in grids] == ["Sheet"]


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"action,outcome", "this is not an .xlsx workbook"),
        (OLE + bytes(600), "this is a workbook of the old kind (.xls)"),
        (
            OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
            "protected by a password",
        ),
        (b"PK\x03\x04" + bytes(50), "damaged or incomplete"),
        (with_rows('<row r="1"><c r="A1"><v>1</row>'), "damaged or incomplete"),
        (with_rows('<row r="0"/>'), "damaged or incomplete"),
        (with_rows('<row><c r="A1B"><v>1</v></c></row>'), "damaged or incomplete"),
        (
            with_part(
                workbook(),
                "xl/worksheets/sheet1.xml",
                '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet>&a;</worksheet>',
            ),
            "damaged or incomplete",
        ),
        (
            with_rows('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
            "a sheet reaches as far as XFD1048576",
        ),
        (
            with_rows('<row r="1000000"><c r="Z1000000"><v>1</v></c></row>'),
            "the sheets have 26,000,000 cells",
        ),
    ],
)
def test_a_workbook_that_cannot_be_read_says_why(data, message):
    assert message in refusal(grids_from_xlsx, data)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("content.xml", "OpenDocument"),
        ("xl/workbook.bin", ".xlsb"),
        ("word/document.xml", "Word"),
    ],
)
def test_other_documents_are_called_by_their_name(name, kind):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(name, "<x/>")
    assert kind in refusal(grids_from_xlsx, data.getvalue())


def test_a_far_cell_that_is_only_colored_does_no_harm():
    rows = '<row r="1"><c r="A1"><v>1</v></c></row>'
    rows += '<row r="1048576"><c r="XFD1048576" s="0"/></row>'
    ((grid,), _) = grids_from_xlsx(with_rows(rows), "t")
    assert [row.texts for row in grid.rows] == [("1",)]


def test_a_truncated_workbook_is_refused_wherever_it_ends():
    data = workbook(A1="action", B1="outcome")
    for end in range(0, len(data), 97):
        refusal(grids_from_xlsx, data[:end])


def test_damaged_workbooks_are_read_or_refused_but_never_crash():
    data = workbook(A1="action", B1=2, C1="=1+1")
    chance = random.Random(1)
    for _ in range(400):
        broken = bytearray(data)
        for _ in range(chance.choice([1, 3, 10])):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        with contextlib.suppress(FormatError):
            grids_from_xlsx(bytes(broken), "t")


def bomb(part, *, times=1, piece=bytes(1 << 20)):
    """A workbook with one part that inflates to `times` times the piece."""
    data = io.BytesIO(workbook(A1="x"))
    with (
        zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open(part, "w") as stream,
    ):
        for _ in range(times):
            stream.write(piece)
    return data.getvalue()


def understated(data, name):
    """The same archive, whose directory says that a part has only 10 bytes."""
    broken = bytearray(data)
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(name))
    broken[place + 24 : place + 28] = (10).to_bytes(4, "little")
    return bytes(broken)


@pytest.mark.parametrize("is_honest", [True, False])
def test_a_zip_bomb_is_refused_quickly_and_within_memory(tmp_path, is_honest):
    """Less than 1 MB here, 260 MB inflated; 100 MB is the limit."""
    name = "xl/worksheets/sheet9.xml"
    data = bomb(name, times=260)
    data = data if is_honest else understated(data, name.encode())
    assert len(data) < 1_000_000
    (tmp_path / "bomb.xlsx").write_bytes(data)
    program = (
        "import sys, pathlib\n"
        "from branchwise.errors import FormatError\n"
        "from branchwise.formats.table.xlsx_grid import grids_from_xlsx\n"
        "try: grids_from_xlsx(pathlib.Path(sys.argv[1]).read_bytes(), 'bomb.xlsx')\n"
        "except FormatError as error: print(error)\n"
    )
    start = children_seconds()
    answer = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "bomb.xlsx")],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20,) * 2),
    )
    expected = "inflates to more than 64 MB" if is_honest else "is damaged"
    assert expected in answer.stdout
    assert children_seconds() - start < 10


def test_one_long_text_shared_by_many_cells_is_refused():
    """Each of the cells would get a copy of its own: 1 MB times 1000."""
    shared = f'<sst xmlns="{MAIN}"><si><t>{"x" * 1_000_000}</t></si></sst>'
    row = "".join('<row><c t="s"><v>0</v></c></row>' for _ in range(1000))
    data = io.BytesIO(with_rows(row))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", shared)
    assert "1,000,000,000 characters" in refusal(grids_from_xlsx, data.getvalue())


def test_an_entry_that_comes_twice_is_refused():
    data = io.BytesIO(workbook(A1="x"))
    with (
        zipfile.ZipFile(data, "a") as archive,
        pytest.warns(UserWarning, match="Duplicate name"),
    ):
        archive.writestr("xl/worksheets/sheet1.xml", "<worksheet/>")
    assert "entries" in refusal(grids_from_xlsx, data.getvalue())


def test_pictures_do_not_count():
    data = bomb("xl/media/image1.png", times=150)
    ((grid,), _) = grids_from_xlsx(data, "t")
    assert grid.rows[0].texts == ("x",)
