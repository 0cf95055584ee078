"""Solve a problem with a compiled module from elsewhere, for a profiler to watch."""

import importlib.util
import json
import sys
from pathlib import Path


def load_core(file):
    """Take this compiled module for the one of the package."""
    spec = importlib.util.spec_from_file_location("branchwise._core", file)
    core = importlib.util.module_from_spec(spec)
    sys.modules["branchwise._core"] = core
    spec.loader.exec_module(core)


def solve(problem_file, result_file):
    """Explore every canonical state, with one thread; write down what there was."""
    from branchwise import read  # noqa: PLC0415
    from branchwise.engine.canonical import CanonicalSolver  # noqa: PLC0415

    solver = CanonicalSolver(read(problem_file), num_threads=1)
    found = solver.solve(search="exhaustive").statistics
    result = {"states": found.full_graph_states, "num_bytes": found.num_bytes}
    Path(result_file).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    load_core(sys.argv[1])
    solve(sys.argv[2], sys.argv[3])
