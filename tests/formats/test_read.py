"""Tests for reading problem files, and for what keeps a file from being read."""

import errno
import gc
import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from branchwise.errors import FormatError, ProblemError
from branchwise.formats import source_file
from branchwise.formats.file_limits import LARGEST_FILE
from branchwise.formats.read import check_file, read, read_text

YAML = "actions: {drill: {outcomes: {oil: 0.2, dry: 0.8}}}\n"
JSON = '{"actions": {"drill": {"outcomes": {"oil": 0.2, "dry": 0.8}}}}'


def message(path):
    """What is wrong, with the folder left out; `check_file` must say the same."""
    with pytest.raises(FormatError) as caught:
        read(path)
    assert check_file(path) == (None, caught.value.issues)
    return str(caught.value).replace(f"{Path(path).parent}{os.sep}", "")


@pytest.fixture
def file(tmp_path):
    def make(name, data):
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return make


@pytest.mark.parametrize("name", ["oil.yaml", "oil.yml", "OIL.YAML", "oil.b.Yml"])
def test_reads_yaml(file, name):
    assert read(file(name, YAML)) == read_text(YAML)


@pytest.mark.parametrize("name", ["oil.json", "oil.JSON"])
def test_reads_json(file, name):
    assert read(file(name, JSON)) == read_text(YAML) == read_text(JSON, "json")


def test_reads_a_path_object(tmp_path):
    (tmp_path / "oil.yaml").write_text(YAML)
    assert read(tmp_path / "oil.yaml").actions[0].name == "drill"


def test_reads_windows_line_ends_and_a_byte_order_mark(file):
    path = file(
        "oil.yaml", b"\xef\xbb\xbf" + b"actions:\r\n  d: {outcomes: {x: 1}}\r\n"
    )
    assert read(path).actions[0].name == "d"
    path = file("oil.json", b"\xef\xbb\xbf" + JSON.encode())
    assert read(path) == read_text(YAML)


def test_reads_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(YAML.encode())))
    assert read("-") == read_text(YAML)


def test_an_unknown_end_lists_the_known_ones(file):
    found = message(file("oil.yalm", YAML))
    assert found.startswith("oil.yalm: `.yalm` is not the end of a problem file's name")
    assert "did you mean `.yaml`?" in found
    assert "`.yml`, `.yaml`, `.json`, `.csv`, `.xlsx`" in found
    assert "does not tell its format" in message(file("oil", YAML))


def test_an_unknown_format_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"did you mean `yaml`\?.*\"json\""):
        read_text(YAML, "yalm")


def test_a_missing_file_suggests_its_neighbor(file, tmp_path):
    file("oil_wildcatter.yaml", YAML)
    found = message(str(tmp_path / "oil_wildcater.yaml"))
    assert found == (
        "oil_wildcater.yaml: there is no such file; did you mean "
        "`oil_wildcatter.yaml`?\n    fix: write `oil_wildcatter.yaml`"
    )


def test_a_missing_file_without_neighbors(tmp_path):
    assert "there is no such file\n" in message(str(tmp_path / "oil.yaml"))


def test_a_missing_folder_is_named(tmp_path):
    found = message(str(tmp_path / "nowhere" / "oil.yaml"))
    assert "there is no folder" in found


def test_a_file_as_a_folder(file):
    path = str(Path(file("oil.yaml", YAML)) / "x.yaml")
    assert "there is no folder" in message(path)


def test_a_folder_is_no_file(file, tmp_path):
    file("oil.yaml", YAML)
    with pytest.raises(FormatError) as caught:
        read(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: this is a folder\n"
        f"    fix: name a file in it: `{tmp_path / 'oil.yaml'}`"
    )


def test_a_device_is_no_file():
    assert "a device or a pipe" in message("/dev/zero")


def test_a_pipe_is_not_waited_for(tmp_path):
    path = str(tmp_path / "oil.yaml")
    os.mkfifo(path)
    assert "a device or a pipe" in message(path)


def test_a_file_without_permission(file, monkeypatch):
    """Root may read everything, so the refusal is acted."""
    path = file("oil.yaml", YAML)

    def refuse(*arguments, **options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(source_file.os, "open", refuse)
    assert "cannot be read: Permission denied" in message(path)


def test_a_name_that_cannot_be():
    with pytest.raises(FormatError, match="cannot be read"):
        read("oil\0.yaml")


@pytest.mark.parametrize("name", ["oil.yaml", "oil.json"])
def test_an_empty_file(file, name):
    assert f"{name}:1:1: there is nothing in this file" in message(file(name, ""))


def test_a_file_too_large_is_refused_before_it_is_read(file, monkeypatch):
    path = file("oil.yaml", "")
    with Path(path).open("wb") as sparse:
        sparse.truncate(LARGEST_FILE + 1)
    monkeypatch.setattr(source_file.os, "open", None)
    assert "the file has more than 32 MB" in message(path)


@pytest.mark.parametrize("name", ["oil.yaml", "oil.json"])
@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("name: é".encode("utf-16"), ": this is UTF-16, not UTF-8 text"),
        ("name: é".encode("utf-16-le"), ":1:2: byte 1 (0x00) is NUL, which no"),
        (b"name: x\nn: \xe9t\xe9", ":2:4: byte 11 (0xe9) is not UTF-8 text"),
        (b"name: \xc3\xa9\0", ":1:8: byte 8 (0x00) is NUL"),
        (b"name: a\x1bb", ":1:8: byte 7 (0x1b) is a control character"),
        (b"PK\x03\x04...", ": this is a zip archive"),
    ],
)
def test_bytes_that_are_no_text_are_named(file, name, data, what):
    assert message(file(name, data)).startswith(name + what)


def test_what_cannot_be_read_is_a_format_error_and_what_contradicts_a_problem_error():
    with pytest.raises(FormatError, match=r"text:1:14 actions\.a: a list"):
        read_text("actions: {a: []}")
    with pytest.raises(ProblemError, match=r"text:1:15 actions\.a\.outcomes: .*not 1"):
        read_text("actions: {a: {outcomes: {x: 0.5, y: 0.2}}}")


def test_check_gives_warnings_and_read_ignores_them(file):
    path = file("oil.yaml", "actions: {a: {outcomes: {x: 1}}}\nrewards: []\n")
    problem, issues = check_file(path)
    assert problem == read(path)
    assert issues
    assert {issue.severity for issue in issues} == {"warning"}
    assert all(issue.where.startswith(f"{path}:") for issue in issues)


def test_check_gives_no_problem_that_contradicts_itself(file):
    path = file("oil.yaml", "actions: {a: {cost: -1, outcomes: {x: 1}}}")
    problem, issues = check_file(path)
    assert problem is None
    assert issues[0].where == f"{path}:1:21 actions.a.cost"


@pytest.mark.parametrize("is_large", [False, True])
def test_only_a_large_file_keeps_garbage_from_being_looked_for(monkeypatch, is_large):
    """What is there afterwards then counts as old, and garbage of others with it."""
    text = YAML + "#" * 60_000 * is_large
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 0)
    aged = []
    monkeypatch.setattr(gc, "freeze", lambda: aged.append(gc.isenabled()))
    monkeypatch.setattr(gc, "unfreeze", lambda: None)

    assert read_text(text).name == ""
    assert aged == [False] * is_large
    assert gc.isenabled()


def test_importing_the_reader_loads_no_library():
    """Start-up time is felt, so YAML and xlsx are loaded where they are needed."""
    code = (
        "import sys, branchwise.formats.read, branchwise.formats.write; "
        "print({'yaml', 'openpyxl', 'python_calamine'} & set(sys.modules))"
    )
    path = os.pathsep.join(sys.path)
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert run.stdout.strip() == "set()"


def test_a_file_that_is_elsewhere_is_found(tmp_path, monkeypatch):
    """Without its ending, in a folder with a slip in its name, or further down."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problems").mkdir()
    (tmp_path / "problems" / "oil.csv").write_text("x")
    (tmp_path / "problems" / "oil.yaml").write_text("x")

    for name in ("problems/oil", "problms/oil.yaml", "oil.yaml"):
        with pytest.raises(FormatError, match=r"write `problems/oil\.yaml`"):
            read(name)
