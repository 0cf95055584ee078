"""Every kind of answer, by the same names: text, data, tables, schemas and files."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import branchwise
from branchwise import report
from branchwise.errors import FormatError
from strict_schema import strict

ROOT = Path(__file__).parents[2]


def answers():
    """One result of each kind that has a document, but for problems."""
    problem = branchwise.read(ROOT / "examples" / "illustrative.yaml")
    attack = branchwise.read(ROOT / "examples" / "web_shop.yaml")
    return {
        "analysis": branchwise.analyze(problem, only=["criticality"]),
        "batch": branchwise.batch([ROOT / "examples" / "illustrative.yaml"]),
        "certificate": branchwise.certify(problem),
        "comparison": branchwise.compare(problem, problem.with_budget(5)),
        "evaluation": branchwise.evaluation(lambda _: None, problem),
        "explanation": branchwise.explain(problem, "a3"),
        "interdiction": branchwise.defend(attack),
        "profiles": branchwise.profiles(problem, [{"profile": "Ann", "budget": 2}]),
        "program": branchwise.program.score_program(problem).solve(),
        "sets": branchwise.rewarding.RewardingSets(problem),
        "simulation": [branchwise.simulate(problem, num_runs=100)],
        "solution": branchwise.solve(problem),
    }


RESULTS = answers()
KINDS = list(RESULTS)


def test_these_are_all_kinds_of_documents():
    assert sorted([*KINDS, "problem"]) == list(report.DOCUMENTS)


@pytest.mark.parametrize("kind", report.DOCUMENTS)
def test_every_kind_has_a_schema_that_is_one(kind):
    Draft202012Validator.check_schema(branchwise.schema(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_document_keeps_to_its_schema_and_the_text_is_the_same(kind):
    """Individuals may have columns of their own, so profiles are not held to more."""
    document = report.document(RESULTS[kind])
    schema = branchwise.schema(kind)

    assert json.loads(report.json(RESULTS[kind])) == json.loads(json.dumps(document))
    Draft202012Validator(schema if kind == "profiles" else strict(schema)).validate(
        json.loads(json.dumps(document))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_alone_begins_the_whole_text(kind):
    short = list(report.lines(RESULTS[kind], detail="answer"))
    usual = list(report.lines(RESULTS[kind]))

    assert short
    assert usual[: len(short)] == short
    assert len(short) < len(usual)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_tables_that_are_written_as_csv(kind, tmp_path):
    tables = report.tables(RESULTS[kind])
    files = branchwise.report.write_tables(RESULTS[kind], tmp_path / kind)

    assert tables
    assert [path.stem for path in files] == [table.name for table in tables]
    for path, table in zip(files, tables, strict=True):
        rows = path.read_text(encoding="utf-8").splitlines()
        assert rows[0] == ",".join(table.columns)
        assert len(rows) == 1 + len(table.rows)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_as_text_as_data_and_as_a_page(kind, tmp_path):
    for suffix in ("txt", "json", "html"):
        branchwise.render(RESULTS[kind], tmp_path / f"{kind}.{suffix}")

    page = (tmp_path / f"{kind}.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")

    data = (tmp_path / f"{kind}.json").read_text(encoding="utf-8")
    assert data.startswith("{\n")
    assert data.endswith("}\n")


def test_a_table_inside_a_table_names_the_row_it_belongs_to():
    """The root of the illustrative plan is its first state, and tries a1 first."""
    policy, outcomes, *_ = report.tables(RESULTS["solution"])

    first = policy.records()[0]
    assert (policy.name, first["id"], first["action"]) == ("policy", 0, "a1")
    assert "outcomes" not in first
    assert outcomes.name == "policy-outcomes"
    root = [record for record in outcomes.records() if record["row"] == 1]
    assert {record["outcome"]: record["probability"] for record in root} == {
        "ok": 0.6,
        "fail": 0.4,
    }


def test_names_stay_names_on_a_page_of_words_and_tables():
    name = '<script>alert("x")</script>'
    act = branchwise.Action(name, outcomes={"</td>": 1})
    problem = branchwise.Problem([act], [branchwise.Reward(act["</td>"], 1)], name=name)

    page = report.html(branchwise.rewarding.RewardingSets(problem))

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<td") == page.count("</td>")


def test_one_simulation_is_shown_like_several():
    [simulation] = RESULTS["simulation"]

    assert report.document(simulation) == report.document([simulation])


def test_what_is_no_result_cannot_be_shown():
    class Solution:
        """Called like one of ours."""

    for thing in (7, "text", [], Solution()):
        with pytest.raises(TypeError, match="there is nothing to show of a"):
            report.lines(thing)


def test_an_unknown_kind_of_schema_names_those_there_are():
    with pytest.raises(ValueError, match="did you mean `solution`"):
        branchwise.schema("solutions")
    with pytest.raises(ValueError, match="only of analysis, batch, certificate, "):
        branchwise.schema("advice")


def test_advice_is_in_words_only(tmp_path):
    problem = branchwise.read(ROOT / "examples" / "illustrative.yaml")
    advice = branchwise.Follower(problem).advice

    branchwise.render(advice, tmp_path / "advice.txt")
    with pytest.raises(FormatError, match=r"of `\.txt`$"):
        branchwise.render(advice, tmp_path / "advice.json")
