"""Criticality: every number is the difference of two optima that brute force knows."""

import copy
import json
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import outlook, read, read_text, solve
from branchwise.analysis import AnalysisOptions, criticality
from branchwise.analysis.critical_actions.criticality import criticality_section
from branchwise.analysis.what_if import WhatIfs
from oracles.oracle import possible, value
from problems.paper import illustrative
from problems.strategies import seeded_documents

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def changed(document, action, **fields):
    other = copy.deepcopy(document)
    other["actions"][action].update(fields)
    return other


def always(document, action, outcome):
    body = document["actions"][action]
    sure = {label: int(label == outcome) for label in body["outcomes"]}
    given = [
        c | ({"outcomes": sure} if "outcomes" in c else {}) for c in given_of(body)
    ]
    return changed(document, action, outcomes=sure, given=given)


def given_of(body):
    return body.get("given", [])


def labels_of(body):
    """The outcomes that the action may have at one time or another."""
    probabilities = [
        body["outcomes"],
        *(c["outcomes"] for c in given_of(body) if "outcomes" in c),
    ]
    return [
        label
        for label in body["outcomes"]
        if any(label in possible(o) for o in probabilities)
    ]


def near(number):
    return pytest.approx(float(number), abs=1e-9)


@pytest.mark.parametrize("portion", range(4))
def test_losses_and_gains_are_those_of_brute_force(portion):
    for document in seeded_documents(6, f"criticality {portion}", max_states=150):
        best = value(document)
        found = criticality(problem_of(document), num_threads=1)

        assert found.expected_reward == near(best), document["name"]
        for each in found.actions:
            name, body = each.action, document["actions"][each.action]
            removed = changed(document, name, requires={"any": []})
            sure = {o: value(always(document, name, o)) for o in labels_of(body)}
            assert each.loss_removed == near(best - value(removed)), document["name"]
            assert each.loss_failing == near(best - min(sure.values()))
            assert each.gain_certain == near(max(sure.values()) - best)
            assert sure[each.worst_outcome] == min(sure.values())
            assert sure[each.best_outcome] == max(sure.values())


@pytest.mark.parametrize("portion", range(3))
def test_lifting_a_whole_condition_gains_what_brute_force_says(portion):
    nothing = {"requires": {"all": []}, "precluded_by": {"any": []}}
    for document in seeded_documents(7, f"lifting {portion}", max_states=120):
        best = value(document)
        found = criticality(problem_of(document), num_threads=1)

        for each in found.conditions:
            if each.is_whole:
                without = {each.kind: nothing[each.kind]}
                other = changed(document, each.action, **without)
                assert each.gain == near(value(other) - best), document["name"]
            assert each.gain >= 0


def test_lifting_one_fact_lifts_it_wherever_it_is_named():
    """
    `a6` requires `a4=ok and a2=ok`; without the second it requires the first alone.
    """
    problem = illustrative()
    found = criticality(problem)

    a6 = problem.action("a6")
    alone = type(a6)("a6", outcomes=a6.outcomes, requires="a4=2")
    gain = solve(problem.with_action(alone)).expected_reward - found.expected_reward
    [lifted] = [
        c for c in found.conditions if (c.action, c.condition) == ("a6", "a2=2")
    ]
    assert lifted.gain == near(gain)
    assert not lifted.is_whole


def test_of_facts_each_of_which_is_enough_only_the_whole_is_lifted():
    """`a4` requires `a1=ok or a3=ok`: without either fact nothing is left of it."""
    found = criticality(illustrative())

    of_a4 = [c.condition for c in found.conditions if c.action == "a4"]
    assert of_a4 == ["a1=2 or a3=2"]


def test_a_fact_that_must_not_hold_is_lifted_too():
    text = """
budget: 2
actions:
  alarm: {cost: 0, outcomes: {rings: 0.5, silent: rest}}
  enter: {requires: alarm and not alarm=rings, outcomes: {ok: 0.5, fail: rest}}
rewards: [{when: enter=ok, value: 8}]
"""
    found = criticality(read_text(text, format="yaml"))

    gains = {c.condition: c.gain for c in found.conditions}
    # With the alarm ringing one may enter: 8 x 0.5 instead of half of that.
    assert gains["not alarm=rings"] == near(2)
    assert gains["alarm"] == near(2)  # one need not try it
    assert gains["alarm and not alarm=rings"] == near(2)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_what_flows_through_actions_is_what_the_tree_says(path):
    """Summed over the leaves of the unrolled tree, one by one; lifts do not matter."""
    what_ifs = WhatIfs(read(path))
    found = criticality_section(what_ifs, AnalysisOptions(most_states=1_000))
    solution = what_ifs.solution

    leaves = list(solution.tree.leaves())
    for each in found.actions:
        through = [
            leaf for leaf in leaves if each.action in {e.action for e in leaf.path}
        ]
        taken = sum(
            leaf.probability * [e.action for e in leaf.path].count(each.action)
            for leaf in leaves
        )
        assert each.probability_used == near(sum(leaf.probability for leaf in through))
        assert each.num_uses == near(taken)
        assert each.reward_through == near(
            sum(leaf.probability * leaf.reward for leaf in through)
        )


def test_with_repeats_uses_are_more_than_the_chance_of_one():
    text = """
budget: 3
actions:
  toss: {attempts: 3, precluded_by: toss=heads, outcomes: {heads: 1/2, tails: rest}}
rewards: [{when: toss=heads, value: 8}]
"""
    [toss] = criticality(read_text(text, format="yaml")).actions

    assert toss.probability_used == near(1)
    assert toss.num_uses == near(Fraction(7, 4))
    assert toss.reward_through == near(7)
    assert (toss.loss_removed, toss.gain_certain) == (near(7), near(1))


def test_what_matters_most_comes_first():
    found = criticality(illustrative())

    losses = [each.loss_removed for each in found.actions]
    gains = [each.gain for each in found.conditions]
    assert losses == sorted(losses, reverse=True)
    assert gains == sorted(gains, reverse=True)


def test_the_number_of_threads_does_not_matter():
    one, two = (criticality(illustrative(), num_threads=n) for n in (1, 2))

    assert one == two


def test_actions_come_as_a_data_frame():
    frame = criticality(illustrative()).frame()

    assert list(frame["action"])[:2] == ["a4", "a1"]
    assert frame["loss_removed"].dtype == float


def test_all_that_is_earned_flows_through_the_first_action():
    problem = illustrative()
    found = criticality(problem)
    plan = solve(problem)

    first = found.action(plan.first_action)
    assert first.reward_through == near(outlook(plan.tree, problem).rewards.mean)
