"""What else could be done at a node is worth what the brute force says."""

import json
from itertools import islice
from operator import attrgetter

import pytest

from branchwise import Solver, generate, read_text, solve
from branchwise.tree.alternatives import OF_NO_USE
from oracles.oracle import Oracle, State
from problems.paper import illustrative
from problems.strategies import seeded_documents

SETTLED = (
    {"engine": "canonical", "search": "exhaustive"},
    {"engine": "canonical", "search": "best-first"},
    {"engine": "reference"},
    {"engine": "reference", "naive": True},
)
said = attrgetter("action", "value", "is_bound")

NODES = 40  # of a tree; more of the same would be slow


def oracle_state(oracle, node):
    happened = tuple(sorted((event.action, event.outcome) for event in node.path))
    left = node.budget_left
    return State(happened, tuple(left.values()))


def worths(oracle, state):
    """What each available action is worth, followed by the best there is."""
    return {step.action: float(oracle.gain(step)) for step in oracle.steps(state)}


def cases(count, seed):
    for document in seeded_documents(count, seed=seed, max_states=250):
        yield document, Oracle(document), read_text(json.dumps(document), format="json")


def expected(other):
    """What an alternative is worth, by its prospects, before anything is charged."""
    return sum(prospect.probability * prospect.value for prospect in other.prospects)


@pytest.mark.parametrize(
    "way", SETTLED, ids=lambda way: "-".join(map(str, way.values()))
)
def test_alternatives_are_worth_what_brute_force_says(way):
    for document, oracle, problem in cases(30, "alternatives"):
        tree = solve(problem, **way).tree
        for node in islice(tree.walk(), NODES):
            state = oracle_state(oracle, node)
            worth = worths(oracle, state)
            where = (document["name"], node)
            if node.action is not None:
                assert worth[node.action] == pytest.approx(node.value), where
            for action, value, is_bound in map(said, node.alternatives):
                assert value <= node.value + 1e-9, where
                if is_bound:
                    assert value >= worth[action] - 1e-9, where
                else:
                    assert value == pytest.approx(worth[action], abs=1e-9), where
            for other in node.alternatives:
                probabilities = [prospect.probability for prospect in other.prospects]
                assert sum(probabilities) == pytest.approx(1), where
                assert expected(other) >= other.value - 1e-9, where
            # Whatever is left out could not have been better.
            assert max([node.reward, *worth.values()]) == pytest.approx(node.value)


def test_prospects_say_why_an_alternative_is_worth_what_it_is():
    """Of a3: a7 pays 100 with 10 % after a success; a2, a4 and a6 pay 10 else."""
    [_, other] = solve(illustrative(6)).tree.root.alternatives

    assert other.action == "a3"
    assert [prospect.outcome for prospect in other.prospects] == ["1", "2"]
    assert expected(other) == pytest.approx(other.value)
    assert other.value == pytest.approx(3.4968)


def test_only_a_best_first_search_gives_bounds():
    bounds = dict.fromkeys(map(str, SETTLED), 0)
    for _, _, problem in cases(20, "bounds"):
        for way in SETTLED:
            for node in islice(solve(problem, **way).tree.walk(), NODES):
                bounds[str(way)] += sum(a.is_bound for a in node.alternatives)
    assert [way for way in SETTLED if bounds[str(way)]] == [SETTLED[1]]


def test_the_bounds_of_a_plan_in_hand_hold():
    for document, oracle, problem in cases(40, "in hand"):
        tree = solve(problem, gap=0.5).tree
        for node in islice(tree.walk(), NODES):
            worth = worths(oracle, oracle_state(oracle, node))
            for action, value, is_bound in map(said, node.alternatives):
                assert value >= worth[action] - 1e-9, (document["name"], node)
                if not is_bound:
                    assert value == pytest.approx(worth[action], abs=1e-9)


@pytest.mark.parametrize(
    "way", SETTLED[:3], ids=["exhaustive", "best-first", "reference"]
)
def test_every_action_is_taken_or_an_alternative_or_has_an_objection(way):
    for document, oracle, problem in cases(20, "objections"):
        names = {action.name for action in problem.actions}
        for node in islice(solve(problem, **way).tree.walk(), NODES):
            others = {alternative.action for alternative in node.alternatives}
            available = set(worths(oracle, oracle_state(oracle, node)))
            where = (document["name"], node)
            assert not others & set(node.objections), where
            assert {node.action, *others} - {None} <= available, where
            barred = {a for a, why in node.objections.items() if why != OF_NO_USE}
            assert barred == names - available, where
            if node.tree.considered(node.key) is not None:
                assert {node.action, *others, *node.objections} >= names, where


def test_alternatives_come_best_first_and_without_the_action_taken():
    tree = solve(generate(15, 8, seed=4)).tree
    for node in islice(tree.walk(), 200):
        values = [alternative.value for alternative in node.alternatives]
        assert values == sorted(values, reverse=True)
        assert node.action not in [a.action for a in node.alternatives]


def test_exact_engines_give_exact_alternatives():
    for _, oracle, problem in cases(10, "exact"):
        for node in islice(solve(problem, exact=True).tree.walk(), NODES):
            steps = oracle.steps(oracle_state(oracle, node))
            worth = {step.action: oracle.gain(step) for step in steps}
            for action, value, is_bound in map(said, node.alternatives):
                assert (value, is_bound) == (worth[action], False)


def test_a_later_run_does_not_change_the_alternatives():
    problem = generate(12, 6, seed=1)
    solver = Solver(problem)
    tree = solver.solve(search="best-first").tree
    before = [node.alternatives for node in islice(tree.walk(), 50)]
    solver.solve(problem.with_budget(4))
    solver.solve(problem, search="exhaustive")
    assert [node.alternatives for node in islice(tree.walk(), 50)] == before


def test_the_paper_engine_and_some_rewarding_sets_cannot_tell():
    for how in ({"engine": "paper"}, {"rewarding_sets": 2}):
        root = solve(illustrative(), **how).tree.root
        assert root.alternatives == ()
        assert "a5" in root.objections
