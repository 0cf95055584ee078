"""The command that compares any number of random problems with brute force."""

import pytest
import yaml
from click.testing import CliRunner

from branchwise import read_text
from oracles import differences
from trials import fuzz


def run(*arguments):
    return CliRunner().invoke(fuzz.main, arguments)


@pytest.mark.parametrize("through", fuzz.THROUGH)
@pytest.mark.parametrize("kind", ["gadgets", "uniform", "both"])
def test_says_how_many_were_compared(kind, through):
    how = ("--kind", kind, "--through", through)
    result = run("--count", "21", "--seed", "3", "--jobs", "1", *how)

    assert result.exit_code == 0, result.output
    assert "21 problems, none differs, " in result.output
    assert " per second" in result.output


def test_kinds_take_turns_and_nothing_is_left_out():
    found = fuzz.portions(1001, ["gadgets", "uniform"])

    assert sum(size for _, _, size in found) == 1001
    assert [kind for kind, _, _ in found] == ["gadgets", "uniform"] * 2 + ["gadgets"]


def test_a_wrong_answer_is_shown_with_its_problem(monkeypatch):
    """What is shown is a problem file, with a comment that says what differs."""
    monkeypatch.setattr(differences, "is_close", lambda *_: False)

    doc, what = fuzz.check("gadgets", "3", "searches", 0, 1)
    text = f"{yaml.safe_dump(doc, sort_keys=False)}\n# {what}"

    assert read_text(text, format="yaml").name == "Gadgets(fuzz 3/0)"
    assert what.startswith("exhaustive: value ")
    assert "exactly: value " in what


def test_the_command_fails_where_answers_differ(monkeypatch):
    shown = []
    difference = ({"name": "wrong"}, "exhaustive: value 1, and not 2")
    monkeypatch.setattr(fuzz, "compare", lambda *_: iter([(1, difference)]))
    monkeypatch.setattr(fuzz, "report", lambda *found: shown.append(found))

    assert run("--count", "1").exit_code == 1
    assert shown == [difference]
