"""One browser for all tests of the page that one process runs."""

import pytest

from browser import CHROMIUM, browser


@pytest.fixture(scope="session")
def chromium():
    assert CHROMIUM, "chromium is missing; fix: tools/ensure_debian.sh chromium"
    with browser() as started:
        yield started


@pytest.fixture
def opened(chromium, tmp_path):
    """Open pages; each must have been silent, and have asked for nothing but itself."""
    pages = []

    def open_page(page, fragment="", **how):
        path = tmp_path / f"page{len(pages)}.html"
        path.write_text(page, encoding="utf-8")
        pages.append(path)
        chromium.open(path, fragment, **how)
        return chromium

    yield open_page
    assert chromium.complaints() == []
    assert {url.partition("#")[0] for url in chromium.requests()} == {
        pages[-1].as_uri()
    }
