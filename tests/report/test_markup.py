"""Names in pages: what they may be broken at, and that nothing of them is lost."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise.report.markup import figure, name, outcome_name
from branchwise.report.tree_drawing.lettering import legible
from problems.hostile_names import HOSTILE


def pieces(text):
    """What a browser never breaks unless it must: text between break opportunities."""
    shown = re.fullmatch(r"<bdi>(.*)</bdi>", name(text), re.DOTALL)[1]
    return [html.unescape(piece) for piece in shown.split("<wbr>")]


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("a1", "a1"),
        ("scan_the_ports", "scan_the_ports"),
        ("Ask the procurement office again", "Ask the procurement office again"),
        ("scan_all_ports_of_it", "scan_|all_|ports_|of_|it"),
        ("phish-finance.with/an:invoice", "phish-|finance.|with/|an:|invoice"),
        ("ReconfigureTheServerForIT", "Reconfigure|The|Server|ForIT"),
        ("Ask why_the_server_is_down", "Ask why_|the_|server_|is_|down"),
        ("x" * 60, f"{'x' * 24}|{'x' * 24}|{'x' * 12}"),
    ],
)
def test_a_long_name_may_be_broken_where_its_words_are_joined(text, broken):
    assert "|".join(pieces(text)) == broken


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_stay_whole_text(text):
    assert "".join(pieces(text)) == legible(text)
    assert not re.search(r"<(?!bdi>|/bdi>|wbr>)", name(text))


@given(st.text(max_size=80))
def test_nothing_of_a_name_is_lost(text):
    assert "".join(pieces(text)) == legible(text)


@given(st.text("abcXYZ01_-. ", max_size=80))
def test_no_piece_of_plain_letters_is_longer_than_a_column(text):
    runs = [run for piece in pieces(text) for run in re.findall("[A-Za-z0-9]+", piece)]
    assert all(len(run) <= 24 for run in runs)


def test_an_outcome_stands_beside_its_action_unless_that_is_long():
    assert outcome_name("a1", "ok") == "<bdi>a1</bdi>&nbsp;=&nbsp;<bdi>ok</bdi>"
    assert "</bdi>&nbsp;= <bdi>" in outcome_name("investigate the host", "nothing")


def test_a_figure_counts_what_is_read_and_not_its_markup():
    short, long = name("scan_the_ports_of_b"), name("Ask the procurement office")

    assert figure(short).startswith('<span class="figure">')
    assert figure(long).startswith('<span class="figure long">')
