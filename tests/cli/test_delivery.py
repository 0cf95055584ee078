"""An answer is shown whatever becomes of its files."""

import json
import resource
from pathlib import Path

import pytest

import branchwise

EXAMPLES = Path(__file__).parents[2] / "examples"
OIL = EXAMPLES / "oil_wildcatter.yaml"
DEFENSES = "defenses.yaml"
FULL = "No space left on device"


@pytest.fixture
def full(folder):
    """A name for a disk that is full, with any end."""

    def name(suffix):
        link = folder / f"full{suffix}"
        link.symlink_to("/dev/full")
        return link.name

    return name


@pytest.fixture
def defended(folder):
    actions = "actions: {drill: {outcomes: {oil: 0.5, dry: rest}}}\n"
    rewards = "rewards: [{when: drill=oil, value: 200}]\n"
    defenses = "defenses: {fence: {forbids: [drill]}}\n"
    (folder / DEFENSES).write_text(actions + rewards + defenses)


@pytest.mark.parametrize(
    ("command", "option", "suffix"),
    [
        (("solve", OIL, "--quiet"), "--json", ".json"),
        (("solve", OIL, "--quiet"), "--html", ".html"),
        (("solve", OIL, "--quiet"), "--render", ".mmd"),
        (("defend", DEFENSES, "--quiet"), "--json", ".json"),
        (("defend", DEFENSES, "--quiet"), "--html", ".html"),
        (("analyze", OIL, "--only", "derivatives"), "--json", ".json"),
        (("analyze", OIL, "--only", "derivatives"), "--html", ".html"),
        (("explain", OIL, "--action", "drill"), "--json", ".json"),
        (("explain", OIL, "--action", "drill"), "--html", ".html"),
        (("certify", OIL, "--quiet"), "--output", ".json"),
    ],
)
def test_a_file_that_cannot_be_written_costs_the_file_and_not_the_answer(
    run, full, defended, folder, command, option, suffix
):
    answer = run(*command, option, f"good{suffix}")
    result = run(*command, option, full(suffix))

    assert answer.exit_code == 0, answer.stderr
    assert answer.stdout
    assert result.exit_code == 2
    assert result.stdout == answer.stdout
    assert f"full{suffix}: the file cannot be written: {FULL}" in result.stderr
    assert not list(folder.glob(".*"))


def test_every_file_that_failed_is_named_and_the_others_are_written(run, full, example):
    options = ("--html", full(".html"), "--render", "plan.svg", "--json", full(".json"))
    result = run("solve", example, *options)

    assert result.exit_code == 2
    assert "expected reward 8.43672" in result.stdout
    assert result.stderr.count(FULL) == 2
    assert Path("plan.svg").read_text().endswith("</svg>\n")


def test_tables_that_cannot_be_written_cost_the_tables_and_not_the_answer(run, folder):
    (folder / "tables").mkdir()
    (folder / "tables" / "derivatives-derivatives.csv").symlink_to("/dev/full")
    command = ("analyze", OIL, "--only", "derivatives")

    result = run(*command, "--csv", "tables", "--json", "a.json")

    assert result.exit_code == 2
    assert result.stdout == run(*command).stdout
    assert FULL in result.stderr
    assert json.loads(Path("a.json").read_text())


def test_profiles_that_cannot_be_written_are_shown(run, full):
    problem, table = EXAMPLES / "knee_pain.yaml", EXAMPLES / "profiles/knee_pain.csv"
    command = ("profiles", problem, table, "--keep", "profile,age,sex,bmi")

    result = run(*command, "--csv", full(".csv"))

    assert result.exit_code == 2
    assert result.stdout
    assert FULL in result.stderr


def test_a_folder_that_vanishes_while_solving_costs_no_answer(
    run, example, folder, monkeypatch
):
    (folder / "plans").mkdir()
    solve = branchwise.solve

    def slow(*arguments, **options):
        (folder / "plans").rmdir()
        return solve(*arguments, **options)

    monkeypatch.setattr(branchwise, "solve", slow)
    result = run("solve", example, "--html", "plans/plan.html")

    assert result.exit_code == 2
    assert "expected reward 8.43672" in result.stdout
    assert "there is no folder `plans`" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "reported"),
    [
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (MemoryError(), 2, "plan.html: the file cannot be written: there is not"),
    ],
)
def test_what_stops_a_file_does_not_stop_the_answer(
    run, example, monkeypatch, error, code, reported
):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(branchwise, "render", fail)
    result = run("solve", example, "--html", "plan.html")

    assert result.exit_code == code
    assert "expected reward 8.43672" in result.stdout
    assert result.stderr.startswith(reported)


def test_a_quota_keeps_the_old_file_and_shows_the_answer(start, example, folder):
    Path("plan.html").write_text("old")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

    process = start("solve", example, "--html", "plan.html", preexec_fn=limit)
    shown, reported = process.communicate(timeout=60)

    assert process.returncode == 2
    assert b"expected reward 8.43672" in shown
    assert b"plan.html: the file cannot be written: File too large" in reported
    assert Path("plan.html").read_text() == "old"
    assert {each.name for each in folder.iterdir()} == {example, "plan.html"}


def test_where_nothing_can_be_shown_the_files_are_written_and_that_is_reported(
    start, example
):
    with Path("/dev/full").open("w") as full:
        process = start("solve", example, "--json", "plan.json", stdout=full)
        _, reported = process.communicate(timeout=60)

    assert process.returncode == 2
    assert reported == b"cannot write: No space left on device\n"
    assert json.loads(Path("plan.json").read_text())["status"] == "optimal"
