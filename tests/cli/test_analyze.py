"""The verb `analyze`: text, JSON, CSV, the page, and what goes wrong."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest

import branchwise

HARD = Path(__file__).parents[2] / "benchmarks" / "instances" / "hard-60.yaml"


def test_tells_what_matters(run, example):
    result = run("analyze", example, "--only", "criticality")

    assert result.stdout.startswith(
        "Illustrative example (budget 6)\n"
        "expected reward 8.43672, first action a1\n"
        "\n"
        "Criticality\n"
        "action   removed   failing   certain    used     uses  through it\n"
        "a4      -5.43672  -5.43672  +12.6857  66.5 %   0.6648     7.23672\n"
    )
    assert "\na5 precluded by a3             +0.972\n" in result.stdout
    assert result.exit_code == 0
    assert result.stderr == ""


def test_ranges_say_which_numbers_are_varied(run, example):
    result = run("analyze", example, "--only", "tornado", "--range", "P(a1=ok)=0..1")

    assert result.stdout.splitlines()[3:] == [
        "Tornado",
        "number    low  high  at low  at high   swing  starts with",
        "P(a1=ok)    0     1  3.1944  11.9316  8.7372      a3 / a1",
    ]


def test_odds_may_rest_on_trials_of_their_own(run, example):
    result = run(
        "analyze", example, "--only", "uncertainty", "--draws", 20, "--seed", "s",
        "--sample-size", "10000000", "--sample-size", "a1=8",
    )  # fmt: skip

    lines = result.stdout.splitlines()
    assert lines[3:5] == ["Uncertainty", lines[4]]
    draws, mean, *quantiles = lines[5].split()
    assert draws == "20"
    # Only a1 is in doubt: the value lies between those of its extremes.
    assert 3.1944 <= float(quantiles[0]) < float(mean) < float(quantiles[-1]) < 11.94


def test_json_follows_the_schema(run, example):
    result = run("analyze", example, "--json", "-", "--budget", 4)

    document = json.loads(result.stdout)
    jsonschema.validate(document, branchwise.analysis_schema())
    assert document["expected_reward"] == pytest.approx(7.86)
    assert list(document["sections"]) == list(branchwise.SECTIONS)
    actions = document["sections"]["criticality"]["actions"]
    assert {each["action"] for each in actions} == {f"a{n}" for n in range(1, 8)}


def test_tables_are_written_as_csv(run, example, folder):
    result = run("analyze", example, "-q", "--only", "criticality", "--csv", "tables")

    assert result.stdout == ""
    assert sorted(path.name for path in (folder / "tables").iterdir()) == [
        "criticality-actions.csv",
        "criticality-conditions.csv",
    ]
    with (folder / "tables" / "criticality-actions.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["action"] == "a4"
    assert float(rows[0]["loss_removed"]) == pytest.approx(5.43672)


def test_a_name_is_no_formula(run, folder):
    (folder / "odd.yaml").write_text(
        "budget: 1\n"
        "actions:\n"
        "  '=1+1': {outcomes: {ok: 0.5, fail: rest}}\n"
        "rewards: [{when: '\"=1+1\"=ok', value: 2}]\n"
    )
    run("analyze", "odd.yaml", "-q", "--only", "criticality", "--csv", "tables")

    text = (folder / "tables" / "criticality-actions.csv").read_text()
    assert text.splitlines()[1].startswith("'=1+1,")


def test_a_page_and_json_are_written_beside_the_text(run, example, folder):
    result = run("analyze", example, "--html", "page.html", "--json", "data.json")

    assert "Criticality" in result.stdout
    page = (folder / "page.html").read_text()
    for section in branchwise.SECTIONS:
        assert f'<h2 id="{section}">' in page
    assert json.loads((folder / "data.json").read_text())["version"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "luck"], "there is no section `luck`; there are criticality"),
        (["--html", "page.txt"], "'page.txt' must end in .html"),
        (["--time-limit", "soon"], "`soon` is not understood"),
        (["--json", "illustrative.yaml"], "is the problem itself"),
        (["--csv", "illustrative.yaml"], "is a file"),
        (["--sample-size", "a9=3"], "there is no action `a9`"),
        (["--draws", "0"], "Invalid value for '--draws'"),
        (["--range", "P(a1=ok)"], "`P(a1=ok)` is no range; write"),
        (["--range", "P(a9=ok)=0..1"], "there is no parameter `P(a9=ok)`"),
        (["--range", "P(a1=ok)=0..x"], "`x` is not a number"),
    ],
)
def test_wrong_usage_is_told_in_words(run, example, options, message):
    result = run("analyze", example, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_time_limit_shows_what_is_there_and_is_no_error(run):
    result = run("analyze", HARD, "--time-limit", "0.4", "--only", "derivatives")

    assert result.exit_code == 0
    assert "\nDerivatives\nthe best plan itself could not be proven" in result.stdout


def test_few_states_give_bounds_for_conditions(run, example):
    result = run("analyze", example, "--only", "criticality", "--most-states", 1)

    assert "at most" in result.stdout or " to +" in result.stdout
    assert result.exit_code == 0
