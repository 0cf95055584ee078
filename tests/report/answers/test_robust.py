"""Robustness in JSON, in words and in a page."""

from pathlib import Path

import jsonschema
import pytest

from branchwise import Adversary, read, render, report, solve
from branchwise.report.answers.solution import adversary_text
from branchwise.report.page.plan_data import plan_document

EXAMPLE = Path(__file__).parents[3] / "examples" / "vaccine_trial.yaml"


@pytest.fixture(scope="module")
def solution():
    problem = read(EXAMPLE)
    return solve(problem, adversary=Adversary(gamma=1), robustness=True)


def test_document_is_as_the_schema_says(solution):
    document = report.document(solution)
    jsonschema.validate(document, report.schema("solution"))
    assert document["robust"]["price"] == pytest.approx(7.5264)
    outcomes = [
        outcome for state in document["policy"] for outcome in state["outcomes"]
    ]
    struck = {
        (each["outcome"], round(each["probability"], 2), each["nominal"])
        for each in outcomes
        if "nominal" in each
    }
    assert ("effective", 0.58, 0.62) in struck


def test_a_nominal_document_says_nothing_of_an_adversary(solution):
    assert "robust" not in report.document(solve(solution.problem))


def test_words_tell_what_goes_unseen(solution):
    text = "\n".join(report.lines(solution, detail="answer"))
    assert "with at most 1 action on any path at other probabilities" in text
    assert (
        "carried out without seeing the deviations, it is worth 87.9488 at least"
        in text
    )


def test_words_say_where_no_probabilities_are_uncertain():
    problem = read(EXAMPLE.with_name("oil_wildcatter.yaml"))
    found = solve(problem, adversary=Adversary(), robustness=True)
    lines = list(report.lines(found))
    said = "no probabilities have an interval or a distance: the worst case is nominal"
    assert said in lines
    assert not any("price of robustness" in line for line in lines)


def test_page_shows_nominal_and_worst_case_side_by_side(solution, tmp_path):
    render(solution, tmp_path / "plan.html")
    page = (tmp_path / "plan.html").read_text(encoding="utf-8")
    assert "In the worst case" in page
    assert "Price of robustness" in page
    assert "Worst-case reward" in page


def test_page_of_a_nominal_plan_has_no_such_section(solution, tmp_path):
    render(solve(solution.problem), tmp_path / "plan.html")
    assert "Price of robustness" not in (tmp_path / "plan.html").read_text()


def test_the_tree_in_words_marks_where_the_adversary_deviates(solution):
    lines = [line for line in report.lines(solution) if "deviates" in line]
    assert [line.split("─")[-1].split("(")[0].strip() for line in lines] == [
        "targeted_trial",
        "small_trial",
    ]


def test_the_page_has_the_nominal_probabilities_where_the_adversary_strikes(solution):
    branches = plan_document(solution)["branches"]
    moved = {
        (probabilities, nominal)
        for probabilities, nominal in zip(
            branches["probabilities"], branches["nominal"], strict=True
        )
        if nominal is not None
    }
    assert moved == {(0.4, 0.6), (0.6, 0.4), (0.58, 0.62), (0.42, 0.38)}
    assert plan_document(solve(solution.problem))["branches"]["nominal"] is None


def test_an_adversary_is_told_by_how_many_actions_may_deviate():
    told = adversary_text(Adversary(gamma=2))

    assert told == "at most 2 actions on any path at other probabilities"
