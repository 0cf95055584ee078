"""Rewarding sets listed in C++ are those that Python lists, in the same order."""

import json
from pathlib import Path

import pytest

from branchwise import generate, read, read_text
from branchwise.engine.limits import Limits
from branchwise.engine.lower import Lowered
from branchwise.engine.paper import listed_sets
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.progress import silent
from problems.strategies import seeded_documents

ROOT = Path(__file__).parents[2]
INSTANCES = sorted((ROOT / "benchmarks" / "instances").glob("table1-*.yaml"))


def in_cpp(problem):
    """The sets as texts with their goals, and how many are minimal."""
    lowering = Lowered(problem, every_resource=True)
    found = listed_sets(lowering, Limits(), silent)
    if found is None:
        return None
    names = [str(outcome) for outcome in lowering.outcome_ids]
    sets = [([names[i] for i in needs], goal) for needs, goal in found.sets]
    return sets, found.num_minimal


def in_python(problem):
    found = list_sets(ProblemSpace(problem))
    if found is None:
        return None
    bits = found.terms.bits.items()
    sets = [([str(o) for o, b in bits if b & s.needs], s.goal) for s in found.sets]
    return sets, found.count_minimal()


def same(problem):
    """Whether both list the same, and what that is."""
    found = in_cpp(problem)
    assert found == in_python(problem), problem.name
    return found


@pytest.mark.parametrize("portion", range(2))
def test_random_problems_with_every_feature_have_the_same_sets(portion):
    for document in seeded_documents(100, seed=f"sets {portion}", max_states=200):
        same(read_text(json.dumps(document), format="json"))


def test_the_paper_s_problems_have_the_same_sets():
    for path in INSTANCES:
        sets, _ = same(read(path))
        assert sets


def test_more_outcomes_than_bits_in_a_word_have_the_same_sets():
    found = [same(generate(80, budget=9, seed=seed)) for seed in range(6)]

    assert any(each and each[0] for each in found)


def choices(num_choices):
    """A reward with 3 to the power of this number of ways to it."""
    actions = [
        Action(f"a{i}", outcomes={"ok": "1/2", "no": "1/2"})
        for i in range(3 * num_choices)
    ]
    threes = [actions[i : i + 3] for i in range(0, len(actions), 3)]
    clauses = [f"({' or '.join(f'{a.name}=ok' for a in some)})" for some in threes]
    return Problem(actions, [Reward(" and ".join(clauses), 1)], budget=30)


def test_too_many_alternatives_are_not_listed():
    assert len(same(choices(5))[0]) == 243
    assert same(choices(8)) is None


def test_too_many_sets_are_not_listed():
    """Each of four actions can be opened by nine others: 9^4 sets, few terms."""
    openers = [f"o{i}" for i in range(9)]
    opened = [f"x{i}" for i in range(4)]
    probabilities = {"ok": "1/2", "no": "1/2"}
    gate = " or ".join(f"{name}=ok" for name in openers)
    actions = [
        *(Action(name, outcomes=probabilities) for name in openers),
        *(Action(name, outcomes=probabilities, requires=gate) for name in opened),
    ]
    goal = " and ".join(f"{name}=ok" for name in opened)

    assert same(Problem(actions, [Reward(goal, 1)], budget=30)) is None


def test_a_penalty_is_a_goal_to_avoid_it():
    sets, num_minimal = same(
        read_text("""
        combine: sum
        actions:
          x: {outcomes: {no: 1/2, yes: 1/2}}
          y: {requires: x=yes, outcomes: {no: 1/2, yes: 1/2}}
        rewards:
          - {when: not y=yes, value: -10}
          - {when: x=yes, value: 3}
    """)
    )

    assert sets == [(["x=yes"], 1), (["x=yes", "y=yes"], 0)]
    assert num_minimal == 2
