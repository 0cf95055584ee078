"""Lines and tables: what gives way where there is little room, and what lines up."""

import pytest

from branchwise import Action, Problem, Reward
from branchwise.report.text.ink import Look, aligned, title_line
from branchwise.report.text.label import cropped, display_width


def problem(name):
    toss = Action("toss", cost=1, outcomes={"heads": 0.5, "tails": 0.5})
    return Problem([toss], [Reward(toss["heads"], 8)], budget=3, name=name)


def test_a_problem_without_a_name_has_a_budget():
    assert title_line(problem("  "), Look()) == "budget 3"


def test_a_name_stands_on_one_line_before_the_budget():
    line = title_line(problem("Heads\n or  tails"), Look(), more=" left")

    assert line == "Heads or tails (budget 3 left)"


def test_a_long_name_is_cut_so_that_the_budget_keeps_its_place():
    """Of 40 columns the name may take 0.6 * 40 = 24, the last one for the mark."""
    line = title_line(problem("x" * 100), Look(width=40))

    assert line == f"{'x' * 23}… (budget 3)"


def test_names_that_look_like_markup_come_out_letter_by_letter():
    names = ["[red]x", "[/]", "\\[b]", ":smile:", "[link=a]b[/link]"]

    titles, *lines = aligned(
        ["[bold]", "n"], [[n, "1"] for n in names], Look(), words=0
    )

    assert titles.split() == ["[bold]", "n"]
    assert [line.removesuffix("1").rstrip() for line in lines] == names


@pytest.mark.parametrize(
    "name", ["試掘", "e\u0301", "👩\u200d👩\u200d👧", "❤\ufe0f", "🛢"]
)
def test_columns_line_up_by_what_is_seen(name):
    lines = list(aligned(["name", "n"], [[name, "1"], ["drill", "2"]], Look(), words=0))

    assert lines[0] == "name   n"
    assert display_width(lines[1].removesuffix("1")) == len("drill  ")


def test_no_column_is_lost_on_a_narrow_page():
    """Of 20 columns the first two take 4 + 2 + 10, so the third one goes below."""
    rows = [["here", "1234567890", "yes"]]

    assert list(aligned(["well", "worth", "drilled"], rows, Look(20), words=0)) == [
        "well       worth",
        "here  1234567890",
        "",
        "well  drilled",
        "here      yes",
    ]


def test_a_table_that_begins_with_numbers_is_cut_at_the_end_of_the_page():
    lines = list(aligned(["n", "path"], [["1", "x" * 30]], Look(12), words=1))

    assert lines == ["n  path", f"1  {'x' * 8}…"]


def test_a_cell_stays_on_its_line():
    """The names in a state space of one's own are not checked."""
    lines = list(aligned(["a", "b"], [["x\ny", "1"], ["z", "2"]], Look(), words=0))

    assert lines == ["a    b", "x y  1", "z    2"]


def test_without_titles_there_are_only_rows():
    assert list(aligned(["", ""], [["ok", "1"]], Look(), words=0)) == ["ok  1"]
    assert list(aligned(["a", "b"], [], Look(), words=0)) == ["a  b"]


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE"])
def test_what_rich_reads_from_the_environment_changes_nothing(variable, monkeypatch):
    monkeypatch.setenv(variable, "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "10")

    lines = list(aligned(["name", "n"], [["x" * 200, "1"]], Look(), words=0))

    assert lines[1] == f"{'x' * 200}  1"


def test_half_a_wide_character_is_none():
    assert cropped("試掘試掘", 6) == "試掘…"
    assert cropped("a b c d", 5) == "a b …"
