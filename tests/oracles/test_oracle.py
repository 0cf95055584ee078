"""The oracle against the paper and against arithmetic by hand."""

from fractions import Fraction

import pytest

from oracles.oracle import (
    Oracle,
    fewest_expected_actions,
    fewest_nodes,
    least_depth,
    least_expected_cost,
    num_reachable_states,
    number,
    value,
)


def illustrative(budget):
    """Table 1 of the paper: seven actions that cost 1, rewards 50, 10 and 100."""
    return {
        "name": "Illustrative example",
        "budget": budget,
        "actions": {
            "a1": {"outcomes": {"1": "0.4", "2": "0.6"}},
            "a2": {"outcomes": {"1": "0.4", "2": "0.6"}},
            "a3": {"outcomes": {"1": "0.7", "2": "0.3"}},
            "a4": {
                "outcomes": {"1": "0.7", "2": "0.3"},
                "requires": {"any": ["a1=2", "a3=2"]},
            },
            "a5": {
                "outcomes": {"1": "0.4", "2": "0.6"},
                "requires": "a4=2",
                "precluded_by": {"any": ["a3=1", "a3=2"]},
            },
            "a6": {
                "outcomes": {"1": "0.6", "2": "0.4"},
                "requires": {"all": ["a4=2", "a2=2"]},
            },
            "a7": {"outcomes": {"1": "0.9", "2": "0.1"}, "requires": "a3=2"},
        },
        "rewards": [
            {"when": "a5=2", "value": 50},
            {"when": "a6=2", "value": 10},
            {"when": "a7=2", "value": 100},
        ],
    }


def problem(actions, rewards, budget="unlimited", **rest):
    """A small document; the rewards are condition: value, for literals only."""
    listed = [{"when": when, "value": worth} for when, worth in rewards.items()]
    return {"budget": budget, "actions": actions, "rewards": listed} | rest


COIN = {"no": "1/2", "yes": "1/2"}


@pytest.mark.parametrize(
    ("budget", "expected", "nodes"),
    [
        (3, "33/5", 11),
        (4, "393/50", 15),
        (5, "4119/500", 23),
        (6, "105459/12500", 33),
        (7, "530211/62500", 37),
    ],
)
def test_the_illustrative_example_has_its_known_optimum(budget, expected, nodes):
    assert value(illustrative(budget)) == Fraction(expected)
    assert fewest_nodes(illustrative(budget)) == nodes


def test_the_naive_full_graph_of_the_illustrative_example_has_175_states():
    assert num_reachable_states(illustrative(6)) == 175
    assert 50 < num_reachable_states(illustrative(6), cap=50) <= 175


def test_any_state_of_the_illustrative_example_can_be_asked():
    """
    With a1 and a4 done well, budget 3 - 2 = 1 is left for a5 alone:
    0.6 * 50 = 30, a tree of the decision and its two leaves.
    """
    oracle = Oracle(illustrative(3))
    [first] = oracle.optimal(oracle.root)
    assert first.action == "a1"
    _, after_a1 = first.children["2"]
    [second] = oracle.optimal(after_a1)
    _, after_a4 = second.children["2"]

    assert after_a4.happened == (("a1", "2"), ("a4", "2"))
    assert after_a4.left == (1,)
    assert oracle.value(after_a4) == 30
    assert oracle.worth("fewest-nodes", after_a4) == 3


def test_repeating_until_success():
    """
    Three coins for 8: 8 * (1 - 1/8) = 7. Each failure leads to another decision, so
    three decisions and four leaves; 1 + 1/2 + 1/4 = 7/4 actions are expected. States
    are counts (no, yes) with a sum of at most 3: 1 + 2 + 3 + 4 = 10.
    """
    toss = {"outcomes": COIN, "attempts": 3, "cost": 2}
    doc = problem({"toss": toss}, {"toss=yes": 8})

    assert value(doc) == 7
    assert fewest_nodes(doc) == 7
    assert least_depth(doc) == 3
    assert fewest_expected_actions(doc) == Fraction(7, 4)
    assert least_expected_cost(doc) == Fraction(7, 2)
    assert num_reachable_states(doc) == 10


def test_unlimited_attempts_end_with_the_budget():
    """Budget 2 buys four attempts at 1/2: 16 * (1 - 1/16) = 15."""
    toss = {"outcomes": COIN, "attempts": "unlimited", "cost": "0.5"}
    assert value(problem({"toss": toss}, {"toss=yes": 16}, budget=2)) == 15


def test_precluding_itself_stops_repeating_after_success():
    """Reachable: n failures for n = 0..3, and n failures and a success for n = 0..2."""
    toss = {"outcomes": COIN, "attempts": 3, "precluded_by": "toss=yes"}
    assert num_reachable_states(problem({"toss": toss}, {"toss=yes": 8})) == 7


def test_the_first_given_clause_that_holds_replaces_what_it_names():
    """
    Drilling costs 3 and finds oil with 1/10. After a good survey (1/2) it costs 1 and
    finds oil with 8/10; after any survey, by the second clause, it costs 2.
    Budget 2: surveying costs 1, then only the cheap drilling fits:
    1/2 * 8/10 * 100 = 40. Budget 3: after a bad survey drilling fits too, at 1/10:
    1/2 * 80 + 1/2 * 10 = 45.
    """
    drill = {
        "outcomes": {"dry": "rest", "oil": "10%"},
        "cost": 3,
        "given": [
            {"when": "survey=yes", "outcomes": {"dry": "0.2", "oil": "0.8"}, "cost": 1},
            {"when": "survey", "cost": 2},
        ],
    }
    actions = {"survey": {"outcomes": COIN}, "drill": drill}

    assert value(problem(actions, {"drill=oil": 100}, budget=2)) == 40
    assert value(problem(actions, {"drill=oil": 100}, budget=3)) == 45


def test_an_outcome_that_a_clause_leaves_out_does_not_happen():
    """With x done, y is certain, so it has one child: worth 10 in a tree of three."""
    actions = {
        "x": {"outcomes": {"ok": 1}},
        "y": {"outcomes": COIN, "given": [{"when": "x", "outcomes": {"yes": 1}}]},
    }
    doc = problem(actions, {"y=yes": 10})

    assert value(doc) == 10
    assert fewest_nodes(doc) == 3


def test_a_preclusion_matters_only_in_one_order():
    """
    After x there is no y, but after y there is x: y first gets both.
    Sum: 1/2 * 10 + 1/2 * 6 = 8; x first would end at 5.
    """
    actions = {
        "x": {"outcomes": COIN},
        "y": {"outcomes": COIN, "precluded_by": "x"},
    }
    doc = problem(actions, {"x=yes": 10, "y=yes": 6}, budget=2, combine="sum")
    oracle = Oracle(doc)

    assert value(doc) == 8
    assert [step.action for step in oracle.optimal(oracle.root)] == ["y"]
    # {}, x=no, x=yes, y=no, y=yes, and the four ends of y and x together.
    assert num_reachable_states(doc) == 9


def test_a_sum_with_a_negative_reward_is_a_price_worth_paying_or_not():
    """
    The key costs -3 once had and opens a 10 with 1/2: -3 + 5 = 2 > 0.
    At -6 the agent does not move, and is paid 0 for nothing.
    """
    actions = {
        "key": {"outcomes": {"had": 1}},
        "door": {"outcomes": COIN, "requires": "key=had"},
    }

    def worth(price):
        rewards = {"key=had": price, "door=yes": 10}
        return value(problem(actions, rewards, combine="sum"))

    assert worth(-3) == 2
    assert worth(-6) == 0


def test_the_largest_reward_counts_and_not_the_last():
    """Both hold in the end: max 10, sum 14."""
    actions = {"x": {"outcomes": {"ok": 1}}, "y": {"outcomes": {"ok": 1}}}
    rewards = {"x": 10, "y": 4}

    assert value(problem(actions, rewards)) == 10
    assert value(problem(actions, rewards, combine="sum")) == 14
    assert fewest_nodes(problem(actions, rewards)) == 2


def test_cost_weight_applies_to_every_resource_or_to_those_it_names():
    """
    The coin for 20 costs 3 money and 2 days. Weight 1: 10 - 5 = 5; weight 1 on money
    alone: 10 - 3 = 7; weight 2: 10 - 10 = 0, so stopping beats acting.
    """
    toss = {"outcomes": COIN, "cost": {"money": 3, "days": 2}}
    budget = {"money": 3, "days": "unlimited", "risk": 0}
    doc = problem({"toss": toss}, {"toss=yes": 20}, budget)

    assert value(doc | {"cost_weight": 1}) == 5
    assert value(doc | {"cost_weight": {"money": 1}}) == 7
    assert value(doc | {"cost_weight": 2}) == 0
    assert fewest_nodes(doc | {"cost_weight": 2}) == 1
    assert least_expected_cost(doc | {"cost_weight": 1}) == 5


def test_stopping_beats_acting_when_both_are_optimal():
    """x pays 10 and nothing pays more: it is followed by a leaf, though y is left."""
    actions = {"x": {"outcomes": {"ok": 1}}, "y": {"outcomes": COIN}}
    assert fewest_nodes(problem(actions, {"x=ok": 10, "y=yes": 10})) == 2


def test_secondary_objectives_disagree_about_the_optimal_tree():
    """
    10 is certain two ways: `sure` costs 4 and is done; `cheap` (1) does it half the
    time, and else `mend` (2) does. One costs 4 in one action with 2 nodes; the other
    1 + 2/2 = 2 in 1 + 1/2 actions, two deep, with 4 nodes.
    """
    actions = {
        "sure": {"outcomes": {"done": 1}, "cost": 4},
        "cheap": {"outcomes": COIN},
        "mend": {"outcomes": {"done": 1}, "cost": 2, "requires": "cheap=no"},
    }
    rewards = {"sure": 10, "cheap=yes": 10, "mend": 10}
    doc = problem(actions, rewards)

    assert fewest_nodes(doc) == 2
    assert least_depth(doc) == 1
    assert fewest_expected_actions(doc) == 1
    assert least_expected_cost(doc) == 2


def test_empty_conditions_and_nested_negation():
    """`all` of nothing holds, `any` of nothing does not."""
    oracle = Oracle(problem({"x": {"outcomes": COIN}}, {}))
    [step] = oracle.steps(oracle.root)
    _, after = step.children["yes"]

    assert oracle.holds({"all": []}, oracle.root)
    assert not oracle.holds({"any": []}, oracle.root)
    assert oracle.holds({"not": {"all": ["x", {"not": "x=no"}]}}, oracle.root)
    assert not oracle.holds({"not": {"all": ["x", {"not": "x=no"}]}}, after)


def test_numbers_are_exact_and_floats_are_refused():
    written = [1, "0.25", "1/3", "30%", "12.5%", "-2"]
    exact = ["1", "1/4", "1/3", "3/10", "1/8", "-2"]
    assert [number(text) for text in written] == [Fraction(text) for text in exact]
    with pytest.raises(AssertionError, match="float"):
        number(1.0)
