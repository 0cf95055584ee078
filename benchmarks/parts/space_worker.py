"""
Solve one state space of one's own, and print what that took.

`python benchmarks/parts/space_worker.py arrays 40` solves the trial of 40 patients in
arrays; `plain` and `reference` ask it state by state. It is a process of its own, so
that the memory it takes is its own, too.
"""

import json
import resource
import sys
import time

import numpy as np

from branchwise import ArrayTransitions, AvailableAction, Transition, solve


class Trial:
    """Two drugs with uniform priors, and so many patients."""

    def __init__(self, patients):
        self.patients = patients
        self.root = (0, 0, 0, 0)

    def actions(self, results):
        a, b, c, d = results
        if a + b + c + d == self.patients:
            return []
        p, q = (a + 1) / (a + b + 2), (c + 1) / (c + d + 2)
        return [
            AvailableAction(
                "a",
                (
                    Transition("worked", p, (a + 1, b, c, d)),
                    Transition("failed", 1 - p, (a, b + 1, c, d)),
                ),
            ),
            AvailableAction(
                "b",
                (
                    Transition("worked", q, (a, b, c + 1, d)),
                    Transition("failed", 1 - q, (a, b, c, d + 1)),
                ),
            ),
        ]

    def reward(self, results):
        return results[0] + results[2]


class ArrayTrial:
    """The same in arrays."""

    action_names = ("a", "b")
    outcome_names = ("worked", "failed")

    def __init__(self, patients):
        self.patients = patients
        self.root = [0, 0, 0, 0]

    def expand(self, states):
        live = np.flatnonzero(states.sum(axis=1) < self.patients)
        parts = []
        for action in (0, 1):
            worked, failed = (states[live, 2 * action + i] + 1 for i in (0, 1))
            chance = worked / (worked + failed)
            for outcome, probability in ((0, chance), (1, 1 - chance)):
                after = states[live]
                after[:, 2 * action + outcome] += 1
                ids = np.full((2, len(live)), [[action], [outcome]])
                parts.append((live, *ids, probability, after))
        columns = (np.concatenate(part) for part in zip(*parts, strict=True))
        return ArrayTransitions(*columns)

    def reward(self, states):
        return states[:, 0] + states[:, 2]


def solved(way, patients):
    """Solve the trial in one of the ways."""
    if way == "arrays":
        return solve(ArrayTrial(patients))
    return solve(Trial(patients), engine="reference" if way == "reference" else "auto")


def main(way, patients):
    start, worked = time.perf_counter(), time.process_time()
    solution = solved(way, int(patients))
    found = {
        "way": way,
        "patients": int(patients),
        "expected_reward": solution.expected_reward,
        "states": solution.statistics.full_graph_states,
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - worked,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
