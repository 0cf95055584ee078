"""Print the table of docs/explanation/rewarding-sets-measured.md."""

import time
from itertools import islice

from registry.graphs import GRAPHS, PROGRAM_GRAPHS

from branchwise.rewarding import RewardingSets
from branchwise.rewarding.program import program_sets
from branchwise.rewarding.terms import Terms
from branchwise.rewarding.ways import Ways
from branchwise.space.problem_space import ProblemSpace

LISTED = 100_000


def row(graph):
    problem = graph.problem()
    counting, sets = seconds(lambda: _counted(problem))
    listing, listed = seconds(lambda: sum(1 for _ in islice(sets, LISTED)))
    total = counting + listing
    cells = [
        str(graph.num_actions),
        f"{sets.num_sets:,}",
        f"{counting:.3f}",
        f"{listed:,} in {listing:.3f}",
    ]
    if graph in PROGRAM_GRAPHS:
        slow, _ = seconds(lambda: by_program(problem))
        cells += [f"{slow:.1f}", f"{slow / sets.num_sets:.3f}", f"{slow / total:,.0f}"]
    else:
        cells += ["", "", ""]
    return "| " + " | ".join(cells) + " |"


def _counted(problem):
    sets = RewardingSets(problem)
    assert sets.num_sets
    return sets


def by_program(problem):
    """List the sets with the 0/1 program; give how many there are."""
    space = ProblemSpace(problem)
    ways = Ways(space, Terms(problem, limit=5000))
    return sum(len(level.sets) for level in program_sets(space, ways))


def seconds(work):
    """Return how long something takes, and its result."""
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


if __name__ == "__main__":
    print("| actions | sets | count (s) | list (s) | program (s) | per set | ratio |")
    print("|---|---|---|---|---|---|---|")
    for each in GRAPHS:
        print(row(each), flush=True)
