"""The verb `defend`: the answer, what it writes, and what goes wrong."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from branchwise import report

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def shop(folder):
    return Path(shutil.copy(EXAMPLES / "web_shop.yaml", folder)).name


def test_shows_what_to_choose_and_what_it_does(run, shop):
    result = run("defend", shop)

    assert result.stdout.startswith(
        "Web shop (budget 8, defense budget 5)\n"
        "choose patch shop, second factor, backups for 5, proven best\n"
        "the attacker expects 25.5534 before, 5.43945 after: 78.7 % less\n"
        "\n"
        "defense budget  attacker expects  choose\n"
        "             0           25.5534  nothing\n"
        "             1           22.8805  backups\n"
    )
    assert (
        "passkeys             4             16.5                 16.5\n"
        in result.stdout
    )
    assert "\nthe attacker's best reply\nscan\n" in result.stdout
    assert "there are 21 sets to choose from\n" in result.stdout
    assert result.stderr == ""
    assert result.exit_code == 0


def test_another_budget_counts_instead_of_the_files(run, shop):
    result = run("defend", shop, "--defense-budget", 2, "--quiet")

    assert result.stdout == (
        "Web shop (budget 8, defense budget 2)\n"
        "choose encrypt database for 2, proven best\n"
        "the attacker expects 25.5534 before, 15.7491 after: 38.4 % less\n"
    )


def test_a_program_gives_the_same_answer(run, shop):
    result = run("defend", shop, "--method", "program", "--quiet")

    assert result.stdout == run("defend", shop, "--quiet").stdout


def test_json_follows_the_schema(run, shop):
    result = run("defend", shop, "--json", "-")

    document = json.loads(result.stdout)
    jsonschema.validate(document, report.schema("interdiction"))
    assert document["chosen"] == ["patch shop", "second factor", "backups"]
    assert document["reply"]["first_action"] == "scan"
    assert [point["cost"] for point in document["frontier"]] == [0, 1, 2, 3, 4, 5]


def test_files_are_written_beside_the_answer(run, shop, folder):
    result = run("defend", shop, "--html", "x.html", "--json", "x.json", "-q")

    assert "<h1><bdi>Web shop</bdi></h1>" in (folder / "x.html").read_text("utf-8")
    assert json.loads((folder / "x.json").read_text("utf-8"))["cost"] == 5
    assert result.stdout.startswith("Web shop")


def test_the_budget_is_the_attackers_as_for_every_verb(run, shop):
    """It was the defender's once, so that a note says which is which."""
    result = run("defend", shop, "--budget", 4)
    quiet = run("defend", shop, "--budget", 4, "--quiet")

    assert result.stdout.startswith("Web shop (budget 4, defense budget 5)\n")
    note = "--budget is the attacker's; the defender's is --defense-budget\n"
    assert (result.stderr, quiet.stderr) == (note, "")


def test_without_worths_only_the_answer_is_worked_out(run, shop):
    result = run("defend", shop, "--no-worths")

    assert "defense budget  attacker expects" not in result.stdout
    assert "the attacker's best reply" in result.stdout


def test_a_problem_without_defenses_is_refused(run, example):
    result = run("defend", example)

    assert result.exit_code == 2
    assert result.stderr == (
        "defenses: there are no defenses to choose from\n"
        "    fix: add some: `defenses: {patch: {cost: 2, forbids: [a1]}}`\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--defense-budget", "much"], "`much` is not a number"),
        (["--defense-budget", "-1"], "the defender's budget is -1, less than 0"),
        (["--method", "program", "--exact"], "cannot compute with fractions"),
        (["--method", "magic"], "'magic' is not one of 'search', 'program'"),
        (["--gap", "x"], "write `1%` or `0.01`"),
    ],
)
def test_wrong_options_say_what_is_wrong(run, shop, options, message):
    result = run("defend", shop, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_problem_is_not_overwritten(run, shop):
    result = run("defend", shop, "--json", shop)

    assert result.exit_code == 2
    assert "is the problem itself" in result.stderr


def test_a_page_that_cannot_be_is_refused_before_the_work_begins(run, example):
    result = run("defend", example, "--html", "defenses.svg")

    assert result.exit_code == 2
    assert "'defenses.svg' must end in .html" in result.stderr
