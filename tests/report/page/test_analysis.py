"""The page of an analysis in a browser: silent, alone, and safe from names."""

from dataclasses import replace
from pathlib import Path

import pytest

from branchwise import read
from branchwise.analysis.analyze import SECTIONS, analyze
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.page.analysis import analysis_page
from problems.paper import illustrative

PLACES = (".plot", ".charts", ".scroll", ".beside", "figure")
EXAMPLES = Path(__file__).parents[3] / "examples"

# Every text of every chart that is shown: whether it leaves the chart, or stands on
# another text. A hair's breadth does not count.
COLLISIONS = """(() => {
    const found = [];
    for (const chart of document.querySelectorAll("svg.bars, svg.chart")) {
        const frame = chart.getBoundingClientRect();
        if (!frame.width) continue;
        const boxes = [...chart.querySelectorAll("text")].map((text) =>
            ({ box: text.getBoundingClientRect(), text: text.textContent }));
        for (const [number, { box, text }] of boxes.entries()) {
            if (box.left < frame.left - 1 || box.right > frame.right + 1
                || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                found.push(`${text} is cut in ${chart.getAttribute("aria-label")}`);
            for (const other of boxes.slice(number + 1))
                if (Math.min(box.right, other.box.right) - 1
                        > Math.max(box.left, other.box.left)
                    && Math.min(box.bottom, other.box.bottom) - 4
                        > Math.max(box.top, other.box.top))
                    found.push(`${text} stands on ${other.text}`);
        }
    }
    return found;
})()"""
WORSE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a=b/#%"]


def test_every_section_has_a_chart(opened):
    page = opened(analysis_page(analyze(illustrative(4), only=SECTIONS)))

    for section in SECTIONS:
        charts = ", ".join(f"#{section} ~ {place} svg" for place in PLACES)
        assert page.count(charts) > 0, section


@pytest.fixture(scope="module")
def diagnosis():
    """A page with names that are long, and bars that go the same way."""
    return analysis_page(analyze(read(EXAMPLES / "diagnosis.yaml")))


@pytest.mark.parametrize("width", [390, 700, 1280])
def test_no_text_of_a_chart_is_cut_or_stands_on_another(opened, diagnosis, width):
    page = opened(diagnosis, width=width)

    assert page.run(COLLISIONS) == []
    assert page.run("document.documentElement.scrollWidth") <= width
    assert len(page.texts(".findings li")) == 5


def test_links_lead_to_every_section(opened):
    page = opened(analysis_page(analyze(illustrative(3), only=SECTIONS)))

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
