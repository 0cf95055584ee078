"""
The report of four problems, measured: on a desktop, a phone, in the dark, on paper.

``pytest tests/report/page/test_page_boxes.py --basetemp=screens`` leaves pictures in
``screens``: look at them after a change of what the page looks like.
"""

from dataclasses import replace

import pytest

from accessibility import stumbling_blocks
from boxes import check_boxes
from branchwise.analysis.sensitivity.nearest_thresholds import nearest_thresholds
from branchwise.report.page.solution import page_with_sets, solution_page
from branchwise.solver import solve
from problems.shown_problems import shown_problems
from problems.stand_ins import steps

NAMES = ("illustrative", "operation", "strep", "thousand")


@pytest.fixture(scope="module")
def solutions():
    solved = {name: solve(problem) for name, problem in shown_problems().items()}
    return {
        name: replace(each, thresholds=nearest_thresholds(each, time_limit_seconds=1))
        for name, each in solved.items()
    }


@pytest.fixture(scope="module")
def files(solutions, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, solution in solutions.items():
        page = page_with_sets(solution)
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_whole_on_every_screen(open_file, files, tmp_path, name):
    """One page per problem: it is only shown in other ways."""
    page = open_file(files[name], width=1366, height=768)
    page.screenshot(tmp_path / f"{name}-desktop.png")
    head = page.run("document.querySelector('header').getBoundingClientRect().bottom")
    assert head <= 768 / 5
    for view in ("Tree", "Table", "Graph"):
        page.click(f"#tab-{view}")
        check_boxes(page)
        page.screenshot(tmp_path / f"{name}-{view}.png")
        if name == "operation":
            assert stumbling_blocks(page) == []
    page.page.emulate_media(color_scheme="dark")
    page.screenshot(tmp_path / f"{name}-dark.png")
    if name in {"operation", "strep"}:  # Nothing but colors has changed.
        assert stumbling_blocks(page, runOnly=["color-contrast"]) == []
    page.page.emulate_media(media="print", color_scheme="light")
    check_boxes(page)
    page.print(tmp_path / f"{name}.pdf")


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_whole_on_a_phone(open_file, files, tmp_path, name):
    page = open_file(files[name], width=390, height=844)
    page.screenshot(tmp_path / f"{name}-phone.png")
    head = page.run("document.querySelector('header').getBoundingClientRect().bottom")
    assert head <= 844 / 5
    check_boxes(page)
    page.click("#tab-Table")
    check_boxes(page)


def test_a_report_of_twelve_actions_is_a_small_file(files):
    assert files["operation"].stat().st_size < 300_000


def test_a_plan_of_a_hundred_thousand_nodes_opens_in_time(open_file, tmp_path):
    """131,071 nodes. The bound leaves room for a machine that is busy otherwise."""
    path = tmp_path / "large.html"
    path.write_text(solution_page(solve(steps(16))), encoding="utf-8")
    page = open_file(path)

    # The browser's own clock, from the request for the file until all is shown.
    ready = page.run("performance.getEntriesByName('branchwise-ready')[0].startTime")
    assert page.run("document.documentElement.dataset.state") == "ready"
    assert ready < 20_000  # With little else to do it takes 400 ms.
