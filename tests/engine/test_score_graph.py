"""Canonical states as arrays: in order, complete, and stopped by whoever listens."""

import json

import pytest

from branchwise import generate, read_text, solve
from branchwise.engine.score_graph import canonical_score_graph, paper_score_graph
from branchwise.reference.score_graph import full_score_graph
from problems.paper import illustrative
from problems.strategies import seeded_documents


def scored(graph):
    """The scores by the recursion, in plain Python, children first."""
    scores = list(graph.rewards)
    for state in reversed(range(len(graph))):
        for option in graph.options(state):
            worth = -graph.charges[option]
            for branch in graph.branches(option):
                assert graph.children[branch] > state
                worth += graph.probabilities[branch] * (
                    graph.gains[branch] + scores[graph.children[branch]]
                )
            scores[state] = max(scores[state], worth)
    return scores


def test_the_arrays_have_all_that_scores_depend_on():
    for document in seeded_documents(60, seed="arrays", max_states=120):
        problem = read_text(json.dumps(document), format="json")
        graph = canonical_score_graph(problem, num_threads=1)
        solution = solve(problem, engine="canonical")

        value = scored(graph)[0] + graph.root_gain
        assert value == pytest.approx(solution.expected_reward, abs=1e-9)
        assert sorted(graph.ways()) == list(range(len(graph)))


@pytest.mark.parametrize("naive", [True, False])
def test_the_full_graph_is_that_of_the_reference(naive):
    for document in seeded_documents(40, seed="full arrays", max_states=120):
        problem = read_text(json.dumps(document), format="json")
        fast = paper_score_graph(problem, naive=naive)
        slow = full_score_graph(problem, naive=naive)

        assert sorted(described(fast)) == sorted(described(slow)), document["name"]
        assert scored(fast)[0] == pytest.approx(scored(slow)[0], abs=1e-9)


def described(graph):
    """Reward and options of every state, without its number."""
    for state in range(len(graph)):
        options = [
            (
                graph.action_name(option),
                graph.charges[option],
                [
                    (graph.event(option, branch).outcome, graph.probabilities[branch])
                    for branch in graph.branches(option)
                ],
            )
            for option in graph.options(state)
        ]
        yield graph.rewards[state], sorted(options)


def test_events_and_variants_have_their_names():
    graph = canonical_score_graph(illustrative())

    option = graph.options(0)[0]
    events = [str(graph.event(option, branch)) for branch in graph.branches(option)]
    assert graph.action_name(option) == "a1"
    assert events == ["a1=1", "a1=2"]
    assert set(graph.variants) == {0}
    assert (len(graph), graph.num_options, len(graph.probabilities)) == (37, 60, 120)


def test_what_a_listener_raises_ends_the_run():
    """Of a problem that takes long enough for somebody to be told."""

    def listen(progress):
        raise LookupError(progress.stage)

    with pytest.raises(LookupError, match="exploring"):
        canonical_score_graph(generate(30, budget=14, seed=0), progress=listen)
