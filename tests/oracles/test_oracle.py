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


ILL = {"ill": "0.3", "well": "rest"}
# A test with sensitivity 0.9 and specificity 0.8.
TEST = {
    "cost": 1,
    "outcomes": {"positive": "0.2", "negative": "rest"},
    "given": [
        {"when": "patient=ill", "outcomes": {"positive": "0.9", "negative": "rest"}}
    ],
}


def diagnosis(attempts=1, budget=5):
    """To treat costs 1, pays 10 for the ill, and takes 4 from the well."""
    return {
        "budget": budget,
        "hidden": {"patient": ILL},
        "actions": {
            "test": {**TEST, "attempts": attempts},
            "treat": {"outcomes": {"done": 1}},
        },
        "rewards": [
            {"when": {"all": ["treat", "patient=ill"]}, "value": 10},
            {"when": {"all": ["treat", "patient=well"]}, "value": -4},
        ],
        "combine": "sum",
    }


def test_bayes_rule_by_hand():
    # P(positive) = 0.3 * 0.9 + 0.7 * 0.2 = 0.41, and then 27/41 are ill. To treat pays
    # 0.27 * 10 - 0.14 * 4 = 2.14 after positive, 0.03 * 10 - 0.56 * 4 < 0 otherwise.
    oracle = Oracle(diagnosis())
    [test, _] = oracle.steps(oracle.root)
    p, positive = test.children["positive"]

    assert (p, positive.belief) == (
        Fraction(41, 100),
        (Fraction(27, 41), Fraction(14, 41)),
    )
    assert oracle.value(oracle.root) == Fraction("2.14")
    assert value(diagnosis(budget=1)) == Fraction("0.2")  # 0.3 * 10 - 0.7 * 4


def test_what_a_repeated_test_found_counts_in_any_order():
    # After two tests: both positive 0.243 ill and 0.028 well, one of each 0.027 and
    # 0.112 twice, none 0.003 and 0.448. One of each: 0.27 - 0.448 is below zero.
    assert value(diagnosis(attempts=2, budget=3)) == 10 * Fraction("0.243") - 4 * (
        Fraction("0.028")
    )
    oracle = Oracle(diagnosis(attempts=2))
    beliefs = {state.belief for state in oracle.reachable()}
    assert len(beliefs) == 1 + 2 + 3


def test_the_maximum_is_taken_for_each_way_hidden_facts_may_be():
    # 8 is certain; the ill pay 10: 0.3 * 10 + 0.7 * 8.
    rewards = {"treat": 8, "patient=ill": 10}
    doc = problem(
        {"treat": {"outcomes": {"done": 1}}}, rewards, hidden={"patient": ILL}
    )

    assert value(doc) == Fraction("8.6")


def test_a_hidden_fact_may_depend_on_one_above_it():
    hidden = {
        "patient": ILL,
        "strain": {
            "outcomes": {"mild": "0.8", "severe": "0.2"},
            "given": [{"when": "patient=well", "outcomes": {"mild": 1}}],
        },
    }
    doc = problem(
        {"wait": {"outcomes": {"done": 1}}}, {"strain=severe": 100}, hidden=hidden
    )

    assert value(doc) == 100 * Fraction("0.3") * Fraction("0.2")
    assert len(Oracle(doc).ways) == 3


def test_counters_stay_within_their_range_once_all_effects_are_added_up():
    # From 2: the action takes 3 and the outcome gives 2, together -1. Clamped after
    # each, it would stand at 2 again.
    actions = {
        "do": {
            "effects": {"c": -3},
            "outcomes": {
                "good": {"probability": "1/2", "effects": {"c": "+2"}},
                "bad": "1/2",
            },
        }
    }
    doc = problem(actions, {}, counters={"c": {"range": "0..2", "start": 2}})
    doc |= {"rewards": [{"per": "c", "value": -3}, {"when": "do", "value": 4}]}
    oracle = Oracle(doc | {"combine": "sum"})

    assert {s.counters for s in oracle.reachable()} == {(2,), (1,), (0,)}
    assert oracle.value(oracle.root) == Fraction(1, 2) * (4 - 3) + Fraction(1, 2) * 4


def test_counters_start_at_the_end_of_the_range_nearest_to_zero():
    counters = {
        "a": {"range": "2..5"},
        "b": {"range": "-4..-1"},
        "c": {"range": "-1..1"},
    }
    doc = problem({"do": {"outcomes": {"done": 1}}}, {}, counters=counters)

    assert Oracle(doc).root.counters == (2, -1, 0)


def test_counts_and_what_is_left_can_be_compared():
    # Three tosses at 1 each, of which two must be yes while 2 is left: the first two.
    actions = {
        "toss": {"attempts": "unlimited", "outcomes": COIN},
        "claim": {
            "cost": 0,
            "requires": {"all": ["count(toss=yes) >= 2", "left(budget) > 0"]},
            "precluded_by": "count(toss) == 3",
            "outcomes": {"done": 1},
        },
    }
    assert value(problem(actions, {"claim": 8}, budget=3)) == 2


def test_after_an_ending_nothing_can_be_done_and_what_was_earned_may_be_lost():
    def operation(ends):
        caught = {"probability": "1/2", "ends": ends}
        actions = {
            "enter": {"outcomes": {"done": 1}},
            "steal": {
                "requires": "enter",
                "outcomes": {"caught": caught, "away": "1/2"},
            },
            "sell": {"requires": "steal=away", "outcomes": {"done": 1}},
            "confess": {"requires": "steal=caught", "outcomes": {"done": 1}},
        }
        return problem(actions, {"enter": 10, "sell": 16, "confess": 100})

    assert value(operation("lose")) == 10  # 16 / 2 is less
    assert value(operation("keep")) == (10 + 16) / 2
    assert fewest_nodes(operation("keep")) == 5  # enter, steal, sell and two leaves


def test_an_action_must_be_affordable_with_the_dearest_of_its_outcomes():
    dear = {"probability": "1/10", "cost": 2}
    actions = {"do": {"outcomes": {"dear": dear, "cheap": "rest"}}}

    assert value(problem(actions, {"do": 10}, budget="5/2")) == 0
    assert value(problem(actions, {"do": 10}, budget=3)) == 10
    # What is paid is 1, and 2 more in one case of ten.
    assert value(
        problem(actions, {"do": 10}, budget=3, cost_weight=1)
    ) == 10 - Fraction("1.2")
    assert least_expected_cost(problem(actions, {"do": 10}, budget=3)) == Fraction(
        "1.2"
    )
    least_of_all = {**dear, "probability": 0}
    actions["do"]["outcomes"]["dear"] = least_of_all
    assert value(problem(actions, {"do": 10}, budget=2)) == 0


def test_the_dearest_outcome_is_found_for_each_resource():
    actions = {
        "do": {
            "cost": {"money": 1},
            "outcomes": {
                "slow": {"probability": "1/2", "cost": {"days": 3}},
                "dear": {"probability": "1/2", "cost": {"money": 4}},
            },
        }
    }
    for money, days, worth in ((5, 3, 10), (4, 3, 0), (5, 2, 0)):
        doc = problem(actions, {"do": 10}, budget={"money": money, "days": days})
        assert value(doc) == worth


def test_least_cost_until_finished_by_hand():
    # One of two parts is broken. To test the first (3) settles it; to replace both
    # costs 4 + 4; to replace the likelier one (0.8) and look costs 4 + 0.2 * 4.
    parts = {"one": "0.8", "two": "0.2"}
    fixed = {"works": 0, "fails": 1}
    actions = {
        name: {
            "cost": 4,
            "outcomes": fixed,
            "given": [{"when": f"broken={name}", "outcomes": {"works": 1, "fails": 0}}],
        }
        for name in parts
    }
    doc = {
        "budget": "unlimited",
        "hidden": {"broken": parts},
        "actions": actions,
        "rewards": [],
        "finish": {"any": ["one=works", "two=works"]},
        "objective": "least-cost",
    }

    assert value(doc) == Fraction("4.8")
    assert value(doc | {"cost_weight": 2}) == Fraction("9.6")
    # With 4 to spend it may get stuck, which costs as much as is said.
    assert value(doc | {"budget": 4, "unfinished": 100}) == 24
    stuck = Oracle(doc | {"budget": 4})
    assert stuck.value(stuck.root) == -float("inf")


def test_where_one_must_finish_useless_actions_must_be_taken_too():
    actions = {"lose": {"outcomes": {"done": 1}}, "win": {"outcomes": COIN}}
    rewards = {"win=yes": 10, "lose": -3}
    doc = problem(actions, rewards, combine="sum", finish="win=yes")

    # After a failed win only lose is left, and must be taken.
    assert value(doc) == Fraction(1, 2) * 10 - Fraction(1, 2) * 3
    assert value(doc | {"finish": "win"}) == 5


def test_certain_outcomes_leave_values_exact():
    """A third of 20 is no float, also after an outcome that is certain."""
    step = {"effects": {"steps": 1}}
    sure = {"outcomes": {"done": {"probability": "rest", **step}}}
    won = {"outcomes": {"yes": {"probability": "1/3", **step}, "no": "rest"}}
    doc = problem({"sure": sure, "toss": {"requires": "sure", **won}}, {"toss=yes": 20})

    found = value(doc | {"counters": {"steps": {"range": "0..2"}}})

    assert isinstance(found, Fraction)
    assert found == Fraction(20, 3)
