import io
import re
import subprocess
import sys
import time
from threading import Event

import pytest

from branchwise.cli.terminal import progress as module
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.tree import Progress, Stage


class Terminal(io.StringIO):
    """A terminal that can be waited for, however busy the machine is."""

    def isatty(self):
        return True

    def wait_for(self, words, times=1):
        until = time.monotonic() + 60
        while self.getvalue().count(words) < times and time.monotonic() < until:
            time.sleep(0.005)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)
    return Terminal()


def test_shows_stage_and_states_and_clears_the_line(terminal):
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.FULL_GRAPH, 12345))
        terminal.wait_for("full graph")

    shown = terminal.getvalue()
    assert " full graph: 12,345 states, " in shown
    assert re.search(r"\d:\d\d:\d\d", shown)
    assert shown.endswith("\x1b[2K")


def test_shows_bounds_and_gap_where_there_are_any(terminal):
    """From 30 to 40 the gap is 10 of 40: a quarter of the upper bound."""
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.SEARCHING, 12345, 30.0, 40.0))
        terminal.wait_for("searching")

    shown = terminal.getvalue()
    assert " searching: 12,345 states, " in shown
    assert ", 30 to 40, gap 25.00%" in shown


def test_bounds_that_print_alike_are_one_number_and_what_is_still_done(terminal):
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.SEARCHING, 12345, 0.00286896, 0.0028689600001))
        terminal.wait_for("searching")
        progress(Progress(Stage.SETTLING_TIES, 12345, 0.00286896, 0.00286896))
        terminal.wait_for("settling ties")

    shown = terminal.getvalue()
    assert ", worth 0.00286896, proving it" in shown
    assert " settling ties: 12,345 states, " in shown
    assert "a second, worth 0.00286896" in shown
    assert " to " not in shown
    assert "gap" not in shown


class Clock:
    """A clock on which a wait of any length takes a few seconds."""

    def __init__(self, seconds):
        self.now, self.seconds = 0.0, seconds

    def monotonic(self):
        self.now += self.seconds
        return self.now


def shown_after(terminal, monkeypatch, seconds, bounds, *, suggests_gap=True):
    monkeypatch.setattr(module, "time", Clock(seconds))
    with TerminalProgress(stream=terminal, suggests_gap=suggests_gap) as progress:
        progress(Progress(Stage.SEARCHING, 12345, *bounds))
        if terminal.isatty():
            terminal.wait_for("searching", times=8)
    return terminal.getvalue()


SUGGESTION = "still 4.2 % between the plan and its bound: --gap 5% would stop now"


def test_a_gap_is_suggested_once_where_it_takes_very_long(terminal, monkeypatch):
    """From 95.8 to 100 the gap is 4.2 of 100; the next in a round number is 5 %."""
    shown = shown_after(terminal, monkeypatch, 3, (95.8, 100.0))

    assert shown.count(SUGGESTION) == 1


@pytest.mark.parametrize(
    ("seconds", "bounds", "suggests_gap"),
    [
        (0.001, (95.8, 100.0), True),  # not yet
        (3, (95.8, 100.0), False),  # one was asked for, or there is none
        (3, (), True),  # nothing is known
        (3, (100.0, 100.0), True),  # there is none left
        (3, (10.0, 100.0), True),  # none that anyone would ask for
    ],
)
def test_no_gap_is_suggested_where_none_helps(
    terminal, monkeypatch, seconds, bounds, suggests_gap
):
    shown = shown_after(
        terminal, monkeypatch, seconds, bounds, suggests_gap=suggests_gap
    )

    assert "searching: 12,345 states" in shown
    assert "--gap" not in shown


def test_no_gap_is_suggested_where_there_is_no_terminal(monkeypatch):
    assert shown_after(io.StringIO(), monkeypatch, 3, (95.8, 100.0)) == ""


def test_a_bound_alone_is_not_shown(terminal):
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.SEARCHING, 12345, lower_bound=30.0))
        terminal.wait_for("searching", times=2)

    assert "gap" not in terminal.getvalue()


def test_says_nothing_when_it_is_over_soon(terminal, monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 60)
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.FULL_GRAPH, 12345))

    assert terminal.getvalue() == ""


def test_shows_nothing_when_asked_to(terminal):
    with TerminalProgress(is_on=False, stream=terminal) as progress:
        progress(Progress(Stage.FULL_GRAPH, 12345))
        time.sleep(0.1)

    assert terminal.getvalue() == ""


def test_never_wraps_on_a_narrow_terminal(terminal, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.FULL_GRAPH, 12345))
        terminal.wait_for("full", times=2)

    seen = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", terminal.getvalue())
    assert max(map(len, re.split("[\r\n]+", seen))) <= 20


def test_says_nothing_where_there_is_no_terminal():
    file = io.StringIO()
    with TerminalProgress(stream=file) as progress:
        progress(Progress(Stage.FULL_GRAPH, 12345))

    assert file.getvalue() == ""


def test_taking_note_is_cheap():
    """It is called for every state: a million calls take well under a second."""
    progress = TerminalProgress(is_on=False)
    start = time.process_time()
    for count in range(100_000):
        progress(Progress(Stage.FULL_GRAPH, count))

    assert time.process_time() - start < 0.5


def test_a_terminal_that_is_gone_is_shown_nothing(terminal, monkeypatch):
    is_gone = Event()

    def gone(_):
        is_gone.set()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(terminal, "write", gone)
    with TerminalProgress(stream=terminal) as progress:
        progress(Progress(Stage.FULL_GRAPH, 12345))
        assert is_gone.wait(60)


NOTHING_LOADED = """
import sys
from branchwise.cli.main import program
try:
    program(sys.argv[1:])
except SystemExit as end:
    assert not end.code
print(sorted(name for name in sys.modules if name.split(".")[0] in {"rich", "jinja2"}))
"""


def test_rich_is_not_even_loaded_where_nothing_is_shown(example):
    command = [sys.executable, "-c", NOTHING_LOADED, "solve", example]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"
