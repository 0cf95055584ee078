"""Tests for reading probabilistic planning problems."""

from fractions import Fraction

import pytest

from branchwise.errors import FormatError
from branchwise.formats.read import check_file, read, read_text
from branchwise.formats.write import write_text
from branchwise.solver import solve

# A car drives from place to place; every stretch may cost a tire, and there are spare
# tires at some places. The way round the outside has a spare tire at each of them.
TIRES = """
(define (domain tires)
  (:requirements :typing :probabilistic-effects)
  (:types place)
  (:predicates (at ?p - place) (spare ?p - place) (road ?a ?b - place) (fine) (have))
  (:action drive :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b) (fine))
    :effect (and (at ?b) (not (at ?a)) (probabilistic 0.5 (not (fine)))))
  (:action load :parameters (?p - place)
    :precondition (and (at ?p) (spare ?p))
    :effect (and (have) (not (spare ?p))))
  (:action change :precondition (have) :effect (and (not (have)) (fine))))
"""
TRIANGLE = """
(define (problem triangle) (:domain tires)
  (:objects a b c d e f - place)
  (:init (at a) (fine) (road a b) (road b c) (road a d) (road d b) (road d f)
         (road f e) (road e c) (spare d) (spare f) (spare e))
  (:goal (at c)))
"""

# Blocks may explode when they are put down: on a table with 2/5, on a block with 1/10.
# What has exploded under something cannot be used any more.
BLOCKS = """
(define (domain exploding)
  (:requirements :typing :probabilistic-effects :negative-preconditions)
  (:types block)
  (:predicates (on ?a ?b - block) (down ?a - block) (free ?a - block)
               (held ?a - block) (empty) (armed ?a - block) (whole ?a - block) (table))
  (:action lift :parameters (?a ?b - block)
    :precondition (and (empty) (free ?a) (on ?a ?b) (whole ?a))
    :effect (and (held ?a) (free ?b) (not (empty)) (not (on ?a ?b)) (not (free ?a))))
  (:action take :parameters (?a - block)
    :precondition (and (empty) (free ?a) (down ?a) (whole ?a))
    :effect (and (held ?a) (not (empty)) (not (down ?a)) (not (free ?a))))
  (:action drop :parameters (?a - block)
    :precondition (and (held ?a) (table))
    :effect (and (empty) (free ?a) (down ?a) (not (held ?a))
      (when (armed ?a)
        (probabilistic 2/5 (and (not (table)) (not (armed ?a)))))))
  (:action stack :parameters (?a ?b - block)
    :precondition (and (held ?a) (free ?b) (whole ?b) (not (= ?a ?b)))
    :effect (and (empty) (on ?a ?b) (free ?a) (not (held ?a)) (not (free ?b))
      (when (armed ?a)
        (probabilistic 1/10 (and (not (whole ?b)) (not (armed ?a))))))))
(define (problem three) (:domain exploding)
  (:objects x y z - block)
  (:init (empty) (on x y) (down y) (down z) (free x) (free z) (table)
         (armed x) (armed y) (armed z) (whole x) (whole y) (whole z))
  (:goal (on y z)))
"""


def domain(*actions, more=""):
    return f"(define (domain d) {more} {' '.join(actions)})"


def problem(init="", goal="(done)", more=""):
    return f"(define (problem p) (:domain d) {more} (:init {init}) (:goal {goal}))"


def act(effect, name="go", condition="()", parameters="()"):
    said = f":parameters {parameters} :precondition {condition} :effect {effect}"
    return f"(:action {name} {said})"


def chance(text, steps=20):
    read_ = read_text(text, "pddl").with_budget(steps)
    return solve(read_, exact=True).expected_reward


@pytest.mark.parametrize(("steps", "value"), [(1, "0"), (2, "1/2"), (20, "1")])
def test_the_long_way_round_a_triangle_is_safe(steps, value):
    """Two stretches are enough if the first one leaves the tire fine: 1/2."""
    assert chance(TIRES + TRIANGLE, steps) == Fraction(value)


def test_blocks_that_may_explode():
    """
    The upper block has to go somewhere first, and the lower one to the other one then.

    Put on the table, a block destroys at most that, which nobody needs again: the goal
    is reached for sure once the blocks are lifted, in four steps.
    """
    assert chance(BLOCKS, 3) == 0
    assert chance(BLOCKS, 4) == 1


@pytest.mark.parametrize(("steps", "value"), [(2, "9/10"), (4, "47/50")])
def test_a_block_may_destroy_what_it_is_put_on(steps, value):
    """
    In two steps the block is lifted and put where it may explode: 1 - 1/10.

    In four it is put on the table first, where it explodes with 2/5 and is harmless
    then: 2/5 + 3/5 * 9/10.
    """
    text = BLOCKS.replace("(:goal (on y z))", "(:goal (and (on x z) (whole z)))")

    assert chance(text, steps) == Fraction(value)


def test_what_is_added_and_deleted_at_once_holds():
    text = domain(act("(and (not (done)) (done))")) + problem()

    assert chance(text) == 1


def test_effects_of_what_holds_before():
    """A switch is turned, and turned back: each effect looks at the state before."""
    flip = act(
        "(and (when (on) (not (on))) (when (not (on)) (on)) (probabilistic 1/3 (done)))"
    )
    text = domain(flip) + problem("(on)", "(and (done) (not (on)))")

    assert chance(text, 1) == Fraction(1, 3)
    assert chance(text, 2) == Fraction(1, 3)  # on again after two
    assert chance(text, 3) == 1 - Fraction(2, 3) ** 3


def test_probabilities_that_happen_together_multiply():
    text = domain(act("(and (probabilistic 1/2 (a)) (probabilistic 1/3 (b)))"))

    assert chance(text + problem("", "(and (a) (b))"), 1) == Fraction(1, 6)


def test_quantifiers_run_over_objects_of_a_type():
    every = "(forall (?x - thing) (seen ?x))"
    look = act("(probabilistic 1/2 (seen ?x))", "look", parameters="(?x - thing)")
    text = domain(look, more="(:types thing other)") + problem(
        goal=every, more="(:objects a b - thing c - other)"
    )

    assert chance(text, 2) == Fraction(1, 4)
    some = every.replace("forall", "exists")
    assert chance(text.replace(every, some), 2) == Fraction(3, 4)


def test_types_have_types():
    move = act("(done)", "move", parameters="(?x - thing)")
    text = domain(move, more="(:types car - vehicle vehicle - thing stone)")
    names = [
        action.name
        for action in read_text(
            text + problem(more="(:objects a - car b - (either stone car) c - stone)"),
            "pddl",
        ).actions
    ]

    assert names == ["move a", "move b"]


def test_what_cannot_matter_is_left_out():
    text = domain(act("(done)"), act("(other)", "idle")) + problem()

    assert [action.name for action in read_text(text, "pddl").actions] == ["go"]


def test_what_a_fact_that_cannot_matter_depends_on_is_left_out():
    """Whether `b` holds decides about `a` only, which nobody asks for."""
    flip = act("(and (done) (when (b) (a)) (when (not (b)) (b)))")
    found = read_text(domain(flip) + problem(), "pddl")

    assert [counter.name for counter in found.counters] == ["done"]
    assert chance(domain(flip) + problem(), 1) == 1


def test_the_domain_may_stand_in_a_file_beside(tmp_path):
    (tmp_path / "other.pddl").write_text("(define (domain x))")
    (tmp_path / "broken.pddl").write_text("((")
    (tmp_path / "tires-domain.pddl").write_text(TIRES)
    path = tmp_path / "tires-problem.pddl"
    path.write_text(TRIANGLE)
    found, issues = check_file(path)

    assert found.name == "triangle"
    assert found == read_text(TIRES + TRIANGLE, "pddl")
    assert "the domain is the one in `tires-domain.pddl`" in issues[-1].what
    (tmp_path / "tires-domain.pddl").rename(tmp_path / "domain.pddl")
    assert read(path) == found


def test_what_is_assumed_is_said_with_its_place(tmp_path):
    path = tmp_path / "p.pddl"
    text = domain(act("(and (done) (increase (total-cost) 1))"))
    path.write_text(text + problem(goal="(done)) (:metric minimize (total-cost)"))
    found, issues = check_file(path)

    assert found.budget["steps"] == 20
    assert [issue.severity for issue in issues] == ["warning"] * 2
    assert "the goal is to be reached within 20 steps" in issues[0].what
    assert "the goal is to be reached for the least cost" in issues[1].what
    assert all(issue.where.startswith(f"{path}:1:") for issue in issues)


# Two ways to the shore: a bridge far away, or a boat that may sink and costs less.
SHORE = """
(define (domain shore)
  (:functions (total-cost) (reward) (toll ?w))
  (:action walk :effect (and (over) (increase (total-cost) (toll bridge))))
  (:action sail :effect (and (increase (total-cost) 2) {sail})))
(define (problem cross) (:domain shore)
  (:init (= (toll bridge) 5) (= (total-cost) 0))
  (:goal (over)) {metric})
"""


def shore(sail, metric):
    return SHORE.format(sail=sail, metric=metric)


def test_where_nothing_is_left_to_chance_the_least_cost_is_asked_for():
    """Sailing leads half the way, for 2 each time: 4 in all, and walking costs 5."""
    sail = "(when (half) (over)) (half)"
    found = read_text(shore(sail, "(:metric minimize (total-cost))"), "pddl")

    assert solve(found, exact=True).expected_cost == 4
    assert solve(found.with_budget({"steps": 1}), exact=True).expected_cost == 5


def test_where_something_is_the_probability_counts_and_costs_may_be_limited(tmp_path):
    """With 4 to spend one sails twice: 1 - 1/4."""
    path = tmp_path / "shore.pddl"
    path.write_text(shore("(probabilistic 0.5 (over))", ""))
    found, issues = check_file(path)

    assert worth_of(found) == 1
    assert worth_of(found.with_budget({"cost": 4})) == Fraction(3, 4)
    assert worth_of(found.with_budget({"cost": 4, "steps": 1})) == Fraction(1, 2)
    assert "costs of actions do not decide" in issues[1].what
    assert "`--budget cost=30`" in issues[1].fix
    assert "`--budget steps=8`" in issues[0].fix


def test_the_reward_of_the_goal_counts_less_costs():
    """Sailing once and then walking: 10 - 2 - 1/2 * 5, against 10 - 5 on foot."""
    text = shore("(probabilistic 0.5 (over))", "(:goal-reward 10)")
    text = text.replace("increase (total-cost)", "decrease (reward)")
    found = read_text(
        text.replace("(:goal-r", "(:metric maximize (reward)) (:goal-r"), "pddl"
    )

    assert worth_of(found.with_budget({"steps": 2})) == Fraction(13, 2) - 1
    assert worth_of(found.with_budget({"steps": 1})) == 5


def worth_of(problem):
    return solve(problem, exact=True).expected_reward


@pytest.mark.parametrize(
    "change",
    [
        "(probabilistic 0.5 (increase (total-cost) 1))",
        "(when (over) (increase (total-cost) 1))",
        "(decrease (total-cost) 1)",
        "(increase (total-cost) (toll nowhere))",
        "(increase (total-cost) (total-cost))",
        "(increase (total-cost) (toll (toll bridge)))",
        "(increase (fuel) 1)",
        "(assign (total-cost) 1)",
        "(increase (total-cost))",
    ],
)
def test_other_changes_of_numbers_are_left_out_and_said(change, tmp_path):
    path = tmp_path / "shore.pddl"
    path.write_text(shore(f"(probabilistic 0.5 (over)) {change}", ""))
    found, issues = check_file(path)

    assert worth_of(found.with_budget({"cost": 4})) == Fraction(3, 4)
    assert "but for what an action surely costs (1 times)" in issues[0].what
    assert issues[0].where.startswith(f"{path}:5:")


def test_a_metric_of_another_kind_is_left_out_and_said(tmp_path):
    path = tmp_path / "shore.pddl"
    path.write_text(shore("(over)", "(:metric minimize (+ (total-cost) (fuel)))"))
    _, issues = check_file(path)

    assert "`(:metric ...)` is left out" in issues[-1].what
    with pytest.raises(FormatError, match="the reward of the goal is no number above"):
        read_text(shore("(over)", "(:goal-reward none)"), "pddl")


def test_costs_that_are_all_alike_are_steps(tmp_path):
    text = shore("(probabilistic 0.5 (over))", "(:metric minimize (total-cost))")
    path = tmp_path / "shore.pddl"
    path.write_text(text.replace("total-cost) (toll bridge)", "total-cost) 2"))
    found, issues = check_file(path)

    assert dict(found.budget.items()) == {"steps": 20}
    assert issues[1].fix == "nothing, if this is meant"


def test_a_problem_that_was_read_is_written_as_one_of_ours():
    found = read_text(TIRES + TRIANGLE, "pddl")

    assert read_text(write_text(found)) == found


PLAIN = domain(act("(done)"))
BROKEN = {
    "": "there is no problem in this file",
    "(": "this parenthesis is never closed",
    ")": "`)` stands outside of all parentheses",
    "(" * 101: "nested more than 100 levels deep",
    "hello": "`hello` stands outside of all parentheses",
    "(hello)": "`hello` stands where `define` belongs",
    "(define)": "`(define ...)` ends too early",
    "(define (game g))": "this defines neither a domain nor a problem but `game`",
    PLAIN: "this is the domain `d`, of which there may be many problems",
    problem(): "the domain `d` is neither in this file nor in one beside it",
    PLAIN + "(define (problem p) (:domain d))": "the problem has no goal",
    PLAIN + problem(goal="(other)"): "nothing leads to the goal: its probability is 0",
    PLAIN + problem("()"): "a fact is missing",
    domain(act("(not ())")) + problem(): "a fact is missing",
    PLAIN + problem("(done)"): "the goal holds from the start: its probability is 1",
    PLAIN
    + problem("(probabilistic 1/2 (a))"): "`(probabilistic ...)` in `:init` cannot",
    PLAIN + problem(goal="(< (fuel) 1)"): "`(< ...)` compares numbers, which cannot be",
    domain(act("(probabilistic 2 (done))")) + problem(): "`2` is no probability",
    domain(act("(probabilistic 0.7 (done) 0.7 ())")) + problem(): "sum to 7/5",
    domain(act("(probabilistic 0.7)")) + problem(): "a probability has no effect",
    domain(act("(done ?x)")) + problem(): "there is no variable `?x`",
    domain("(:durative-action x)") + problem(): "a section `(:durative-action ...)`",
    domain("(:action a :observe (x))") + problem(): "has `:observe`, which cannot be",
    domain("(:action a :effect)") + problem(): "nothing follows `:effect`",
    domain(act("(done)", parameters="(?x -)")) + problem(): "no type follows `-`",
    domain(act("done")) + problem(): "`done` stands where a condition or an effect",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_refused_with_place_cause_and_fix(text):
    with pytest.raises(FormatError) as caught:
        read_text(text, "pddl")
    assert BROKEN[text] in str(caught.value)
    assert str(caught.value).startswith("text:1:")
    assert "\n    fix: " in str(caught.value)


def test_more_actions_than_can_be_listed_are_refused():
    names = " ".join(f"o{i}" for i in range(60))
    text = domain(act("(done)", parameters="(?a ?b ?c)"))
    with pytest.raises(
        FormatError, match="more than 20,000 actions of certain objects"
    ):
        read_text(text + problem(more=f"(:objects {names})"), "pddl")


def test_more_effects_than_can_be_listed_are_refused():
    tosses = " ".join(f"(probabilistic 1/2 (a{i}))" for i in range(12))
    with pytest.raises(FormatError, match="an effect has more than 1,000 outcomes"):
        read_text(domain(act(f"(and {tosses})")) + problem(goal="(a1)"), "pddl")
