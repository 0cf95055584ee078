"""``branchwise explain``: words, a page, data, and what is wrong usage."""

import json
from pathlib import Path

import jsonschema
import pytest

from branchwise import report


def test_it_says_why_not(run, example):
    result = run("explain", example, "--after", "a1=ok", "--action", "a3")

    assert result.exit_code == 0
    assert "a3 is worth 3.6984: 8.2332 less." in result.stdout


def test_a_gap_gives_bounds_in_words_data_and_page(run, example):
    files = ("--json", "why.json", "--html", "why.html")
    result = run("explain", example, "--action", "a2", "--gap", "50%", *files)

    assert result.exit_code == 0
    near = "plan found (within gap, 10.3 % from the optimum at most)"
    assert near in result.stdout
    page = Path("why.html").read_text()
    assert near in page
    assert "The best plan" not in page
    document = json.loads(Path("why.json").read_text())
    jsonschema.validate(document, report.schema("explanation"))
    assert document["status"] == "within gap"
    assert document["best"]["value"] < document["best"]["upper_bound"]


def test_an_unknown_action_is_wrong_usage(run, example):
    result = run("explain", example, "--action", "b3")

    assert result.exit_code == 2
    assert "there is no action 'b3'" in result.stderr


def test_an_impossible_history_is_reported_with_its_step(run, example):
    result = run("explain", example, "--after", "a7=ok", "--action", "a1")

    assert result.exit_code == 2
    assert "history, step 1 `a7=ok`" in result.stderr


def test_it_says_so_as_json_that_follows_its_schema(run, example):
    result = run("explain", example, "--action", "a3", "--json", "-")

    document = json.loads(result.stdout)
    jsonschema.validate(document, report.schema("explanation"))
    assert document["loss"] == pytest.approx(4.93992)
    assert document["best"]["action"] == "a1"
    assert document["case"]["parting"] == {"action": "a4", "outcome": "ok"}


def test_it_writes_a_page_and_json_beside_the_words(run, example, tmp_path):
    page, data = tmp_path / "why.html", tmp_path / "why.json"

    result = run("explain", example, "--action=a3", "--html", page, "--json", data)

    assert "4.93992 less" in result.stdout
    assert "<h1><bdi>Illustrative example</bdi></h1>" in page.read_text("utf-8")
    assert json.loads(data.read_text("utf-8"))["action"] == "a3"


def test_an_action_that_cannot_be_taken_is_in_the_document(run, example):
    options = ["--action", "a5", "--after", "a3=ok", "--json", "-"]
    document = json.loads(run("explain", example, *options).stdout)

    jsonschema.validate(document, report.schema("explanation"))
    assert document["objection"] == "precluded by a3"
    assert document["other"] is None
    assert document["loss"] is None


def test_fractions_are_computed_with_where_asked(run, example):
    result = run("explain", example, "--action", "a3", "--exact")

    assert "a3 is worth 3.4968: 4.93992 less." in result.stdout


def test_the_problem_is_not_overwritten(run, example):
    result = run("explain", example, "--action", "a3", "--json", example)

    assert result.exit_code == 2
    assert "is the problem itself" in result.stderr


def test_without_an_action_all_are_listed(run, example):
    result = run("explain", example)

    assert result.exit_code == 0
    assert "  a1: what the best plan does\n  a2\n" in result.stdout
    assert "  a4: needs a1=ok or a3=ok\n" in result.stdout
    files = run("explain", example, "--html", "why.html")
    assert files.exit_code == 2
    assert "say which action to explain" in files.stderr
