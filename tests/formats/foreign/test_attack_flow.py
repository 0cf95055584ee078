"""Tests for reading attack flows, in STIX and as drawn, and for writing them."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise.errors import FormatError
from branchwise.formats.read import check_file, read, read_text
from branchwise.formats.write import write, write_text
from branchwise.solver import solve

EXAMPLES = Path(__file__).parents[3] / "examples"


def action(key, *effects, name="", **more):
    said = {"type": "attack-action", "id": f"attack-action--{key}", "name": name or key}
    return said | ({"effect_refs": list(effects)} if effects else {}) | more


def condition(key, true=(), false=(), **more):
    said = {
        "type": "attack-condition",
        "id": f"attack-condition--{key}",
        "description": key,
        **more,
    }
    said |= {"on_true_refs": list(true)} if true else {}
    return said | ({"on_false_refs": list(false)} if false else {})


def operator(key, kind, *effects):
    return {
        "type": "attack-operator",
        "id": f"attack-operator--{key}",
        "operator": kind,
        "effect_refs": list(effects),
    }


def bundle(*objects, **more):
    flow = {"type": "attack-flow", "id": "attack-flow--1", "name": "Phishing", **more}
    return json.dumps({"type": "bundle", "id": "1", "objects": [flow, *objects]})


# A server and addresses are needed to send mail, which then leads to a password.
FLOW = bundle(
    action("server", "attack-operator--and"),
    action("addresses", "attack-operator--and"),
    operator("and", "AND", "attack-action--mail"),
    action("mail", "attack-condition--password"),
    condition("password"),
)


def worth(text):
    return solve(read_text(text, "json"), exact=True).expected_reward


def test_what_leads_to_an_operator_is_required():
    """Three steps that succeed with 0.9 each."""
    problem = read_text(FLOW, "json")

    assert str(problem.action("mail").requires) == "server=done and addresses=done"
    assert str(problem.rewards[0].when) == "mail=done"
    assert worth(FLOW) == Fraction(729, 1000)


def test_one_of_several_arrows_is_enough():
    text = bundle(
        action("a", "attack-action--c"), action("b", "attack-action--c"), action("c")
    )
    problem = read_text(text, "json")

    assert str(problem.action("c").requires) == "a=done or b=done"


def test_a_condition_that_an_action_leads_to_is_false_if_the_action_fails():
    text = bundle(
        action("a", "attack-condition--in"),
        condition("in", ["attack-action--b"], ["attack-action--c"]),
        action("b"),
        action("c"),
    )
    problem = read_text(text, "json")

    assert str(problem.action("b").requires) == "a=done"
    assert str(problem.action("c").requires) == "a=failed"


def test_a_condition_that_nothing_leads_to_is_looked_at():
    """It holds with 0.5; then the step succeeds with 0.9, else the other does."""
    text = bundle(
        condition("patched", ["attack-action--b"], ["attack-action--c"]),
        action("b"),
        action("c"),
    )
    problem = read_text(text, "json")

    assert problem.action("patched").cost == {}
    assert str(problem.action("c").requires) == "patched=false"
    assert worth(text) == Fraction(9, 10)


def test_a_circle_with_an_entry_is_no_obstacle():
    text = bundle(
        action("a", "attack-operator--or"),
        operator("or", "OR", "attack-action--b"),
        action("b", "attack-operator--or", "attack-action--c"),
        action("c"),
    )

    assert worth(text) == Fraction(729, 1000)


def test_steps_of_one_name_stay_apart():
    text = bundle(
        action("1", "attack-action--2", name="Phishing"), action("2", name="Phishing")
    )
    names = [each.name for each in read_text(text, "json").actions]

    assert names == ["Phishing", "Phishing (2)"]


def test_what_is_assumed_is_said_with_its_place(tmp_path):
    path = tmp_path / "flow.json"
    path.write_text(FLOW.replace('"objects": [', '"objects": [{"type": "malware"}, '))
    problem, issues = check_file(path)
    words = [issue.what for issue in issues]

    assert all(issue.where.startswith(f"{path}:1:") for issue in issues)
    assert words[0].startswith(
        "how likely steps succeed and conditions hold is not said for 3"
    )
    assert words[1].startswith("what steps cost is not said")
    assert words[2].startswith(
        "steps that lead to no other are what the attacker wants (1)"
    )
    assert words[3].startswith(
        "objects that are no step, condition or operator, such as assets"
    )
    assert {*problem.parameters} == {
        *("chance of server", "chance of addresses", "chance of mail"),
        *("cost of a step", "worth of password"),
    }


def drawn(*objects, schema="attack_flow_v2"):
    return json.dumps({"schema": schema, "theme": "dark", "objects": list(objects)})


def box(key, kind, name="", side="0"):
    """A box with one place for arrows, at which both `to` and `from` it are latched."""
    properties = [["description" if kind == "condition" else "name", name]]
    latches = [f"to {key}", *(f"{n} from {key}" for n in range(3))]
    anchor = {"id": "anchor", "instance": f"anchor {key}", "latches": latches}
    anchors = {side: f"anchor {key}"}
    return [
        {"id": kind, "instance": key, "properties": properties, "anchors": anchors},
        anchor,
    ]


def arrow(start, end, number=0):
    latches = {"source": f"{number} from {start}", "target": f"to {end}"}
    return {"id": "dynamic_line", "instance": f"{start}>{end}", **latches}


def test_a_drawing_of_attack_flow_builder_is_the_same_flow(tmp_path):
    path = tmp_path / "mail.afb"
    objects = [
        {"id": "flow", "instance": "f", "properties": [["name", "Phishing"]]},
        *box("1", "action", "server"),
        *box("2", "action", "addresses"),
        *box("3", "AND_operator"),
        *box("4", "action", "mail"),
        *box("5", "condition", "password"),
        *box("6", "malware", "x"),
        *(arrow("1", "3"), arrow("2", "3"), arrow("3", "4"), arrow("4", "5")),
        arrow("4", "6", 1),
    ]
    path.write_text(drawn(*objects))

    assert read(path) == read_text(FLOW, "json")


def test_the_false_side_of_a_drawn_condition_counts(tmp_path):
    path = tmp_path / "patch.afb"
    parts = [
        *box("1", "condition", "patched", "branch:False"),
        *box("2", "action", "b"),
    ]
    path.write_text(drawn(*parts, arrow("1", "2")))
    problem = read(path)

    assert problem.name == "patch"
    assert str(problem.action("b").requires) == "patched=false"


@pytest.mark.parametrize(
    "name",
    [
        "illustrative",
        "cyber/kill_chain",
        "knee_pain",
        "repair/car",
        "games/three_doors",
    ],
)
def test_a_problem_that_is_written_as_a_flow_and_read_is_worth_the_same(name, tmp_path):
    """Counters, hidden facts, endings and least cost are properties of ours."""
    problem = read(EXAMPLES / f"{name}.yaml")
    path = tmp_path / "flow.stix.json"
    write(problem, path)
    back, issues = check_file(path)

    assert issues == ()
    assert [each.name for each in back.actions] == [a.name for a in problem.actions]
    ours, theirs = solve(problem, exact=True), solve(back, exact=True)
    assert theirs.expected_reward == ours.expected_reward


def test_a_flow_says_by_arrows_what_it_can_and_names_the_rest():
    text = write_text(read(EXAMPLES / "knee_pain.yaml"), "stix")
    objects = json.loads(text)["objects"]
    kinds = {each["type"] for each in objects}
    known = {each["id"] for each in objects}
    flow = next(each for each in objects if each["type"] == "attack-flow")
    keys = ("effect_refs", "on_true_refs", "start_refs")
    refs = {ref for each in objects for key in keys for ref in each.get(key, ())}

    assert {"attack-action", "attack-condition", "attack-operator"} <= kinds
    assert len(known) == len(objects)
    assert refs <= known
    assert "Not to be seen in the arrows: `given` of `injection`" in flow["description"]
    assert all(each["spec_version"] == "2.1" for each in objects)
    assert text == write_text(read(EXAMPLES / "knee_pain.yaml"), "stix")


BROKEN = {
    '{"type": "report", "objects": []}': "text:1:1: this is a `report`, not a bundle",
    '{"type": "bundle", "objects": {}}': "a map stands where the objects belongs",
    '{"type": "bundle", "objects": []}': "has 0 objects `attack-flow`, not one",
    '{"flow": {}, "actions": [], "relationships": []}': "this is Attack Flow 1",
    bundle(): "the flow has no action",
    bundle(action("a", "attack-action--b")): "no object `attack-action--b` that this",
    bundle(action("a"), action("a")): "two objects have the identifier",
    bundle(action("a", "attack-action--a")): "every step leads to another, round a",
    bundle(action("a"), operator("o", "XOR")): "there is no operator `XOR`",
    bundle(action("a", name={"b": 1})): "a map stands where `name` belongs",
    drawn(): "the flow has no action",
    drawn(schema="attack_flow_v9"): "the schema is `attack_flow_v9`, and only",
    drawn({"id": "action"}): "an object has no `instance`",
    drawn(1): "the text `1` stands where an object belongs",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_refused_with_place_cause_and_fix(text):
    with pytest.raises(FormatError) as caught:
        read_text(text, "json")
    assert BROKEN[text] in str(caught.value)
    assert str(caught.value).startswith("text:1:")
    assert "\n    fix: " in str(caught.value)


def test_operators_that_multiply_are_refused():
    """Each of 30 pairs of operators leads to both of the next: 2^30 ways."""
    rows = [
        operator(
            f"{row}{side}", kind, *(f"attack-operator--{row + 1}{s}" for s in "ab")
        )
        for row in range(30)
        for side, kind in (("a", "AND"), ("b", "OR"))
    ]
    ends = [operator(f"30{s}", "OR", "attack-action--end") for s in "ab"]
    starts = [action("start", "attack-operator--0a", "attack-operator--0b")]
    text = bundle(*starts, *rows, *ends, action("end"))
    with pytest.raises(
        FormatError, match="joined in more ways than can be written out"
    ):
        read_text(text, "json")


REQUIRED = {
    "attack-flow": {"name", "scope", "start_refs"},
    "attack-action": {"name"},
    "attack-condition": {"description"},
    "attack-operator": {"operator"},
}


@pytest.mark.parametrize("name", ["cyber/attack_flow", "knee_pain", "oil_wildcatter"])
def test_what_is_written_has_all_that_the_schema_of_attack_flow_asks_for(name):
    """Files that had it were valid by the schema of version 2.0.0 itself."""
    bundle = json.loads(write_text(read(EXAMPLES / f"{name}.yaml"), "stix"))
    seen = set()
    for each in bundle["objects"]:
        assert each["id"].startswith(f"{each['type']}--")
        assert each["spec_version"] == "2.1"
        assert each["created"] <= each["modified"]
        if each["type"].startswith("attack-"):
            seen.add(each["type"])
            assert all(each[key] for key in REQUIRED[each["type"]])
            assert each["extensions"]
    assert {"attack-flow", "attack-action", "attack-condition"} <= seen
