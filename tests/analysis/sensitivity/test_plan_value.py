"""Plans as curves: the compiled pass agrees with those over decisions."""

import json

import pytest

from branchwise import Problem, read_text, solve
from branchwise.analysis import parameters
from branchwise.analysis.sensitivity.plan_value import curve_of, slope_of
from branchwise.analysis.sensitivity.slopes import Slopes
from problems.strategies import seeded_documents


def problem_of(document) -> Problem:
    return read_text(json.dumps(document), format="json")


def seeded_problems(count, seed):
    for document in seeded_documents(count, seed, max_states=200):
        yield problem_of(document)


def test_slopes_are_those_of_a_pass_over_decisions():
    num_told = 0
    for problem in seeded_problems(40, "plan slopes"):
        solution = solve(problem, engine="canonical")
        slopes = Slopes(problem, solution, most_places=0)
        curve = curve_of(problem, solution)
        for each in parameters(problem):
            if each.kind == "reward":
                continue
            found = slope_of(problem, each, curve)
            assert found == pytest.approx(slopes.of(each).right, abs=1e-12), each.name
            num_told += found != 0
    assert num_told > 100


def test_the_slope_of_one_reward_needs_no_facts_of_others():
    for problem in seeded_problems(40, "slopes of rewards"):
        solution = solve(problem, engine="canonical")
        every = Slopes(problem, solution, most_places=0)
        for each in parameters(problem):
            if each.kind == "reward":
                alone = Slopes(problem, solution, most_places=0, only=each)
                assert alone.of(each) == pytest.approx(every.of(each)), each.name


def test_values_with_other_probabilities_are_those_of_the_tree_itself():
    num_changed = 0
    for problem in seeded_problems(20, "plan values"):
        solution = solve(problem, engine="canonical")
        curve = curve_of(problem, solution)
        value = float(solution.expected_reward)
        assert curve.value(problem) == pytest.approx(value)
        for each in parameters(problem):
            if each.kind != "probability":
                continue
            changed = each.changed(problem, each.value(problem) / 2)
            expected = worth_of(solution.tree, changed)
            assert curve.value(changed) == pytest.approx(expected, abs=1e-12)
            num_changed += abs(expected - value) > 1e-6
    assert num_changed > 20


def worth_of(tree, problem):
    """Carry a tree out in another problem, and add up what every way earns."""
    policy = tree.policy

    def worth(state, had):
        decision = policy[state]
        if decision.action is None:
            return float(decision.reward)
        cost, outcomes = problem.action(decision.action).as_of(had)
        probabilities = {
            outcome.label: float(outcome.probability) for outcome in outcomes
        }
        total = -float(problem.cost_weight.times(cost))
        for branch in decision.branches:
            known = had.get(decision.action, frozenset()) | {branch.outcome}
            after = had | {decision.action: known}
            total += probabilities[branch.outcome] * worth(branch.state, after)
        return total

    return worth(policy.root, {})
