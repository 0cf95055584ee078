"""Pictures of pages for the documentation: ``python tests/pictures.py`` makes them."""

import tempfile
from pathlib import Path

import branchwise
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


if __name__ == "__main__":
    analysis_picture(IMAGES / "analysis.png")
