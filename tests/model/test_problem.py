"""Problems and actions, built in Python."""

import os
import pickle
import subprocess
import sys
from fractions import Fraction

import pytest

from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import UNLIMITED, Amounts, Budget
from branchwise.model.conditions.condition import ALWAYS, NEVER, Attempted, Happened
from branchwise.model.problem import Problem, Reward

TEST = Action("test", outcomes={"good": "0.4", "bad": "rest"})
DRILL = Action("drill", outcomes={"oil": "0.5", "dry": "0.5"}, requires=TEST["good"])


def test_an_action_is_free_to_take_once_for_one_unit_unless_it_says_so():
    assert TEST.cost == Amounts(1)
    assert TEST.requires == ALWAYS
    assert TEST.precluded_by == NEVER
    assert TEST.attempts == 1
    assert not TEST.is_repeatable
    assert TEST.given == ()


def test_rest_is_what_the_others_leave():
    assert TEST.outcome("bad").probability == Fraction(3, 5)
    spelled = Action("test", outcomes={"bad": " REST ", "good": "40%"})
    assert set(spelled.outcomes) == set(TEST.outcomes)
    with pytest.raises(ValueError, match="only one outcome may be `rest`"):
        Action("test", outcomes={"good": "rest", "bad": "rest"})


def test_actions_give_conditions():
    assert DRILL["oil"] == Happened("drill", "oil")
    assert DRILL.attempted == Attempted("drill")
    with pytest.raises(KeyError, match="drill has no outcome 'gas'; it has oil, dry"):
        DRILL["gas"]


def test_conditions_may_be_text():
    same = Action("drill", outcomes=DRILL.outcomes, requires="test=good")
    assert same == DRILL
    assert hash(same) == hash(DRILL)
    assert Reward("drill=oil", "200") == Reward(DRILL["oil"], 200)
    assert Given("test", cost=2) == Given(TEST.attempted, cost=Amounts(2))


def test_costs_of_an_action_are_its_own_and_those_of_its_clauses():
    given = [Given("test", cost=2), Given("test=good", outcomes={"oil": 1})]
    action = Action("drill", outcomes={"oil": 1}, cost=3, given=given)
    assert action.costs() == (Amounts(3), Amounts(2))


def test_plain_costs_count_in_the_only_resource():
    given = [Given("test", cost=2)]
    drill = Action("drill", outcomes={"oil": 1}, cost=3, given=given)
    problem = Problem([TEST, drill], budget={"money": 10}, cost_weight="0.1")
    assert problem.action("test").cost == Amounts({"money": 1})
    assert problem.action("drill").costs() == (
        Amounts({"money": 3}),
        Amounts({"money": 2}),
    )
    assert problem.cost_weight == Amounts({"money": "0.1"})


def test_a_plain_weight_is_for_every_resource():
    problem = Problem([TEST], budget={"money": 10, "days": 4}, cost_weight=2)
    assert problem.cost_weight == Amounts({"money": 2, "days": 2})


def test_problems_are_values():
    problem = Problem([TEST, DRILL], [Reward(DRILL["oil"], 200)], budget=2)
    same = Problem((TEST, DRILL), (Reward("drill=oil", 200),), budget=Budget("2"))
    assert problem == same
    assert hash(problem) == hash(same)
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_actions_are_found_by_name():
    problem = Problem([TEST, DRILL])
    assert problem.action("drill") is DRILL
    with pytest.raises(KeyError, match="did you mean `drill`"):
        problem.action("drlil")


def test_another_budget():
    problem = Problem([TEST], budget={"money": 10, "days": 4})
    assert problem.with_budget({"days": 9}).budget == Budget({"money": 10, "days": 9})
    with pytest.raises(ValueError, match="say which resource"):
        problem.with_budget(9)
    with pytest.raises(ValueError, match="did you mean `days`"):
        problem.with_budget({"dyas": 9})
    plain = Problem([TEST], budget=1)
    assert plain.with_budget(UNLIMITED).budget == Budget("unlimited")
    named = Problem([TEST], budget={"money": 1})
    assert named.with_budget(5).budget == Budget({"money": 5})


def test_rewards_combine():
    rewards = [Reward("test=good", 10), Reward("drill", 5), Reward("drill=oil", 20)]
    both = {"test": ["good"], "drill": ["oil"]}
    assert Problem([TEST, DRILL], rewards).reward(both) == 20
    assert Problem([TEST, DRILL], rewards, combine="sum").reward(both) == 35
    assert Problem([TEST, DRILL], rewards).reward({}) == 0
    assert Problem([TEST, DRILL], rewards, combine="sum").reward({}) == 0


def test_outcomes_may_be_objects():
    outcomes = (Outcome("oil", Fraction(1, 5)), Outcome("dry", Fraction(4, 5)))
    assert Action("drill", outcomes=outcomes).labels == ("oil", "dry")


def test_a_copy_in_another_process_has_the_hash_of_an_equal_one_there():
    """A hash that came along would be wrong, as texts have other hashes there."""
    toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"})
    hash(toss)
    asked = (
        "import pickle, sys; from branchwise import Action; "
        "toss = Action('toss', outcomes={'heads': '1/2', 'tails': '1/2'}); "
        "print(pickle.load(sys.stdin.buffer) in {toss})"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", asked],
            input=pickle.dumps(toss),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout.split()
        for seed in ("1", "2")
    ]

    assert told == [[b"True"], [b"True"]]
