"""Studios for tests, opened in a browser."""

import pytest

from browser import browser
from studio.studios import studio


@pytest.fixture(scope="module")
def chromium():
    with browser() as started:
        yield started


@pytest.fixture
def opened(chromium, tmp_path):
    """Return what opens a studio on a problem, with all that the page complains of."""
    running = []

    def open_on(text=None, name="problem.yaml", **media):
        path = tmp_path / name
        if text is not None:
            path.write_text(text, encoding="utf-8")
        serving = studio(path)
        asked = serving.__enter__()
        size = {"width": media.pop("width", 1440), "height": media.pop("height", 900)}
        context = chromium.new_context(viewport=size, reduced_motion="reduce", **media)
        page = context.new_page()
        page.complaints, page.has_mouse = [], True
        for event in ("console", "pageerror"):
            page.on(event, lambda told: page.complaints.append(str(told)))
        page.on("dialog", lambda dialog: page.complaints.append(dialog.message))
        page.goto(asked.address)
        page.get_by_role("tab", name="Cards").wait_for()
        page.path, page.asked = path, asked
        running.append((context, serving))
        return page

    yield open_on
    for context, serving in running:
        context.close()
        serving.__exit__(None, None, None)
