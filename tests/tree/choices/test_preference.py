"""Preferences: what may be preferred, and how it is said."""

import pytest

from branchwise import solve
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.reference.objective import OBJECTIVES
from branchwise.tree.choices.preference import Preference


def coins(count):
    """So many coins of the same worth, of which one may be tossed."""
    names = [f"c{i}" for i in range(count)]
    actions = [Action(name, outcomes={"won": "1/2", "lost": "1/2"}) for name in names]
    rewards = [Reward(action["won"], 8) for action in actions]
    return Problem(actions, rewards, budget=1)


def test_an_unknown_objective_lists_the_known_ones():
    with pytest.raises(ValueError, match="fewest-nodes, least-depth"):
        Preference.of("shortest")


@pytest.mark.parametrize("wrong", ["order=a b", "order=a,", "order=a=b", "order=(a)"])
def test_an_order_that_cannot_be_read_says_how_to_write_one(wrong):
    with pytest.raises(ValueError, match="write names such as `order=b, a`"):
        Preference.of(wrong)


def test_an_order_of_an_unknown_action_suggests_the_nearest():
    with pytest.raises(ValueError, match="no action `c9`"):
        solve(coins(2), prefer=["c9"])
    with pytest.raises(TypeError, match="names of actions, not 3"):
        solve(coins(2), prefer=[3])


def test_the_name_of_a_preference_says_it_again():
    for prefer in (*OBJECTIVES, "random", "random=x y", ["b", "my action", "not"]):
        name = Preference.of(prefer).name
        assert Preference.of(name).name == name


def test_a_named_objective_may_be_given_as_its_function():
    assert Preference.of(OBJECTIVES["order"]).name == "order"
    assert Preference.of(OBJECTIVES["order"]).is_in_core


def test_a_function_that_is_called_as_an_objective_is_not_taken_for_it():
    def order(state, action, children):
        return 0

    assert not Preference.of(order).is_in_core


@pytest.mark.parametrize("engine", ["canonical", "reference"])
def test_an_order_of_ones_own_goes_before_that_of_the_problem(engine):
    problem = coins(4)

    for order in (["c2"], "order=c2, c1", ["c2", "c0"]):
        assert solve(problem, prefer=order, engine=engine).first_action == "c2"
    assert solve(problem, prefer=[], engine=engine).first_action == "c0"


@pytest.mark.parametrize("engine", ["canonical", "reference"])
def test_chance_takes_each_of_those_that_tie_and_the_same_for_the_same_seed(engine):
    """Of 4 coins each is drawn by some of 40 seeds: 4 x 0.75^40 is 4e-5."""
    problem = coins(4)

    def drawn():
        return [
            solve(problem, prefer=f"random={i}", engine=engine).first_action
            for i in range(40)
        ]

    first = drawn()
    assert set(first) == {"c0", "c1", "c2", "c3"}
    assert drawn() == first


def test_chance_draws_for_different_ties_independently():
    """After either outcome of the first coin others tie; not always the same two."""
    first = Action("first", outcomes={"won": "1/2", "lost": "1/2"})
    after = {
        outcome: [
            Action(f"{outcome}{i}", outcomes={"yes": 0.5, "no": 0.5},
                   requires=first[outcome])
            for i in range(2)
        ]
        for outcome in ("won", "lost")
    }  # fmt: skip
    actions = [first, *after["won"], *after["lost"]]
    rewards = [Reward(action["yes"], 8) for action in actions[1:]]
    problem = Problem(actions, rewards, budget=2)

    pairs = set()
    for seed in range(40):
        tree = solve(problem, prefer=f"random={seed}", verify=False).tree
        pairs.add((tree.action_after("first=won"), tree.action_after("first=lost")))

    assert len(pairs) == 4


def test_of_trees_that_are_the_same_by_a_function_one_with_fewer_nodes_is_taken():
    """An action of no use, first in the problem, is not taken by any engine."""
    idle = Action("idle", outcomes={"x": 0.5, "y": 0.5})
    coin = Action("coin", outcomes={"won": 0.5, "lost": 0.5})
    problem = Problem([idle, coin], [Reward(coin["won"], 8)], budget=2)

    def whatever(state, action, children):
        return 0

    for ways in ({}, {"engine": "reference"}, {"engine": "reference", "naive": True}):
        assert solve(problem, prefer=whatever, **ways).tree.num_nodes == 3
