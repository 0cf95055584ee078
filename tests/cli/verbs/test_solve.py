"""The verb `solve`: the tree, its files, and every option that says how to solve."""

import json
import pickle
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import branchwise
from branchwise import read, render, report, solve
from branchwise.engines import TABLE
from branchwise.report.answers.solution import SolutionAnswer
from branchwise.risk import parse_aim

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
    assert {"--prefer": "objective `best`", "--engine": "'best' is not"}[
        option
    ] in result.stderr
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
    names += ["plan.txt", "plan.json", "plan.silver.json"]
    options = [part for name in names for part in ("--render", name)]

    assert run("solve", example, *options, "-q").exit_code == 0

    assert {name.removeprefix("plan.") for name in names} == set(SolutionAnswer.formats)
    for name in names:
        assert (folder / name).stat().st_size > 100


def test_what_cannot_be_rendered_is_reported_with_what_can(run, example, folder):
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
    return checked(run("solve", *arguments, "--json", "-"))


def checked(result):
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
        (["--exact"], "engine canonical: explored every canonical state"),
        (["--exact", "--robust", "--distance", "5%"], "engine reference: fractions"),
        (["--sets", "1"], "engine canonical: went by the strongest rewarding set"),
        (["--sets", "auto"], "engine canonical: went by the"),
    ],
)
def test_says_which_engine_it_was_and_why(run, example, options, reason):
    assert last_line(run("solve", example, *options)).startswith(reason)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "paper", "--exact"], "`paper` has no fractions"),
        (["--prefer", "order=nothing"], "there is no action `nothing`"),
        (["--engine", "canonical", "--naive"], "`canonical` has no naive full graph"),
        (["--engine", "paper", "--sets", "1"], "only some rewarding sets count"),
        (["--naive", "--sets", "1"], "no rewarding sets to go by"),
        (["--exact", "--sets", "auto"], "say how many"),
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
    reported = re.search(rf"{proof} \(gap [0-9.]+ %, {status}\)", result.stdout)
    assert 0 < float(reported[1]) < float(reported[2]) <= 100


def test_states_in_files_come_to_the_same_answer(run, medium, tmp_path):
    folder = tmp_path / "states"
    known = document(run, medium, "--search", "exhaustive")
    for _ in range(2):  # Once more from what is there.
        found = document(run, medium, "--search", "exhaustive", "--spill", str(folder))

        assert found["tree"] == known["tree"]
        assert found["expected_reward"] == known["expected_reward"]


def test_a_limit_leaves_a_plan_and_a_folder_to_go_on_with(run, large, tmp_path):
    folder = tmp_path / "states"
    result = run("solve", large, "--spill", folder, "--time-limit", "0.5")

    assert result.exit_code == 0
    assert f"are in `{folder}`: with the same folder it goes on" in result.stdout
    again = run("solve", large, "-q", "--spill", folder, "--memory-limit", "1MB")
    assert again.exit_code == 0
    assert "first action a" in again.stdout


def test_a_folder_that_holds_something_else_is_left_alone(run, large, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")

    result = run("solve", large, "--spill", tmp_path)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"{tmp_path}: it holds other files, such as")
    assert "fix: name another folder, or remove this one" in result.stderr
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_what_does_not_go_with_files_is_wrong_usage(run, large, tmp_path):
    result = run("solve", large, "--exact", "--spill", tmp_path / "states")

    assert result.exit_code == 2
    assert "--spill does not go with `exact`: scores in files are floats" in (
        result.stderr
    )


@pytest.mark.parametrize("engine", ["paper", "reference"])
def test_an_engine_without_bounds_says_that_a_limit_left_nothing(run, large, engine):
    result = run("solve", large, "--engine", engine, "--time-limit", "0.01")

    assert result.exit_code == 2
    assert re.match("(the time limit was met|time ran out) before ", result.stderr)
    assert result.stdout == ""


def test_a_limit_is_reported_in_json_and_in_the_page(run, large, folder):
    files = ("--html", "plan.html", "--json", "-")
    for limit in (2, 8, 32):  # How far it comes in so long is up to the machine.
        result = run("solve", large, "--time-limit", limit, *files)
        if result.exit_code == 0:
            break
    loaded = checked(result)
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


EXAMPLES = Path(__file__).parents[3] / "examples"
TRIAL = str(EXAMPLES / "vaccine_trial.yaml")
OIL = EXAMPLES / "oil_wildcatter.yaml"


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


def test_gives_a_distance_to_probabilities_that_say_nothing(run):
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
    reported = f"as good as a sure {equivalent:.6g}, no plan does better"
    assert reported in result.stdout


def test_the_document_holds_the_aim_as_its_schema_says(run, oil):
    result = run("solve", oil, "--aim", "cvar=90%", "--exact", "--json", "-")

    document = json.loads(result.stdout)
    Draft202012Validator(report.schema("solution")).validate(document)
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
        (["--aim", "cvar=1%", "--sets", "1"], "--sets does not go with an aim"),
        (["--aim", "cvar=1%", "--engine", "paper"], "--engine does not go with an aim"),
        (["--aim", "table=0:0,1:1"], "fix: say what -80 is worth"),
    ],
)
def test_wrong_aims_are_wrong_usage(run, oil, options, message):
    result = run("solve", oil, *options)

    assert result.exit_code == 2
    assert message in result.stderr


CHECKED = "checked independently by a certificate of 60 rows"


@pytest.fixture
def boasting(monkeypatch):
    """Lets the canonical engine promise more than its plan is worth."""
    honest = TABLE["canonical"]

    def boast(task):
        found = honest.solve(task)
        return replace(found, expected_reward=found.expected_reward + 1)

    monkeypatch.setitem(TABLE, "canonical", replace(honest, solve=boast))


def test_a_quick_check_is_reported_below_the_tree(run, example):
    result = run("solve", example)

    assert f"\n\n{CHECKED}\n33 nodes, 17 leaves" in result.stdout
    assert CHECKED not in run("solve", example, "--quiet").stdout


def test_a_check_that_was_asked_for_is_reported_with_the_answer(run, example):
    result = run("solve", example, "--verify", "--quiet")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == CHECKED


def test_a_check_may_be_left_out(run, example):
    assert "independently" not in run("solve", example, "--no-verify").stdout


def test_a_check_that_would_take_long_is_reported_to_be_left_out(run, folder):
    run("generate", "hard.yaml", "--actions", 25, "--budget", 12, "--seed", 7)
    result = run("solve", "hard.yaml")

    assert (
        "\nnot checked independently: it would take longer than 0.04 s; --verify "
        "(verify=True) does it\n"
    ) in result.stdout


def test_what_certificates_do_not_know_is_reported(run, example):
    robust = run("solve", example, "--robust", "--distance", "5%", "--verify", "-q")
    aim = run("solve", example, "--aim", "cvar=10%", "--verify")

    assert robust.exit_code == 0
    assert robust.stdout.splitlines()[-1] == (
        "not checked independently: certificates know no adversary"
    )
    assert aim.exit_code == 2
    assert "--verify does not go with an aim; leave it out" in aim.stderr


def test_the_json_and_the_report_say_so(run, example, folder):
    run("solve", example, "--json", "plan.json", "--html", "plan.html", "-q")
    found = json.loads((folder / "plan.json").read_text())["verification"]

    assert found.pop("seconds") > 0
    assert found == {"checked": True, "rows": 60, "reason": ""}
    page = (folder / "plan.html").read_text()
    assert "Checked independently by a certificate of 60 rows." in page


@pytest.mark.parametrize("option", [[], ["--verify"]])
def test_a_wrong_answer_is_an_internal_error(run, example, folder, boasting, option):
    result = run("solve", example, "--json", "plan.json", *option)

    [bundle] = folder.glob("*.zip")
    assert result.exit_code == 70
    assert result.stdout == ""
    assert not (folder / "plan.json").exists()
    assert result.stderr == (
        "internal error: the answer was checked and found wrong, so it is not given: "
        "the engine says: canonical, optimal: worth 9.43672, and no plan is worth more "
        "than 9.43672; but the plan is worth 8.43672\n"
        f"    fix: send `{bundle}` to the maintainers of branchwise; it holds the "
        "problem, so look into it first; meanwhile, another engine may do\n"
    )


def test_other_verbs_give_no_wrong_answer_either(run, example, folder, boasting):
    for verb in ("simulate", "follow"):
        result = run(verb, example, input="quit\n")

        assert result.exit_code == 70, verb
        assert "internal error" in result.stderr


def test_an_error_of_branchwise_can_be_sent_between_processes():
    error = branchwise.errors.VerificationError("it is wrong", None)
    again = pickle.loads(pickle.dumps(error))

    assert (again.what, again.bundle, str(again)) == ("it is wrong", None, str(error))
