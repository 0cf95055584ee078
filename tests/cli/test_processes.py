"""What only a process of its own can show: pipes, signals and terminals."""

import json
import os
import pty
import re
import shutil
import signal
import time
from pathlib import Path

import pytest

INSTANCES = Path(__file__).parents[2] / "benchmarks" / "instances"


def seen_on(terminal, text, seconds=60):
    """Read a terminal until a text appears."""
    seen, deadline = "", time.monotonic() + seconds
    while text not in seen:
        assert time.monotonic() < deadline, f"no {text!r} in {seen!r}"
        seen += os.read(terminal, 4096).decode()
    return seen


def rest_of(terminal):
    seen = b""
    try:
        while part := os.read(terminal, 4096):
            seen += part
    except OSError:  # the other end is closed
        pass
    return seen.decode()


@pytest.fixture
def terminal():
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


@pytest.mark.parametrize("options", [["--all"], ["--json", "-"]])
def test_a_reader_who_has_seen_enough_is_no_error(start, independent, options):
    process = start("solve", independent(7), *options)
    process.stdout.readline()
    process.stdout.close()

    assert process.wait(60) == 0
    assert process.stderr.read() == b""


def test_a_full_disk_is_an_error_in_words(start, example):
    with Path("/dev/full").open("w") as full:
        process = start("solve", example, stdout=full)

        assert process.wait(60) == 2
        assert process.stderr.read() == b"cannot write: No space left on device\n"


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_to_a_full_disk_is_an_error_in_words(start, folder, option):
    with Path("/dev/full").open("w") as full:
        process = start(option, stdout=full)

        assert process.wait(60) == 2
        assert process.stderr.read() == b"cannot write: No space left on device\n"


def closing(*numbers):
    """Close standard streams before the program begins."""

    def close():
        for number in numbers:
            os.close(number)

    return close


def test_a_closed_output_is_an_error_in_words_and_files_are_written(start, example):
    process = start("solve", example, "--json", "a.json", preexec_fn=closing(1))

    assert process.wait(60) == 2
    assert process.stderr.read() == b"cannot write: the standard output is closed\n"
    assert json.loads(Path("a.json").read_text())["status"] == "optimal"


def test_a_closed_input_is_an_error_in_words(start, folder):
    process = start("solve", "-", preexec_fn=closing(0))

    assert process.wait(60) == 2
    assert b"the standard input is closed; name a file" in process.stderr.read()


@pytest.mark.parametrize("name", ["illustrative.yaml", "missing.yaml"])
def test_errors_that_cannot_be_shown_do_no_harm(start, example, name):
    closed = start("solve", name, "-q", preexec_fn=closing(2))
    with Path("/dev/full").open("w") as full:
        lost = start("solve", name, "-q", stderr=full)

    for process in (closed, lost):
        shown, _ = process.communicate(timeout=60)
        assert process.returncode == (0 if name == example else 2)
        assert (b"expected reward 8.43672" in shown) is (name == example)


def test_without_any_stream_there_is_an_exit_code_and_the_journal_is_only_that(
    start, example, folder
):
    """The journal would be the standard output if that number were free."""
    process = start("follow", example, preexec_fn=closing(1, 2))

    assert process.wait(60) == 2
    assert {each.name for each in folder.iterdir()} <= {example, f"{example}.journal"}
    journal = Path(f"{example}.journal")
    assert not journal.exists() or len(journal.read_text().splitlines()) == 1


def test_interrupting_says_so_and_leaves_nothing(start, independent, folder, terminal):
    """Without pruning, fifteen actions make 3^15 states: too many to wait for."""
    ours, theirs = terminal
    file = independent(15)
    process = start("solve", file, "--naive", "--json", "answer.json", stderr=theirs)
    os.close(theirs)
    seen_on(ours, " states, ")
    process.send_signal(signal.SIGINT)

    assert process.wait(60) == 130
    reported = rest_of(ours)
    assert reported.endswith("\x1b[2Kinterrupted\r\n")
    assert "Traceback" not in reported
    assert process.stdout.read() == b""
    assert [each.name for each in folder.iterdir()] == [file]


@pytest.fixture
def large(folder):
    """A problem that would take forever."""
    return Path(shutil.copy(INSTANCES / "hard-60.yaml", folder)).name


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_whatever_asks_a_search_to_end_gets_the_best_plan_so_far(
    start, large, terminal, number, code
):
    ours, theirs = terminal
    options = ("--search", "best-first", "--json", "answer.json")
    process = start("solve", large, *options, stderr=theirs)
    os.close(theirs)
    seen_on(ours, ", gap ")
    process.send_signal(number)
    shown, _ = process.communicate(timeout=60)

    assert process.returncode == code
    assert re.search(
        rb"first action a\d+, no plan is worth more than .* interrupted", shown
    )
    assert b"ties not settled" in shown
    assert rest_of(ours).endswith("interrupted\r\n")
    assert json.loads(Path("answer.json").read_text())["status"] == "interrupted"


def test_interrupting_leaves_whole_json_behind(start, large, terminal):
    ours, theirs = terminal
    process = start(
        "solve", large, "--search", "best-first", "--json", "-", stderr=theirs
    )
    os.close(theirs)
    seen_on(ours, ", gap ")
    process.send_signal(signal.SIGINT)
    shown, _ = process.communicate(timeout=60)

    assert process.returncode == 130
    assert json.loads(shown)["status"] == "interrupted"


@pytest.mark.parametrize("options", [["-q"], ["--json", "-"]])
def test_progress_is_for_terminals_only(start, large, options):
    process = start("solve", large, "--time-limit", "1.5", *options)
    _, reported = process.communicate(timeout=60)

    assert process.returncode == 0
    assert reported == b""


def test_a_terminal_gets_colors_and_lines_that_fit(start, example, terminal):
    ours, theirs = terminal
    environment = {"COLUMNS": "40", "TERM": "xterm", "NO_COLOR": ""}
    process = start("solve", example, stdout=theirs, environment=environment)
    os.close(theirs)
    shown = rest_of(ours)

    assert process.wait(60) == 0
    assert "\x1b[36m\x1b[1ma1\x1b[0m" in shown
    assert ", see [1]" in shown
    lines = re.sub("\x1b[^m]*m", "", shown).split("\r\n")
    assert max(map(len, lines[3:])) <= 40


def test_colors_can_be_turned_off(start, example, terminal):
    ours, theirs = terminal
    process = start("solve", example, stdout=theirs, environment={"NO_COLOR": "1"})
    os.close(theirs)

    assert "\x1b" not in rest_of(ours)
    assert process.wait(60) == 0


def test_a_name_the_terminal_cannot_show_is_written_as_codes(start, folder):
    (folder / "oil.yaml").write_text(
        "actions: {試掘: {outcomes: {oil: 0.5, dry: 0.5}}}\n"
        "rewards: [{when: 試掘=oil, value: 2}]",
        encoding="utf-8",
    )
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = start("solve", "oil.yaml", environment=environment)
    shown, reported = process.communicate()

    assert rb"first action \u8a66\u6398" in shown
    assert reported == b""
    assert process.returncode == 0
