"""The worst files are read or refused: soon, in little memory, in few words."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from branchwise.errors import FormatError
from branchwise.formats import file_limits
from branchwise.formats.read import check_file, read_text
from trials import hostile_files

MOST_SECONDS = 60  # ten, on a machine that does nothing else
MOST_MEGABYTES = 560  # of which the program itself has sixty
ADDRESS_SPACE = 1_500 * 2**20
PORTION = 8  # in one process

# Reads each file, and tells what came of it and how much memory that took so far.
READER = """
import sys, time
from pathlib import Path
from branchwise import FormatError
from branchwise.formats import check_file

def peak():
    # Not that of `getrusage`, which counts what the process was forked from.
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

for path in sys.argv[1:]:
    began = time.process_time()
    problem, issues = check_file(path)
    text = str(FormatError(issues)) if issues else ""
    spent = time.process_time() - began
    told = (problem is None, text.count("\\n") + 1, len(text), peak() // 1024, spent)
    print(*map(int, told), text[:60].encode("ascii", "replace"))
"""

WORST = hostile_files.worst()


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def reports(paths):
    """What the reader has to say of each file."""
    run = subprocess.run(
        [sys.executable, "-c", READER, *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.splitlines()


def test_there_are_at_least_sixty():
    assert len({name for name, _ in WORST}) == len(WORST) >= 60


@pytest.mark.parametrize("first", range(0, len(WORST), PORTION))
def test_the_worst_files_are_read_or_refused_soon_in_little_memory(first, tmp_path):
    portion = WORST[first : first + PORTION]
    paths = [tmp_path / name for name, _ in portion]
    for path, (_, make) in zip(paths, portion, strict=True):
        path.write_bytes(make())
    lines = reports(paths)
    assert len(lines) == len(portion)
    for (name, _), line in zip(portion, lines, strict=True):
        _, num_lines, length, peak, seconds = map(int, line.split()[:5])
        assert num_lines <= 25, (name, line)
        assert length <= 25 * 450, (name, line)
        assert peak <= MOST_MEGABYTES, (name, line)
        assert seconds <= MOST_SECONDS, (name, line)


def test_a_hundred_thousand_actions_are_no_hostile_file(tmp_path):
    """Every limit leaves room for them; how long they take is measured by hand."""
    path = tmp_path / "large.yaml"
    lines = (
        f"  a{i}: {{requires: a{i - 1}=ok, outcomes: {{ok: 0.6, fail: 0.4}}}}\n"
        for i in range(1, 20_000)
    )
    first = "actions:\n  a0: {outcomes: {ok: 0.6, fail: 0.4}}\n"
    path.write_text(first + "".join(lines))
    size, marks = path.stat().st_size, path.read_bytes()
    problem, _ = check_file(path)

    assert problem is not None
    assert 5 * size <= file_limits.LARGEST_FILE
    count = sum(marks.count(mark) for mark in (b",", b":", b"[", b"{", b"\n"))
    assert 5 * count <= file_limits.MOST_MARKS


LARGE_PARTS = {
    "typical": "  a{0}:\n    cost: {0}\n    requires: a0=ok\n    outcomes: {{ok: 1}}\n",
    "flow": "  a{0}: {{cost: 1, outcomes: {{ok: 0.{0:06}, no: rest}}}}\n",
    "left to the parser": "  a{0}: {{ cost: !x 1, outcomes: {{ok: 1}} }}\n",
    "wrong": "  a{0}: {{cost: many, outcomes: {{ok: 2}}}}\n",
}


@pytest.mark.parametrize("kind", LARGE_PARTS)
def test_time_to_read_grows_with_the_file_and_no_faster(kind, tmp_path):
    spent = []
    for num_actions in (2_000, 8_000):
        path = tmp_path / f"{num_actions}.yaml"
        lines = (LARGE_PARTS[kind].format(i) for i in range(1, num_actions))
        path.write_text("actions:\n  a0: {outcomes: {ok: 1}}\n" + "".join(lines))
        times = []
        for _ in range(2):
            began = time.process_time()
            check_file(path)
            times.append(time.process_time() - began)
        spent.append(min(times))
    assert spent[1] <= 4 * 3 * spent[0]


def test_what_stands_in_a_wrong_place_throughout_is_refused_before_its_end():
    for text, wrong in (
        (f"name: [{'a,' * 150_000}]", r"name\.\d+: "),
        (f"actions: {{{'a,' * 150_000}}}", r"actions\.a: "),
        ("name:\n" + "- a\n" * 200_000, r"name\.\d+: "),
        ("actions:\n" + "  a: b\n" * 200_000, r"actions(\.a)?: "),
        ("- a\n" * 200_000, r"\d+: "),
    ):
        with pytest.raises(FormatError, match=f"{wrong}100,000 values and brackets"):
            read_text(text)


def test_many_issues_are_counted_and_long_ones_cut():
    actions = ", ".join(f"a{i}: {{outcomes: {{x: 2}}}}" for i in range(200))
    with pytest.raises(ValueError, match="and 190 more") as caught:
        read_text(f"actions: {{{actions}}}")
    assert str(caught.value).count("\n") == 20
    with pytest.raises(FormatError) as caught:
        read_text(f"actions: {{{'x' * 100_000}: []}}")
    assert max(map(len, str(caught.value).splitlines())) < 900


def test_no_escape_in_a_file_name_reaches_the_terminal(tmp_path):
    name = "oil\x1b[2J\u202e.yaml"
    (tmp_path / name).write_text("actions: {}")
    for path in (tmp_path / name, tmp_path / "oil.yaml"):
        _, issues = check_file(path)
        text = str(FormatError(issues))
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert Path(path).name in text or "\\x1b[2J\\u202e" in text
