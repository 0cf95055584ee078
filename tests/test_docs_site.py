"""What the site of the documentation is made of; `make docs` builds it."""

from importlib import import_module

import pytest

import branchwise
from docs_site import sources
from docs_site.api_pages import api_pages
from docs_site.links import faults

ROOMS = "adversary analysis engine follow formats model program report tree".split()


def leaves(contents):
    """Return the pages of a table of contents."""
    for entry in contents:
        [inside] = entry.values()
        yield from [inside] if isinstance(inside, str) else leaves(inside)


def test_every_page_is_in_the_table_of_contents_once(tmp_path):
    contents = sources.lay_out(tmp_path / "source", tmp_path / "package")

    listed = [*leaves(contents)]
    pages = tmp_path.glob("source/**/*.md")
    assert sorted(listed) == sorted(
        path.relative_to(tmp_path / "source").as_posix() for path in pages
    )


def test_links_lead_where_things_stand_in_the_site(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    for name in ("docs/guides/a.md", "docs/b.md", "examples/c.yaml", "cpp/x.cpp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    page = tmp_path / "docs" / "guides" / "a.md"
    page.write_text(
        "[b](../b.md#place) [`c`](../../examples/c.yaml) [x](../../cpp/x.cpp)\n"
        "```\n[b](../b.md)\n```\n- one\n  - two [far](https://example.org)\n"
    )

    assert sources._adapted(page) == (
        "[b](../b.md#place) [`c`](../examples/c.yaml) x\n"
        "```\n[b](../b.md)\n```\n- one\n    - two [far](https://example.org)\n"
    )
    page.write_text("[gone](../gone.md)")
    with pytest.raises(
        sources.SourceError, match=r"docs/guides/a\.md: `\.\./gone\.md`"
    ):
        sources._adapted(page)


def test_every_public_name_has_its_docstring_in_the_reference():
    pages = api_pages()
    text = "\n".join(pages.values())
    names = [name for name in branchwise.__all__ if not is_room(name)]
    for room in ROOMS:
        names += import_module(f"branchwise.{room}").__all__

    assert "branchwise.md" in pages
    assert [name for name in names if f".{name}\n" not in text] == []


def is_room(name):
    return hasattr(getattr(branchwise, name), "__path__") or name == "solver"


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ('<a href="there.html#place">', ""),
        ('<a href="https://example.org/x">', ""),
        ('<link rel="canonical" href="https://example.org/">', ""),
        ('<a href="#__scroll">', ""),
        ('<a href="gone.html">', "a.html: `gone.html` leads nowhere"),
        ('<a href="there.html#gone">', "a.html: `there.html#gone` leads nowhere"),
        ('<img src="gone.png">', "a.html: `gone.png` leads nowhere"),
        (
            '<script src="https://example.org/x.js">',
            "a.html: `https://example.org/x.js` would be loaded from elsewhere",
        ),
        (
            '<link rel="stylesheet" href="//example.org/x.css">',
            "a.html: `//example.org/x.css` would be loaded from elsewhere",
        ),
    ],
)
def test_a_page_that_leads_nowhere_or_loads_from_elsewhere_is_found(
    tmp_path, markup, fault
):
    (tmp_path / "there.html").write_text('<p id="place"></p>')
    (tmp_path / "a.html").write_text(markup)

    assert "\n".join(faults(tmp_path)) == fault


def test_a_style_that_loads_from_elsewhere_is_found(tmp_path):
    (tmp_path / "a.css").write_text('@import "https://example.org/font.css";')

    assert "\n".join(faults(tmp_path)) == (
        "a.css: `https://example.org/font.css` would be loaded from elsewhere"
    )
