"""Tests for reading decision trees of SilverDecisions."""

import json
from fractions import Fraction

import pytest

from branchwise.errors import FormatError, IssuesError
from branchwise.formats.read import check_file, read_text
from branchwise.formats.write import write_text
from branchwise.solver import solve


def end():
    return {"type": "terminal", "name": "", "childEdges": []}


def node(kind, *edges, name="", **more):
    return {"type": kind, "name": name, "childEdges": list(edges), **more}


def edge(name, child, payoff=0, probability=None, **more):
    said = {"name": name, "payoff": payoff, "childNode": child, **more}
    return said if probability is None else {**said, "probability": probability}


def file(*trees, code="", scope=None, **more):
    data = {"code": code, "expressionScope": scope or {}, "trees": list(trees)}
    return json.dumps(
        {"SilverDecisions": "0.8.0", "title": "Oil", "data": data, **more}
    )


def drill(good):
    return node(
        "chance", edge("oil", end(), "gain", good), edge("dry", end(), "0", "#")
    )


# Drilling costs 70 and gains 200 with 0.2, or with 0.5 after a good test, which costs
# 10 and comes with 0.4: -10 + 0.4 * (0.5 * 200 - 70) = 2.
OIL = file(
    node(
        "decision",
        edge("drill", drill("0.2"), "-70"),
        edge(
            "test",
            node(
                "chance",
                edge(
                    "good",
                    node(
                        "decision",
                        edge("drill now", drill("1 / 2"), "-cost"),
                        edge("leave", end()),
                    ),
                    0,
                    "0.4",
                ),
                edge("bad", end(), 0, "#"),
            ),
            "-10 # the survey",
        ),
        edge("nothing", end()),
    ),
    code="gain = 200\ncost = 70  # of a hole",
)


def worth(text):
    return solve(read_text(text, "json"), exact=True).expected_reward


def test_the_best_branch_is_worth_what_it_is_by_hand():
    solution = solve(read_text(OIL, "json"), exact=True)

    assert solution.expected_reward == 2
    assert solution.first_action == "test"
    assert solution.tree.action_after("test=good") == "drill now"


def test_variables_are_parameters():
    problem = read_text(OIL, "json")

    assert {*problem.parameters} == {"gain", "cost"}
    richer = problem.with_parameters({"gain": 500})
    # -70 + 0.2 * 500 = 30 at once; -10 + 0.4 * (250 - 70) = 62 with the test.
    assert solve(richer, exact=True).expected_reward == 62


def test_a_decision_takes_one_of_its_branches_though_all_lose():
    """Where nothing is not among the branches, the least loss is the best."""
    losses = node("decision", edge("a", end(), -5), edge("b", end(), "-3"))

    assert worth(file(losses)) == -3


def test_chance_after_chance_is_one_action():
    inner = node("chance", edge("x", end(), 8, "1/4"), edge("y", end(), 0, "3/4"))
    outer = node("chance", edge("in", inner, 1, 0.5), edge("out", end(), 0, "#"))
    problem = read_text(file(outer), "json")

    [start] = problem.actions
    assert [outcome.label for outcome in start.outcomes] == ["in, x", "in, y", "out"]
    assert solve(problem, exact=True).expected_reward == Fraction(3, 2)


def test_branches_share_what_others_leave():
    three = [edge("", end(), payoff, "#") for payoff in (1, 3, 3)]

    assert worth(file(node("chance", *three))) == Fraction(7, 3)


def test_a_rule_that_minimizes_counts_payoffs_below_zero(tmp_path):
    costs = node("decision", edge("a", end(), 5), edge("b", end(), 3))
    path = tmp_path / "costs.json"
    path.write_text(file(costs, rule="expected-value-minimization"))
    problem, issues = check_file(path)

    assert solve(problem, exact=True).expected_reward == -3
    assert "each counts below zero" in issues[0].what


def test_what_is_not_taken_as_it_stands_is_said(tmp_path):
    """`p ^ 2` is no arithmetic of ours; what the file has computed for it is taken."""
    root = node(
        "chance",
        edge("x", end(), ["1 1", "5"], "p ^ 2", computed={"probability": "1/16"}),
        edge("y", end(), ["0", "0"], "#"),
        code="p = random()",
        expressionScope={"p": 0.25},
    )
    root["childEdges"][0]["payoff"] = ["16", "5"]
    path = tmp_path / "tree.json"
    path.write_text(file(root, node("terminal"), rule="maxi-min"))
    problem, issues = check_file(path)

    assert solve(problem, exact=True).expected_reward == 1
    words = " ".join(issue.what for issue in issues)
    assert "the rule of the file is `maxi-min`; the expected value is used" in words
    assert "there are 2 trees; the first one is read" in words
    assert "is taken as the file has it (2 times)" in words
    assert "there is a second criterion, which is left out" in words
    assert all(issue.where.startswith(f"{path}:1:") for issue in issues)


def test_files_from_before_0_7_have_their_trees_at_the_top():
    old = {"SilverDecisions": "0.5.1", "trees": json.loads(OIL)["data"]["trees"]}
    text = json.dumps({**old, "code": "gain = 200\ncost = 70"})

    assert worth(text) == 2


def test_a_tree_that_was_read_is_written_as_a_problem_of_ours():
    problem = read_text(OIL, "json")

    assert read_text(write_text(problem)) == problem


BROKEN = {
    file(): "there is no tree in this file",
    file(node("decision")): "this node has no branch, and is no end",
    file(node("dice", edge("a", end()))): "there is no kind of node `dice`",
    file(node("chance", edge("a", end()))): "a branch of chance has no `probability`",
    file(
        node("chance", edge("a", end(), 0, "0.4"))
    ): "the only outcome has probability 0.4",
    file(node("decision", edge("a", end(), "x"))): "`x` is no payoff that can be read",
    file(node("decision", edge("a", end(), "2 3"))): "`2 3` is no payoff",
    file(node("decision", edge("a", end(), {"b": 1}))): "a map stands where a payoff",
    file(node("decision", {"name": "a"})): "a branch has no `childNode`",
    file(end(), code="p = f()"): "`p = f()` defines no number",
    '{"SilverDecisions": "1", "data": []}': "a list stands where `data` belongs",
    '{"SilverDecisions": "1"}': "the file has no `trees`",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_refused_with_place_cause_and_fix(text):
    with pytest.raises(IssuesError) as caught:
        read_text(text, "json")
    assert BROKEN[text] in str(caught.value)
    assert str(caught.value).startswith("text:1:")
    assert "\n    fix: " in str(caught.value)


END = '{"type": "terminal", "childEdges": []}'


def row_of_decisions(number):
    """Each time one may stop with 1, or go on for 1: that earns 2 with 0.9."""
    stop = f'{{"name": "stop", "payoff": 1, "childNode": {END}}}'
    tree = f'{{"type": "decision", "childEdges": [{stop}]}}'
    for _ in range(number - 1):
        on = f'{{"name": "on", "payoff": 2, "probability": "0.9", "childNode": {tree}}}'
        off = f'{{"name": "off", "probability": "#", "childNode": {END}}}'
        chance = f'{{"type": "chance", "childEdges": [{on}, {off}]}}'
        go = f'{{"name": "go", "payoff": -1, "childNode": {chance}}}'
        tree = f'{{"type": "decision", "childEdges": [{stop}, {go}]}}'
    return f'{{"SilverDecisions": "1.2.1", "data": {{"trees": [{tree}]}}}}'


def row_of_chances(number):
    tree = END
    for _ in range(number):
        edges = f'[{{"name": "x", "probability": "1", "childNode": {tree}}}]'
        tree = f'{{"type": "chance", "childEdges": {edges}}}'
    return f'{{"SilverDecisions": "1.2.1", "data": {{"trees": [{tree}]}}}}'


@pytest.mark.parametrize("number", [1, 17, 200, 499])
def test_a_deep_tree_is_read_and_grows_by_as_much_with_each_decision(number):
    """Going on from what is worth v is worth -1 + 0.9 (2 + v); stopping 1."""
    worth = 1
    for _ in range(number - 1):
        worth = max(1, -1 + 0.9 * (2 + worth))
    problem = read_text(row_of_decisions(number), "json")

    assert solve(problem).expected_reward == pytest.approx(worth)
    assert len(problem.actions) == 2 * number - 1
    assert len(problem.rewards) == 3 * number - 2
    assert len(write_text(problem)) < 1_000 * number


def test_what_is_too_deep_is_refused():
    assert len(read_text(row_of_chances(50), "json").actions) == 1
    with pytest.raises(FormatError, match="more than 50 nodes of chance") as caught:
        read_text(row_of_chances(51), "json")
    assert "a decision with one branch" in str(caught.value)
    with pytest.raises(FormatError, match="more than 3,000 levels deep") as caught:
        read_text(row_of_decisions(501), "json")
    assert "draw fewer nodes in a row" in str(caught.value)


def test_what_only_speaks_of_a_tree_is_as_deep_as_any_document():
    """A problem of ours may have an action of that name, and 100 levels at most."""
    deep = "[" * 200 + "]" * 200
    text = f'{{"actions": {{"SilverDecisions": {deep}}}}}'
    with pytest.raises(FormatError, match="more than 100 levels deep"):
        read_text(text, "json")
    sound = '{"actions": {"SilverDecisions": {"outcomes": {"ok": 1}}}}'
    assert read_text(sound, "json").actions[0].name == "SilverDecisions"
