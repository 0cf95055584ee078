"""Solves one problem, in memory or in files, and writes down what that took."""

import json
import resource
import sys
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from registry.instances import HARD, MANY_STATES

import branchwise
from branchwise.engine.spill.spilled_solver import explored_layers

MOST_NODES = 10_000


def main(name, limit):
    """Solve, and print the figures as JSON."""
    every = (*HARD, *MANY_STATES)
    problem = next(each for each in every if each.name == name).problem()
    with TemporaryDirectory() as folder:
        where = {"spill": Path(folder) / "states", "memory_limit_bytes": limit}
        start, worked = perf_counter(), process_time()
        how = {"search": "exhaustive", "verify": False, **(where if limit else {})}
        found = branchwise.solve(problem, **how)
        said = {
            "name": name,
            "limit": limit or None,
            "seconds": perf_counter() - start,
            "cpu_seconds": process_time() - worked,
            "peak_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
            "states": found.statistics.full_graph_states,
            "answer": answer_of(found),
        }
        said |= files_of(problem, where["spill"]) if limit else {}
    print(json.dumps(said))


def answer_of(found):
    """All of an answer that is compared, as text."""
    nodes = islice(found.tree.walk(), MOST_NODES)
    statistics = found.statistics
    states = statistics.full_graph_states, statistics.reduced_graph_states
    shown = [found.expected_reward, found.tree.num_nodes, states]
    text = repr([shown, [(node.action, node.value) for node in nodes]])
    return sha256(text.encode()).hexdigest()


def files_of(problem, folder):
    """What is left in the folder, and how long each layer took."""
    return {
        "disk_bytes": sum(each.stat().st_size for each in folder.iterdir()),
        "parts": len(list(folder.glob("*.states"))),
        "layers": explored_layers(problem, folder),
    }


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
