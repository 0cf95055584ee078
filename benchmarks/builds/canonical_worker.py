"""Let the canonical engine solve one problem: a process of its own, as Storm has."""

import json
import sys
import time
from pathlib import Path

from builds.profile_driver import load_core
from clock import fastest

import branchwise


def check(text, options):
    """Return the value, the number of states, and how long each part took."""
    start, worked = time.perf_counter(), time.process_time()
    problem = branchwise.read_text(text)
    read, read_cpu = time.perf_counter(), time.process_time()
    solution = branchwise.solve(problem, engine="canonical", verify=False, **options)
    solved, solved_cpu = time.perf_counter(), time.process_time()
    found = solution.statistics
    return {
        "value": float(solution.expected_reward),
        "upper_bound": float(solution.upper_bound),
        "status": solution.status.value,
        "relative_gap": solution.relative_gap,
        "num_states": found.full_graph_states,
        "expanded": found.expanded_states,
        "num_bytes": found.num_bytes,
        "read_seconds": read - start,
        "solve_seconds": solved - read,
        "explore_seconds": found.seconds.full_graph,
        "solve_cpu_seconds": solved_cpu - read_cpu,
        "seconds": solved - start,
        "cpu_seconds": solved_cpu - worked,
    }


def use(source, core):
    """Make sure of the package that is measured, and take this compiled module."""
    if source is not None:
        assert Path(branchwise.__file__).is_relative_to(source), branchwise.__file__
    if core is not None:
        assert "branchwise._core" not in sys.modules, "its own is there already"
        load_core(core)


def answer(task):
    """Return the fastest run; of each part, what it took at least."""
    use(task.get("source"), task.get("core"))
    runs = []

    def run():
        runs.append(check(task["text"], task["options"]))
        return runs[-1]

    found = fastest(run, repeats=task.get("repeats", 5)).answer
    spent = [name for name in found if name.endswith("seconds")]
    return {**found, **{name: min(run[name] for run in runs) for name in spent}}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))
