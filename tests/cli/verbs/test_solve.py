import json
import re

import pytest

from branchwise.report.answers.solution import SolutionAnswer

TREE = """\
Illustrative example (budget 3)
expected reward 6.6, first action a1, proven optimal
pays 100 with 1.2 %, 50 with 10.8 %, 0 with 88 %

a1
├─ fail 40 % ─ a3 (worth 3)
│  ├─ fail 70 % ─ stop with 0
│  └─ ok   30 % ─ a7 (worth 10)
│     ├─ fail 90 % ─ stop with 0
│     └─ ok   10 % ─ stop with 100
└─ ok   60 % ─ a4 (worth 9)
   ├─ fail 70 % ─ stop with 0
   └─ ok   30 % ─ a5 (worth 30)
      ├─ fail 40 % ─ stop with 0
      └─ ok   60 % ─ stop with 50

checked independently by a certificate of 16 rows
11 nodes, 6 leaves, at most 3 actions deep
"""
EXPLORED = "2 rewarding sets, 19 states in the full graph, 11 in the reduced graph\n"


def test_shows_the_answer_the_tree_and_the_counts(run, example):
    """Budget 3 of the paper's example: 33/5 and 11 nodes."""
    result = run("solve", example, "--budget", "3")

    assert result.stdout.startswith(TREE)
    counts, time, engine = result.stdout.removeprefix(TREE).splitlines()
    assert re.fullmatch(r"\d+ canonical states, \d+ on optimal plans", counts)
    assert re.fullmatch(r"solved in <?[0-9.]+ s", time)
    assert engine == "engine canonical: explored every canonical state"
    assert result.stderr == ""
    assert result.exit_code == 0


def test_the_reference_shows_the_counts_and_stages_of_the_paper(run, example):
    """Budget 3 of the paper's example: 19 and 11 states."""
    result = run("solve", example, "--budget", "3", "--engine", "reference")

    shown, times = result.stdout.rsplit("solved in ", 1)
    assert shown == TREE + EXPLORED
    for stage in ("rewarding sets", "full graph", "reduced graph", "tree"):
        assert re.search(rf"{stage} <?[0-9.]+ s", times)
    assert times.endswith("\nengine reference: it was asked for\n")


def test_the_whole_example_is_worth_8_43672(run, example):
    result = run("solve", example)

    assert "expected reward 8.43672, first action a1, proven optimal" in result.stdout
    assert "33 nodes, 17 leaves, at most 6 actions deep" in result.stdout
    assert "37 canonical states" in result.stdout


def test_piped_output_has_no_colors(run, example):
    assert "\x1b" not in run("solve", example).stdout


def test_draws_with_ascii_where_that_is_all_there_is(start, example):
    process = start("solve", example, environment={"PYTHONIOENCODING": "ascii"})
    shown, complaints = process.communicate()

    assert shown.isascii()
    assert b"|-- fail 40 % -- a3" in shown
    assert b"`-- ok   60 % -- a4" in shown
    assert complaints == b""


def test_exact_shows_fraction_and_decimal(run, example):
    result = run("solve", example, "--exact")

    assert "expected reward 8.43672 = 105459/12500" in result.stdout


def test_naive_says_so(run, example):
    result = run("solve", example, "--naive", "--engine", "reference")

    assert "explored naively, 175 states in the full graph" in result.stdout


def test_quiet_is_the_answer_in_words(run, folder):
    (folder / "toss.yaml").write_text(
        "actions: {toss: {outcomes: {heads: 1}}}\n"
        "rewards: [{when: toss=heads, value: 3}]"
    )

    result = run("solve", "toss.yaml", "-q")

    assert result.stdout == (
        "budget unlimited\n"
        "expected reward 3, first action toss, proven optimal\n"
        "pays 3 with 100 %\n"
    )
    assert result.stderr == ""


def test_warnings_go_to_the_standard_error(run, folder):
    (folder / "toss.yaml").write_text("actions: {toss: {outcomes: {heads: 1}}}")

    result = run("solve", "toss.yaml")

    assert "warning: " in result.stderr
    assert "best to do nothing" in result.stdout
    assert "stop with 0" in result.stdout


def test_several_resources_have_their_own_budgets(run, folder):
    (folder / "oil.yaml").write_text(
        "budget: {money: 1, days: 1}\n"
        "actions:\n"
        "  drill: {cost: {money: 2, days: 2}, outcomes: {oil: 0.5, dry: rest}}\n"
        "rewards: [{when: drill=oil, value: 8}]"
    )

    poor = run("solve", "oil.yaml", "-q")
    rich = run("solve", "oil.yaml", "-q", "--budget", "money=2", "--budget", "days=3")

    assert "expected reward 0, best to do nothing" in poor.stdout
    assert "(" not in poor.stdout
    assert "budget 2 money, 3 days\nexpected reward 4," in rich.stdout


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (["much"], "`much` is not a number"),
        (["-1"], "less than 0"),
        (["money=3"], "there is no resource 'money'"),
        (["3", "4"], "`3` names no resource"),
        (["budget=3", "budget=4"], "`budget` has several limits"),
        (["budget="], "`` is not a number"),
        (["nan"], "not a finite number"),
    ],
)
def test_a_wrong_budget_is_an_error_in_words(run, example, budget, message):
    options = [part for limit in budget for part in ("--budget", limit)]

    result = run("solve", example, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_an_unlimited_budget_is_a_budget(run, example):
    result = run("solve", example, "--budget", "unlimited", "-q")

    assert "(budget unlimited)" in result.stdout


@pytest.mark.parametrize("option", ["--prefer", "--engine"])
def test_an_unknown_choice_lists_the_known_ones(run, example, option):
    result = run("solve", example, option, "best")

    assert result.exit_code == 2
    assert "'best' is not" in result.stderr
    assert {"--prefer": "fewest-nodes", "--engine": "reference"}[
        option
    ] in result.stderr


def test_json_alone_is_on_the_standard_output(run, example):
    result = run("solve", example, "--json", "-")

    document = json.loads(result.stdout)
    assert document["expected_reward"] == pytest.approx(8.43672)
    assert document["exact"] is None


def test_json_file_comes_with_the_tree(run, example, folder):
    result = run("solve", example, "--json", "answer.json", "--exact")

    assert json.loads((folder / "answer.json").read_text())["exact"] == "105459/12500"
    assert "└─ ok" in result.stdout


def test_html_is_a_page(run, example, folder):
    assert run("solve", example, "--html", "plan.html", "-q").exit_code == 0
    assert "<html" in (folder / "plan.html").read_text()[:200]


def test_what_is_rendered_goes_by_the_names(run, example, folder):
    names = [f"plan{suffix}" for suffix in (".html", ".svg", ".dot", ".gv", ".mmd")]
    names += ["plan.txt", "plan.json"]
    options = [part for name in names for part in ("--render", name)]

    assert run("solve", example, *options, "-q").exit_code == 0

    assert {name.removeprefix("plan.") for name in names} == set(SolutionAnswer.formats)
    for name in names:
        assert (folder / name).stat().st_size > 100


def test_what_cannot_be_rendered_is_told_with_what_can(run, example, folder):
    result = run("solve", example, "--render", "plan.svg", "--render", "plan.png")

    assert result.exit_code == 2
    assert "'plan.png' must end in .html, .svg, .dot, .gv, .mmd" in result.stderr
    assert not (folder / "plan.svg").exists()


@pytest.mark.parametrize("option", ["--json", "--html", "--render"])
@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("missing/plan.html", "there is no folder 'missing'"),
        ("plans.html", "'plans.html' is a folder"),
    ],
)
def test_an_output_that_cannot_be_written_is_an_error(
    run, example, folder, option, file, message
):
    (folder / "plans.html").mkdir()

    result = run("solve", example, option, file)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("option", ["html", "svg"])
def test_a_picture_has_the_name_of_a_picture(run, example, option):
    result = run("solve", example, f"--{option}", "plan")

    assert result.exit_code == 2
    assert f"'plan' must end in .{option}" in result.stderr


def test_svg_is_a_picture(run, example, folder):
    assert run("solve", example, "--svg", "plan.svg", "-q").exit_code == 0
    assert (folder / "plan.svg").read_text().endswith("</svg>\n")


def test_the_problem_is_not_overwritten_by_its_answer(run, example, folder):
    before = (folder / example).read_text()

    result = run("solve", example, "--json", f"./{example}")

    assert result.exit_code == 2
    assert "is the problem itself" in result.stderr
    assert (folder / example).read_text() == before


def test_a_problem_may_come_from_the_standard_input(run, example, folder):
    result = run("solve", "-", "-q", input=(folder / example).read_text())

    assert "expected reward 8.43672" in result.stdout


def test_a_large_tree_shows_its_likely_part_unless_all_is_asked_for(run, independent):
    """Seven actions, each taken whatever happens: 2^8 - 1 nodes."""
    file = independent(7)

    likely, full = run("solve", file), run("solve", file, "--all")

    assert "255 nodes, 128 leaves, at most 7 actions deep" in likely.stdout
    assert "--all shows every node" in likely.stdout
    assert "more nodes (reached with" in likely.stdout
    assert 150 < likely.stdout.count("\n") < 170
    assert full.stdout.count("stop with") == 128
    assert "more nodes" not in full.stdout


def test_a_plan_from_a_later_state_says_where_it_begins(run, example):
    """After a1=ok and a3=fail a2, a4 and a6 are left: 0.6 * 0.3 * 0.4 * 10."""
    result = run("solve", example, "--after", "a1=ok, a3=fail", "--quiet")

    assert result.output == (
        "Illustrative example (budget 4 left)\n"
        "after a1=ok, a3=fail\n"
        "expected reward 0.72, first action a2, proven optimal\n"
        "pays 10 with 7.2 %, 0 with 92.8 %\n"
    )


def test_a_state_that_cannot_be_reached_is_wrong_usage_with_the_reason(run, example):
    result = run("solve", example, "--after", "a1=ok, a7=fail")

    assert result.exit_code == 2
    assert result.stderr == (
        "history, step 2 `a7=fail`: `a7` requires `a3=ok`, which does not hold here\n"
        "    fix: say first what made it possible, or leave this out\n"
    )
