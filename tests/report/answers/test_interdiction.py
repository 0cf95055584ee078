"""Interdictions as text, as JSON and as a page."""

import json
import re
from html import unescape

import pytest
from jsonschema import Draft202012Validator

from branchwise import (
    Action,
    Defense,
    FormatError,
    Problem,
    Reward,
    defend,
    generate,
    read,
    render,
    report,
)
from branchwise.model.checks.naming import name_issues
from branchwise.report.page.interdiction import interdiction_page
from problems.hostile_names import HOSTILE


@pytest.fixture(scope="module")
def shop():
    return defend(read("examples/web_shop.yaml"))


@pytest.fixture(scope="module")
def page(shop):
    return interdiction_page(shop)


def is_allowed(name):
    """Tell whether a defense may be called so."""
    return not list(name_issues((), name, "defense"))


def stopped():
    problem = generate(25, 15, seed=2, defenses=20)
    return defend(problem, time_limit_seconds=1e-3)


def test_lines_fit_the_width(shop):
    lines = list(report.lines(shop, width=60))

    # The answer itself is never cut.
    assert all(len(line) <= 60 for line in lines[3:])


def test_only_the_answer_is_shown_where_it_is_asked_for(shop):
    assert len(list(report.lines(shop, detail="answer"))) == 3


def test_an_answer_that_is_not_proven_says_so():
    lines = list(report.lines(stopped(), detail="answer"))

    assert lines[1] == (
        "choose nothing, none leave less than 0 (gap 100 %, time limit)"
    )


def test_documents_follow_the_schema(shop):
    validator = Draft202012Validator(report.schema("interdiction"))

    for answer in (shop, stopped()):
        validator.validate(json.loads(json.dumps(report.document(answer))))


def test_the_page_shows_attacker_and_defender(page):
    headings = re.findall("<h2 id=.*?>(.*?)</h2>", unescape(page))

    assert headings[:4] == [
        "What each budget achieves",
        "What each defense is worth",
        "The attacker's best reply",
        "The plan",
    ]
    assert "Choose <strong><bdi>patch shop</bdi></strong>" in page
    assert page.count('<circle class="bw-dot') == 6
    assert page.count('class="tag">chosen') == 3


def test_the_page_says_what_each_defense_does(page):
    assert "forbids phish staff, buy password; excludes second factor" in page
    assert "raises move to office by 2; leaves 50 % of move to office=office" in page
    assert "makes log in foothold 15 %, refused 85 %" in page


def test_a_page_without_a_proof_has_no_frontier():
    page = interdiction_page(stopped())

    assert "What each budget achieves" not in page
    assert "<dt>Status</dt>" in page
    assert "time limit" in page


@pytest.mark.parametrize("hostile", [n for n in HOSTILE if is_allowed(n)])
def test_hostile_names_stay_names(hostile):
    scan = Action("scan", outcomes={"hole": 0.5, "nothing": 0.5})
    other = Defense("other", raises={"scan": 1}, excludes=[hostile])
    problem = Problem(
        [scan],
        [Reward("scan=hole", 9)],
        budget=1,
        defenses=[Defense(hostile, forbids=["scan"]), other],
    )
    answer = defend(problem)

    page = interdiction_page(answer)
    text = "\n".join(report.lines(answer))

    assert page.count("<script") == 2
    assert "\x1b" not in text


def test_it_is_rendered_to_files(shop, tmp_path):
    for form in ("html", "txt", "json"):
        render(shop, tmp_path / f"shop.{form}")
        assert (tmp_path / f"shop.{form}").stat().st_size
    with pytest.raises(FormatError, match="let the name end in one of"):
        render(shop, tmp_path / "shop.svg")
