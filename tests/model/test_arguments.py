"""Arguments of the wrong kind are refused by name, and numbers mean what they say."""

import math
from threading import Event

import pytest

from branchwise import (
    Action,
    Adversary,
    AtLeast,
    Problem,
    ProblemError,
    Reward,
    Solver,
    analyze,
    certify,
    defend,
    evaluate,
    outlook,
    simulate,
    solve,
    validate,
)
from branchwise.model.arguments import a_whole_number
from branchwise.program import score_program
from problems.paper import illustrative


@pytest.mark.parametrize("what", [None, 5, "oil.yaml", [illustrative()]])
@pytest.mark.parametrize(
    "ask",
    [solve, Solver, simulate, analyze, certify, defend, score_program, validate],
)
def test_what_is_no_problem_is_refused_with_how_to_come_by_one(ask, what):
    with pytest.raises(TypeError, match=r"the problem is a Problem.*not (.|\n)*fix: "):
        ask(what)


@pytest.mark.parametrize(
    ("option", "error", "message"),
    [
        ({"rewarding_sets": -1}, ValueError, "rewarding_sets is at least 0, not -1"),
        ({"rewarding_sets": 1.5}, ValueError, "rewarding_sets is a whole number"),
        ({"rewarding_sets": True}, TypeError, "rewarding_sets is a number, not True"),
        ({"rewarding_sets": ["x"]}, TypeError, "each of rewarding_sets is a Rewarding"),
        ({"memory_limit_bytes": "1GB"}, TypeError, "memory_limit_bytes is a number"),
        ({"memory_limit_bytes": 0.5}, ValueError, "memory_limit_bytes is a whole"),
        ({"memory_limit_bytes": math.nan}, ValueError, "must be more than 0"),
        ({"time_limit_seconds": "5"}, TypeError, "time_limit_seconds is a number"),
        ({"time_limit_seconds": True}, TypeError, "time_limit_seconds is a number"),
        ({"gap": None}, TypeError, "gap is a number, not None"),
        ({"num_threads": 0}, ValueError, "num_threads is at least 1, not 0"),
        ({"num_threads": 10**26}, ValueError, "num_threads is at most 1,024"),
        ({"num_threads": "2"}, TypeError, "num_threads is a number, not '2'"),
        ({"prefer": 5}, TypeError, "prefer, if not one of fewest-nodes.* a function"),
        ({"adversary": "x"}, TypeError, "adversary is an Adversary, not 'x'"),
        ({"cancel": True}, TypeError, "cancel is a threading.Event, not True"),
        ({"progress": None}, TypeError, "progress is a function, not None"),
        ({"after": 5}, TypeError, "a history is text such as `a1=ok, a3=fail`"),
        ({"naive": "no"}, TypeError, "naive is True or False, not 'no'"),
        ({"exact": "no"}, TypeError, "exact is True or False, not 'no'"),
    ],
)
def test_an_option_of_the_wrong_kind_is_refused_by_name(option, error, message):
    with pytest.raises(error, match=message):
        solve(illustrative(4), **option)


@pytest.mark.parametrize(
    "option",
    [
        {"memory_limit_bytes": 1e12},
        {"memory_limit_bytes": math.inf},
        {"memory_limit_bytes": 10**30},
        {"time_limit_seconds": math.inf},
        {"time_limit_seconds": 10**30},
        {"num_threads": 2.0},
        {"cancel": Event()},
        {"after": []},
    ],
)
def test_a_number_that_is_written_in_another_way_means_the_same(option):
    assert solve(illustrative(4), **option).expected_reward == pytest.approx(7.86)


@pytest.mark.parametrize(
    ("option", "error", "message"),
    [
        ({"num_runs": "x"}, TypeError, "num_runs is a number, not 'x'"),
        ({"num_runs": 2.5}, ValueError, "num_runs is a whole number, not 2.5"),
        ({"num_runs": 10**26}, ValueError, "num_runs is at most 10,000,000,000"),
        ({"num_paths": -1}, ValueError, "num_paths is at least 0, not -1"),
        ({"policy": 5}, TypeError, "policy, if no tree and not one of optimal.*not 5"),
        ({"progress": None}, TypeError, "progress is a function, not None"),
    ],
)
def test_an_option_of_a_simulation_is_refused_by_name(option, error, message):
    with pytest.raises(error, match=message):
        simulate(illustrative(3), **option)


@pytest.mark.parametrize("name", [None, 5])
def test_a_name_that_is_no_text_is_an_issue_like_any_other(name):
    done = Action("done", outcomes={"ok": 1})
    titled = Problem([done], [Reward(done["ok"], 1)], name=name)
    other = Action(name, outcomes={"ok": 1})

    with pytest.raises(ProblemError, match=f"name of the problem is {name}, which is"):
        solve(titled)
    with pytest.raises(ProblemError, match=f"name of an action is {name}, which is no"):
        solve(Problem([done, other], [Reward(done["ok"], 1)]))


def test_labels_and_names_that_are_numbers_are_said_to_be_so_and_no_more():
    """As they come from a YAML file that was read as `{1: 0.5, 2: 0.5}`."""
    roll = Action("roll", outcomes={1: 0.5, 2: 0.5})
    third = Action(3, outcomes={"ok": 1})
    problem = Problem([roll, third], [Reward("roll=1", 3), Reward("3=ok", 1)])

    assert str(problem.rewards[0].when) == "roll=1" == str(roll[1])
    with pytest.raises(ProblemError) as refused:
        solve(problem)
    assert [issue.what for issue in refused.value.issues] == [
        "the name of an outcome is 1, which is no text",
        "the name of an outcome is 2, which is no text",
        "the name of an action is 3, which is no text",
    ]
    assert refused.value.issues[0].fix == 'write it in quotes: "1"'


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"actions": None}, "actions is a list, not None"),
        ({"actions": [1]}, "each of actions is an Action, not 1"),
        ({"actions": [], "rewards": ["a=b"]}, "each of rewards is a Reward, not 'a=b'"),
        ({"actions": [], "defenses": [2]}, "each of defenses is a Defense, not 2"),
    ],
)
def test_parts_of_a_problem_are_of_their_kind(parts, message):
    with pytest.raises(TypeError, match=message):
        Problem(**parts)


def test_trees_and_aims_are_of_their_kind():
    problem = illustrative(3)

    with pytest.raises(TypeError, match="the tree is a DecisionTree, not None"):
        evaluate(None, problem)
    with pytest.raises(TypeError, match="the tree is a DecisionTree, not 5"):
        outlook(5, problem)
    with pytest.raises(TypeError, match="the aim is AtLeast"):
        solve(problem, aim=5)
    with pytest.raises(
        TypeError, match="the problem is a Problem or a state space, not"
    ):
        solve(None, aim=AtLeast(5))


@pytest.mark.parametrize(
    ("gamma", "error"), [("x", TypeError), (1.5, ValueError), (-1, ValueError)]
)
def test_an_adversary_strikes_a_whole_number_of_times(gamma, error):
    with pytest.raises(error, match="gamma is a"):
        Adversary(gamma=gamma)


def test_a_whole_number_keeps_all_its_digits():
    assert a_whole_number("n", 10**30 + 1) == 10**30 + 1
    assert a_whole_number("n", 1e9) == 1_000_000_000
    assert a_whole_number("n", 7, least=7, most=7) == 7
