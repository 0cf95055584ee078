"""Following a plan: advice is the engine's, and surprises are planned for."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from branchwise import Follower, ProblemError, Status, evaluate, read_text, solve
from branchwise.errors import HistoryError
from oracles.oracle import Oracle
from problems import wildcatter
from problems.strategies import seeded_documents

OIL = read_text(wildcatter.OIL)


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def test_advice_is_worth_what_the_oracle_says_wherever_one_goes():
    """Half of the steps are not those advised; each then takes a new plan."""
    for document in seeded_documents(25, seed="follow", max_states=200):
        oracle, random = Oracle(document), Random(document["name"])
        follower, state = Follower(problem_of(document)), oracle.root
        while True:
            advice = follower.advice
            value = float(oracle.value(state))
            assert advice.value == pytest.approx(value, rel=1e-9, abs=1e-9)
            assert tuple(advice.left.values()) == state.left
            steps = oracle.steps(state)
            if not steps:
                break
            advised = [step for step in steps if step.action == advice.action]
            step = random.choice(
                advised if advised and random.random() < 0.5 else steps
            )
            outcome = random.choice(sorted(step.children))
            change = follower.happened(f'"{step.action}"="{outcome}"')
            assert change.is_surprise == (step.action != advice.action)
            state = step.children[outcome][1]


def test_advice_has_action_probabilities_cost_value_and_what_is_left():
    follower = Follower(OIL, exact=True)

    advice = follower.advice

    assert advice.action == "test"
    assert advice.probabilities == (("good", Fraction(2, 5)), ("bad", Fraction(3, 5)))
    assert (str(advice.left), dict(advice.cost)) == ("3", {"budget": 1})
    assert advice.value == Fraction(236, 5)
    assert follower.happened("test=good").after.value == 118
    assert follower.happened('sell="no buyer"').after.action == "drill"
    assert follower.happened("drill=oil").after.reward == 200
    assert follower.advice.action is None


def test_an_action_that_is_no_longer_possible_is_not_advised():
    follower = Follower(OIL)
    follower.happened("test=good")

    change = follower.rule_out("sell")

    assert (change.before.action, change.before.value) == ("sell", 118)
    assert (change.after.action, change.after.value) == ("drill", 100)
    assert change.is_surprise


def test_a_new_probability_rescales_the_others_in_proportion():
    problem = read_text("""
        actions: {a: {outcomes: {x: 0.5, y: 0.3, z: 0.2}}}
        rewards: [{when: a=x, value: 10}]
        """)
    follower = Follower(problem, exact=True)

    change = follower.change_probability("a=x", 0.2)

    third = Fraction(8, 10) * Fraction(3, 5)
    assert change.after.probabilities == (
        ("x", Fraction(1, 5)),
        ("y", third),
        ("z", Fraction(8, 10) - third),
    )
    assert change.after.value == 2


def test_a_new_probability_changes_the_probabilities_that_count_here():
    follower = Follower(OIL, exact=True)
    follower.happened("test=good")
    follower.happened('sell="no buyer"')

    follower.change_probability("drill=oil", "1/4")

    assert follower.advice.value == 50
    assert follower.problem.action("drill").outcome("oil").probability == Fraction(1, 5)


@pytest.mark.parametrize(
    ("probability", "reason"),
    [(1.2, "is no probability"), (-1, "is no probability")],
)
def test_what_is_no_probability_is_refused(probability, reason):
    with pytest.raises(ProblemError, match=reason):
        Follower(OIL).change_probability("drill=oil", probability)


def test_an_outcome_that_was_certain_has_nobody_to_share_with():
    problem = read_text("actions: {a: {outcomes: {x: 1, y: 0, z: 0}}}")

    with pytest.raises(ProblemError, match="no other outcome can happen"):
        Follower(problem).change_probability("a=x", 0.5)


def test_cost_budget_and_reward_may_change():
    """A test that costs 3 leaves nothing for what follows it."""
    follower = Follower(OIL)

    assert follower.change_cost("test", 3).after.action == "drill"
    assert follower.change_budget(5).after.action == "test"
    assert follower.change_budget(0).after.action is None
    assert follower.change_budget({"budget": 1}).after.value == 40
    assert follower.change_reward("drill=oil", 500).after.value == 100
    assert follower.change_reward(1, 50).after.value == 10


def test_several_resources_change_one_by_one():
    problem = read_text("""
        budget: {money: 3, days: 3}
        actions: {a: {cost: {money: 1, days: 1}, outcomes: {x: 1}, attempts: 3}}
        """)
    follower = Follower(problem)

    follower.change_cost("a", {"money": 2})
    follower.change_budget({"days": 7})
    follower.happened("a=x")

    assert str(follower.state.left) == "1 money, 6 days"


def test_what_was_paid_stays_paid_when_the_cost_changes():
    follower = Follower(OIL)
    follower.happened("test=good")

    follower.change_cost("test", 2)

    assert str(follower.state.left) == "2"


def test_an_impossible_outcome_counts_only_if_forced():
    follower = Follower(OIL)
    with pytest.raises(HistoryError, match="requires `test=good and not drill`"):
        follower.happened("sell=sold")

    change = follower.happened("sell=sold", force=True)

    assert (change.after.action, change.after.reward) == (None, 120)
    assert str(follower.reported[0]) == "sell=sold"


def test_an_outcome_that_nobody_planned_becomes_one_of_the_action():
    follower = Follower(OIL)
    with pytest.raises(HistoryError, match="has no outcome `unclear`"):
        follower.happened("test=unclear")

    change = follower.happened("test=unclear", force=True)

    assert (change.after.action, change.after.value) == ("drill", 40)
    assert follower.problem.action("test").labels == ("good", "bad", "unclear")


def test_forcing_what_is_possible_is_no_surprise():
    follower = Follower(OIL)

    assert not follower.happened("test=good", force=True).is_surprise


def test_an_unknown_action_cannot_be_forced():
    """Nothing in the problem can depend on it; what it changed can be told."""
    with pytest.raises(HistoryError, match="did you mean `drill`"):
        Follower(OIL).happened("drll=oil", force=True)
    with pytest.raises(HistoryError, match="or enter what it changed"):
        Follower(OIL).happened("storm=came", force=True)


def test_undo_takes_everything_back():
    follower = Follower(OIL, exact=True)
    start = follower.advice
    follower.happened("test=good")
    follower.rule_out("sell")
    follower.change_budget(9)
    follower.change_probability("drill=oil", 1)

    values = [follower.undo().after.value for _ in range(4)]

    assert values == [100, 100, 118, Fraction(236, 5)]
    assert follower.advice == start
    with pytest.raises(HistoryError, match="nothing to undo"):
        follower.undo()


def test_what_is_refused_leaves_everything_as_it_was():
    follower = Follower(OIL)
    for refused in (
        lambda: follower.change_cost("test", -1),
        lambda: follower.change_budget(-1),
        lambda: follower.change_reward("drill=oil", -1),
        lambda: follower.change_reward("drill=gas", 1),
        lambda: follower.change_reward(3, 1),
        lambda: follower.rule_out("dril"),
        lambda: follower.happened("test=good, sell=sold"),
    ):
        with pytest.raises((HistoryError, ProblemError)):
            refused()

    assert follower.reported == ()
    assert follower.advice.value == pytest.approx(47.2)


def test_the_plan_tells_where_it_begins_and_can_be_checked():
    follower = Follower(OIL)
    follower.happened("drill=dry")

    solution = follower.solution

    assert [str(event) for event in solution.history] == ["drill=dry"]
    assert str(solution.tree.root.state) == "drill=dry, 2 left"
    assert evaluate(solution.tree, solution.problem) == 0
    assert solution.expected_reward == solve(OIL, after="drill=dry").expected_reward


def test_a_plan_that_a_limit_cut_short_is_made_anew_at_every_step(monkeypatch):
    """The plan in hand stays if the new one is not better."""
    histories = []

    def cut_short(problem, **how):
        solution = replace(solve(problem, **how), status=Status.TIME_LIMIT)
        histories.append(len(problem.actions))
        return solution

    monkeypatch.setattr("branchwise.follow.route.solve", cut_short)
    follower = Follower(OIL)
    first = follower.solution

    follower.happened("test=good")
    follower.happened('sell="no buyer"')

    assert histories == [3, 2, 1]
    assert follower.solution is first
    assert not follower.advice.is_proven
