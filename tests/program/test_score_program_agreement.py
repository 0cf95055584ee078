"""
The score program equals dynamic programming and brute force, in every state.

500 random problems use the whole format; on each the program is built from the naive
and the accelerated full graph and from the canonical states. What it is compared with
are the reference's scores and reduced graph, the engine's tree, and `oracle.py`.
"""

import json
import math
from collections import defaultdict
from pathlib import Path

import pytest

from branchwise import ProblemError, read, read_text, solve
from branchwise.program import score_program
from branchwise.program.linear_program import ScoreProgram
from branchwise.reference.pipeline import full_graph
from branchwise.reference.reduced_graph import reduced_graph, scores
from branchwise.reference.score_graph import numbered
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.problem_space import ProblemSpace
from oracles.oracle import Oracle
from oracles.unit_flow import is_close, is_unit_flow
from problems.strategies import seeded_documents, seeded_oracles
from problems.wide_documents import WIDE, wide_oracles

EXAMPLE = Path(__file__).parents[2] / "examples" / "illustrative.yaml"
BRUTE = {  # the same, as the oracle reads it
    "budget": 6,
    "actions": {
        "a1": {"outcomes": {"fail": "0.4", "ok": "0.6"}},
        "a2": {"outcomes": {"fail": "0.4", "ok": "0.6"}},
        "a3": {"outcomes": {"fail": "0.7", "ok": "0.3"}},
        "a4": {
            "requires": {"any": ["a1=ok", "a3=ok"]},
            "outcomes": {"fail": "0.7", "ok": "0.3"},
        },
        "a5": {
            "requires": "a4=ok",
            "precluded_by": "a3",
            "outcomes": {"fail": "0.4", "ok": "0.6"},
        },
        "a6": {
            "requires": {"all": ["a4=ok", "a2=ok"]},
            "outcomes": {"fail": "0.6", "ok": "0.4"},
        },
        "a7": {"requires": "a3=ok", "outcomes": {"fail": "0.9", "ok": "0.1"}},
    },
    "rewards": [
        {"when": "a5=ok", "value": 50},
        {"when": "a6=ok", "value": 10},
        {"when": "a7=ok", "value": 100},
    ],
}
PORTIONS = 10
PORTION = 50


def full(problem, *, naive):
    """The full graph with its reference scores, and the program built from it."""
    space = ProblemSpace(problem)
    graph = full_graph(space, space, None if naive else list_sets(space))
    order = list(graph.children_first())[::-1]
    return graph, order, ScoreProgram(numbered(graph, problem), problem).solve()


def agrees_with_the_reference(problem, *, naive):
    graph, order, solution = full(problem, naive=naive)
    phi = scores(graph)
    reduced = reduced_graph(graph, phi)

    for number, state in enumerate(order):
        assert is_close(solution.scores[number], phi[state]), problem.name
        if state in reduced.actions:
            best = tuple(action.name for action in reduced.actions[state])
            assert solution.state(number).optimal_actions == best, problem.name
    is_unit_flow(solution)
    return graph, order, solution


def at(oracle, path):
    """The oracle's state after a path."""
    state = oracle.root
    for event in path:
        (step,) = (s for s in oracle.steps(state) if s.action == event.action)
        state = step.children[event.outcome][1]
    return state


def agrees_with_brute_force(oracle, solution):
    name = oracle.doc.get("name")
    for state in solution.states():
        brute = at(oracle, state.path)
        assert is_close(state.score, float(oracle.value(brute))), name
        assert is_close(state.reward, float(oracle.reward(brute))), name


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_500_random_problems_agree_in_every_state(portion):
    max_states = 1000 if portion == 0 else 100
    for oracle in seeded_oracles(
        PORTION, seed=f"program {portion}", max_states=max_states
    ):
        problem = read_text(json.dumps(oracle.doc), format="json")
        _, order, naive = agrees_with_the_reference(problem, naive=True)
        agrees_with_brute_force(oracle, naive)
        assert len(order) == len(oracle.reachable())
        _, order, _ = agrees_with_the_reference(problem, naive=False)

        fast = score_program(problem, graph="full").solve()
        assert fast.num_columns == len(order)
        agrees_with_brute_force(oracle, fast)
        is_unit_flow(fast)
        canonical = score_program(problem).solve()
        agrees_with_brute_force(oracle, canonical)
        is_unit_flow(canonical)
        solved = solve(problem, engine="canonical", search="exhaustive", num_threads=1)
        assert canonical.num_columns == solved.statistics.full_graph_states
        assert num_reduced(canonical) == solved.statistics.reduced_graph_states


def num_reduced(solution):
    """The states that actions without slack lead to from the root."""
    return len(solution.graph.ways(lambda option: solution.slacks[option] == 0))


def test_every_state_of_the_illustrative_example_has_the_score_of_brute_force():
    """175 states in the naive full graph, 168 in the accelerated, 92 in the reduced."""
    problem = read(EXAMPLE)

    _, naive_order, naive = agrees_with_the_reference(problem, naive=True)
    _, order, accelerated = agrees_with_the_reference(problem, naive=False)

    assert (len(naive_order), len(order)) == (175, 168)
    assert num_reduced(accelerated) == 92
    assert is_close(accelerated.expected_reward, 105459 / 12500)
    for solution in (naive, accelerated, score_program(problem).solve()):
        agrees_with_brute_force(Oracle(BRUTE), solution)
        is_unit_flow(solution)


def visiting_probabilities(tree):
    """How likely each state of a tree is visited, added up over its nodes."""
    visits = defaultdict(float)
    for node in tree.walk():
        visits[node.key] += float(node.probability)
    return visits


def test_visits_are_those_of_the_tree_where_the_optimum_is_unique():
    """On random problems; where plans tie, HiGHS may choose another than the tree."""
    num_unique = 0
    for document in seeded_documents(120, seed="visits", max_states=150):
        problem = read_text(json.dumps(document), format="json")
        order, solution = full(problem, naive=False)[1:]
        met = solution.graph.ways(lambda option, s=solution: s.slacks[option] == 0)
        choices = [
            len(solution.state(number).optimal_actions)
            + is_close(solution.scores[number], solution.graph.rewards[number])
            for number in met
        ]
        if max(choices) > 1:
            continue
        num_unique += 1
        visits = visiting_probabilities(solve(problem, engine="reference").tree)

        for number, state in enumerate(order):
            assert is_close(solution.visits[number], visits[state]), document["name"]
    assert num_unique >= 40


@pytest.mark.parametrize("graph", ["canonical", "full"])
def test_the_program_of_a_wide_problem_has_the_value_of_brute_force(graph):
    for oracle in wide_oracles(8, "program", max_states=60, only=WIDE):
        problem = read_text(json.dumps(oracle.doc), format="json")
        value = float(oracle.value(oracle.root))
        if value == -math.inf:
            with pytest.raises(ProblemError, match="every plan may get stuck"):
                score_program(problem, graph=graph)
            continue
        found = score_program(problem, graph=graph).solve()
        assert found.expected_reward == pytest.approx(value, abs=1e-7), oracle.doc
        is_unit_flow(found)
        if graph == "full":
            for state in found.states():
                raw = at(oracle, state.path)
                assert (state.reward is None) == (not oracle.may_stop(raw)), oracle.doc
