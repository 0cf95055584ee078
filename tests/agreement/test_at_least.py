"""Every way to solve, prove and export a problem knows what `at least` means."""

import itertools
import json
import time

import pytest

import branchwise
from branchwise import Action, Problem, Reward, all_of, any_of, at_least
from branchwise.engine.lower import Lowered
from branchwise.model.budget import Budget
from branchwise.model.conditions.condition import AtLeast, Attempted
from branchwise.model.execution.state import State
from branchwise.rewarding.terms import Terms
from branchwise.space.packed import Packing
from branchwise.tree.alternatives import objections
from oracles import oracle
from oracles.differences import first_difference, first_difference_elsewhere
from oracles.witness import storm_value
from problems.gadgets import gadget_oracles
from problems.strategies import seeded_documents

HALF = {"fail": "1/2", "ok": "1/2"}


def tosses(count):
    return [Action(f"a{i}", outcomes=HALF) for i in range(count)]


def counted(seed, count, **knobs):
    """Random documents that all have an `at_least`."""
    drawn = seeded_documents(count, seed, **knobs)
    found = [document for document in drawn if "at_least" in str(document)]
    assert len(found) > count / 10
    return found


@pytest.mark.parametrize("portion", range(4))
def test_every_engine_agrees_with_brute_force(portion):
    for each in gadget_oracles(25, f"enough {portion}", part="enough"):
        assert "at_least" in str(each.doc)
        assert first_difference(each) is None, each.doc
        assert first_difference_elsewhere(each) is None, each.doc


def test_storm_agrees_with_brute_force():
    for document in counted("storm", 40, max_states=150):
        problem = branchwise.read_text(json.dumps(document), "json")
        model = branchwise.write_text(problem, "prism")
        assert storm_value(model) == oracle.value(document), document


def test_the_checker_proves_what_brute_force_finds():
    for document in counted("proofs", 60, max_states=150):
        problem = branchwise.read_text(json.dumps(document), "json")
        verdict = branchwise.verify(branchwise.certify(problem), problem)
        assert verdict.is_accepted, (document, verdict.text)
        assert verdict.lower_bound == verdict.upper_bound == oracle.value(document)


@pytest.mark.parametrize(("count", "size"), [(1, 3), (2, 3), (3, 5), (4, 4)])
def test_it_is_worth_what_writing_it_out_is_worth(count, size):
    actions = tosses(size)
    wins = [action["ok"] for action in actions]
    long = any_of(*(all_of(*some) for some in itertools.combinations(wins, count)))
    short = at_least(count, *wins)
    for change in (lambda condition: condition, lambda condition: ~condition):
        values = [
            branchwise.solve(
                Problem(actions, [Reward(change(when), 9)], budget=size - 1), exact=True
            ).expected_reward
            for when in (long, short)
        ]
        assert values[0] == values[1]


def test_many_conditions_take_few_nodes():
    """20 of 40 is 138 thousand million sets of 20, and at most 2 * 20 * 40 joints."""
    actions = tosses(40)
    some = at_least(20, *(action["ok"] for action in actions))
    problem = Problem(actions, [Reward(some, 1)], budget=40)
    start = time.process_time()
    lowered = Lowered(problem)

    assert lowered.condition(some) <= 40 + 2 * 20 * 40
    assert time.process_time() - start < 2


def test_a_gate_waits_for_one_of_so_many_that_the_others_are_too_few():
    """Of 2 out of 3, one of any two must hold; the two with fewest outcomes will do."""
    wide = Action("wide", outcomes={"a": "1/4", "b": "1/4", "c": "1/4", "d": "1/4"})
    actions = [*tosses(2), wide]
    some = at_least(2, actions[0]["ok"], Attempted("wide"), actions[1]["ok"])
    fields = Packing(Problem(actions, budget=3), {})

    assert fields.gate(some) == fields.gate(actions[0]["ok"] | actions[1]["ok"])
    free = at_least(2, ~Attempted("wide"), ~actions[0]["ok"], actions[1]["ok"])
    assert fields.gate(free) is None


def test_the_ways_to_hold_and_not_to_hold_are_the_minimal_ones():
    actions = tosses(4)
    problem = Problem(actions)
    some = AtLeast(tuple(action["ok"] for action in actions), 2)
    terms = Terms(problem, 100)

    assert {term.needs.bit_count() for term in terms.of(some)} == {2}
    assert len(terms.of(some)) == 6
    assert {term.avoids.bit_count() for term in terms.of(some, holds=False)} == {3}
    assert len(terms.of(some, holds=False)) == 4


def test_what_is_missing_and_what_is_in_the_way_is_said_in_short():
    a, b, c, d = (Action(name, outcomes=HALF) for name in "abcd")
    wins = [action["ok"] for action in (a, b, c, d)]
    last = Action("last", outcomes=HALF, requires=at_least(3, *wins))
    late = Action("late", outcomes=HALF, precluded_by=at_least(2, *wins))
    problem = Problem([a, b, c, d, last, late], budget=9)
    once = State(((a["ok"], 1),), Budget(8))
    twice = State(((a["ok"], 1), (c["ok"], 1)), Budget(7))

    assert objections(problem, once)["last"] == "needs at least 2 of (b=ok, c=ok, d=ok)"
    assert objections(problem, twice)["last"] == "needs b=ok or d=ok"
    assert objections(problem, twice)["late"] == "precluded by a=ok and c=ok"
