"""Problems as state spaces of one's own: the same answers as for the problems."""

import itertools
from fractions import Fraction
from functools import partial

import pytest

from branchwise import (
    AtLeast,
    AvailableAction,
    CVaR,
    Transition,
    evaluate,
    generate,
    solve,
)
from branchwise.space.problem_space import ProblemSpace
from oracles.every_plan import TooManyPlansError, at_least, cvar, joined, mean
from problems.own_spaces import RandomSpace
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


def every_plan(space, state, charged=0):
    """The distributions of the net reward that some plan has, by brute force."""
    found = {((space.reward(state) - charged, Fraction(1)),)}
    for _, branches, _, charge in space.options[state]:
        shares = [share for _, share, _ in branches]
        below = [every_plan(space, child, charged + charge) for *_, child in branches]
        for choice in itertools.product(*below):
            found.add(joined(shares, choice))
            if len(found) > 60:
                raise TooManyPlansError
    return found


def test_aims_are_met_as_by_every_plan():
    num_tried = num_other = 0
    for seed in range(30):
        space = RandomSpace(f"aims {seed}", num_states=6)
        try:
            plans = every_plan(space, 0)
        except TooManyPlansError:
            continue
        rewards = sorted({reward for plan in plans for reward, _ in plan})
        wanted = rewards[len(rewards) * 2 // 3]
        for aim, worth in (
            (AtLeast(wanted), partial(at_least, wanted=wanted)),
            (CVaR("1/4"), partial(cvar, level=Fraction(1, 4))),
        ):
            best, earned = max((worth(plan), mean(plan)) for plan in plans)
            answer = solve(space, aim=aim, exact=True)
            assert (answer.aim.worth, answer.expected_reward) == (best, earned), seed
            assert evaluate(answer.tree, space) == earned, seed
            num_other += answer.aim.price > 0
        num_tried += 1
    assert num_tried > 10
    assert num_other > 2
