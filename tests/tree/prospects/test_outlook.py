"""What may come of a plan: rewards, costs and actions, by every engine."""

import json
from collections import defaultdict
from fractions import Fraction

import pytest

from branchwise import read, read_text, solve
from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.prospects.outlook import outlook
from problems.paper import illustrative
from problems.strategies import seeded_documents

ENGINES = ({"engine": "canonical"}, {"engine": "paper"}, {"exact": True})


def spent(problem, path):
    """Give what the outcomes cost in this order, of each resource."""
    counts, total = defaultdict(set), defaultdict(Fraction)
    for event in path:
        cost, _ = problem.action(event.action).as_of(counts)
        for resource, amount in cost.items():
            total[resource] += amount
        counts[event.action].add(event.outcome)
    return total


def enumerated(tree, measure):
    """Add up the leaves of the unrolled tree, one by one."""
    return Distribution.of((measure(leaf), leaf.probability) for leaf in tree.leaves())


def assert_same(found, expected):
    assert len(found.chances) == len(expected.chances)
    for (value, chance), (other, probabilities) in zip(
        found.chances, expected.chances, strict=True
    ):
        assert float(value) == pytest.approx(float(other), abs=1e-9)
        assert float(chance) == pytest.approx(float(probabilities), abs=1e-12)


@pytest.mark.parametrize("how", ENGINES, ids=str)
def test_random_plans_agree_with_their_leaves_one_by_one(how):
    """With repeats, conditioned costs, unlimited resources and cost weights."""
    for document in seeded_documents(80, seed="outlook", max_states=100):
        problem = read_text(json.dumps(document), format="json")
        solution = solve(problem, **how)
        tree, weight = solution.tree, problem.cost_weight

        found = outlook(tree, problem)

        def net(leaf, problem=problem, weight=weight):
            return leaf.reward - type(leaf.reward)(
                weight.times(spent(problem, leaf.path))
            )

        assert_same(found.net_rewards, enumerated(tree, net))
        assert_same(found.rewards, enumerated(tree, lambda leaf: leaf.reward))
        assert_same(found.num_actions, enumerated(tree, lambda leaf: len(leaf.path)))
        assert list(found.costs) == list(problem.budget)
        for resource, costs in found.costs.items():
            expected = enumerated(
                tree, lambda leaf, p=problem, r=resource: spent(p, leaf.path)[r]
            )
            assert_same(costs, expected)
        assert float(found.net_rewards.mean) == pytest.approx(
            float(solution.expected_reward), abs=1e-9
        )


def test_an_exact_solution_has_an_exact_outlook():
    problem = illustrative()
    found = outlook(solve(problem, exact=True).tree, problem)

    assert found.net_rewards.mean == Fraction(105459, 12500)
    assert found.net_rewards == found.rewards
    assert sum(chance for _, chance in found.costs["budget"].chances) == 1
    assert found.costs["budget"].chances == found.num_actions.chances


def test_weighted_cost_is_taken_off_the_reward():
    """
    A test costs 10, drilling 70. Without structure (41 %) it ends there; otherwise
    there is nothing, 120 or 270 to be had.
    """
    problem = read("examples/oil_wildcatter.yaml")
    found = outlook(solve(problem, exact=True).tree, problem)

    assert [value for value, _ in found.net_rewards.chances] == [-80, -10, 40, 190]
    assert found.net_rewards.chances[1] == (-10, Fraction(41, 100))
    assert found.net_rewards.mean == Fraction(45, 2)
    assert found.costs["budget"].chances[0] == (10, Fraction(41, 100))
