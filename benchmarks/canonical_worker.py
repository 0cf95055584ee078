"""Let the canonical engine solve one problem: a process of its own, as Storm has."""

import json
import sys
import time

from clock import fastest

import branchwise


def check(text, options):
    """Give the value, the number of states, and how long each part took."""
    start, worked = time.perf_counter(), time.process_time()
    problem = branchwise.read_text(text)
    read = time.perf_counter()
    solution = branchwise.solve(problem, engine="canonical", verify=False, **options)
    solved, cpu_seconds = time.perf_counter(), time.process_time() - worked
    return {
        "value": solution.expected_reward,
        "status": solution.status.value,
        "relative_gap": solution.relative_gap,
        "num_states": solution.statistics.full_graph_states,
        "expanded": solution.statistics.expanded_states,
        "read_seconds": read - start,
        "solve_seconds": solved - read,
        "seconds": solved - start,
        "cpu_seconds": cpu_seconds,
    }


if __name__ == "__main__":
    task = json.load(sys.stdin)
    print(json.dumps(fastest(lambda: check(**task)).answer))
