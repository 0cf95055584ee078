"""Rewarding sets: the paper's four, and the cases the paper's program gets wrong."""

import pytest

from branchwise.formats.read import read_text
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.problem_space import ProblemSpace
from problems.paper import illustrative


def listed(problem):
    """Each set as text, with what reaching it gains."""
    found = list_sets(ProblemSpace(problem))
    texts = {}
    for needs, goal in found.sets:
        outcomes = [o for o in found.terms.outcomes if found.terms.bits[o] & needs]
        texts[" ".join(map(str, outcomes))] = found.goals[goal].gain
    return texts


def test_the_illustrative_example_has_the_four_sets_of_the_paper():
    assert listed(illustrative()) == {
        "a1=2 a4=2 a5=2": 50,
        "a1=2 a2=2 a4=2 a6=2": 10,
        "a2=2 a3=2 a4=2 a6=2": 10,
        "a3=2 a7=2": 100,
    }


def test_a_dearer_superset_that_pays_more_is_kept():
    """Section 3, point 1 of the design: 10 for x, 90 for x and y."""
    problem = read_text("""
        actions:
          x: {outcomes: {no: 1/2, yes: 1/2}}
          y: {outcomes: {no: 1/2, yes: 1/2}}
        rewards:
          - {when: x=yes, value: 10}
          - {when: x=yes and y=yes, value: 90}
    """)

    assert listed(problem) == {"x=yes": 10, "x=yes y=yes": 90}


def test_a_dearer_superset_that_pays_no_more_is_left_out():
    problem = read_text("""
        actions:
          x: {outcomes: {no: 1/2, yes: 1/2}}
          y: {outcomes: {no: 1/2, yes: 1/2}}
        rewards:
          - {when: x=yes, value: 90}
          - {when: x=yes and y=yes, value: 90}
    """)

    assert listed(problem) == {"x=yes": 90}


def test_what_rules_an_action_out_may_still_come_after_it():
    """Point 2: a3 rules out a5, but a5 can come first."""
    problem = read_text("""
        actions:
          a3: {outcomes: {ok: 1/2, fail: 1/2}}
          a5: {outcomes: {ok: 1/2, fail: 1/2}, precluded_by: a3}
        rewards: [{when: a3=ok and a5=ok, value: 1}]
    """)

    assert listed(problem) == {"a3=ok a5=ok": 1}


def test_what_rules_an_action_out_may_not_be_needed_before_it():
    problem = read_text("""
        actions:
          a3: {outcomes: {ok: 1/2, fail: 1/2}}
          a5: {outcomes: {ok: 1/2, fail: 1/2}, requires: a3=ok, precluded_by: a3}
        rewards: [{when: a5=ok, value: 1}]
    """)

    assert listed(problem) == {}


def test_an_infeasible_set_does_not_cut_off_its_supersets():
    """
    Point 2: {x, y, z} has no order, as z precedes y, y precedes x, and z rules out x.
    With w instead of y before x there is one: w, x, z, y.
    """
    problem = read_text("""
        actions:
          w: {outcomes: {ok: 1/2, fail: 1/2}}
          x:
            requires: y=ok or w=ok
            precluded_by: z
            outcomes: {ok: 1/2, fail: 1/2}
          y: {outcomes: {ok: 1/2, fail: 1/2}, requires: z=ok}
          z: {outcomes: {ok: 1/2, fail: 1/2}}
        rewards: [{when: x=ok and y=ok and z=ok, value: 1}]
    """)

    assert listed(problem) == {"w=ok x=ok y=ok z=ok": 1}


def test_an_action_taken_once_has_one_outcome():
    """Point 4: no set holds two outcomes of an action taken once."""
    toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    both = [Reward(toss["heads"] & toss["tails"], 1)]
    twice = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)

    assert listed(Problem([toss], both)) == {}
    assert listed(Problem([twice], both)) == {"toss=heads toss=tails": 1}
    assert listed(Problem([twice], both, budget=1)) == {}


def test_actions_that_enable_each_other_in_a_circle_reach_nothing():
    """Point 4: nothing lifts itself by its own bootstraps."""
    problem = read_text("""
        actions:
          a: {outcomes: {ok: 1/2, fail: 1/2}, requires: b=ok}
          b: {outcomes: {ok: 1/2, fail: 1/2}, requires: a=ok or c=ok}
          c: {outcomes: {ok: 1/2, fail: 1/2}}
        rewards: [{when: a=ok, value: 1}]
    """)

    assert listed(problem) == {"a=ok b=ok c=ok": 1}


def test_a_set_beyond_the_budget_is_left_out():
    assert set(listed(illustrative(3))) == {"a1=2 a4=2 a5=2", "a3=2 a7=2"}


def test_losing_a_penalty_is_worth_as_much_as_gaining_a_reward():
    problem = read_text("""
        combine: sum
        actions:
          patch: {outcomes: {done: 0.9, failed: 0.1}}
        rewards: [{when: not patch=done, value: -30}]
    """)

    assert listed(problem) == {"patch=done": 30}


def test_a_way_that_may_be_blocked_does_not_replace_a_longer_one():
    """x needs y only after z; both ways stay, for z may come first."""
    problem = read_text("""
        actions:
          x: {outcomes: {ok: 1/2, fail: 1/2}, requires: y=ok or not z}
          y: {outcomes: {ok: 1/2, fail: 1/2}}
          z: {outcomes: {ok: 1/2, fail: 1/2}}
        rewards: [{when: x=ok, value: 1}]
    """)

    assert listed(problem) == {"x=ok": 1, "x=ok y=ok": 1}


def test_too_many_sets_to_list_are_not_listed():
    pairs = [(f"a{i}", f"b{i}") for i in range(20)]
    actions = [
        Action(name, outcomes={"ok": 0.5, "fail": 0.5})
        for pair in pairs
        for name in pair
    ]
    either = " and ".join(f"({a}=ok or {b}=ok)" for a, b in pairs)  # 2^20 ways

    assert list_sets(ProblemSpace(Problem(actions, [Reward(either, 1)]))) is None


@pytest.mark.parametrize("size", [1, 5000])
def test_a_chain_has_one_set_however_long(size):
    actions = [
        Action(
            f"a{i}",
            outcomes={"ok": 0.5, "fail": 0.5},
            requires=f"a{i - 1}=ok" if i else "always",
        )
        for i in range(size)
    ]
    problem = Problem(actions, [Reward(actions[-1]["ok"], 1)])

    (found,) = list_sets(ProblemSpace(problem)).sets

    assert found.needs.bit_count() == size
