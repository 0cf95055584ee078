"""Pictures of pages for the documentation: ``python tests/pictures.py`` makes them."""

import tempfile
from dataclasses import replace
from pathlib import Path

import branchwise
from branchwise.analysis import nearest_thresholds
from browser import Opened, browser

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"


def analysis_picture(path):
    """The beginning of the page of an analysis: its facts, and what matters most."""
    found = branchwise.analyze(branchwise.read(ROOT / "examples" / "phishing.yaml"))
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        written = Path(folder) / "analysis.html"
        branchwise.render(found, written)
        page = Opened(chromium, written, color_scheme="light")
        end = page.run(
            "document.querySelector('#criticality ~ .scroll').getBoundingClientRect()"
            ".bottom"
        )
        page.page.set_viewport_size({"width": 1280, "height": round(end) + 8})
        page.screenshot(path)


def report_picture(path):
    """The report of a plan, some way into it: the tree, and the panel beside it."""
    solution = branchwise.solve(branchwise.read(ROOT / "examples/illustrative.yaml"))
    solution = replace(solution, thresholds=nearest_thresholds(solution))
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        written = Path(folder) / "report.html"
        branchwise.render(solution, written)
        page = Opened(chromium, written, "#at/a1=ok", height=1000, color_scheme="light")
        end = page.run(
            "document.querySelector('.legend').getBoundingClientRect().bottom"
        )
        page.page.screenshot(
            path=path,
            full_page=True,
            clip={"x": 0, "y": 0, "width": 1280, "height": round(end) + 8},
        )


if __name__ == "__main__":
    analysis_picture(IMAGES / "analysis.png")
    report_picture(IMAGES / "report.png")
