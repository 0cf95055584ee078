"""The script and the style of the page: small files that build no markup from text."""

import re
from importlib import resources

import pytest

from branchwise.report.page.assets import filter_script, page_script, page_style

ASSETS = resources.files("branchwise.report").joinpath("assets")
ALL = [*ASSETS.iterdir(), *ASSETS.joinpath("explorer").iterdir()]
FILES = sorted((f for f in ALL if f.is_file()), key=lambda file: file.name)


def test_every_file_is_part_of_the_page():
    whole = page_script() + filter_script() + page_style()

    for file in FILES:
        assert file.read_text("utf-8") in whole, file.name


def test_a_page_without_a_live_plan_has_none_of_its_styles():
    explorer = ASSETS.joinpath("explorer", "explorer.css").read_text("utf-8")

    assert explorer not in page_style(is_live=False)
    assert ASSETS.joinpath("print.css").read_text("utf-8") in page_style(is_live=False)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_has_one_job_and_room_for_it(file):
    assert len(file.read_text("utf-8").splitlines()) <= 300


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_text_is_never_taken_for_markup_or_code(file):
    text = file.read_text("utf-8")

    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b"
    assert not re.search(rf"{forbidden}|new Function|DOMParser|setHTML", text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_is_fetched(file):
    text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")

    assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttp|WebSocket", text)


def test_the_script_cannot_end_itself():
    assert "</script" not in page_script()
    assert "<!--" not in page_script()
    assert "</style" not in page_style()
