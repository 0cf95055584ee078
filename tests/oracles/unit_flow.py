"""Whether the duals of a score program are the visits of an optimal plan."""

import math
from collections import defaultdict

__all__ = ["is_close", "is_unit_flow"]


def is_close(one, other):
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def is_unit_flow(solution):
    """What comes into a state goes out of it; it earns the optimum, from one unit."""
    graph, inflow = solution.graph, defaultdict(float)
    inflow[0] = 1
    earned = graph.root_gain
    for state in range(len(graph)):
        outflow = solution.stops[state]
        earned += solution.stops[state] * graph.rewards[state]
        for option in graph.options(state):
            taken = solution.taken[option]
            assert taken >= 0
            assert taken == 0 or solution.slacks[option] == 0
            outflow += taken
            earned -= taken * graph.charges[option]
            for branch in graph.branches(option):
                earned += taken * graph.probabilities[branch] * graph.gains[branch]
                inflow[graph.children[branch]] += taken * graph.probabilities[branch]
        assert solution.stops[state] >= 0
        assert is_close(inflow[state], outflow)
        assert is_close(inflow[state], solution.visits[state])
    assert is_close(sum(solution.stops), 1)
    assert is_close(earned, solution.expected_reward)
