"""Rewarding sets by the 0/1 program: right where the paper's own is wrong."""

import json
import sys
from fractions import Fraction

import pytest

from branchwise.formats.read import read_text
from branchwise.rewarding.program import program_sets
from branchwise.rewarding.terms import Terms
from branchwise.rewarding.ways import Ways
from branchwise.space.problem_space import ProblemSpace
from oracles.orders import rewarding_sets
from oracles.paper_program import paper_program
from problems.paper import illustrative
from problems.strategies import seeded_documents

TOSS = {"ok": "1/2", "fail": "1/2"}


def document(actions, rewards, **more):
    """A document whose actions, unless they say otherwise, come out ok or fail."""
    bodies = {name: {"outcomes": TOSS} | body for name, body in actions.items()}
    listed = [{"when": when, "value": value} for when, value in rewards]
    return {"budget": "unlimited", "actions": bodies, "rewards": listed} | more


def solved(doc, **limits):
    """The levels that the program answers with, and the names of its outcomes."""
    problem = read_text(json.dumps({"name": "Test"} | doc), format="json")
    space = ProblemSpace(problem)
    ways = Ways(space, Terms(problem, limit=5000))
    return program_sets(space, ways, **limits), ways.terms, problem.combine


def family(doc):
    """What the program finds, as `rewarding_sets` of `orders.py` tells it."""
    levels, terms, combine = solved(doc)
    assert all(found.is_complete for found in levels)
    pairs = [
        (
            found.level.rewards[0] if combine == "sum" else found.level.value,
            frozenset(
                (terms.outcome(b).action, terms.outcome(b).outcome) for b in each
            ),
        )
        for found in levels
        for each in found.sets
    ]
    assert len(pairs) == len(set(pairs))
    return set(pairs)


def ok(*names):
    return frozenset((name, "ok") for name in names)


# The paper's program, as its appendix has it.


def sets_of(found):
    return {each for _, each in found}


def illustrative_document():
    def action(**more):
        return {"outcomes": {"1": "1/2", "2": "1/2"}} | more

    actions = {
        "a1": action(),
        "a2": action(),
        "a3": action(),
        "a4": action(requires={"any": ["a1=2", "a3=2"]}),
        "a5": action(requires="a4=2", precluded_by="a3"),
        "a6": action(requires={"all": ["a4=2", "a2=2"]}),
        "a7": action(requires="a3=2"),
    }
    return document(actions, [("a5=2", 50), ("a6=2", 10), ("a7=2", 100)], budget=6)


FOUR_SETS = {
    frozenset((name, "2") for name in names.split())
    for names in ("a1 a4 a5", "a1 a2 a4 a6", "a2 a3 a4 a6", "a3 a7")
}


def test_the_illustrative_example_has_the_four_sets_of_the_paper():
    """With both programs, so our copy of the paper's is no straw man."""
    assert paper_program(illustrative_document()) == FOUR_SETS
    assert sets_of(family(illustrative_document())) == FOUR_SETS


def test_the_illustrative_example_has_its_sets_at_every_level_they_reach():
    """A set for 100 serves for 50 and 10 as well: 1 + 2 + 4 sets."""
    problem = illustrative()
    space = ProblemSpace(problem)

    found = program_sets(space, Ways(space, Terms(problem, limit=100)))

    assert [(each.level.value, len(each.sets)) for each in found] == [
        (100, 1),
        (50, 2),
        (10, 4),
    ]


@pytest.mark.parametrize("portion", range(5))
def test_the_program_finds_what_brute_force_finds(portion):
    for doc in seeded_documents(30, seed=f"program {portion}", max_states=300):
        assert family(doc) == rewarding_sets(doc), doc["name"]


# What the paper's program gets wrong: section 3 of the design.


def test_a_superset_that_pays_more_is_found():
    """Point 1: 10 for x, 90 for x and y; the paper's cut removes the second."""
    doc = document({"x": {}, "y": {}}, [("x=ok", 10), ({"all": ["x=ok", "y=ok"]}, 90)])
    right = {(10, ok("x")), (90, ok("x", "y"))}

    assert paper_program(doc) == {ok("x")}
    assert family(doc) == rewarding_sets(doc) == right


def test_a_superset_that_pays_no_more_is_not_found():
    doc = document({"x": {}, "y": {}}, [("x=ok", 90), ({"all": ["x=ok", "y=ok"]}, 90)])

    assert family(doc) == rewarding_sets(doc) == {(90, ok("x"))}


def test_what_rules_an_action_out_may_still_come_after_it():
    """Point 2: a3 rules out a5, but a5 can come first."""
    actions = {"a3": {}, "a5": {"precluded_by": "a3"}}
    doc = document(actions, [({"all": ["a3=ok", "a5=ok"]}, 1)])

    assert paper_program(doc) == set()
    assert family(doc) == rewarding_sets(doc) == {(1, ok("a3", "a5"))}


def test_what_rules_an_action_out_may_not_be_needed_before_it():
    actions = {"a3": {}, "a5": {"requires": "a3=ok", "precluded_by": "a3"}}
    doc = document(actions, [("a5=ok", 1)])

    assert family(doc) == rewarding_sets(doc) == set()


def test_a_set_without_an_order_does_not_cut_off_its_supersets():
    """
    Point 2: {x, y, z} has no order, as z precedes y, y precedes x, and z rules out x.
    With w instead of y before x there is one: w, x, z, y. The paper calls x and z
    contradictory; without its preclusions it finds the set that has no order, and to
    cut this off removes the only one that has.
    """
    actions = {
        "w": {},
        "x": {"requires": {"any": ["y=ok", "w=ok"]}, "precluded_by": "z"},
        "y": {"requires": "z=ok"},
        "z": {},
    }
    doc = document(actions, [({"all": ["x=ok", "y=ok", "z=ok"]}, 1)])

    assert paper_program(doc) == set()
    assert paper_program(doc, preclusions=False) == {ok("x", "y", "z")}
    assert family(doc) == rewarding_sets(doc) == {(1, ok("w", "x", "y", "z"))}


def test_the_order_of_a_set_is_one_in_which_it_can_happen():
    actions = {
        "z": {},
        "y": {"requires": "z=ok"},
        "x": {"requires": {"any": ["y=ok", "w=ok"]}, "precluded_by": "z"},
        "w": {},
    }
    doc = document(actions, [({"all": ["x=ok", "y=ok", "z=ok"]}, 1)])

    [found], terms, _ = solved(doc)
    [order] = found.sets

    assert [terms.outcome(bit).action for bit in order] == ["w", "x", "z", "y"]


@pytest.mark.parametrize(
    ("attempts", "budget", "right"),
    [(1, 9, False), (2, 9, True), ("unlimited", 2, True), (2, 1, False)],
)
def test_an_action_has_no_more_outcomes_than_attempts(attempts, budget, right):
    """Point 4: the paper's program has one toss come out heads and tails."""
    both = frozenset({("toss", "ok"), ("toss", "fail")})
    actions = {"toss": {"attempts": attempts}}
    doc = document(actions, [({"all": ["toss=ok", "toss=fail"]}, 1)], budget=budget)

    assert paper_program(doc) == {both}
    assert family(doc) == rewarding_sets(doc) == ({(1, both)} if right else set())


def test_actions_that_enable_each_other_in_a_circle_reach_nothing():
    """Point 4: nothing lifts itself by its own bootstraps."""
    doc = document(
        {"a": {"requires": "b=ok"}, "b": {"requires": "a=ok"}}, [("a=ok", 1)]
    )

    assert paper_program(doc) == {ok("a", "b")}
    assert family(doc) == rewarding_sets(doc) == set()


def test_a_circle_does_not_cut_off_the_way_out_of_it():
    """Point 4: c starts what a and b alone cannot."""
    actions = {
        "a": {"requires": "b=ok"},
        "b": {"requires": {"any": ["a=ok", "c=ok"]}},
        "c": {},
    }
    doc = document(actions, [("a=ok", 1)])

    assert paper_program(doc) == {ok("a", "b")}
    assert family(doc) == rewarding_sets(doc) == {(1, ok("a", "b", "c"))}


def test_a_set_beyond_the_budget_is_left_out():
    """The paper's program has no budget."""
    actions = {"x": {"cost": 3}, "y": {"requires": "x=ok"}, "z": {}}
    doc = document(actions, [("y=ok", 1), ("z=ok", 1)], budget=3)

    assert paper_program(doc) == {ok("x", "y"), ok("z")}
    assert family(doc) == rewarding_sets(doc) == {(1, ok("z"))}


# What the paper's program does not know of.


def test_a_level_that_is_reached_from_the_start_has_only_the_empty_set():
    doc = document({"x": {}}, [({"not": "x=fail"}, 5)])

    assert family(doc) == rewarding_sets(doc) == {(5, frozenset())}


def test_a_level_out_of_reach_has_no_set():
    doc = document({"x": {}}, [({"any": []}, 5)])

    assert family(doc) == rewarding_sets(doc) == set()


def test_losing_a_penalty_is_a_level():
    rewards = [({"not": "x=ok"}, -30), ("x=ok", 5), ("x", 0)]
    doc = document({"x": {}}, rewards, combine="sum")

    assert family(doc) == rewarding_sets(doc) == {(0, ok("x")), (1, ok("x"))}


def test_a_discount_makes_a_set_affordable():
    """x costs 4 of 4, or 1 after y, which costs 2; then there is 1 left for z."""
    actions = {
        "x": {"cost": 4, "given": [{"when": "y=ok", "cost": 1}]},
        "y": {"cost": 2},
        "z": {},
    }
    doc = document(actions, [("x=ok", 1), ({"all": ["x=ok", "z=ok"]}, 2)], budget=4)
    right = {(1, ok("x")), (2, ok("x", "y", "z"))}

    assert family(doc) == rewarding_sets(doc) == right


def test_an_outcome_may_first_need_a_chance():
    actions = {
        "x": {
            "outcomes": {"ok": 0, "fail": 1},
            "given": [{"when": "y=ok", "outcomes": TOSS}],
        },
        "y": {},
    }
    doc = document(actions, [("x=ok", 1)])

    assert family(doc) == rewarding_sets(doc) == {(1, ok("x", "y"))}


@pytest.mark.parametrize("missing", [0, 1])
def test_a_set_that_is_too_dear_by_a_hair_is_left_out(missing):
    """The hair is smaller than what HiGHS can tell from nothing."""
    third = Fraction(1, 3)
    actions = {name: {"cost": str(third)} for name in "xyz"}
    budget = str(1 - Fraction(missing, 10**17))
    rewards = [({"all": ["x=ok", "y=ok", "z=ok"]}, 2), ("x=ok", 1)]
    doc = document(actions, rewards, budget=budget)
    right = {(1, ok("x"))} | ({(2, ok("x", "y", "z"))} if not missing else set())

    assert family(doc) == rewarding_sets(doc) == right


# Limits.


def test_a_limit_on_the_number_of_sets_says_what_is_left_unknown():
    """7 sets in all: 1 for 100, 2 for 50, 4 for 10."""

    def counts(most_sets):
        levels, _, _ = solved(illustrative_document(), most_sets=most_sets)
        return [(len(found.sets), found.is_complete) for found in levels]

    assert counts(7) == [(1, True), (2, True), (4, True)]
    assert counts(4) == [(1, True), (2, True), (1, False)]
    assert counts(1) == [(1, True), (0, False), (0, False)]


def test_no_time_gives_no_sets_and_says_so():
    levels, _, _ = solved(illustrative_document(), time_limit_seconds=-1)

    assert not any(found.sets or found.is_complete for found in levels)


def test_without_highs_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)

    with pytest.raises(ImportError) as raised:
        family(illustrative_document())

    assert str(raised.value) == ("the 0/1 program needs HiGHS: pip install highspy")


def test_highs_says_nothing(capfd):
    family(illustrative_document())

    assert capfd.readouterr() == ("", "")
