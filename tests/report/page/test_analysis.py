"""The page of an analysis in a browser: silent, alone, and safe from names."""

from dataclasses import replace

import pytest

from branchwise.analysis.analyze import SECTIONS, analyze
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.page.analysis import analysis_page
from problems.paper import illustrative

PLACES = (".scroll", ".beside", "figure")
WORSE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a=b/#%"]


def test_every_section_has_a_chart(opened):
    page = opened(analysis_page(analyze(illustrative(4))))

    for section in SECTIONS:
        charts = ", ".join(f"#{section} ~ {place} svg" for place in PLACES)
        assert page.count(charts) > 0, section


def test_nothing_is_wider_than_a_phone(opened):
    page = opened(analysis_page(analyze(illustrative(4))), width=400)

    assert page.run("document.documentElement.scrollWidth") <= 400


def test_links_lead_to_every_section(opened):
    page = opened(analysis_page(analyze(illustrative(3))))

    assert page.count(".contents a") == len(SECTIONS)
    for section in SECTIONS:
        assert page.count(f'.contents a[href="#{section}"]') == 1
        assert page.count(f"h2#{section}") == 1


def test_links_lead_to_sections_that_were_not_reached_too(opened):
    found = analyze(illustrative(3), only=["frontier"])
    found = replace(found, unreached={"risk": "not worked out in the time"})

    page = opened(analysis_page(found))

    assert page.texts(".contents a") == ["Budget frontier", "Risk"]
    assert page.text("h2#risk + p") == "Not worked out in the time."


@pytest.mark.parametrize("name", WORSE)
def test_names_stay_text(opened, name):
    first = Action(name, outcomes={name: "0.5", "otherwise": "0.5"})
    again = Action(
        f"{name} again", requires=first[name], outcomes={"ok": 0.5, "no": 0.5}
    )
    problem = Problem([first, again], [Reward(again["ok"], 10)], budget=2, name=name)

    page = opened(analysis_page(analyze(problem)))

    assert page.text("h1") == name
    assert page.count("script, img") == 0
