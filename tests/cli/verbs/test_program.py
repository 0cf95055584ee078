"""The verb `program`: tables, JSON, files for other solvers, and wrong usage."""

import json
import sys

import highspy
import pytest
from jsonschema import Draft202012Validator

import branchwise
from branchwise import report


def test_shows_the_value_the_root_and_the_visited_states(run, example):
    result = run("program", example, "--graph", "full", "--limit", 2)

    assert result.stdout.startswith(
        "Illustrative example (budget 6)\n"
        "expected reward 8.43672\n"
        "program: 168 columns (states), 141 rows (actions considered), 423 nonzeros\n"
        "solved in "
    )
    assert "a3       3.4968  4.93992    0 %\n" in result.stdout
    assert "(stop)        0  8.43672    0 %\n" in result.stdout
    assert "  100 %  8.43672" in result.stdout
    assert "2 of " in result.stdout
    assert result.stderr == ""
    assert result.exit_code == 0


def test_a_budget_changes_it(run, example):
    result = run("program", example, "--budget", 3)

    assert "expected reward 6.6\n" in result.stdout


def test_json_follows_the_schema_and_may_have_every_state(run, example):
    """37 canonical states, of which a plan visits some."""
    every = json.loads(run("program", example, "--json", "-", "--unvisited").stdout)
    visited = json.loads(run("program", example, "--json", "-").stdout)
    first = json.loads(run("program", example, "--json", "-", "--limit", 1).stdout)

    for document in (every, visited, first):
        Draft202012Validator(report.schema("program")).validate(document)
    assert len(every["states"]) == every["num_columns"] == 37
    assert len(visited["states"]) == visited["num_visited"] < 37
    assert [state["column"] for state in first["states"]] == ["s0"]


@pytest.mark.parametrize("name", ["example.mps", "example.lp"])
def test_a_program_is_written_and_not_solved(run, example, folder, name):
    result = run("program", example, "-o", name, "--only-root")

    assert result.stdout == f"wrote {name}: 37 columns, 60 rows\n"
    elsewhere = highspy.Highs()
    elsewhere.setOptionValue("output_flag", False)
    elsewhere.readModel(str(folder / name))
    elsewhere.run()
    assert elsewhere.getObjectiveValue() == pytest.approx(8.43672)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unvisited"], "--unvisited is about data; add --json - or --csv FILE"),
        (["--only-root"], "--only-root is about a written program; add -o FILE"),
        (["--json", "-", "-o", "x.mps"], "-o writes the program and does not solve it"),
        (["-o", "x.txt"], "'x.txt' must end in .mps or .lp"),
        (["--graph", "canonical", "--naive"], "canonical states are never naive"),
        (["--graph", "half"], "'half' is not one of 'auto', 'canonical', 'full'"),
        (["--time-limit", "soon"], "`soon` is not understood"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(run, example, options, message):
    result = run("program", example, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_the_time_may_run_out(run):
    """Reading takes longer than that; solvers get a little all the same."""
    large = branchwise.write_text(branchwise.generate(20, 8, seed="time"))
    result = run("program", "-", "--time-limit", "0.0001", input=large)

    assert result.exit_code == 2
    assert "the time limit was met before" in result.stderr


def test_without_highs_it_says_what_to_install(run, example, monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)

    result = run("program", example)

    assert result.exit_code == 2
    assert "needs HiGHS: pip install highspy" in result.stderr
