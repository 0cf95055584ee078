"""How long the report takes: to write, and to open in a browser until it is ready."""

from functools import cache

import pytest

from branchwise import generate, read, solve
from branchwise.report.page.solution import solution_page
from browser import Opened, browser
from problems.stand_ins import branching, solution_of, steps

REPORTS = {
    "33 nodes": lambda: solve(read("examples/illustrative.yaml")),
    "1,137 nodes": lambda: solve(generate(25, budget=12, seed=5)),
    "131,071 nodes": lambda: solve(steps(16)),
    "131,071 states": lambda: solution_of(branching(16)),
}
READY = "performance.getEntriesByName('branchwise-ready')[0].startTime / 1000"


@cache
def solution(name):
    return REPORTS[name]()


@pytest.fixture(scope="module")
def chromium():
    with browser() as started:
        yield started


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_written(benchmark, name):
    solved = solution(name)

    assert benchmark(lambda: solution_page(solved)).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_opens_in_under_two_seconds(benchmark, chromium, tmp_path, name):
    """From the start of the navigation to a tree that can be used."""
    page = tmp_path / "report.html"
    page.write_text(solution_page(solution(name)), encoding="utf-8")

    opened = []

    def open_again():
        for before in opened:
            before.close()
        opened[:] = [Opened(chromium, page)]

    benchmark.pedantic(open_again, rounds=5)

    shown = opened[0]
    benchmark.extra_info["seconds to ready"] = shown.run(READY)
    assert shown.run("document.documentElement.dataset.state") == "ready"
    if not benchmark.disabled:
        assert shown.run(READY) < 2
    shown.close()
