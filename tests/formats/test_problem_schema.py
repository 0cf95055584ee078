"""Tests for the JSON Schema: it accepts what we read, and refuses plain mistakes."""

import json
from pathlib import Path
from random import Random

import jsonschema
import pytest
import regress
import yaml

import branchwise
from branchwise.formats.problem_schema import problem_schema
from branchwise.formats.read import read_text
from branchwise.formats.write import write_text
from problems.measured_documents import measured_documents
from problems.strategies import awkward_names, conditions_as_text, seeded_documents
from problems.treatment import SEARCH, TREATMENT
from problems.wide_documents import wide_oracles

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.yaml"))
DESIGN = """\
name: Illustrative example
budget: 6
actions:
  a1: {outcomes: {fail: 0.4, ok: 0.6}}
  a2: {outcomes: {yes: 0.5, no: 1/2}}
  a3: {cost: {money: 3, days: 1}, outcomes: {1: 30%, 2024-01-01: rest}}
  a4: {cost: 1, requires: a1=ok or a3=ok, outcomes: {fail: 0.7, ok: 0.3}}
  yes: {requires: 1, outcomes: {ok: 1}}
  probe:
    attempts: 3
    precluded_by: {any: [a3, {not: {all: [a1=ok, a2]}}]}
    outcomes: {nothing: 0.8, found: 0.2}
    given:
      - when: a2=ok and not a3=fail
        outcomes: {nothing: 0.5, found: 0.5}
        cost: 2
rewards:
  - {when: a5=ok, value: 50}
  - {when: a4=ok and probe=found, value: -1/3}
combine: max
cost_weight: 0
"""


@pytest.fixture(scope="module")
def validator():
    schema = problem_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_accepts_the_example_of_the_design_as_an_editor_sees_it(validator):
    """A YAML language server reads `1: 30%` as key and text, and `1` as a number."""
    document = yaml.load(DESIGN, Loader=yaml.BaseLoader)
    validator.validate(document)
    validator.validate(json.loads(json.dumps(_as_editor(document))))


def test_editors_can_read_every_pattern_and_find_the_examples_right():
    """Editors match patterns as JavaScript does, which escapes less than Python."""
    schema = problem_schema()
    as_javascript = jsonschema.validators.extend(
        jsonschema.Draft202012Validator, {"pattern": _matched}
    )

    assert EXAMPLES
    for path in EXAMPLES:
        as_javascript(schema).validate(yaml.safe_load(path.read_text("utf-8")))
    assert not as_javascript(schema).is_valid(broken(cost="-3"))


@pytest.mark.parametrize("kind", branchwise.report.DOCUMENTS)
def test_editors_can_read_the_patterns_of_all_schemas(kind):
    for pattern in _patterns(branchwise.schema(kind)):
        regress.Regex(pattern, "u")


def _matched(validator, pattern, instance, schema):
    if isinstance(instance, str) and not regress.Regex(pattern, "u").find(instance):
        yield jsonschema.ValidationError(f"{instance!r} is no {pattern!r}")


def _patterns(schema):
    if isinstance(schema, list):
        for inner in schema:
            yield from _patterns(inner)
    elif isinstance(schema, dict):
        for key, inner in schema.items():
            if key == "pattern" and isinstance(inner, str):
                yield inner
            yield from _patterns(inner)


def test_accepts_what_states_hold_besides_outcomes(validator):
    for text in (TREATMENT, SEARCH):
        document = yaml.load(text, Loader=yaml.BaseLoader)
        validator.validate(document)
        validator.validate(json.loads(json.dumps(_as_editor(document))))
        validator.validate(json.loads(write_text(read_text(text, "yaml"), "json")))
    for oracle in wide_oracles(60, "schema"):
        validator.validate(oracle.doc)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hidden": {"disease": 0.3}},
        {"hidden": {"disease": {"outcomes": {"present": 1}, "cost": 2}}},
        {"counters": {"doses": {"start": 3}}},
        {"counters": {"doses": {"range": "0-3"}}},
        {"counters": {"doses": {"range": "0..3", "start": 1.5}}},
        {"actions": {"a": {"outcomes": {"x": {"probability": 1, "ends": "loose"}}}}},
        {"actions": {"a": {"outcomes": {"x": 1}, "effects": {"doses": 0.5}}}},
        {"rewards": [{"per": "doses"}]},
        {"objective": "least cost"},
        {"unfinished": -1},
    ],
)
def test_refuses_what_states_cannot_hold(validator, wrong):
    right = {"actions": {"a": {"outcomes": {"x": 1}}}}
    assert validator.is_valid(right)
    assert not validator.is_valid({**right, **wrong})


def test_accepts_intervals_and_sample_sizes_in_every_shape(validator):
    for document in measured_documents(30, "schema", max_states=300):
        validator.validate(document)
        written = write_text(read_text(json.dumps(document), "json"), "json")
        validator.validate(json.loads(written))


@pytest.mark.parametrize(
    "action",
    [
        {"outcomes": {"ok": 1}, "cost": "70 [60]"},
        {"outcomes": {"ok": 1}, "cost": {"money": {"value": 7, "lo": 6}}},
        {"outcomes": {"ok": 1}, "sample_size": 0},
        {"outcomes": {"ok": 1}, "sample_size": "= 20"},
    ],
)
def test_refuses_what_is_no_interval_or_sample_size(validator, action):
    assert not validator.is_valid({"actions": {"a": action}})


def _as_editor(node):
    """Numbers and truth values as YAML has them, but keys as text."""
    if isinstance(node, dict):
        return {key: _as_editor(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_as_editor(item) for item in node]
    return yaml.safe_load(node)


def test_accepts_whatever_is_read_and_written(validator):
    random = Random(1)
    for document in seeded_documents(50, seed="schema", max_states=500):
        validator.validate(document)
        text = json.dumps(conditions_as_text(awkward_names(document, random), random))
        validator.validate(json.loads(text))
        validator.validate(json.loads(write_text(read_text(text, "json"), "json")))


@pytest.mark.parametrize(
    "text",
    [
        '{"actions": {"a": {"outcomes": {"x": 1}, "cost": null, "given": null}}}',
        '{"actions": {"a": {"outcomes": {"x": "REST"}, "cost": {"money": 1},'
        ' "attempts": "Unlimited"}}, "name": null, "rewards": null,'
        ' "budget": {"money": "30%", "days": "UNLIMITED"}}',
        '{"actions": {"a": {"outcomes": {"x": " 100 % "}, "attempts": "1"}}}',
        '{"parameters": {"one": "1 [0.5, 1]", "two": "2 * one", "a b": 4},'
        ' "budget": "min(two, 3)", "cost_weight": "one - 1",'
        ' "actions": {"a": {"outcomes": {"x": "one [one / 2, 1]", "y": "rest"},'
        ' "cost": "(two + one) / 6", "attempts": "two"}},'
        ' "rewards": [{"when": "a=x", "value": "-\\"a b\\" + 10 [0, 100]"}]}',
    ],
)
def test_accepts_what_is_unusual_but_read(validator, text):
    assert read_text(text, "json").actions
    validator.validate(json.loads(text))


def broken(**changes):
    action = {"outcomes": {"x": 0.5, "y": "1/2"}, "requires": "a=x"}
    document = {"actions": {"a": action}, "rewards": [{"when": "a=x", "value": 1}]}
    of_action = {"outcomes", "cost", "attempts", "given", "requires"}
    for key, value in changes.items():
        (action if key in of_action else document)[key] = value
    return document


WRONG = [
    {},
    [],
    "text",
    {"actions": {}},
    {"actions": []},
    {"actions": {"a": {}}},
    broken(colour="red"),
    broken(combine="avg"),
    broken(budget=-1),
    broken(budget="= 3"),
    broken(budget={}),
    broken(budget=[1]),
    broken(cost_weight=-1),
    broken(name=["x"]),
    broken(cost="-3"),
    broken(cost={"money": "{x}"}),
    broken(attempts=0),
    broken(attempts=2.5),
    broken(attempts="0"),
    broken(outcomes={}),
    broken(outcomes=["x"]),
    broken(outcomes={"x": 1.5}),
    broken(outcomes={"x": "half [low]"}),
    broken(outcomes={"x": None}),
    broken(requires=["a=x"]),
    broken(requires={"a": "x"}),
    broken(requires={"all": "a=x"}),
    broken(requires={"all": [], "any": []}),
    broken(given={"when": "a"}),
    broken(given=[{"cost": 1}]),
    broken(rewards={"when": "a=x", "value": 1}),
    broken(rewards=[{"when": "a=x"}]),
    broken(rewards=[{"value": 1}]),
    broken(rewards=[{"when": "a=x", "value": ".inf"}]),
]


def test_the_document_that_is_broken_below_is_fine_before(validator):
    validator.validate(broken())


@pytest.mark.parametrize("document", WRONG, ids=lambda d: json.dumps(d)[:70])
def test_refuses_plain_mistakes(validator, document):
    assert not validator.is_valid(document)


def test_every_key_says_what_it_is_for():
    def check(schema, path):
        for key, inner in schema.get("properties", {}).items():
            if path in {("condition",), ()} and key in {"all", "any", "not"}:
                continue
            assert "description" in inner or "$ref" in inner, (*path, key)

    check(problem_schema(), ())
    for name, definition in problem_schema()["$defs"].items():
        assert definition["description"]
        check(definition, (name,))


def test_each_call_gives_its_own_copy():
    problem_schema()["properties"].clear()
    assert problem_schema()["properties"]
