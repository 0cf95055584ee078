"""One browser for all tests of the page that one process runs."""

import pytest

from browser import Opened, browser


@pytest.fixture(scope="session")
def chromium():
    with browser() as started:
        yield started


@pytest.fixture
def open_file(chromium):
    """Open files, each as if the browser were new; the one before is closed."""
    opened = []

    def open_one(path, fragment="", **how):
        close()
        opened.append(Opened(chromium, path, fragment, **how))
        return opened[-1]

    def close():
        for page in opened:
            page.close()
        opened.clear()

    yield open_one
    close()


@pytest.fixture
def opened(open_file, tmp_path):
    """Open pages; each must have been silent, and have asked for nothing but itself."""
    shown = []

    def open_page(page, fragment="", **how):
        check()
        path = tmp_path / f"page{len(shown)}.html"
        path.write_text(page, encoding="utf-8")
        shown.append((path, open_file(path, fragment, **how)))
        return shown[-1][1]

    def check():
        for path, page in shown[-1:]:
            page.check_silence(path)

    yield open_page
    check()
