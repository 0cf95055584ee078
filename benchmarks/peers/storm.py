"""
Storm at its best, to be compared with.

`PYTHONPATH=benchmarks python -m peers.storm oil.yaml --budget 15` prints what each way
to use Storm takes. Every model is checked in a process of its own, which is ended when
it takes too long or too much. Starting Storm is not counted, nor is finding rewarding
sets for it.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from page.results_page import BENCHMARKS
from peers import storm_models

import branchwise

WORKER = BENCHMARKS / "peers" / "storm_worker.py"
WAYS = {
    "sparse, naive": storm_models.naive,
    "sparse, pruned": storm_models.pruned,
    "symbolic": storm_models.symbolic,
    "symbolic, small tables": storm_models.symbolic_in_small_tables,
}


@dataclass(frozen=True)
class Run:
    """What came of one way: an answer, or why there is none."""

    way: str
    value: float | None = None
    num_states: int | None = None
    build_seconds: float = 0.0
    check_seconds: float = 0.0
    cpu_seconds: float = 0.0
    failure: str = ""

    @property
    def seconds(self):
        """
        How long it took to parse, build and check.

        By the clock, or by what its only thread worked, if others kept it waiting: that
        is what it is given time for.
        """
        return min(self.build_seconds + self.check_seconds, self.cpu_seconds)

    def row(self):
        if self.failure:
            return f"| {self.way} | | | | {self.failure} |"
        return (
            f"| {self.way} | {self.value:.10g} | {self.num_states:,} "
            f"| {self.build_seconds:.2f} | {self.check_seconds:.2f} |"
        )


def run(problem, way, *, time_limit_seconds=600, memory_limit_mb=8000):
    """Let Storm solve a problem in one of the `WAYS`, within limits."""
    model = WAYS[way](problem)
    task = {
        "text": model.text,
        "asked": model.property,
        "engine_name": model.engine,
        "tables_mb": model.tables_mb,
    }
    with subprocess.Popen(
        [sys.executable, str(WORKER)],
        env={**os.environ, "PYTHONPATH": str(BENCHMARKS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as worker:
        try:
            worker.stdin.write(json.dumps(task))
            worker.stdin.close()
            failure = _failure(worker, time_limit_seconds, memory_limit_mb)
            output = "" if failure else worker.stdout.read().strip()
        finally:
            worker.kill()
    if failure:
        return Run(way, failure=failure)
    if worker.returncode == -signal.SIGTERM:
        # We end it in another way, so somebody else did: that says nothing of Storm.
        raise InterruptedError(f"somebody ended Storm ({way}); measure again")
    if worker.returncode:
        last = output.splitlines()[-1] if output else f"exit code {worker.returncode}"
        return Run(way, failure=f"Storm failed: {last}")
    found = json.loads(output.splitlines()[-1])
    value = model.expected_reward(found.pop("result"))
    return Run(way, value, **found)


def best_of(problem, time_limit_seconds=600, memory_limit_mb=8000):
    """
    Give the run of the fastest way, or one that says that there is none in the time.

    The ways run one after the other, and none for longer than the best before it.
    """
    best = Run("none", failure=f"none in {time_limit_seconds:g} s")
    failures = []
    limit = time_limit_seconds
    for way in sorted(WAYS, key="sparse, naive".__eq__):  # most promising first
        found = run(
            problem, way, time_limit_seconds=limit, memory_limit_mb=memory_limit_mb
        )
        if not found.failure and found.seconds <= limit:
            best, limit = found, found.seconds
        elif found.failure and not found.failure.startswith("none in"):
            failures.append(f"{way}: {found.failure}")
    if best.failure and failures:
        return replace(best, failure="; ".join([best.failure, *failures]))
    return best


def _failure(worker, time_limit_seconds, memory_limit_mb):
    """Wait until the worker is done; say why, if it must be ended before."""
    # It says when it has started, so that only Storm's own work is timed: as it has one
    # thread, by what that works, and not by what others take from it.
    worker.stdout.readline()
    before = _cpu_seconds(worker.pid)
    while worker.poll() is None:
        if _memory_mb(worker.pid) > memory_limit_mb:
            return f"more than {memory_limit_mb:,} MB"
        if _cpu_seconds(worker.pid) - before >= time_limit_seconds:
            return f"none in {time_limit_seconds:.3g} s"
        time.sleep(0.02)
    return ""


def _cpu_seconds(pid):
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return time.monotonic()  # This system does not tell.
    user, system = status.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid):
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0  # It has just ended, or this system does not tell.
    lines = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(lines[0].split()[1]) / 1024 if lines else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--budget", help="instead of the file's")
    parser.add_argument("--time-limit", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--memory-limit", type=float, default=8000, metavar="MB")
    chosen = parser.parse_args(arguments)
    for file in chosen.files:
        problem = branchwise.read(file)
        if chosen.budget:
            problem = problem.with_budget(chosen.budget)
        print(f"{file}, budget {problem.budget}\n")
        print("| way | value | states | build (s) | check (s) |")
        print("|---|---|---|---|---|")
        for way in WAYS:
            found = run(
                problem,
                way,
                time_limit_seconds=chosen.time_limit,
                memory_limit_mb=chosen.memory_limit,
            )
            print(found.row(), flush=True)
        print()


if __name__ == "__main__":
    main()
