"""The interpreter may end while threads of its own still solve."""

import subprocess
import sys
from pathlib import Path

import pytest

INSTANCES = Path(__file__).parents[2] / "benchmarks" / "instances"

ENDING = """
import sys, threading, time
import branchwise

problem = branchwise.read(sys.argv[1])
begun = threading.Barrier(3)

def work():
    begun.wait()
    {work}

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.4)
"""

SOLVING = "branchwise.solve(problem, {how}, num_threads={threads})"
LISTING = (
    "for _ in range(10**6): "
    "branchwise.rewarding.RewardingSets(problem).perfect_information"
)


def ended(work):
    return subprocess.run(
        [sys.executable, "-c", ENDING.format(work=work), INSTANCES / "hard-60.yaml"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "how",
    ['search="exhaustive"', 'search="best-first"', 'engine="paper"'],
)
def test_an_interpreter_that_ends_while_threads_solve_ends_quietly(how, threads):
    process = ended(SOLVING.format(how=how, threads=threads))

    assert (process.returncode, process.stderr) == (0, "")


def test_an_interpreter_that_ends_while_threads_list_sets_ends_quietly():
    process = ended(LISTING)

    assert (process.returncode, process.stderr) == (0, "")
