"""The stages of the illustrative example, for the tests of each."""

import pytest

from branchwise.reference.full_graph import accelerated_full_graph
from branchwise.reference.reduced_graph import reduced_graph, scores
from branchwise.reference.rewarding_sets import RewardingSetPruning
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.problem_space import ProblemSpace
from problems.paper import illustrative


@pytest.fixture(scope="module")
def stages():
    """
    The paper's tables leave the budget open: {a6, a7} after six actions would need
    eight, while after [2,2,2,2,1,0,1] nothing more is affordable. Six it is.
    """
    space = ProblemSpace(illustrative(6), exact=True)
    pruning = RewardingSetPruning(space, list_sets(space))
    graph = accelerated_full_graph(space, pruning)
    phi = scores(graph)
    return space, graph, phi, reduced_graph(graph, phi)
