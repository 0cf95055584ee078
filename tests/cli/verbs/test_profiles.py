"""The verb `profiles`: text, CSV, JSON, the page, and what goes wrong."""

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import branchwise
from branchwise import report

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def knees(folder):
    """The example of knee pain and its patients, as files in the folder."""
    shutil.copy(EXAMPLES / "knee_pain.yaml", folder)
    shutil.copy(EXAMPLES / "profiles" / "knee_pain.csv", folder / "patients.csv")
    return "knee_pain.yaml", "patients.csv", "--keep", "age,sex", "--keep", "bmi"


def test_shows_which_plan_goes_to_whom(run, knees):
    result = run("profiles", *knees)

    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "Knee pain (budget 9)",
        "40 individuals, 6 plans; they differ in 6 numbers",
    ]
    assert "A              27  67.5 %  37.7705  33.6488     13     exercise" in lines
    assert "D, the problem's own plan      -1.486    -4.891    38" in lines
    assert (
        "B  patient 5, patient 7, patient 15, patient 16, patient 20, patient 37"
        in (lines)
    )
    assert result.exit_code == 0
    assert result.stderr == ""


def test_csv_has_a_row_for_everybody(run, knees, folder):
    result = run("profiles", *knees, "--csv", "plans.csv", "-q")

    assert result.stdout == (
        "Knee pain (budget 9)\n40 individuals, 6 plans; they differ in 6 numbers\n"
    )
    with (folder / "plans.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 40
    assert rows[1]["profile"] == "patient 2"
    assert rows[1]["plan"] == "F"
    assert rows[1]["age"] == "54"
    assert float(rows[1]["expected_reward"]) == pytest.approx(28.9556, abs=1e-4)
    assert float(rows[1]["loss_common"]) > 0


def test_all_tables_are_written_into_a_folder(run, knees, folder):
    run("profiles", *knees, "--csv", "tables", "--csv", "plans.csv", "-q")
    run("profiles", *knees, "--csv", "tables", "-q")

    names = {path.name for path in (folder / "tables").iterdir()}
    assert names == {"individuals.csv", "plans.csv", "numbers.csv"}
    first = (folder / "tables" / "individuals.csv").read_text()
    assert first == (folder / "plans.csv").read_text()


def test_json_follows_the_schema(run, knees):
    result = run("profiles", *knees, "--json", "-")

    document = json.loads(result.stdout)
    jsonschema.validate(document, report.schema("profiles"))
    assert document["num_individuals"] == 40
    assert [each["plan"] for each in document["plans"]] == list("ABCDEF")
    assert sum(each["individuals"] for each in document["plans"]) == 40
    assert document["base_plan"] == "D"
    assert document["mean_loss_base"] > document["mean_loss_common"] > 0


def test_some_may_have_a_budget_without_limit(run, folder):
    shutil.copy(EXAMPLES / "oil_wildcatter.yaml", folder)
    (folder / "rich.csv").write_text("profile,budget\npoor,10\nrich,\n")
    asked = "profiles", "oil_wildcatter.yaml", "rich.csv"

    document = json.loads(run(*asked, "--json", "-").stdout)
    page = run(*asked, "--html", "rich.html")

    jsonschema.validate(document, report.schema("profiles"))
    assert document["numbers"][1]["mean"] == "unlimited"
    assert "A  budget below 15: all of them, and no others" in page.stdout
    assert "unlimited" in (folder / "rich.html").read_text(encoding="utf-8")


def test_threads_do_not_matter(run, knees):
    one = run("profiles", *knees, "--json", "-", "--threads", 1)
    two = run("profiles", *knees, "--json", "-", "--threads", 2)

    assert one.stdout == two.stdout


def test_another_budget_is_for_all(run, knees):
    result = run("profiles", *knees, "--budget", 0)

    assert result.stdout.startswith("Knee pain (budget 0)\n40 individuals, 1 plan;")
    assert "all get the same plan" in result.stdout


def test_a_bad_table_ends_with_2_and_writes_nothing(run, knees, folder):
    (folder / "patients.csv").write_text("profile,P(scan=worn)\nAnn,120%\n")

    result = run("profiles", "knee_pain.yaml", "patients.csv", "--csv", "plans.csv")

    assert result.exit_code == 2
    assert result.stderr == (
        "patients.csv:B2: the probability 1.2 is more than 1\n"
        "    fix: write a number from 0 to 1\n"
    )
    assert not (folder / "plans.csv").exists()


def test_a_missing_table_is_wrong_input(run, knees):
    result = run("profiles", "knee_pain.yaml", "patient.csv")

    assert result.exit_code == 2
    assert "did you mean `patients.csv`?" in result.stderr


def test_the_table_is_not_written_over(run, knees):
    result = run("profiles", *knees, "--csv", "patients.csv")

    assert result.exit_code == 2
    assert "'patients.csv' is the table itself; name another file" in result.stderr


def test_ctrl_c_shows_what_is_done_by_then(run, knees, folder, monkeypatch):
    plan_for = branchwise.profiles

    def interrupted(problem, table, **how):
        found = plan_for(problem, table, **how)
        some = found.individuals[:25]
        return replace(found, status=branchwise.Status.INTERRUPTED, individuals=some)

    monkeypatch.setattr(branchwise, "profiles", interrupted)
    result = run("profiles", *knees, "--csv", "plans.csv")

    assert result.exit_code == 130
    assert "\n25 individuals of 40 (interrupted), 6 plans" in result.stdout
    assert result.stderr == "interrupted\n"
    assert len((folder / "plans.csv").read_text().splitlines()) == 26


def test_columns_about_something_else_are_carried_through(run, knees, folder):
    """As they are in the example; what is nearly a number was meant to be one."""
    result = run("profiles", *knees[:2], "--csv", "plans.csv")

    assert result.exit_code == 0
    assert result.stderr == (
        "carried through, as the problem has no such number: `age`, `sex`, `bmi`\n"
    )
    with (folder / "plans.csv").open(encoding="utf-8") as file:
        assert {"age", "sex", "bmi"} <= {*csv.DictReader(file).fieldnames}
    table = folder / "patients.csv"
    table.write_text(
        table.read_text().replace("P(exercise=better)", "P(exrcise=better)")
    )
    wrong = run("profiles", *knees[:2])
    assert wrong.exit_code == 2
    assert "did you mean" in wrong.stderr
