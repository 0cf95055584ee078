"""The dependency graph says what the conditions of the problem say."""

import json
from random import Random
from xml.etree import ElementTree as ET

import pytest

from branchwise import Action, Problem, Reward, at_least, read_text, validate
from branchwise.report.dependency_graph.dependencies import Gate, Relation, dependencies
from branchwise.report.dependency_graph.picture import dependency_svg
from branchwise.report.dependency_graph.text import (
    dependency_dot,
    dependency_mermaid,
)
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


def shared(num_actions):
    """Give a problem in which an alarm rules out so many actions, and may end all."""
    actions = "".join(
        f"  a{n}: {{precluded_by: alarm=on or lock=shut, "
        "outcomes: {ok: 0.5, seen: {probability: 0.5, ends: keep}}}\n"
        for n in range(num_actions)
    )
    both = "  alarm: {outcomes: {on: 0.5, off: 0.5}}\n  lock: {outcomes: {shut: 1}}\n"
    rewards = "rewards: [{when: a0=ok, value: 1}]\n"
    text = f"budget: 3\nactions:\n{actions}{both}{rewards}"
    return read_text(text, format="yaml")


def test_what_rules_out_many_actions_leads_to_one_box():
    graph = dependencies(shared(3))

    assert set(graph.shared) == {0, 1, 2}
    ruling = [k for k in graph.links if k.relation is Relation.RULES_OUT]
    assert [(k.source, k.outcome) for k in ruling] == [(3, "on"), (4, "shut")]
    (box,) = {graph.items[k.target] for k in ruling}
    assert box.words == "A: RULES OUT 3"


def test_what_rules_out_few_leads_to_each_and_few_endings_have_a_box():
    graph = dependencies(shared(2))

    assert graph.shared == {}
    ruling = [k for k in graph.links if k.relation is Relation.RULES_OUT]
    assert len(ruling) == 4
    assert graph.has_ending_boxes
    assert [i.words for i in graph.items if isinstance(i, Gate)] == ["THE END"]


def test_pictures_name_what_rules_out_many_and_what_ends_all():
    """A letter in every box, and a mark at every outcome that ends everything."""
    problem = shared(4)

    for text in (dependency_svg(problem), dependency_dot(problem)):
        assert text.count("ruled out by A") == 4
        assert text.count("seen \N{BLACK SQUARE} ends") == 4


HELD = """
budget: 4
counters: {harm: {range: 0..3}}
actions:
  cure:
    attempts: 2
    requires: harm < 2
    outcomes: {ok: 0.5, bad: {probability: 0.5, effects: {harm: 1}}}
  rest: {effects: {harm: -1}, outcomes: {done: 1}}
rewards: [{per: harm, value: -3}]
combine: sum
finish: cure=ok or rest
"""


def test_what_counters_pay_and_where_one_may_stop_is_drawn_with_what_leads_there():
    problem = read_text(HELD, "yaml")

    assert names(dependencies(problem)) >= {
        ("cure", "bad", "changes", "harm"),
        ("rest", None, "changes", "harm"),
        ("harm", None, "changes", "reward"),
        ("cure", "ok", "needs", "OR"),
        ("rest", None, "needs", "OR"),
        ("OR", None, "needs", "FINISH"),
    }
    words = {each.text for each in ET.fromstring(dependency_svg(problem)).iter()}
    assert {"harm < 2", "-3 per harm", "FINISH"} <= words
    for text in (dependency_dot(problem), dependency_mermaid(problem)):
        assert "3 per harm" in text
        assert "FINISH" in text
