"""Rewarding sets for people: strongest first, with order, cost and probability."""

import json
from fractions import Fraction
from itertools import islice

import pytest

from branchwise import LimitError, solve
from branchwise.formats.read import read_text
from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.problem import Problem, Reward
from branchwise.rewarding import RewardingSets
from branchwise.space.problem_space import ProblemSpace
from problems.paper import illustrative
from problems.strategies import seeded_documents


def test_the_strongest_set_comes_first():
    """a1, a4, a5 succeed with 0.6 * 0.3 * 0.6 = 0.108 (the paper prints 0.018)."""
    first, second, *others = RewardingSets(illustrative())

    assert first.order == ("a1", "a4", "a5")
    assert first.probability == Fraction(108, 1000)
    assert first.strength == Fraction(54, 10)
    assert first.cost == Amounts(3)
    assert (second.order, second.reward) == (("a3", "a7"), 100)
    assert len(others) == 2


def replayed(problem, found):
    """Carry out a set in its order; give the probabilities, and what is left."""
    space = ProblemSpace(problem, exact=True)
    state, probabilities = space.root, Fraction(1)
    for event in found.needs:
        action = next(a for a in space.actions(state) if a.name == event.action)
        step = next(t for t in action.transitions if t.outcome == event.outcome)
        state, probabilities = step.state, probabilities * step.probability
    return probabilities, space.describe(state), space.reward(state)


@pytest.mark.parametrize("portion", range(4))
def test_every_set_can_be_carried_out_in_its_order_and_pays(portion):
    for document in seeded_documents(50, f"orders {portion}", max_states=300):
        problem = read_text(json.dumps(document), format="json")
        sets = RewardingSets(problem)
        found = list(sets)

        assert len(found) == sets.num_sets
        strengths = [each.strength for each in found]
        assert strengths == pytest.approx(sorted(strengths, reverse=True))
        for each in found:
            probabilities, state, reward = replayed(problem, each)
            assert probabilities == each.probability > 0
            for resource, limit in problem.budget.items():
                if isinstance(limit, Fraction):
                    spent = limit - state.left[resource]
                    assert spent == each.cost.of(resource)
            if problem.combine == "max":
                assert reward == each.reward


def test_perfect_information_bounds_every_plan():
    for document in seeded_documents(150, "bounds", max_states=300):
        problem = read_text(json.dumps(document), format="json")

        bound = RewardingSets(problem).perfect_information

        value = float(solve(problem).expected_reward)
        assert bound >= value - 1e-9, document


def test_perfect_information_of_the_example():
    """
    Reaching 100 takes a3 and a7: 0.03. Otherwise 50 takes a1, a4, a5, and 10 takes
    a4, a2, a6 with a1 or a3; all independent of each other given a3 and a7.
    """
    hundred = 0.3 * 0.1
    fifty = (1 - hundred) * 0.6 * 0.3 * 0.6
    # 10, but neither 50 nor 100: a2, a4, a6 come true, and
    # either a1 without a5, or a3 without a1 and without a7.
    ten = 0.6 * 0.3 * 0.4 * (0.6 * 0.4 * (1 - hundred) + 0.4 * 0.3 * 0.9)

    bound = RewardingSets(illustrative()).perfect_information

    assert bound == pytest.approx(100 * hundred + 50 * fifty + 10 * ten)


def test_actions_in_no_set_are_unused():
    assert RewardingSets(illustrative(3)).unused_actions == ("a2", "a6")
    assert RewardingSets(illustrative(6)).unused_actions == ()


def test_an_action_that_no_minimal_set_needs_may_be_worth_taking():
    """{x, g} is minimal; but y opens g before the dear x, and saves it if g fails."""
    problem = read_text("""
        budget: 5
        actions:
          x: {cost: 3, outcomes: {fail: 0.1, ok: 0.9}}
          y: {cost: 1, outcomes: {fail: 0.01, ok: 0.99}}
          g: {cost: 1, requires: x=ok or y=ok, outcomes: {fail: 0.5, ok: 0.5}}
          z: {cost: 3, outcomes: {fail: 0.5, ok: 0.5}}
          idle: {outcomes: {done: 1}}
        rewards: [{when: x=ok and g=ok, value: 100}, {when: z=ok, value: 100}]
    """)

    assert all("y" not in found.order for found in RewardingSets(problem))
    assert RewardingSets(problem).unused_actions == ("idle",)


def test_dead_ends_say_what_stops_them():
    problem = read_text("""
        budget: 2
        actions:
          scout: {outcomes: {seen: 1/2, lost: 1/2}}
          march: {outcomes: {there: 1/2, stuck: 1/2}, cost: 2, requires: scout=seen}
          dig: {outcomes: {deep: 1/2, shallow: 1/2}, precluded_by: build}
          build: {outcomes: {up: 1/2, down: 1/2}, precluded_by: dig}
        rewards:
          - {when: march=there, value: 10}
          - {when: dig=deep and build=up, value: 20}
          - {when: scout=seen, value: 1}
    """)

    reasons = [
        (issue.path[1], issue.what) for issue in RewardingSets(problem).dead_ends
    ]

    assert reasons[0] == (
        0,
        "nothing can reach this reward within the budget of 2: "
        "scout=seen, march=there cost 3",
    )
    assert reasons[1] == (
        1,
        "nothing can reach this reward: no order of actions makes "
        "`dig=deep and build=up` hold",
    )
    assert len(reasons) == 2


def test_a_few_of_very_many_sets_are_listed_at_once():
    actions, gates = [], []
    for step in range(60):
        for name, probabilities in ((f"{step}a", 0.6), (f"{step}b", 0.5)):
            actions.append(Action(name, outcomes={"ok": probabilities, "fail": "rest"}))
        gates.append(f"({step}a=ok or {step}b=ok)")
    sets = RewardingSets(Problem(actions, [Reward(" and ".join(gates), 1)]))

    best = list(islice(sets, 62))

    assert sets.num_sets == 2**60
    assert best[0].probability == Fraction(6, 10) ** 60
    # One of sixty steps by the weaker way, then two of them.
    one_weaker = Fraction(6, 10) ** 59 / 2
    assert [each.probability for each in best[1:61]] == [one_weaker] * 60
    assert best[61].probability == Fraction(6, 10) ** 58 / 4


def test_a_time_limit_ends_the_building_of_the_diagram():
    with pytest.raises(LimitError, match="time limit"):
        RewardingSets(illustrative(), time_limit_seconds=0)
