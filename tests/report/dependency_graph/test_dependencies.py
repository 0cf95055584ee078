"""The dependency graph says what the conditions of the problem say."""

import json
from random import Random

import pytest

from branchwise import Action, Problem, Reward, at_least, read_text, validate
from branchwise.report.dependency_graph.dependencies import Gate, Relation, dependencies
from problems.paper import illustrative
from problems.strategies import seeded_documents

HALF = {"fail": "1/2", "ok": "1/2"}


def names(graph):
    """What links what, by name."""
    known = [
        item.words if isinstance(item, Gate) else getattr(item, "name", "reward")
        for item in graph.items
    ]
    return {
        (known[link.source], link.outcome, link.relation.value, known[link.target])
        for link in graph.links
    }


def holds(graph, number, had):
    """Read a graph like a circuit: is what leads to this item as it must be?"""
    inputs = []
    for link in graph.links:
        if link.target == number and link.relation is not Relation.CHANGES:
            source = graph.items[link.source]
            if isinstance(source, Gate):
                is_true = holds(graph, link.source, had)
            elif link.outcome is None:
                is_true = bool(had.get(source.name))
            else:
                is_true = link.outcome in had.get(source.name, ())
            inputs.append(is_true == (link.relation is Relation.NEEDS))
    if graph.items[number] in {Gate.OR, Gate.NEVER}:
        return any(inputs)
    if isinstance(graph.items[number], Gate) and graph.items[number].is_count:
        return sum(inputs) >= int(graph.items[number].words.split()[0])
    return all(inputs)


def test_the_illustrative_example_is_the_papers_figure():
    assert names(dependencies(illustrative())) == {
        ("a1", "2", "needs", "OR"),
        ("a3", "2", "needs", "OR"),
        ("OR", None, "needs", "a4"),
        ("a4", "2", "needs", "a5"),
        ("a3", "1", "rules out", "a5"),
        ("a3", "2", "rules out", "a5"),
        ("a4", "2", "needs", "AND"),
        ("a2", "2", "needs", "AND"),
        ("AND", None, "needs", "a6"),
        ("a3", "2", "needs", "a7"),
        ("a5", "2", "needs", "reward"),
        ("a6", "2", "needs", "reward"),
        ("a7", "2", "needs", "reward"),
    }


@pytest.mark.parametrize("portion", range(4))
def test_read_like_a_circuit_the_graph_allows_what_the_problem_allows(portion):
    seeded = seeded_documents(40, f"circuit {portion}", without={"self_mention"})
    for document in seeded:
        problem = read_text(json.dumps(document), format="json")
        if any("as often as listed" in doubt.what for doubt in validate(problem)):
            continue  # One wire is drawn for what counts twice.
        graph = dependencies(problem)
        random = Random(portion)
        for _ in range(20):
            had = {
                a.name: random.sample(a.labels, random.randint(0, len(a.labels)))
                for a in problem.actions
            }
            for number, action in enumerate(problem.actions):
                is_allowed = action.requires.holds(had) and not (
                    action.precluded_by.holds(had)
                )
                assert holds(graph, number, had) == is_allowed, document["name"]
            for number, reward in enumerate(problem.rewards, len(problem.actions)):
                assert holds(graph, number, had) == reward.when.holds(had)


def test_equal_conditions_share_a_gate():
    a, b = Action("a", outcomes=HALF), Action("b", outcomes=HALF)
    both = a["ok"] & b["ok"]
    c, d = (Action(n, outcomes=HALF, requires=both) for n in "cd")
    graph = dependencies(Problem([a, b, c, d], [Reward(both, 1)]))

    assert [item for item in graph.items if isinstance(item, Gate)] == [Gate.AND]


def test_so_many_of_some_conditions_are_one_gate():
    a, b, c = (Action(n, outcomes=HALF) for n in "abc")
    some = at_least(2, a["ok"], b["ok"], ~(b["fail"] | c["ok"]))
    graph = dependencies(Problem([a, b, c], [Reward(some, 1)]))

    assert names(graph) == {
        ("a", "ok", "needs", "2 OF 3"),
        ("b", "ok", "needs", "2 OF 3"),
        ("b", "fail", "needs", "OR"),
        ("c", "ok", "needs", "OR"),
        ("OR", None, "rules out", "2 OF 3"),
        ("2 OF 3", None, "needs", "reward"),
    }


def test_what_stops_an_action_itself_is_told_apart():
    toss = Action("toss", outcomes=HALF, attempts=3, precluded_by="toss=ok")
    graph = dependencies(Problem([toss], [Reward(toss["ok"], 1)]))

    assert graph.own == {0: ("ok",)}
    assert names(graph) == {("toss", "ok", "needs", "reward")}


def test_conditioning_is_a_link_of_its_own():
    document = {
        "budget": 2,
        "actions": {
            "a": {"outcomes": HALF},
            "b": {
                "outcomes": HALF,
                "given": [{"when": "a=ok", "outcomes": {"fail": 0, "ok": 1}}],
            },
        },
        "rewards": [{"when": "b=ok", "value": 1}],
    }
    graph = dependencies(read_text(json.dumps(document), format="json"))

    assert ("a", "ok", "changes", "b") in names(graph)


def test_a_condition_of_two_parts_is_a_gate_between_what_it_needs_and_who_needs_it():
    half = {"no": "1/2", "ok": "1/2"}
    a, b = Action("a", outcomes=half), Action("b", outcomes=half)
    c = Action("c", outcomes=half, requires="a=ok and b=ok")

    graph = dependencies(Problem([a, b, c], [Reward("c=ok", 1)]))

    assert graph.items[4] == Gate.AND
    links = [(link.source, link.target) for link in graph.links]
    assert links == [(0, 4), (1, 4), (4, 2), (2, 3)]
