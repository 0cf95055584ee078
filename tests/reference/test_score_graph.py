"""The full graph in numbers: the same states, actions and outcomes."""

from branchwise.reference.score_graph import full_score_graph
from problems.paper import illustrative


def test_the_example_has_its_175_and_168_states():
    assert len(full_score_graph(illustrative(), naive=True)) == 175
    assert len(full_score_graph(illustrative())) == 168


def test_the_root_comes_first_and_every_state_before_its_children():
    graph = full_score_graph(illustrative())

    assert sorted(graph.ways()) == list(range(len(graph)))
    for state in range(len(graph)):
        for option in graph.options(state):
            children = [graph.children[branch] for branch in graph.branches(option)]
            assert min(children) > state
    names = [graph.action_name(option) for option in graph.options(0)]
    assert names == ["a1", "a2", "a3"]
    assert graph.labels[0] == ("1", "2")
    assert list(graph.variants) == []


def test_a_way_may_be_kept_off_some_options():
    graph = full_score_graph(illustrative())

    ways = graph.ways(lambda option: graph.action_name(option) == "a1")

    assert sorted(map(bool, ways.values())) == [False, True, True]
