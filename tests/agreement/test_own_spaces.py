"""Problems as state spaces of one's own: the same answers as for the problems."""

from fractions import Fraction

import pytest

from branchwise import AvailableAction, Transition, generate, solve
from branchwise.space.problem_space import ProblemSpace
from problems.paper import illustrative


class Wrapped:
    """A problem, as someone who knows nothing of it would write it down."""

    def __init__(self, problem):
        self._space = ProblemSpace(problem, exact=True)
        self.root = tuple(self._space.root)

    def actions(self, state):
        packed = type(self._space.root)(*state)
        for name, transitions, cost, charge, _ in self._space.actions(packed):
            rows = (
                (label, chance, tuple(child)) for label, chance, child in transitions
            )
            yield AvailableAction(
                name, tuple(Transition(*r) for r in rows), cost, charge
            )

    def reward(self, state):
        return self._space.reward(type(self._space.root)(*state))


@pytest.mark.parametrize("seed", range(40))
def test_a_random_problem_is_worth_the_same_as_a_space(seed):
    problem = generate(7, budget=5, seed=seed)
    known = solve(problem, exact=True)
    space = Wrapped(problem)

    exact, found = solve(space, exact=True), solve(space)

    assert exact.expected_reward == known.expected_reward
    assert found.expected_reward == pytest.approx(float(known.expected_reward))
    assert found.tree.num_nodes == exact.tree.num_nodes == known.tree.num_nodes
    explicit = solve(problem, engine="explicit")
    assert explicit.expected_reward == pytest.approx(float(known.expected_reward))
    assert explicit.tree.num_nodes == known.tree.num_nodes


def test_the_illustrative_example_is_what_the_paper_says():
    # Value, naive full graph and tree of the paper at budget 6.
    problem = illustrative()

    for found in (solve(Wrapped(problem)), solve(problem, engine="explicit")):
        assert found.expected_reward == pytest.approx(float(Fraction(105459, 12500)))
        assert found.statistics.full_graph_states == 175
        assert found.tree.num_nodes == 33
        assert found.first_action == "a1"
    assert solve(problem, engine="explicit").tree.after("a1=1").budget_left is not None
