"""
Pictures of the page as people see it, to be looked at.

``pytest tests/report/page/test_page_screens.py --basetemp=screens`` leaves them in
``screens``. The tests see to it that there is something in each.
"""

import base64

import pytest

from branchwise.formats.read import read
from branchwise.generator.generate import generate
from branchwise.report.page.solution import solution_page
from branchwise.solver import solve
from pages import ROOT
from problems.stand_ins import steps

SCREENS = {
    "desktop": {"width": 1280, "height": 960},
    "dark": {"width": 1280, "height": 960, "color_scheme": "dark"},
    "phone": {"width": 390, "height": 844},
}


@pytest.fixture(scope="module")
def reports():
    problems = {
        "example": read(ROOT / "examples" / "illustrative.yaml"),
        "thousand": generate(25, budget=12, seed=5),
        "hundred-thousand": steps(16),
    }
    return {name: solution_page(solve(problem)) for name, problem in problems.items()}


def colors(page, path):
    """Count the colors of a picture, as the browser sees them; a blank one has few."""
    picture = base64.b64encode(path.read_bytes()).decode()
    return page.run(
        f"""(async () => {{
            const image = await createImageBitmap(new Blob(
                [Uint8Array.from(atob("{picture}"), (c) => c.charCodeAt(0))]));
            const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
            pen.drawImage(image, 0, 0);
            const pixels = pen.getImageData(0, 0, image.width, image.height).data;
            return new Set(new Uint32Array(pixels.buffer)).size;
        }})()"""
    )


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("report", ["example", "thousand", "hundred-thousand"])
def test_a_report_can_be_looked_at(opened, reports, tmp_path, report, screen):
    page = opened(reports[report], **SCREENS[screen])
    head, tree = (
        tmp_path / f"{report}-{screen}-{part}.png" for part in ("head", "tree")
    )
    page.screenshot(head)
    page.run("document.getElementById('tree').scrollIntoView()")
    page.click("button.outcome")
    page.screenshot(tree)

    assert colors(page, head) > 50
    assert colors(page, tree) > 50


def test_a_report_can_be_printed(opened, reports, tmp_path):
    page = opened(reports["example"])

    page.print(tmp_path / "report.pdf")

    assert (tmp_path / "report.pdf").stat().st_size > 20_000
