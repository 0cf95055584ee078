"""
How long rewarding sets take: the diagram against the paper's 0/1 program.

`make bench` measures; `python benchmarks/rewarding_sets.py` prints the table of the
docs.
"""

from itertools import islice

import pytest
from registry.graphs import GRAPHS, PROGRAM_GRAPHS
from rewarding_sets import by_program, seconds

from branchwise.rewarding import RewardingSets


@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_the_diagram_counts_every_set(benchmark, graph):
    problem = graph.problem()

    assert benchmark(lambda: RewardingSets(problem).num_sets) == graph.num_sets


def test_a_hundred_thousand_sets_are_listed(benchmark):
    sets = RewardingSets(GRAPHS[-1].problem())

    listed = benchmark(lambda: sum(1 for _ in islice(sets, 100_000)))

    assert listed == 100_000


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_diagram_is_a_thousand_times_faster_than_the_program():
    """Both list the same sets, in one run, on the graph with about 200 sets."""
    graph = PROGRAM_GRAPHS[-1]
    problem = graph.problem()

    slow, num_sets = seconds(lambda: by_program(problem))
    fast, sets = seconds(lambda: list(RewardingSets(problem)))

    assert num_sets == len(sets) == graph.num_sets
    assert slow / fast >= 1000
