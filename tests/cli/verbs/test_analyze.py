"""The verb `analyze`: text, JSON, CSV, the page, and what goes wrong."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest

import branchwise
from branchwise import report

HARD = Path(__file__).parents[3] / "benchmarks" / "instances" / "hard-60.yaml"


def test_shows_what_matters(run, example):
    result = run("analyze", example, "--only", "criticality")

    assert result.stdout.startswith(
        "Illustrative example (budget 6)\n"
        "expected reward 8.43672, first action a1\n"
        "\n"
        "Criticality\n"
        "how the expected reward changes if an action is removed, fails or is certain\n"
        "action  if removed  if failing  if certain    used     uses  through it\n"
        "a4        -5.43672    -5.43672    +12.6857  66.5 %   0.6648     7.23672\n"
    )
    assert "\na5      precluded by a3                    +0.972\n" in result.stdout
    assert "\na4      requires a1=ok or a3=ok          +3.57264\n" in result.stdout
    assert result.exit_code == 0
    assert result.stderr == ""


def test_ranges_say_which_numbers_are_varied(run, example):
    result = run("analyze", example, "--only", "tornado", "--range", "P(a1=ok)=0..1")

    assert result.stdout.splitlines()[3:] == [
        "Tornado",
        "the expected reward with one number at a time at either end of its range",
        "number    low  high  range from  at low  at high   swing  starts with",
        "P(a1=ok)    0     1  option      3.1944  11.9316  8.7372  a3 / a1",
    ]


def test_the_file_may_say_what_is_varied_and_an_option_wins(run, folder):
    (folder / "oil.yaml").write_text(
        "actions:\n"
        "  drill: {cost: '7 [5, 9]', sample_size: 30, outcomes: {oil: 0.5, no: rest}}\n"
        "rewards: [{when: drill=oil, value: 20}]\n"
        "cost_weight: 1\n"
    )
    sections = ("--only", "tornado,uncertainty", "--draws", 5)
    stated = run("analyze", "oil.yaml", *sections).stdout
    asked = run("analyze", "oil.yaml", *sections, "--sample-size", "drill=40").stdout

    assert (
        "cost of drill           5     9  problem          5        1      4" in stated
    )
    assert "drill                 30  problem" in stated
    assert "drill                 40  option" in asked


def test_probabilities_may_rest_on_trials_of_their_own(run, example):
    result = run(
        "analyze", example, "--only", "uncertainty", "--draws", 20, "--seed", "s",
        "--sample-size", "10000000", "--sample-size", "a1=8",
    )  # fmt: skip

    lines = result.stdout.splitlines()
    assert lines[3] == "Uncertainty"
    draws, mean, *quantiles = lines[6].split()
    assert draws == "20"
    # Only a1 is uncertain: the value lies between those of its extremes.
    assert 3.1944 <= float(quantiles[0]) < float(mean) < float(quantiles[-1]) < 11.94


def test_json_follows_the_schema(run, example):
    result = run("analyze", example, "--json", "-", "--budget", 4)

    document = json.loads(result.stdout)
    jsonschema.validate(document, report.schema("analysis"))
    assert document["expected_reward"] == pytest.approx(7.86)
    # Costs are not weighed here, so all but cost-effectiveness.
    assert list(document["sections"]) == list(branchwise.analysis.SECTIONS[:-1])
    actions = document["sections"]["criticality"]["actions"]
    assert {each["action"] for each in actions} == {f"a{n}" for n in range(1, 8)}


def test_tables_are_written_as_csv(run, example, folder):
    result = run("analyze", example, "-q", "--only", "criticality", "--csv", "tables")

    assert result.stdout == (
        "Illustrative example (budget 6)\nexpected reward 8.43672, first action a1\n"
    )
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
    for section in branchwise.analysis.SECTIONS[:-1]:
        assert f'<h2 id="{section}">' in page
    assert json.loads((folder / "data.json").read_text())["version"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "luck"], "there is no section `luck`; there are criticality"),
        (["--only", "tornados"], "`tornados`; did you mean `tornado`?"),
        (["--range", "P(a1=ok)=0..1.2"], "from 0 to 1.2: it is from 0 to 1"),
        (["--csv", "-"], "several files do not go to `-`; name a folder"),
        (["--csv", "illustrative.yaml/tables"], "illustrative.yaml' is a file"),
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
def test_wrong_usage_is_reported_in_words(run, example, options, message):
    result = run("analyze", example, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_time_limit_shows_what_is_there_and_is_no_error(run):
    sections = "derivatives,thresholds"
    result = run("analyze", HARD, "--time-limit", "0.4", "--only", sections)

    assert result.exit_code == 0
    assert " of the optimum (time limit), not about the optimum:\n" in result.stdout
    assert "\nDerivatives\nhow the worth of this plan changes " in result.stdout
    reason = "needs the optimum at every value of a number; the best plan itself could"
    assert f"\nThresholds\n{reason} not be proven in the time: " in result.stdout


def test_with_a_gap_every_answer_says_that_it_is_about_a_plan_within_it(run, example):
    files = ("--html", "page.html", "--json", "a.json", "--csv", "tables")
    result = run("analyze", example, "--gap", "50%", *files)

    assert result.exit_code == 0
    said = (
        "about a plan within 10.3 % of the optimum (within gap), not about the optimum"
    )
    assert f"\n{said}:\n" in result.stdout
    reason = "needs the optimum of every budget; the plan in hand is worth 8.43672"
    assert f"\nBudget frontier\n{reason}, " in result.stdout
    page = Path("page.html").read_text()
    assert said[1:] in page
    assert reason[1:] in page
    document = json.loads(Path("a.json").read_text())
    assert (document["status"], document["plan_kept"]) == ("within gap", True)
    assert document["expected_reward"] < document["upper_bound"]
    assert [*document["unreached"]] == [
        "frontier",
        "thresholds",
        "strategies",
        "two-way",
        "information",
    ]
    plan = Path("tables/plan.csv").read_text().splitlines()
    assert plan[0] == "expected_reward,upper_bound,status,plan_kept"
    assert plan[1].endswith(",within gap,yes")
    unreached = Path("tables/unreached.csv").read_text()
    assert f'\nfrontier,"{reason}, ' in unreached
    risk = Path("tables/risk-plans.csv").read_text()
    assert risk.splitlines()[0].endswith(",first_action,upper_bound")
    jsonschema.validate(document, report.schema("analysis"))


def test_without_a_gap_nothing_is_said_of_plans_that_are_kept(run, example):
    only = ("--only", "criticality,tornado,uncertainty")
    result = run("analyze", example, *only, "--json", "a.json", "--csv", "tables")

    assert "not about the optimum" not in result.stdout
    assert json.loads(Path("a.json").read_text())["plan_kept"] is False
    assert not Path("tables/plan.csv").exists()


def test_few_states_give_bounds_for_conditions(run, example):
    result = run("analyze", example, "--only", "criticality", "--most-states", 1)

    assert "at most" in result.stdout or " to +" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--test", "test=good:1:1", "there is no action 'test'"),
        ("--test", "a1=ok", "`a1=ok` is no test"),
        ("--test", "a1=ok:2:1", "they must be from 0 to 1"),
        ("--aim", "cvar", "`cvar` lacks a number"),
    ],
)
def test_wrong_tests_and_aims_are_wrong_usage(run, example, option, text, message):
    result = run("analyze", example, option, text)

    assert result.exit_code == 2
    assert message in result.stderr


def test_tests_and_aims_are_taken_from_the_command_line(run, example):
    options = ["--only", "risk,information", "--aim", "cvar=5%", "--test", "a1=ok:1:1"]

    result = run("analyze", example, *options)

    assert "CVaR at 5 %" in result.stdout
    assert "a test of a1 first: worth 8.43672, gain 0" in result.stdout
