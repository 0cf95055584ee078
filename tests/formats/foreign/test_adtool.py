"""Tests for reading attack-defence trees of ADTool."""

from fractions import Fraction

import pytest

from branchwise.errors import FormatError
from branchwise.formats.read import check_file, read_text
from branchwise.formats.write import write_text
from branchwise.solver import solve


def leaf(label, chance=None, cost=None, inside="", switched=False):
    """A basic action of a tree, as ADTool writes it."""
    role = ' switchRole="yes"' if switched else ""
    values = "" if chance is None else f'<parameter domainId="P1">{chance}</parameter>'
    if cost is not None:
        values += f'<parameter domainId="C2" category="basic">{cost}</parameter>'
    start = f'<node refinement="disjunctive"{role}><label>{label}</label>'
    return f"{start}{values}{inside}</node>"


def group(label, refinement, *inside, switched=False):
    role = ' switchRole="yes"' if switched else ""
    start = f'<node refinement="{refinement}"{role}>'
    return f"{start}<label>{label}</label>{''.join(inside)}</node>"


def tree(node, root="adtree"):
    package = "lu.uni.adtool.domains.adtpredefined"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}>\n{node}\n'
        f'<domain id="P1"><class>{package}.ProbSucc</class></domain>'
        f'<domain id="C2"><class>{package}.MinCost</class></domain></{root}>'
    )


# A computer is infected (Aslanyan, Nielson and Parker, 2016): malware gets in by mail
# or on a stick unless a virus scanner runs, and is executed unless it restarts.
INFECTION = tree(
    group(
        "infection",
        "conjunctive",
        group(
            "malware gets in",
            "disjunctive",
            leaf("mail", 0.2, 20),
            leaf("stick", 0.6, 80),
            leaf("virus scanner", 0.7, switched=True),
        ),
        leaf("execute", 0.75, 50, leaf("restart", 0.85, switched=True)),
    )
)


def worth(text, budget=None):
    problem = read_text(text, "xml")
    if budget is not None:
        problem = problem.with_budget(budget)
    return solve(problem, exact=True).expected_reward


def test_the_infection_succeeds_with_459_in_20000():
    """(1 - 0.8 * 0.4) * (1 - 0.7) * 0.75 * (1 - 0.85) = 0.02295, as published."""
    assert worth(INFECTION) == Fraction(459, 20000)


@pytest.mark.parametrize(
    ("budget", "value"),
    [(69, "0"), (70, "0.00675"), (130, "0.02025"), (150, "0.02295")],
)
def test_costs_limit_what_can_be_tried(budget, value):
    """By mail it is 0.2, by stick 0.6, by both 0.68, times 0.3 * 0.75 * 0.15."""
    assert worth(INFECTION, budget) == Fraction(value)


def test_a_sequence_has_an_order():
    text = tree(
        group("in", "sequential", leaf("door", 0.5, 1), leaf("safe", 0.5, 10)),
        root="sandtree",
    )
    problem = read_text(text, "xml")

    assert str(problem.action("safe").requires) == "door=done"
    assert worth(text) == Fraction(1, 4)


def test_what_has_one_label_is_one_step(tmp_path):
    """Once done, a step serves wherever it stands: 1/2, not 1/4."""
    path = tmp_path / "twice.xml"
    path.write_text(
        tree(group("both", "conjunctive", leaf("key", 0.5, 1), leaf("key", 0.5, 1)))
    )
    problem, issues = check_file(path)

    assert solve(problem, exact=True).expected_reward == Fraction(1, 2)
    assert "`key` stands in several places, and is one step" in issues[0].what


def test_a_countermeasure_may_be_countered():
    """Guards fail 1 time in 2; if they do not, half of them take a bribe."""
    bribe = leaf("bribe", 0.5, 1, switched=True)
    text = tree(leaf("enter", 1, 1, leaf("guards", 0.5, inside=bribe, switched=True)))

    assert worth(text) == Fraction(3, 4)


def test_countermeasures_that_stand_together_are_met_together():
    """One of two suffices: they let pass 1/2 * 1/2; if both are needed, 3/4."""
    guards = leaf("guard", 0.5), leaf("dog", 0.5)
    either = group("watch", "disjunctive", *guards, switched=True)
    both = group("watch", "conjunctive", *guards, switched=True)

    assert worth(tree(leaf("enter", 1, 1, either))) == Fraction(1, 4)
    assert worth(tree(leaf("enter", 1, 1, both))) == Fraction(3, 4)
    names = [a.name for a in read_text(tree(leaf("enter", 1, 1, both)), "xml").actions]
    assert names == ["enter", "watch"]


def test_what_is_assumed_is_said_with_its_place(tmp_path):
    path = tmp_path / "tree.xml"
    path.write_text(tree(leaf("enter", inside=leaf("guard", switched=True))))
    problem, issues = check_file(path)

    assert [issue.where for issue in issues] == [f"{path}:3:1"] * 3
    assert issues[0].what.startswith(
        "no probability (domain `ProbSucc`) is given for 2 of"
    )
    assert issues[1].what.startswith("no cost (domain `MinCost`) is given for 1 of")
    assert issues[2].what.startswith("every countermeasure is in place (1)")
    assert {*problem.parameters} == {
        "chance of enter",
        "chance of guard",
        "cost of a step",
    }
    sure = problem.with_parameters({"chance of enter": 1, "chance of guard": 0})
    assert solve(sure, exact=True).expected_reward == 1


def test_values_of_other_domains_are_left_out_and_named(tmp_path):
    path = tmp_path / "tree.xml"
    path.write_text(tree(leaf("enter", 1, 1)).replace("MinCost", "MinSkill"))
    _, issues = check_file(path)

    assert "values of the domains `MinSkill` are left out" in issues[-1].what


def test_a_tree_that_was_read_is_written_as_a_problem_of_ours():
    problem = read_text(INFECTION, "xml")

    assert read_text(write_text(problem)) == problem


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><adtree>&c;</adtree>'
BROKEN = {
    "": "text:1:1: this is no XML: no element found",
    "<adtree><node>": "text:1:15: this is no XML: no element found",
    "actions: {}": "text:1:1: this is no XML: syntax error",
    "<?xml version='1.0' encoding='x'?><adtree/>": "this cannot be read: unknown",
    "<html/>": "text:1:1: `<html>` is not the root of an attack-defence tree",
    "<adtree/>": "text:1:1: the tree has 0 root nodes, not one",
    BOMB: "text:1:13: there is a document type, `<!DOCTYPE a`, which may have entities",
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><adtree/>': "there is a document type",
    "<adtree>" + "<node>" * 200: "nested more than 100 levels deep",
    tree(leaf("a", "many")): "text:3:48: `many` is not a number",
    tree(leaf("a", "1.5")): "`1.5` is no probability",
    tree(leaf("a", 1, "-3")): "`-3` is no cost",
    tree(group("a", "xor", leaf("b"))): "there is no refinement `xor`",
    "\x00": "text:1:1: this is no XML",
    "<adtree>" + "<node/>" * 100_001: "there are more than 100,000 elements",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_or_hostile_is_refused_with_place_cause_and_fix(text):
    with pytest.raises(FormatError) as caught:
        read_text(text, "xml")
    assert BROKEN[text] in str(caught.value)
    assert "\n    fix: " in str(caught.value)
