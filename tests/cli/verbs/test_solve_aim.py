"""``branchwise solve --aim``: plans that make the most of something else."""

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from branchwise import parse_aim, read, render, solution_schema, solve

OIL = Path(__file__).parents[3] / "examples" / "oil_wildcatter.yaml"


@pytest.fixture
def oil(folder):
    return Path(shutil.copy(OIL, folder)).name


def test_the_answer_says_what_it_aimed_at_and_what_that_costs(run, oil):
    """
    Without a test, drilling pays 120 or 270 half of the time, at a cost of 70: at
    least 50 with 50 %. After a test, which costs 10, only 270 will do.
    """
    result = run("solve", oil, "--aim", "at-least=50")

    lines = result.stdout.splitlines()
    assert lines[1] == "P(reward >= 50) is 50 %, no plan does better"
    assert lines[2] == (
        "expected reward 20, first action drill, the highest of any plan is 22.5"
    )
    assert lines[-1] == (
        "engine reference: the aim counts what was spent, so every state has to know it"
    )


def test_a_utility_has_a_sure_reward_that_is_as_good(run, oil):
    result = run("solve", oil, "--aim", "exponential=1000", "-q")

    answer = solve(read(OIL), aim=parse_aim("exponential=1000"))
    equivalent = answer.aim.certainty_equivalent
    assert equivalent < answer.expected_reward
    told = f"as good as a sure {equivalent:.6g}, no plan does better"
    assert told in result.stdout


def test_the_document_holds_the_aim_as_its_schema_says(run, oil):
    result = run("solve", oil, "--aim", "cvar=90%", "--exact", "--json", "-")

    document = json.loads(result.stdout)
    Draft202012Validator(solution_schema()).validate(document)
    answer = solve(read(OIL), aim=parse_aim("cvar=90%"), exact=True)
    assert document["aim"]["title"] == "CVaR at 90 %"
    assert document["aim"]["worth_exact"] == str(answer.aim.worth)
    assert document["upper_bound"] == 22.5


def test_the_report_names_the_aim(folder):
    answer = solve(read(OIL), aim=parse_aim("at-least=50"))

    render(answer, "plan.html")

    page = Path("plan.html").read_text()
    assert "<dt>P(reward &gt;= 50)</dt>" in page
    assert "no plan is worth more than 22.5, gap 11.1 %" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--aim", "cvar=2"], "a level is above 0 and at most 1, not 2"),
        (["--aim", "worst=2"], "there is no aim `worst`"),
        (["--aim", "cvar=1%", "--sets", "1"], "--sets does not go with --aim"),
        (["--aim", "cvar=1%", "--engine", "paper"], "--engine does not go with --aim"),
        (["--aim", "table=0:0,1:1"], "fix: say what -80 is worth"),
    ],
)
def test_wrong_aims_are_wrong_usage(run, oil, options, message):
    result = run("solve", oil, *options)

    assert result.exit_code == 2
    assert message in result.stderr
