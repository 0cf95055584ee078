"""The verb `sets`: a table, JSON, and what limits and pipes do to them."""

import json
import os
import pty
import re
import signal

import pytest

import branchwise


@pytest.fixture
def many(folder):
    """Stages that each have alternatives, all needed: alternatives^stages sets."""

    def write(stages, alternatives):
        names = [[f"s{i}w{j}" for j in range(alternatives)] for i in range(stages)]
        outcomes = "{outcomes: {ok: 0.5, fail: rest}}"
        actions = "".join(f"  {name}: {outcomes}\n" for row in names for name in row)
        parts = (" or ".join(f"{name}=ok" for name in row) for row in names)
        needs = " and ".join(f"({part})" for part in parts)
        (folder / "many.yaml").write_text(
            f"actions:\n{actions}rewards: [{{when: {needs}, value: 10}}]\n"
        )
        return "many.yaml"

    return write


def test_shows_the_four_sets_of_the_paper(run, example):
    result = run("sets", example)

    assert result.stdout.startswith(
        "Illustrative example (budget 6)\n"
        "4 rewarding sets\n"
        "\n"
        "rank  reward  probability  strength  cost  outcomes, in order\n"
        "   1      50       10.8 %       5.4     3  a1=ok, a4=ok, a5=ok\n"
        "   2     100          3 %         3     2  a3=ok, a7=ok\n"
    )
    assert "perfect information: no plan is worth more than" in result.stdout
    assert result.stderr == ""
    assert result.exit_code == 0


def test_another_budget_has_other_sets(run, example):
    result = run("sets", example, "--budget", "2")

    assert "Illustrative example (budget 2)\n1 rewarding set\n" in result.stdout
    assert "never worth taking at this budget:\n    a1, a2, a4, a5, a6" in result.stdout
    assert "dead end: rewards.0.when: nothing can reach this reward" in result.stdout


def test_a_wrong_budget_is_an_error_in_words(run, example):
    result = run("sets", example, "--budget", "much")

    assert result.exit_code == 2
    assert "`much` is not a number" in result.stderr
    assert result.stdout == ""


def test_the_strongest_20_are_shown_unless_asked_otherwise(run, many):
    """Three stages of four alternatives: 64 sets, all equally strong."""
    file = many(3, 4)

    some, few, every = (
        run("sets", file, *more).stdout for more in ([], ["--limit", 3], ["--all"])
    )

    assert "\n20 of 64 sets; --all lists all\n" in some
    assert "\n3 of 64 sets; --all lists all\n" in few
    assert [text.count("12.5 %") for text in (some, few, every)] == [20, 3, 64]
    assert "--limit" not in every


@pytest.mark.parametrize("option", ["--limit", "--time-limit"])
@pytest.mark.parametrize("text", ["-1", "some", "nan"])
def test_a_limit_that_is_none_is_wrong_usage(run, example, option, text):
    result = run("sets", example, option, text)

    assert result.exit_code == 2
    assert f"Invalid value for '{option}'" in result.stderr
    assert result.stdout == ""


def test_json_goes_to_the_standard_output_where_asked(run, example):
    document = json.loads(run("sets", example, "--json", "-").stdout)

    assert document["format"] == "branchwise-rewarding-sets"
    assert [each["reward"] for each in document["rewarding_sets"]] == [50, 100, 10, 10]
    assert document["complete"] is True


@pytest.mark.parametrize(
    ("options", "num_listed"), [([], 10_000), (["--limit", 7], 7), (["--all"], 0)]
)
def test_json_has_a_limit_of_its_own(run, many, options, num_listed):
    """Five stages of seven alternatives: 16,807 sets."""
    document = json.loads(run("sets", many(5, 7), "--json", "-", *options).stdout)

    assert document["num_sets"] == 16_807
    assert len(document["rewarding_sets"]) == (num_listed or 16_807)
    assert document["complete"] is (num_listed == 0)


def test_a_trillion_sets_are_counted_and_the_strongest_shown(run, many):
    result = run("sets", many(12, 10), "--limit", 2)

    assert "\n1,000,000,000,000 rewarding sets\n" in result.stdout
    assert "\n2 of 1,000,000,000,000 sets; --all lists all\n" in result.stdout


def test_a_time_limit_ends_the_list(run, many):
    file = many(12, 10)

    table = run("sets", file, "--all", "--time-limit", 2)
    data = run("sets", file, "--all", "--time-limit", 2, "--json", "-")

    stopped = r"\n[0-9,]+ of 1,000,000,000,000 sets; stopped: the time is up\n"
    assert re.search(stopped, table.stdout)
    document = json.loads(data.stdout)
    assert document["rewarding_sets"]
    assert document["complete"] is False
    assert document["num_sets"] == 10**12
    assert (table.exit_code, data.exit_code) == (0, 0)


def test_a_problem_too_hard_is_no_error(run, example, monkeypatch):
    def never(*_, **__):
        raise branchwise.LimitError("the time limit of 0 s is over")

    monkeypatch.setattr(branchwise.rewarding, "RewardingSets", never)
    table, data = run("sets", example), run("sets", example, "--json", "-")

    for result in (table, data):
        assert result.exit_code == 0
        assert result.stderr == (
            "the rewarding sets are not known: the time limit of 0 s is over\n"
        )
    assert table.stdout == ""
    document = json.loads(data.stdout)
    assert document["rewarding_sets"] == []
    assert document["num_sets"] is None
    assert document["complete"] is False


def test_warnings_go_to_the_standard_error(run, folder):
    (folder / "toss.yaml").write_text("actions: {toss: {outcomes: {heads: 1}}}")

    result = run("sets", "toss.yaml", "--json", "-")

    assert "warning: " in result.stderr
    assert json.loads(result.stdout)["num_sets"] == 0


def test_errors_go_to_the_standard_error(run, folder):
    (folder / "toss.yaml").write_text("actions: {toss: {outcomes: {heads: 2}}}")

    result = run("sets", "toss.yaml")

    assert result.exit_code == 2
    assert "toss.yaml:1" in result.stderr
    assert result.stdout == ""


def test_a_problem_may_come_from_the_standard_input(run, example, folder):
    result = run("sets", "-", input=(folder / example).read_text())

    assert "4 rewarding sets" in result.stdout


@pytest.mark.parametrize("options", [[], ["--json", "-"]])
def test_a_reader_who_has_seen_enough_is_no_error(start, many, options):
    process = start("sets", many(12, 10), "--all", *options)
    process.stdout.readline()
    process.stdout.close()

    assert process.wait(60) == 0
    assert process.stderr.read() == b""


def test_interrupting_keeps_what_has_been_shown(start, many):
    process = start("sets", many(12, 10), "--all")
    shown = b"".join(process.stdout.readline() for _ in range(6))
    process.send_signal(signal.SIGINT)
    shown += process.stdout.read()

    assert shown.endswith(b"=ok\n")
    assert process.stderr.read() == b"interrupted\n"
    assert process.wait(60) == 130


def test_a_terminal_gets_lines_that_fit(start, example):
    ours, theirs = pty.openpty()
    environment = {"COLUMNS": "60", "TERM": "xterm", "NO_COLOR": "1"}
    process = start("sets", example, stdout=theirs, environment=environment)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the other end is closed
        os.close(ours)

    assert process.wait(60) == 0
    lines = shown.decode().split("\r\n")
    assert "    a1=ok, a4=ok, a5=ok" in lines
    assert max(map(len, lines)) <= 60


def test_ascii_is_enough(start, example):
    process = start("sets", example, environment={"PYTHONIOENCODING": "ascii"})
    shown, reported = process.communicate()

    assert shown.isascii()
    assert reported == b""
    assert process.returncode == 0


def test_a_penalty_that_is_avoided_is_no_reward_for_nothing(run, folder):
    (folder / "risky.yaml").write_text(
        "combine: sum\nactions: {a: {outcomes: {ok: 0.5, hurt: rest}}}\n"
        "rewards: [{when: a=ok, value: 10}, {when: a=hurt, value: -4}]\n"
    )
    result = run("sets", "risky.yaml", "--json", "sets.json")

    assert "avoids the penalty for a=hurt" in result.stdout
    assert "nothing at all" not in result.stdout
    sets = json.loads((folder / "sets.json").read_text())["rewarding_sets"]
    assert [each.get("avoids") for each in sets] == [None, "a=hurt"]
