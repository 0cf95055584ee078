"""Defenses in every format: read back as written, wrong ones told by their place."""

import json
from dataclasses import replace
from random import Random

import pytest
from jsonschema import Draft202012Validator

from branchwise import read, read_text, report, write, write_text
from branchwise.formats.table.table_cells import listed_names, names_text
from oracles.defense_oracle import defended_documents

AWKWARD = [
    "1/2",
    "=1+1",
    "effect",
    "a, b",
    'say "hi"',
    "- dash",
    "true",
    "naïve;",
    " x",
]
COUNTS = {"yaml": 60, "json": 60, "csv": 60, "xlsx": 10}


def problems(count):
    """Problems with defenses of every kind, half of them with awkward names."""
    random = Random("awkward defenses")
    found = defended_documents(count, "formats", max_states=60)
    for number, document in enumerate(found):
        problem = read_text(json.dumps(document), "json")
        if number % 2:
            names = random.sample([n.strip() for n in AWKWARD], len(problem.defenses))
            new = dict(zip((d.name for d in problem.defenses), names, strict=True))
            problem = replace(
                problem,
                defenses=tuple(
                    replace(
                        d, name=new[d.name], excludes=tuple(map(new.get, d.excludes))
                    )
                    for d in problem.defenses
                ),
            )
        yield problem


@pytest.mark.parametrize("form", COUNTS)
def test_what_is_written_is_read_back(form, tmp_path):
    path = tmp_path / f"problem.{form}"
    for problem in problems(COUNTS[form]):
        write(problem, path)
        assert read(path) == problem


def test_the_schema_allows_what_can_be_read():
    validator = Draft202012Validator(report.schema("problem"))

    for document in defended_documents(60, "schema", max_states=60):
        validator.validate(document)
    for problem in problems(20):
        validator.validate(json.loads(write_text(problem, "json")))


def test_the_schema_refuses_what_cannot_be_read():
    validator = Draft202012Validator(report.schema("problem"))
    actions = {"a": {"outcomes": {"ok": 1}}}

    for defense in (
        {"forbid": ["a"]},
        {"cost": -1, "forbids": ["a"]},
        {"raises": ["a"]},
        {"scales": {"a": 0.5}},
        {"changes": {"a": {}}},
    ):
        document = {"actions": actions, "defenses": {"d": defense}}
        assert not validator.is_valid(document), defense


def test_one_name_needs_no_list():
    actions = "actions: {a: {outcomes: {ok: 1}}}"

    problem = read_text(f"{actions}\ndefenses: {{d: {{forbids: a}}}}")

    assert problem.defenses[0].forbids == ("a",)
    assert str(problem.defense_budget) == "inf"


def test_names_in_a_cell_are_read_back():
    names = [name.strip() for name in AWKWARD]

    assert listed_names(names_text(names)) == names
    assert listed_names('patch; "a, b"') == ["patch", "a, b"]
    assert listed_names('"a" b') is None


TABLE = """\
action,outcome,probability
a,ok,0.5
,fail,0.5

defense,cost,excludes,effect,action,outcome,amount
{rows}
"""


@pytest.mark.parametrize(
    ("rows", "where", "what"),
    [
        (",1,,forbids,a,,", "6", "this row belongs to no defense"),
        (
            "d,1,,forbid,a,,",
            "D",
            "there is no effect `forbid`; did you mean `forbids`?",
        ),
        ("d,1,,forbids,,,", "E", "this row names no action"),
        ("d,1,,raises,a,,", "G", "this row has no amount"),
        ("d,1,,scales,a,,0.5", "F", "this row does not say which outcome it is about"),
        ('d,1,"""x"" y",forbids,a,,', "C", "is no list of names"),
        ("d,1,,scales,a,okk,0.5", "F", "`a` has no outcome `okk`; did you mean `ok`?"),
        ("d,1,e,forbids,a,,", "C", "there is no defense `e`"),
        ("d,one,,forbids,a,,", "B", "`one` is not a number"),
    ],
)
def test_wrong_cells_are_told_by_their_place(rows, where, what):
    with pytest.raises(ValueError, match="text:") as error:
        read_text(TABLE.format(rows=rows), "csv")

    assert what in str(error.value)
    assert where in str(error.value).split()[0]
