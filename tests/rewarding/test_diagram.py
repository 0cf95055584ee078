"""The diagram holds exactly the sets that brute force over all orders finds."""

import json
from math import comb

import pytest

from branchwise.formats.read import read_text
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.rewarding.diagram import Diagram
from branchwise.rewarding.enumerate import list_sets
from branchwise.rewarding.program import program_sets
from branchwise.rewarding.terms import Terms
from branchwise.rewarding.ways import Ways
from branchwise.space.problem_space import ProblemSpace
from oracles.orders import rewarding_sets
from problems.paper import illustrative
from problems.strategies import seeded_documents, seeded_oracles

PORTIONS = 20
PORTION = 100
FEW_STATES = 60


def family(problem):
    """Every (level, set), as the brute force gives them."""
    diagram = Diagram(ProblemSpace(problem))
    found = set()
    for level in diagram.levels:
        key = level.level.value
        if problem.combine == "sum":
            (key,) = level.level.rewards
        for elements in diagram.families.sets(level.sets, 10**6):
            outcomes = (diagram.outcomes[element] for element in elements)
            found.add((key, frozenset((o.action, o.outcome) for o in outcomes)))
    return found


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_2000_random_problems_have_the_sets_that_brute_force_finds(portion):
    """And that the program finds, where that does not take long."""
    num_programs = 0
    for oracle in seeded_oracles(PORTION, f"sets {portion}", max_states=200):
        problem = read_text(json.dumps(oracle.doc), format="json")
        found = family(problem)

        assert found == rewarding_sets(oracle.doc), oracle.doc
        if len(oracle.reachable()) <= FEW_STATES:
            num_programs += 1
            assert found == family_by_program(problem), oracle.doc
    assert num_programs > PORTION / 4


def test_pruning_counts_the_same_sets():
    """What pruning lists, less what it keeps for its reasons only, is the family."""
    for document in seeded_documents(100, "count", max_states=300):
        problem = read_text(json.dumps(document), format="json")
        space = ProblemSpace(problem)

        assert list_sets(space).count_minimal() == Diagram(space).count(), document


def test_levels_hold_all_sets_that_pay_as_much_or_more():
    """{a3, a7} pays 100, so it also reaches 50 and 10; it is listed once, at 100."""
    diagram = Diagram(ProblemSpace(illustrative()))

    counts = [
        (
            int(f.level.value),
            diagram.families.count(f.sets),
            diagram.families.count(f.own),
        )
        for f in diagram.levels
    ]

    assert counts == [(100, 1, 1), (50, 2, 1), (10, 4, 2)]


def test_more_sets_than_can_be_listed_are_counted():
    """Forty steps, each with three alternatives: 3^40 sets."""
    actions, gates = [], []
    for step in range(40):
        names = [f"{step}{letter}" for letter in "abc"]
        actions += [Action(n, outcomes={"ok": 0.5, "fail": 0.5}) for n in names]
        gates.append("(" + " or ".join(f"{name}=ok" for name in names) + ")")
    problem = Problem(actions, [Reward(" and ".join(gates), 1)])

    assert Diagram(ProblemSpace(problem)).count() == 3**40


def test_a_budget_is_respected_without_listing():
    """Ten of forty steps may be the dear one, at 2 instead of 1: C(40, <= 10) sets."""
    actions, gates = [], []
    for step in range(40):
        for cost in (1, 2):
            probabilities = {"ok": 0.5, "fail": 0.5}
            actions.append(Action(f"{step}-{cost}", outcomes=probabilities, cost=cost))
        gates.append(f"({step}-1=ok or {step}-2=ok)")
    problem = Problem(actions, [Reward(" and ".join(gates), 1)], budget=50)

    found = Diagram(ProblemSpace(problem)).count()

    assert found == sum(comb(40, dear) for dear in range(11))


def test_actions_that_help_another_are_used_though_no_reward_needs_them():
    problem = read_text("""
        actions:
          train: {outcomes: {fit: 1/2, hurt: 1/2}}
          climb:
            outcomes: {top: 0.1, back: rest}
            given: [{when: train=fit, outcomes: {top: 0.9, back: rest}}]
          sing: {outcomes: {well: 1/2, badly: 1/2}}
        rewards: [{when: climb=top, value: 1}]
    """)

    assert Diagram(ProblemSpace(problem)).used_actions() == {"train", "climb"}


def family_by_program(problem):
    space = ProblemSpace(problem)
    terms = Terms(problem, limit=5000)
    found = set()
    for level in program_sets(space, Ways(space, terms)):
        key = level.level.value
        if problem.combine == "sum":
            (key,) = level.level.rewards
        for bits in level.sets:
            outcomes = (terms.outcome(bit) for bit in bits)
            found.add((key, frozenset((o.action, o.outcome) for o in outcomes)))
    return found
