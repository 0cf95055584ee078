"""`branchwise solve --robust` on the command line."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
TRIAL = str(EXAMPLES / "vaccine_trial.yaml")
OIL = str(EXAMPLES / "oil_wildcatter.yaml")


def test_shows_the_worst_case_and_what_it_costs(run):
    result = run("solve", TRIAL, "--robust", "--quiet")

    assert (
        "worst case 83.5808, first action dose_study, proven optimal" in result.output
    )
    assert "the price of robustness is 10.2912" in result.output
    assert "worth knowing exactly: broad_trial +11.7312" in result.output


def test_writes_what_is_known_as_json(run):
    options = ["--robust", "--gamma", "1", "--json", "-"]
    result = run("solve", TRIAL, *options)
    robust = json.loads(result.output)["robust"]

    assert robust["gamma"] == 1
    assert robust["by_gamma"][0]["worst_case"] == pytest.approx(108.528)
    assert robust["perturbations"][0]["action"] == "broad_trial"


def test_gives_a_distance_to_odds_that_say_nothing(run):
    options = ["--robust", "--distance", "5%", "--quiet"]
    result = run("solve", OIL, *options)
    assert "worst case" in result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gamma", "2"], "--gamma goes with --robust"),
        (["--distance", "0.1"], "--distance goes with --robust"),
        (["--robust", "--distance", "3"], "a distance lies between 0 and 1"),
        (["--robust", "--engine", "paper"], "`paper` knows no adversary"),
        (["--robust", "--sets", "2"], "goes by all rewarding sets"),
    ],
)
def test_bad_usage_is_refused(run, options, message):
    result = run("solve", TRIAL, *options)
    assert result.exit_code == 2
    assert message in result.output
