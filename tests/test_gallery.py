"""The gallery is what `tools/gallery.py` makes of `examples/`."""

import pytest

import gallery
from branchwise.studio.reading import reading_of

MADE_ANEW = "fix: python tools/gallery.py"


@pytest.fixture(scope="module")
def exhibits():
    return gallery.exhibits()


def test_the_page_is_what_the_examples_say(exhibits):
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(exhibits), MADE_ANEW


def test_the_pictures_are_those_of_the_best_plans(exhibits):
    pictures = {each.picture: each.drawn() for each in exhibits}

    assert {*gallery.PICTURES.rglob("*.svg")} == pictures.keys(), MADE_ANEW
    for path, drawn in pictures.items():
        assert path.read_text(encoding="utf-8") == drawn, f"{path}\n{MADE_ANEW}"


def test_every_problem_opens_in_the_studio(exhibits):
    for each in exhibits:
        reading = reading_of(each.path.read_text(encoding="utf-8"))
        assert reading.problem is not None, each.file
        assert reading.outline is not None, each.file
