"""`tools/smoke_test.py` tries every verb of what is installed."""

import click
import pytest

import smoke_test
from branchwise.cli.main import program


def test_every_verb_is_tried():
    verbs = program.list_commands(click.Context(program))

    assert sorted(smoke_test.VERBS) == sorted(verbs)
    assert all(line.split()[0] == verb for verb, line in smoke_test.VERBS.items())


@pytest.mark.parametrize("verb", ["solve", "studio", "mcp"])
def test_a_verb_that_works_is_fine(tmp_path, verb):
    smoke_test.lay_out(tmp_path)

    assert smoke_test.tried(verb, tmp_path) == ""


def test_a_verb_that_fails_is_reported(tmp_path):
    assert smoke_test.tried("solve", tmp_path).startswith("exit code 2: oil.yaml")


def test_what_is_not_installed_has_to_be_named():
    named = "Error: the studio needs `uvicorn`\n    fix: pip install uvicorn"

    assert judged("studio", 2, named) == ""
    assert judged("studio", 1, named) != ""
    assert judged("solve", 2, named) != ""
    assert judged("studio", 2, "Traceback") != ""


def test_nothing_may_be_missing_where_all_extras_are_to_be_there():
    named = "Error: the studio needs `uvicorn`\n    fix: pip install uvicorn"

    assert smoke_test._judged("studio", 2, named, frozenset()) != ""


def judged(verb, code, errors):
    return smoke_test._judged(verb, code, errors, smoke_test.EXTRAS)
