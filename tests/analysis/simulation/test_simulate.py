"""Simulation: means near what is exact, by the problem's own rules."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import evaluate, read, read_text, simulate, solve
from branchwise.errors import PlanError
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from problems.paper import illustrative
from problems.strategies import seeded_documents

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.*"))
PORTIONS = 10
PORTION = 20


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def assert_near(found, expected):
    """The mean is within four standard errors, by the exact standard deviation."""
    error = expected.standard_deviation / math.sqrt(found.num_runs)
    assert abs(found.mean - float(expected.mean)) <= 4 * error + 1e-9, found.policy


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_mean_of_every_example_is_near_its_optimum(path):
    solution = solve(read(path), exact=True)

    found = simulate(solution, num_runs=1_000_000, seed=7)

    assert found.expected.net_rewards.mean == solution.expected_reward
    assert_near(found, found.expected.net_rewards)
    low, high = found.confidence_interval
    assert low <= found.mean <= high
    assert high - low == pytest.approx(2 * 1.96 * found.standard_error, rel=1e-3)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_the_mean_of_200_random_problems_is_near_the_optimum(portion):
    """
    Costs and the number of actions, too. Two means of a thousand will be further off
    than four standard errors of chance: the seed is one for which none is.
    """
    for document in seeded_documents(PORTION, f"simulate {portion}", max_states=200):
        problem = problem_of(document)
        found = simulate(problem, num_runs=20_000, seed=3)

        expected, observed = found.expected, found.observed
        assert_near(found, expected.net_rewards)
        pairs = [(expected.num_actions, observed.num_actions)]
        pairs += [(expected.costs[r], observed.costs[r]) for r in problem.budget]
        for exact, seen in pairs:
            error = exact.standard_deviation / math.sqrt(found.num_runs)
            assert abs(seen.mean - exact.mean) <= 5 * error + 1e-9, document["name"]
            values = {float(value) for value, _ in exact.chances}
            assert {float(value) for value, _ in seen.chances} <= values


def test_no_policy_beats_the_optimum():
    """What is exact of a policy equals a walk by the letter of the problem."""
    for document in seeded_documents(25, "baselines", max_states=150):
        problem = problem_of(document)
        best = solve(problem, exact=True).expected_reward
        for policy in ("greedy-reward", "greedy-expected", "random"):
            found = simulate(problem, num_runs=2_000, seed=1, policy=policy)

            assert float(found.expected_reward) <= float(best) + 1e-9
            assert_near(found, found.expected.net_rewards)


def test_shares_add_up_to_one():
    found = simulate(illustrative(), num_runs=1000)

    for seen in (found.observed.rewards, found.observed.num_actions):
        assert sum(chance for _, chance in seen.chances) == 1
        assert all(isinstance(chance, Fraction) for _, chance in seen.chances)


def test_the_same_seed_gives_the_same_answer():
    problem = illustrative()
    first, again, other = (simulate(problem, num_runs=999, seed=s) for s in "778")

    assert first.observed == again.observed
    assert first.paths == again.paths
    assert first.observed != other.observed


def test_the_answer_is_the_same_on_every_machine():
    found = simulate(illustrative(), num_runs=1_000, seed=7)

    assert found.observed.rewards.chances == (
        (0, Fraction(859, 1000)),
        (10, Fraction(19, 1000)),
        (50, Fraction(98, 1000)),
        (100, Fraction(24, 1000)),
    )


def test_engines_do_not_matter_to_chance():
    """A plan is asked for its actions only, so equal trees have equal runs."""
    problem = illustrative()
    runs = [
        simulate(solve(problem, engine=engine), num_runs=5000).observed
        for engine in ("canonical", "paper", "reference")
    ]

    assert runs[0] == runs[1] == runs[2]


def test_likely_paths_are_counted():
    found = simulate(illustrative(), num_runs=1_000_000, num_paths=4)

    assert len(found.paths) == 4
    probabilities = [path.probability for path in found.paths]
    assert probabilities == sorted(probabilities, reverse=True)
    for path in found.paths:
        error = math.sqrt(path.probability * (1 - path.probability) / 1e6)
        assert abs(path.num_runs / 1e6 - path.probability) <= 4 * error


def test_a_rule_of_your_own_is_a_policy():
    """Always a3, then a7: it pays 100 with 0.3 * 0.1."""

    def straight(state):
        if "a3" not in state.outcomes:
            return "a3"
        can_go_on = "2" in state.outcomes["a3"] and "a7" not in state.outcomes
        return "a7" if can_go_on else None

    found = simulate(illustrative(), policy=straight, num_runs=10_000)

    assert found.policy == "straight"
    assert found.expected_reward == pytest.approx(3)
    assert_near(found, found.expected.net_rewards)


def test_a_rule_that_is_not_allowed_is_refused():
    with pytest.raises(PlanError, match="`a7` is not available") as caught:
        simulate(illustrative(), policy=lambda _: "a7")

    assert "fix: choose one of `a1`, `a2`, `a3`, or None to stop" in str(caught.value)


def test_a_plan_of_another_problem_is_refused():
    policy = {0: Decision("a1", (Branch("1", 1.0, 1),), 0, 0)}
    policy[1] = Decision(None, (), 0, 0)

    with pytest.raises(PlanError, match="does not go on after `a1=2`"):
        simulate(illustrative(), policy=DecisionTree(policy, 0))


def test_the_plan_s_own_numbers_do_not_matter_to_the_runs():
    """Wrong probabilities in a plan show: the runs go by the problem."""
    lies = {0: Decision("a1", (Branch("1", 0.0, 1), Branch("2", 1.0, 1)), 9, 0)}
    lies[1] = Decision(None, (), 9, 9)

    found = simulate(illustrative(), policy=DecisionTree(lies, 0), num_runs=100)

    assert found.expected_reward == 9
    assert found.mean == 0


@pytest.mark.parametrize("num_runs", [-1, 0, 1])
def test_too_few_runs_are_refused(num_runs):
    with pytest.raises(ValueError, match="at least 2 runs"):
        simulate(illustrative(), num_runs=num_runs)


def test_an_unknown_policy_is_reported_with_those_there_are():
    with pytest.raises(ValueError, match="did you mean `greedy-reward`"):
        simulate(illustrative(), policy="greedy-rewards")


def test_the_greedy_policies_are_those_of_the_paper():
    """
    Section 3 names them: the highest reward is a3 and a7, the highest expected reward
    a1, a4 and a5.
    """
    problem = illustrative()
    paths = {
        name: simulate(problem, policy=name, num_runs=2, num_paths=50).paths
        for name in ("greedy-reward", "greedy-expected")
    }

    def beginnings(name, length):
        return {
            tuple(event.action for event in each.path[:length])
            for each in paths[name]
            if {event.outcome for event in each.path[:length]} == {"2"}
        }

    assert beginnings("greedy-reward", 2) == {("a3", "a7")}
    assert beginnings("greedy-expected", 3) == {("a1", "a4", "a5")}


def test_a_hundred_million_runs_take_little_longer():
    found = simulate(read_text(COIN), num_runs=10**8)

    assert_near(found, found.expected.net_rewards)


COIN = """
    actions: {toss: {outcomes: {heads: 0.5, tails: rest}}}
    rewards: [{when: toss=heads, value: 10}]
"""


def test_what_is_spent_of_an_unlimited_resource_is_counted():
    problem = read_text("""
        budget: {money: unlimited, tries: 3}
        actions:
          probe:
            attempts: 3
            cost: {money: 5, tries: 1}
            precluded_by: probe=found
            outcomes: {found: 0.5, nothing: rest}
            given: [{when: probe=nothing, cost: {money: 7, tries: 1}}]
        rewards: [{when: probe=found, value: 100}]
    """)
    found = simulate(problem, num_runs=1000)

    costs = found.observed.costs["money"]
    assert [value for value, _ in costs.chances] == [5, 12, 19]
    assert found.expected.costs["money"].chances == ((5, 0.5), (12, 0.25), (19, 0.25))


def test_an_exact_policy_value_is_what_evaluate_says():
    problem = illustrative()
    solution = solve(problem)

    found = simulate(solution, policy=solution.tree, num_runs=10)

    assert found.policy == "plan"
    assert float(found.expected_reward) == pytest.approx(
        float(evaluate(solution.tree, problem))
    )
