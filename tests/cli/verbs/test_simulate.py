"""The verb `simulate`: tables, JSON, and what goes wrong."""

import json
import re
import signal
import subprocess

import jsonschema
import pytest

import branchwise
from branchwise import report


def test_shows_the_mean_beside_the_exact_value(run, example):
    result = run("simulate", example, "-n", 100_000, "--seed", 7)

    assert result.stdout.startswith(
        "Illustrative example (budget 6)\n"
        "100,000 runs of each policy, seed 7\n"
        "\n"
        "policy     mean     95 % interval    exact  deviation  worst 5 %   cost"
        "  actions\n"
        "optimal  8.3766  8.2394 to 8.5138  8.43672       22.2          0  3.353"
        "    3.353\n"
    )
    assert "29,388     29.4 %  29.4 %       0  a1=ok, a4=fail, a3=fail" in result.stdout
    assert result.stderr == ""
    assert result.exit_code == 0


def test_the_same_seed_shows_the_same(run, example):
    first, again, other = (
        run("simulate", example, "-n", 1000, "--seed", seed).stdout
        for seed in ("x", "x", "y")
    )

    assert first == again != other


def test_policies_stand_side_by_side(run, example):
    names = branchwise.analysis.POLICY_NAMES
    options = [option for name in names for option in ("--policy", name)]

    result = run("simulate", example, "-n", 1000, "--quiet", *options)

    rows = [line.split()[0] for line in result.stdout.splitlines()[4:]]
    assert rows == list(names)


def test_a_policy_named_twice_is_shown_once(run, example):
    result = run("simulate", example, "-q", "--policy", "random", "--policy", "random")

    assert result.stdout.count("random") == 1


def test_json_follows_the_schema(run, example):
    result = run("simulate", example, "--json", "-", "--policy", "optimal", "-n", 1000)

    document = json.loads(result.stdout)
    jsonschema.validate(document, report.schema("simulation"))
    [policy] = document["policies"]
    assert policy["expected_reward"] == pytest.approx(8.43672)
    assert len(policy["paths"]) == 5
    chances = policy["expected"]["net_rewards"]["chances"]
    assert sum(chance for _, chance in chances) == pytest.approx(1)
    assert policy["observed"]["costs"].keys() == {"budget"}


def test_another_budget_counts(run, example):
    result = run("simulate", example, "--budget", 3, "-q")

    assert "(budget 3)" in result.stdout
    assert " 6.6 " in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "1"], "Invalid value for '--runs' / '-n'"),
        (["--policy", "best"], "Invalid value for '--policy'"),
        (["--budget", "much"], "`much` is not a number"),
        (["--paths", "-1"], "Invalid value for '--paths'"),
    ],
)
def test_wrong_usage_is_reported_in_words(run, example, options, message):
    result = run("simulate", example, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_plan_within_a_gap_says_so(run, example):
    result = run("simulate", example, "--gap", "90%", "-q")

    assert "not proven optimal: no plan is worth more than" in result.stderr
    assert result.exit_code == 0


def test_costs_of_several_resources_have_their_own_columns(run, folder):
    (folder / "two.yaml").write_text(
        "budget: {money: 3, days: unlimited}\n"
        "cost_weight: {money: 1}\n"
        "actions:\n"
        "  toss: {cost: {money: 1, days: 2}, outcomes: {heads: 0.5, tails: rest}}\n"
        "rewards: [{when: toss=heads, value: 10}]\n"
    )
    result = run("simulate", "two.yaml", "-n", 1000)

    assert re.search(r"money  days  actions\n", result.stdout)
    assert "\nnet reward  simulated" in result.stdout
    assert "\nmoney  simulated" in result.stdout
    assert "\ndays  simulated" in result.stdout


def test_interrupting_ends_it(start, folder):
    """Forty tosses that all matter: more ways to go than there are runs."""
    actions = "".join(
        f"  t{i}: {{outcomes: {{heads: 0.5, tails: rest}}}}\n" for i in range(40)
    )
    rewards = "".join(f"  - {{when: t{i}=heads, value: {i + 1}}}\n" for i in range(40))
    text = f"combine: sum\nactions:\n{actions}rewards:\n{rewards}"
    (folder / "long.yaml").write_text(text)
    process = start("simulate", "long.yaml", "-n", 10**9, "--policy", "random")
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(3)
    process.send_signal(signal.SIGINT)

    assert process.wait(60) == 130
    assert process.stderr.read() == b"interrupted\n"


def test_a_seed_is_only_text(run, example):
    result = run("simulate", example, "-n", 1000, "--seed", "\x1b[31m\x9b\u200b")

    assert r"runs of each policy, seed \x1b[31m\x9b\u200b" in result.stdout
