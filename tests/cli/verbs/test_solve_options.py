"""The options that say how to solve, on problems where each makes a difference."""

import json
import re
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from branchwise import report

INSTANCES = Path(__file__).parents[3] / "benchmarks" / "instances"


@pytest.fixture
def medium(run, folder):
    """Some 7,000 canonical states: explored in no time, and enough for a gap."""
    run("generate", "medium.yaml", "--actions", 25, "--budget", 12, "--seed", 7)
    return "medium.yaml"


@pytest.fixture
def large(folder):
    """Far more canonical states than anybody waits for."""
    return Path(shutil.copy(INSTANCES / "hard-60.yaml", folder)).name


def last_line(result):
    return result.stdout.splitlines()[-1]


def document(run, *arguments):
    """Solve and give the JSON, which is as the schema says."""
    result = run("solve", *arguments, "--json", "-")
    assert result.exit_code == 0, result.output
    loaded = json.loads(result.stdout)
    Draft202012Validator(report.schema("solution")).validate(loaded)
    return loaded


@pytest.mark.parametrize("engine", ["canonical", "paper", "reference"])
def test_every_engine_finds_the_same_plan(run, example, engine):
    result = run("solve", example, "--engine", engine)

    assert "expected reward 8.43672, first action a1, proven optimal" in result.stdout
    assert "33 nodes, 17 leaves, at most 6 actions deep" in result.stdout
    assert last_line(result).startswith(f"engine {engine}: ")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "engine canonical: explored every canonical state"),
        (["--search", "best-first"], "engine canonical: searched best first"),
        (["--naive"], "engine paper: the naive full graph was asked for"),
        (["--exact"], "engine reference: only the engine `reference` computes with"),
        (["--sets", "1"], "engine reference: only some rewarding sets count"),
    ],
)
def test_says_which_engine_it_was_and_why(run, example, options, reason):
    assert last_line(run("solve", example, *options)).startswith(reason)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "canonical", "--exact"], "only the engine `reference` computes"),
        (["--engine", "canonical", "--naive"], "`canonical` has no naive full graph"),
        (["--engine", "paper", "--sets", "1"], "only some rewarding sets count"),
        (["--naive", "--sets", "1"], "no rewarding sets to go by"),
    ],
)
def test_options_that_contradict_each_other_are_wrong_usage(
    run, example, options, message
):
    result = run("solve", example, *options)

    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_gap_ends_the_search_early(run, medium):
    best = document(run, medium)
    near = document(run, medium, "--gap", "10%")

    assert (best["status"], near["status"]) == ("optimal", "within gap")
    assert near["expected_reward"] < best["expected_reward"] < near["upper_bound"]
    assert near["upper_bound"] - near["expected_reward"] <= 0.1 * near["upper_bound"]
    assert (best["ties_settled"], near["ties_settled"]) == (True, False)


def test_searching_looks_at_fewer_states(run, medium):
    explored = document(run, medium, "--search", "exhaustive")
    searched = document(run, medium, "--search", "best-first")

    assert searched["expected_reward"] == pytest.approx(explored["expected_reward"])
    assert searched["tree"] == explored["tree"]
    seen = searched["statistics"]["expanded_states"]
    assert seen < explored["statistics"]["expanded_states"]


@pytest.mark.parametrize(
    ("option", "limit", "status"),
    [
        ("--time-limit", "0.2 s", "time limit"),
        ("--memory-limit", "1 MB", "memory limit"),
    ],
)
def test_a_limit_ends_with_a_plan_and_bounds(run, large, option, limit, status):
    result = run("solve", large, "-q", option, limit)

    assert result.exit_code == 0
    proof = (
        r"expected reward (\S+), first action a\d+, no plan is worth more than (\S+)"
    )
    told = re.search(rf"{proof} \(gap [0-9.]+ %, {status}\)", result.stdout)
    assert 0 < float(told[1]) < float(told[2]) <= 100


@pytest.mark.parametrize("engine", ["paper", "reference"])
def test_an_engine_without_bounds_says_that_a_limit_left_nothing(run, large, engine):
    result = run("solve", large, "--engine", engine, "--time-limit", "0.01")

    assert result.exit_code == 2
    assert re.match("(the time limit was met|time ran out) before ", result.stderr)
    assert result.stdout == ""


def test_a_limit_is_told_in_json_and_in_the_page(run, large, folder):
    loaded = document(run, large, "--time-limit", "3", "--html", "plan.html")
    page = (folder / "plan.html").read_text()
    shown = " ".join(re.sub("<[^>]+>", " ", page).split())

    assert loaded["status"] == "time limit"
    assert 0 < loaded["expected_reward"] < loaded["upper_bound"]
    assert loaded["statistics"]["reduced_graph_states"] is None
    assert "Status time limit no plan is worth more than" in shown
    assert "Ties are not settled." in shown
    assert "no plan does better" not in shown


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
def test_threads_change_nothing_but_the_time(run, medium, search):
    alone, together = (
        document(run, medium, "--search", search, "--threads", threads)
        for threads in (1, 3)
    )

    for answer in (alone, together):
        del answer["statistics"]["seconds"], answer["statistics"]["bytes"]
        del answer["verification"]["seconds"]
    assert alone == together


def test_no_threads_are_too_few(run, example):
    assert run("solve", example, "--threads", "0").exit_code == 2
