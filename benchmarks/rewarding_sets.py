"""Print the table of docs/explanation/rewarding-sets-measured.md."""

from itertools import islice

from graphs import GRAPHS, PROGRAM_GRAPHS
from methods import by_program, seconds

from branchwise.rewarding import RewardingSets

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


if __name__ == "__main__":
    print("| actions | sets | count (s) | list (s) | program (s) | per set | ratio |")
    print("|---|---|---|---|---|---|---|")
    for each in GRAPHS:
        print(row(each), flush=True)
