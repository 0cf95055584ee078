"""Limits hold for a whole command, and signals end it in order."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import branchwise
from branchwise.cli.clock import Clock
from branchwise.cli.delivery import Outputs, deliver
from branchwise.cli.terminal.signals import cancelled_by_interruption
from patience import children_seconds

INSTANCES = Path(__file__).parents[3] / "benchmarks" / "instances"

# A plan with a million states in a row.
REPEATED = """
budget: 3
actions:
  test: {attempts: 1000000, cost: 0, outcomes: {good: 0.4, bad: 0.6}}
  drill: {cost: 2, requires: test=good, outcomes: {oil: 0.5, dry: rest}}
rewards:
  - {when: drill=oil, value: 200}
"""


@pytest.mark.parametrize("options", [[], ["-q"], ["--all"], ["--json", "plan.json"]])
def test_a_time_limit_holds_for_what_comes_after_solving(start, folder, options):
    """Walking such a plan takes ten seconds and more."""
    (folder / "repeated.yaml").write_text(REPEATED)
    begin = children_seconds()
    process = start("solve", "repeated.yaml", "--time-limit", "1", *options)
    out, _ = process.communicate(timeout=250)

    assert children_seconds() - begin < 8
    assert b"first action test" in out
    assert process.returncode in (0, 2)


def test_what_robustness_costs_does_not_outlive_the_time_limit(start, folder):
    text = REPEATED.replace("good: 0.4", "good: '0.4 [0.3, 0.5]'").replace(
        "0.6", "rest"
    )
    (folder / "repeated.yaml").write_text(text)
    begin = children_seconds()
    process = start("solve", "-q", "repeated.yaml", "--robust", "--time-limit", "1")
    out, _ = process.communicate(timeout=250)

    assert children_seconds() - begin < 8
    assert b"worst case" in out


def test_a_huge_gamma_takes_no_longer_than_a_useful_one(run, example):
    """No path of the example has more than six actions."""
    huge, useful = (
        run("solve", "-q", example, "--robust", "--distance", "5%", "--gamma", gamma)
        for gamma in (10**9, 6)
    )

    assert huge.exit_code == 0
    assert huge.output.splitlines()[1] == useful.output.splitlines()[1]


def test_a_file_that_there_is_no_time_for_does_not_take_the_answer_with_it(
    example, folder, capsys
):
    solution = branchwise.solve(branchwise.read(example))
    outputs = Outputs(json_file="c.json", html_file="a.html", svg_file="b.svg")

    with (
        branchwise.deadline(1e-9),
        pytest.raises(
            branchwise.FormatError, match=r"a.html: the file is not written: the time"
        ),
    ):
        deliver(solution, outputs)

    assert "first action a1" in capsys.readouterr().out
    # Data ends where the time does, and so is always there.
    assert {path.name for path in folder.iterdir()} == {example, "c.json"}


def test_a_file_that_there_is_no_memory_for_does_not_take_the_answer_with_it(
    example, monkeypatch, capsys
):
    def fail(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr(branchwise, "render", fail)
    solution = branchwise.solve(branchwise.read(example))

    with pytest.raises(branchwise.FormatError, match="there is not enough memory"):
        deliver(solution, Outputs(json_file=None, html_file="a.html"))

    assert "first action a1" in capsys.readouterr().out


def test_memory_that_runs_out_anywhere_is_an_error_in_words(run, example, monkeypatch):
    def fail(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr(branchwise, "solve", fail)

    result = run("solve", example)

    assert result.exit_code == 2
    assert result.stderr == "there is not enough memory for this\n"


def test_files_are_given_a_share_of_the_time_limit():
    assert Clock(None).seconds_to_solve(has_files=True) is None
    assert Clock(100).seconds_to_solve(has_files=False) == pytest.approx(100, abs=0.5)
    assert Clock(100).seconds_to_solve(has_files=True) == pytest.approx(97, abs=0.5)
    assert Clock(2).seconds_to_solve(has_files=True) == pytest.approx(1.8, abs=0.2)
    assert Clock(1e-9).seconds_to_show(has_files=False) == pytest.approx(0.4, abs=0.1)
    assert Clock(1e-9).seconds_to_show(has_files=True) == pytest.approx(2, abs=0.1)


def test_the_first_interruption_asks_and_the_second_one_insists():
    with cancelled_by_interruption() as cancel:
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel.is_set()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


INTERRUPTED_SOLVING = """
import os, signal, sys, threading
import branchwise

seconds, solve = float(sys.argv.pop(1)), branchwise.solve

def interrupted(*arguments, **how):
    interrupt = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    return solve(*arguments, **how)

branchwise.solve = interrupted
from branchwise.__main__ import main
main()
"""


@pytest.mark.parametrize("seconds", [0.0, 0.3, 1.5])
@pytest.mark.parametrize("search", ["exhaustive", "best-first", "auto"])
def test_an_interruption_at_any_time_of_solving_leaves_a_plan(search, seconds):
    process = subprocess.run(
        [
            *(sys.executable, "-c", INTERRUPTED_SOLVING, str(seconds)),
            *("solve", "-q", INSTANCES / "hard-100.yaml", "--search", search),
        ],
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert process.returncode == 130
    assert b"interrupted)" in process.stdout
    assert process.stderr == b"interrupted\n"


INTERRUPTED_IMPORT = """
import sys

module = sys.argv.pop(1)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from branchwise.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["click", "branchwise.cli.manual"])
def test_an_interruption_while_the_command_is_loaded_is_quiet(module):
    process = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, module],
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (process.returncode, process.stdout, process.stderr) == (130, b"", b"")
