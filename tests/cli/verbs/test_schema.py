import json

import pytest

import branchwise
from branchwise.report import DOCUMENTS as KINDS


def test_prints_the_schema_of_problem_files(run):
    assert json.loads(run("schema").stdout) == branchwise.schema("problem")


@pytest.mark.parametrize("kind", KINDS)
def test_prints_the_schema_of_every_kind(run, kind):
    printed = json.loads(run("schema", kind).stdout)

    assert printed == branchwise.schema(kind)


def test_the_kinds_are_those_of_all_documents(run):
    shown = " ".join(run("schema", "--help").stdout.split())

    assert len(KINDS) == 13
    assert all(kind in shown for kind in KINDS)


def test_a_schema_is_written_where_asked(run, folder):
    assert run("schema", "sets", "-o", "sets.schema.json").stdout == ""

    written = json.loads((folder / "sets.schema.json").read_text())
    assert written == branchwise.schema("sets")


def test_the_old_spelling_is_answered_with_the_new_one(run):
    result = run("schema", "--solution")

    assert result.exit_code == 2
    assert "Write `branchwise schema solution`." in result.stderr
