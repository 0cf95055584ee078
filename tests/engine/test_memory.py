"""When memory runs out there is a plan, or an error in words: never a crash."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

INSTANCES = Path(__file__).parents[2] / "benchmarks" / "instances"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="memory is limited and measured by means of Linux"
)

# Limits count from what the process holds before it solves, so that they do not depend
# on what Python and its packages take. `--cap` is for what the system gives it, the
# rest is a memory limit of ours.
SOLVING = """
import json, resource, sys
import branchwise
from branchwise._core import resident_bytes

problem = branchwise.read(sys.argv[1])
room, is_cap, how = int(sys.argv[2]), sys.argv[3] == "cap", json.loads(sys.argv[4])
coin = branchwise.Action("coin", outcomes={"heads": 0.5, "tails": 0.5})
small = branchwise.Problem([coin], [branchwise.Reward(coin["heads"], 1)])
branchwise.solve(small, engine=how.get("engine", "auto"))
limit = None
if is_cap:
    pages = int(open("/proc/self/statm").read().split()[0])
    size = pages * resource.getpagesize() + room
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
else:
    limit = resident_bytes() + room
try:
    solution = branchwise.solve(problem, memory_limit_bytes=limit, **how)
except branchwise.LimitError as error:
    print(json.dumps({"error": str(error)}))
else:
    # Not that of `getrusage`, which counts what the process was forked from.
    [peak] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    peak = int(peak.split()[1]) * 1024
    print(json.dumps({
        "status": str(solution.status),
        "reward": solution.expected_reward,
        "bound": solution.upper_bound,
        "evaluated": float(branchwise.evaluate(solution.tree, problem)),
        "peak": peak / (limit or peak),
    }))
"""


def solved(name, megabytes, kind, **how):
    """Solve with so much memory more than before, in a process of its own."""
    process = subprocess.run(
        [
            sys.executable,
            "-c",
            SOLVING,
            INSTANCES / f"{name}.yaml",
            str(int(megabytes * (1 << 20))),
            kind,
            json.dumps(how),
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
    return json.loads(process.stdout)


@pytest.mark.parametrize("search", ["exhaustive", "best-first", "auto"])
def test_a_system_without_memory_leaves_the_plan_in_hand(search):
    found = solved("hard-60", 32, "cap", search=search, num_threads=2)

    assert found["status"] == "memory limit"
    assert 0 < found["reward"] < found["bound"]
    assert found["evaluated"] == pytest.approx(found["reward"])


@pytest.mark.parametrize("megabytes", [6, 10.5, 16.5, 22.5])
def test_a_thread_whose_first_exception_is_about_memory_does_not_end_the_process(
    megabytes,
):
    """A thread's first exception takes memory; without it, the C library gives up."""
    found = solved("hard-60", megabytes, "cap", search="auto", num_threads=2)

    assert "error" in found or found["status"] == "memory limit"


@pytest.mark.parametrize("engine", ["paper", "reference"])
def test_an_engine_with_nothing_to_show_says_that_memory_ran_out(engine):
    found = solved("hard-60", 24, "cap", engine=engine)

    assert found["error"].startswith("memory ran out before there was anything to show")


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
def test_a_memory_limit_is_kept_within_five_percent_and_leaves_a_plan(search):
    found = solved("hard-100", 40, "limit", search=search, num_threads=2)

    assert found["status"] == "memory limit"
    assert found["peak"] < 1.05
    assert 10 < found["reward"] < found["bound"] < 100
    assert found["evaluated"] == pytest.approx(found["reward"])


def test_a_memory_limit_below_what_is_held_already_still_leaves_a_plan():
    found = solved("hard-60", 0, "limit", search="best-first")

    assert found["status"] == "memory limit"
    assert found["evaluated"] == pytest.approx(found["reward"])
