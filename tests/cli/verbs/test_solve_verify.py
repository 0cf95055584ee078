"""The second opinion on the command line: said, insisted on, left out, and refusing."""

import json
import pickle
from dataclasses import replace

import pytest

import branchwise
from branchwise.engines import TABLE

CHECKED = "checked independently by a certificate of 60 rows"


@pytest.fixture
def boasting(monkeypatch):
    """Lets the canonical engine promise more than its plan is worth."""
    honest = TABLE["canonical"]

    def boast(task):
        found = honest.solve(task)
        return replace(found, expected_reward=found.expected_reward + 1)

    monkeypatch.setitem(TABLE, "canonical", replace(honest, solve=boast))


def test_a_quick_check_is_told_below_the_tree(run, example):
    result = run("solve", example)

    assert f"\n\n{CHECKED}\n33 nodes, 17 leaves" in result.stdout
    assert CHECKED not in run("solve", example, "--quiet").stdout


def test_a_check_that_was_asked_for_is_told_with_the_answer(run, example):
    result = run("solve", example, "--verify", "--quiet")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == CHECKED


def test_a_check_may_be_left_out(run, example):
    assert "independently" not in run("solve", example, "--no-verify").stdout


def test_a_check_that_would_take_long_is_told_to_be_left_out(run, folder):
    run("generate", "hard.yaml", "--actions", 25, "--budget", 12, "--seed", 7)
    result = run("solve", "hard.yaml")

    assert (
        "\nnot checked independently: it would take longer than 0.1 s; --verify "
        "(verify=True) does it\n"
    ) in result.stdout


def test_what_certificates_do_not_know_is_told(run, example):
    robust = run("solve", example, "--robust", "--distance", "5%", "--verify", "-q")
    aim = run("solve", example, "--aim", "cvar=10%", "--verify")

    assert robust.exit_code == 0
    assert robust.stdout.splitlines()[-1] == (
        "not checked independently: certificates know no adversary"
    )
    assert aim.exit_code == 2
    assert "--verify does not go with --aim; leave it out" in aim.stderr


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
    error = branchwise.VerificationError("it is wrong", None)
    again = pickle.loads(pickle.dumps(error))

    assert (again.what, again.bundle, str(again)) == ("it is wrong", None, str(error))
