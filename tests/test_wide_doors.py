"""
Every door is open to problems whose states hold more than outcomes, or says why not.

Each verb and each public function either works on a problem with hidden facts, on one
with counters, endings and costs of outcomes, and on one that must finish at least cost;
or it raises an `UnsupportedError` with what it cannot deal with, and exit code 2. Which
ones do so is listed here.
"""

import json

import pytest
from click.testing import CliRunner

import branchwise
from branchwise import analysis, read_text, solve
from branchwise.analysis import simulate
from branchwise.cli.main import program
from branchwise.errors import PlanError, UnsupportedError
from branchwise.tree.prospects.outlook import outlook

DIAGNOSIS = """
name: Diagnosis
budget: 5
hidden:
  disease: {present: 0.3, absent: rest}
actions:
  test:
    attempts: 2
    outcomes: {positive: 0.2, negative: rest}
    given: [{when: disease=present, outcomes: {positive: 0.9, negative: rest}}]
  treat:
    outcomes: {done: 1}
rewards:
  - {when: treat and disease=present, value: 10}
  - {when: treat and disease=absent, value: -4}
combine: sum
"""

OPERATION = """
name: Operation
budget: 6
counters:
  rounds: {start: 2, range: 0..2}
  alert: {range: 0..3}
actions:
  enter:
    outcomes: {in: 0.8, seen: {probability: 0.2, effects: {alert: 1}}}
  strike:
    attempts: unlimited
    requires: rounds >= 1 and alert < 2
    effects: {rounds: -1}
    outcomes:
      hit: 0.5
      miss: {probability: 0.3, effects: {alert: +1}, cost: 1}
      caught: {probability: 0.2, ends: lose}
  leave:
    requires: count(strike) >= 1 and left(budget) >= 1
    outcomes: {away: 0.9, caught: {probability: 0.1, ends: keep}}
rewards:
  - {when: strike=hit, value: 30}
  - {when: leave=away, value: 10}
  - {per: alert, value: -2}
combine: sum
cost_weight: 0.5
"""

REPAIR = """
name: Repair
hidden:
  broken: {one: 0.8, two: 0.2}
actions:
  replace1:
    cost: 4
    outcomes: {works: 0, fails: 1}
    given: [{when: broken=one, outcomes: {works: 1}}]
  replace2:
    cost: 4
    outcomes: {works: 0, fails: 1}
    given: [{when: broken=two, outcomes: {works: 1}}]
finish: replace1=works or replace2=works
objective: least-cost
"""

PROBLEMS = {"diagnosis": DIAGNOSIS, "operation": OPERATION, "repair": REPAIR}

VERBS = {
    "check": ["FILE"],
    "solve": ["FILE", "--html", "p.html", "--json", "p.json"],
    "solve exactly": ["FILE", "--exact", "--all"],
    "solve and draw all": ["FILE", "--all-plans", "all.svg"],
    "solve for an aim": ["FILE", "--aim", "cvar=0.1"],
    "solve robustly": ["FILE", "--robust"],
    "solve by some sets": ["FILE", "--sets", "3"],
    "evaluate": ["FILE", "--plan", "PLAN", "--html", "v.html", "--json", "v.json"],
    "compare": ["FILE", "FILE", "--html", "c.html", "--json", "c.json"],
    "simulate": ["FILE", "--runs", "500", "--json", "s.json"],
    "analyze": ["FILE", "--html", "a.html", "--json", "a.json", "--csv", "a"],
    "explain": ["FILE", "--action", "FIRST", "--html", "e.html", "--json", "e.json"],
    "sets": ["FILE"],
    "program": ["FILE"],
    "graph": ["FILE", "-o", "g.svg"],
    "convert": ["FILE", "-o", "c.prism"],
    "defend": ["FILE"],
    "certify": ["FILE", "-o", "c.json"],
}


# Everything else works.
REFUSED = {
    "solve robustly": ("diagnosis", "repair"),
    "solve by some sets": PROBLEMS,
    "sets": PROBLEMS,
    "defend": PROBLEMS,  # The first two have no defenses, the last must finish.
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_verb_works_or_says_what_it_cannot_deal_with(
    verb, name, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problem.yaml").write_text(PROBLEMS[name], encoding="utf-8")
    problem = read_text(PROBLEMS[name], "yaml")
    first = problem.actions[0].name
    known = {"FILE": "problem.yaml", "FIRST": first, "PLAN": "plan.yaml"}
    rules = "\n".join(f"  - do: {action.name}" for action in problem.actions)
    (tmp_path / "plan.yaml").write_text(f"unavailable: skip\nrules:\n{rules}\n")
    options = [known.get(each, each) for each in VERBS[verb]]
    result = CliRunner().invoke(program, [verb.split()[0], *options])

    # A traceback would be an exception other than those that become messages.
    known = (SystemExit, branchwise.BranchwiseError)
    assert result.exception is None or isinstance(result.exception, known)
    said = f"{result.output} {result.exception}"
    is_refused = result.exit_code != 0 and (
        "cannot deal with" in said or "no defenses" in said
    )
    assert is_refused == (name in REFUSED.get(verb, ())), result.exception
    assert is_refused or result.exit_code == 0, result.exception


FUNCTIONS = {
    "criticality": analysis.criticality,
    "budget_frontier": analysis.budget_frontier,
    "derivatives": analysis.derivatives,
    "tornado": analysis.tornado,
    "thresholds": analysis.thresholds,
    "two_way": lambda p: branchwise.analyze(p, only=["two-way"]),
    "uncertainty": lambda p: analysis.uncertainty(p, num_draws=5),
    "value_of_information": analysis.value_of_information,
    "Solver": branchwise.Solver,
    "aim": lambda p: solve(p, aim=branchwise.CVaR("10%")),
    "profiles": lambda p: branchwise.profiles(p, [{}, {}]),
    "score_program": lambda p: branchwise.program.score_program(p).solve(),
    "greedy": lambda p: simulate(p, policy="greedy-reward", num_runs=10),
    "random": lambda p: simulate(p, policy="random", num_runs=10),
    "outlook": lambda p: outlook(solve(p).tree, p),
    "evaluate": lambda p: branchwise.evaluate(solve(p).tree, p),
    "parameters": lambda p: list(analysis.parameters(p)),
    "follow": lambda p: branchwise.Follower(p).advice,
    "repr_html": lambda p: solve(p)._repr_html_(),
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_function_works_or_says_what_it_cannot_deal_with(function, name):
    problem = read_text(PROBLEMS[name], "yaml")
    try:
        FUNCTIONS[function](problem)
    except UnsupportedError as error:
        assert "cannot deal with" in str(error)  # noqa: PT017  # or nothing is raised
    except branchwise.ProblemError as error:
        assert "every plan may get stuck" in str(error)  # noqa: PT017


def test_an_engine_that_cannot_do_it_says_what():
    problem = read_text(DIAGNOSIS, "yaml")
    with pytest.raises(UnsupportedError, match="`explicit` cannot deal with hidden"):
        solve(problem, engine="explicit")


def test_the_expected_cost_is_what_is_printed(tmp_path):
    file = tmp_path / "repair.yaml"
    file.write_text(REPAIR, encoding="utf-8")
    printed = CliRunner().invoke(program, ["solve", str(file), "--exact"]).output

    assert "expected cost 4.8 = 24/5, first action replace1" in printed
    assert "costs 8 with 20 %, 4 with 80 %" in printed
    assert "replace2 (costs 4, broken: two)" in printed
    solution = solve(read_text(REPAIR, "yaml"), exact=True)
    assert solution.expected_cost == -solution.expected_reward


def test_the_tree_shows_what_is_known_where_counters_stand_and_what_has_ended(tmp_path):
    file = tmp_path / "problem.yaml"
    file.write_text(DIAGNOSIS, encoding="utf-8")
    printed = CliRunner().invoke(program, ["solve", str(file)]).output
    # 27/41 after one positive test, 243/271 after two.
    assert "test (worth 5.65366, disease: present 65.9 %, absent 34.1 %)" in printed
    assert "treat (worth 8.55351, disease: present 89.7 %, absent 10.3 %)" in printed

    file.write_text(OPERATION, encoding="utf-8")
    printed = CliRunner().invoke(program, ["solve", str(file)]).output
    assert (
        "stop with 0 (rounds 1; alert 0; everything has ended and is lost)" in printed
    )
    assert "strike (worth 18.95, rounds 1, alert 1)" in printed


def test_the_document_says_what_is_known_at_each_state(tmp_path):
    file = tmp_path / "problem.yaml"
    file.write_text(DIAGNOSIS, encoding="utf-8")
    CliRunner().invoke(
        program, ["solve", str(file), "--json", str(tmp_path / "p.json")]
    )
    policy = json.loads((tmp_path / "p.json").read_text(encoding="utf-8"))["policy"]

    assert policy[0]["knows"] == ["disease: present 30 %, absent 70 %"]


def test_following_says_what_an_outcome_teaches():
    follower = branchwise.Follower(read_text(DIAGNOSIS, "yaml"), exact=True)
    before = follower.advice.facts["disease"]["present"]
    after = follower.happened("test=positive").after.facts["disease"]["present"]

    assert (str(before), str(after)) == ("3/10", "27/41")


def test_knowing_the_hidden_fact_is_worth_what_it_is_by_hand():
    # To treat the ill only pays 0.3 * 10; without knowing the best plan has 2.318.
    found = analysis.value_of_information(read_text(DIAGNOSIS, "yaml"))

    assert found.perfect.value == pytest.approx(3)
    assert [each.fact for each in found.facts] == ["disease"]
    assert found.facts[0].gain == pytest.approx(3 - 2.318)


def test_simulation_draws_hidden_facts_once_for_each_run():
    # Repeated tests of one patient agree more often than two patients would.
    found = simulate(read_text(DIAGNOSIS, "yaml"), num_runs=200_000)
    paid = {float(reward): float(p) for reward, p in found.observed.rewards.chances}

    assert found.expected.rewards.chances == found.expected.net_rewards.chances
    assert paid[10.0] == pytest.approx(0.243, abs=0.005)  # 0.3 * 0.9 * 0.9
    assert paid[-4.0] == pytest.approx(0.028, abs=0.002)  # 0.7 * 0.2 * 0.2


def test_a_policy_that_stops_where_it_must_go_on_is_refused():
    with pytest.raises(PlanError, match="`finish` does not hold"):
        simulate(read_text(REPAIR, "yaml"), policy=lambda _: None, num_runs=10)


PREVALENCE = DIAGNOSIS.replace("budget: 5", "budget: 5\nparameters: {prevalence: 0.3}")
PREVALENCE = PREVALENCE.replace("present: 0.3", "present: prevalence")
PREVALENCE = PREVALENCE.replace("attempts: 2", "attempts: 1") + "cost_weight: 0.1\n"


def test_a_parameter_moves_the_hidden_fact_that_is_computed_from_it():
    # To test and treat the positive is worth 9.73 p - 0.92, to treat all 14 p - 4.1.
    problem = read_text(PREVALENCE, "yaml")
    found = analysis.thresholds(problem, ranges={"prevalence": (0, 1)})
    starts = [(s.first_action, float(s.low)) for s in found.curves[0].segments]

    assert [first for first, _ in starts] == [None, "test", "treat"]
    assert starts[1][1] == pytest.approx(0.92 / 9.73, abs=1 / 1024)
    assert starts[2][1] == pytest.approx(3.18 / 4.27, abs=1 / 1024)
