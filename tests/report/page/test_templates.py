"""Templates: text is escaped and legible by itself, and mistakes do not go unseen."""

import subprocess
import sys

import pytest
from jinja2 import UndefinedError

from branchwise.report.page.templates import _environment, page_from, rendered


def written(source, **values):
    return _environment().from_string(source).render(values)


def test_text_is_escaped_and_legible_wherever_it_stands():
    text = 'a<b>&"\N{RIGHT-TO-LEFT OVERRIDE}\n\a'

    shown = written('<p title="{{ text }}">{{ text }}</p>', text=text)

    safe = "a&lt;b&gt;&amp;&#34;\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}"
    assert shown == f'<p title="{safe}">{safe}</p>'


@pytest.mark.parametrize(
    "call", ["fact(text, 1)", "fact('a', text)", "fact('', '', text)"]
)
def test_facts_are_legible_in_every_part(call):
    shown = written(f"{{{{ macros.{call} }}}}", text="<\N{RIGHT-TO-LEFT OVERRIDE}>")

    assert "&lt;\N{REPLACEMENT CHARACTER}&gt;" in shown


def test_names_that_are_joined_stay_text_and_may_be_broken():
    shown = written("{{ names|map('name')|join(', ') }}", names=["<i>", "a_b" * 6])

    assert shown.startswith("<bdi>&lt;i&gt;</bdi>, <bdi>a_<wbr>ba_<wbr>b")


def test_what_a_template_asks_for_must_be_there():
    with pytest.raises(UndefinedError):
        rendered("solution", {})


def test_a_page_without_script_allows_none():
    page = page_from("frame", "<Title>", {})

    assert "<script" not in page
    assert "script-src" not in page
    assert "<title>&lt;Title&gt; \N{MIDDLE DOT} branchwise</title>" in page


def test_templates_are_loaded_with_the_first_page():
    script = "import sys, branchwise.report.answer; print('jinja2' in sys.modules)"

    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert shown.stdout == "False\n"
