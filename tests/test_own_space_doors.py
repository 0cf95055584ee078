"""Every public function with a state space of one's own: an answer, or a message."""

import json
import math
import pickle

import pytest

import branchwise
from branchwise import (
    Adversary,
    AtLeast,
    BranchwiseError,
    Follower,
    Solver,
    Status,
    certify,
    evaluate,
    explain,
    outlook,
    simulate,
    solve,
    verify,
)
from branchwise.errors import HistoryError, PlanError
from branchwise.program import score_program
from branchwise.space import starting_at
from problems.own_spaces import ArrayTrial, BoundedTrial, RandomSpace, Trial
from problems.paper import illustrative

SPACES = {"plain": Trial, "arrays": ArrayTrial}
TREE = solve(Trial(2)).tree

# What is called with something where a problem belongs.
TAKE_A_SPACE = {
    "solve": solve,
    "simulate": lambda given: simulate(given, num_runs=10),
    "explain": lambda given: explain(given, "a"),
    "evaluate": lambda given: evaluate(solve(given).tree, given),
    "outlook": lambda given: outlook(solve(given).tree, given),
    "certify": certify,
    "verify": lambda given: verify(certify(given), given),
    "Follower": lambda given: Follower(given).advice,
    "score_program": lambda given: score_program(given).solve(),
    "starting_at": lambda given: solve(starting_at(given, (1, 0, 0, 0))),
    "check_pruning": branchwise.reference.check_pruning,
    "exact": lambda given: solve(given, exact=True),
    "distance": lambda given: solve(given, adversary=Adversary(1, "5%")),
    "verified": lambda given: solve(given, verify=True),
    "aim": lambda given: solve(given, aim=AtLeast(2)),
    "analyze": branchwise.analyze,
    "risk_frontier": lambda given: branchwise.analysis.risk_frontier(given, AtLeast(1)),
}
TAKE_A_PROBLEM = {
    "defend": lambda given: branchwise.defend(given, budget=1),
    "profiles": lambda given: branchwise.profiles(given, {}),
    "environment": branchwise.environment,
    "validate": branchwise.validate,
    "write": lambda given: branchwise.write(given, "never.yaml"),
    "write_text": branchwise.write_text,
    "Solver": Solver,
    "Solver.solve": lambda given: Solver(illustrative()).solve(given),
    "problem_after": lambda given: branchwise.model.problem_after(given, "a=worked"),
    "RewardingSets": branchwise.rewarding.RewardingSets,
}
TAKE_SOMETHING_ELSE = {
    "batch": branchwise.batch,
    "render": lambda given: branchwise.render(given, "never.html"),
    "read": branchwise.read,
    "read_text": branchwise.read_text,
    "schema": branchwise.schema,
    "generate": branchwise.generate,
    "verify": verify,
    "deadline": lambda given: branchwise.deadline(given).__enter__(),
    "evaluate": lambda given: evaluate(given, Trial(2)),
    "compare": lambda given: branchwise.compare(given, given),
    "evaluation": lambda given: branchwise.evaluation(given, branchwise.Problem([])),
    "DecisionRules": branchwise.DecisionRules.of,
    "outlook": lambda given: outlook(given, Trial(2)),
    "Problem": lambda given: branchwise.Problem(given, []),
    "Adversary": Adversary,
    "AtLeast": AtLeast,
    "AtMost": branchwise.AtMost,
    "CVaR": branchwise.CVaR,
    "ExponentialUtility": branchwise.ExponentialUtility,
    "UtilityTable": branchwise.UtilityTable,
    "DecisionTree": lambda given: branchwise.DecisionTree(given, 0).num_nodes,
}
# Constructors that keep what they are given until a problem is checked; classes without
# an argument of this kind; exceptions; and what is no function.
APART = """
    Action ArraySpace ArrayTransitions AvailableAction BranchwiseError Counter Defense
    FormatError Given Hidden LimitError ProblemError Reward Solution StateSpace Status
    Transition UNLIMITED all_of any_of at_least count left parameter
    """.split()
NONSENSE = [None, 3, "text", [], object(), Trial, math.nan]


def test_every_public_name_is_tried_here():
    tried = {*TAKE_A_SPACE, *TAKE_A_PROBLEM, *TAKE_SOMETHING_ELSE, *APART}

    assert set(branchwise.__all__) <= tried


@pytest.mark.parametrize("kind", SPACES)
@pytest.mark.parametrize("name", TAKE_A_SPACE)
def test_what_takes_a_state_space_answers(name, kind):
    assert TAKE_A_SPACE[name](SPACES[kind](3)) is not None


@pytest.mark.parametrize("kind", SPACES)
@pytest.mark.parametrize("name", TAKE_A_PROBLEM)
def test_what_takes_a_problem_only_says_so(name, kind):
    with pytest.raises(TypeError, match="not a state space of your own") as caught:
        TAKE_A_PROBLEM[name](SPACES[kind](3))

    assert "\n    fix: " in str(caught.value)


@pytest.mark.parametrize("given", NONSENSE, ids=lambda given: type(given).__name__)
@pytest.mark.parametrize("name", [*TAKE_A_SPACE, *TAKE_A_PROBLEM])
def test_nonsense_where_a_problem_belongs_is_refused_with_a_fix(name, given):
    if (name, given) == ("Solver.solve", None):
        return  # That is the problem it was made with.
    call = (TAKE_A_SPACE | TAKE_A_PROBLEM)[name]
    with pytest.raises(TypeError, match="fix: "):
        call(given)


@pytest.mark.parametrize("given", [Trial(2), ArrayTrial(2), object(), [object()]])
@pytest.mark.parametrize("name", TAKE_SOMETHING_ELSE)
def test_a_state_space_elsewhere_is_no_error_of_ours(name, given):
    with pytest.raises((TypeError, ValueError, BranchwiseError)):
        TAKE_SOMETHING_ELSE[name](given)


@pytest.mark.parametrize("kind", SPACES)
def test_an_adversary_without_a_choice_is_refused(kind):
    with pytest.raises(ValueError, match="leaves the adversary no choice"):
        solve(SPACES[kind](3), adversary=Adversary(1))
    with pytest.raises(ValueError, match="`robustness` takes a problem"):
        solve(SPACES[kind](3), adversary=Adversary(1, "5%"), robustness=True)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rewarding_sets": 3}, "has no rewarding sets"),
        ({"search": "best-first"}, "`explicit` does not search"),
        ({"engine": "canonical"}, "it is a state space of your own"),
        ({"engine": "paper"}, "it is a state space of your own"),
    ],
)
def test_options_that_are_for_problems_are_refused(options, says):
    with pytest.raises(ValueError, match=says):
        solve(Trial(2), **options)


@pytest.mark.parametrize("kind", SPACES)
@pytest.mark.parametrize(
    "after",
    [
        "a=worked, b=failed",
        ["a=worked", "b=failed"],
        [("a", "worked"), ("b", "failed")],
    ],
)
def test_a_plan_from_a_later_state_is_that_of_the_whole(kind, after):
    space = SPACES[kind](6)

    found = solve(space, after=after)

    assert found.tree.root.state == (1, 0, 0, 1)
    assert [str(event) for event in found.history] == ["a=worked", "b=failed"]
    there = solve(starting_at(space, (1, 0, 0, 1)))
    assert found.expected_reward == there.expected_reward
    assert float(evaluate(found.tree, space)) == pytest.approx(found.expected_reward)


@pytest.mark.parametrize("kind", SPACES)
@pytest.mark.parametrize(
    ("after", "says"),
    [
        ("c=worked", "step 1 `c=worked`: `c` cannot be taken at state (0, 0, 0, 0)"),
        ("a=wrked", "cannot come out as `wrked`"),
        ("a=worked, a=worked, a=worked", "step 3 `a=worked`: `a` cannot be taken"),
    ],
)
def test_steps_that_cannot_have_happened_are_refused(kind, after, says):
    with pytest.raises(HistoryError) as caught:
        solve(SPACES[kind](2), after=after)

    assert says in str(caught.value)
    assert "\n    fix: " in str(caught.value)


@pytest.mark.parametrize("seed", range(15))
def test_what_a_plan_is_worth_and_may_come_to_agrees(seed):
    space = RandomSpace(seed)
    found = solve(space)
    worth = space.value(0)[0]

    assert evaluate(found.tree, space) == worth
    foreseen = outlook(found.tree, space)
    assert foreseen.net_rewards.mean == pytest.approx(float(worth))
    played = simulate(space, num_runs=5_000)
    assert played.expected_reward == pytest.approx(float(worth))
    assert abs(played.mean - float(worth)) <= 5 * played.standard_error + 1e-9
    assert certify(space).lower_bound == worth
    program = score_program(space).solve()
    assert program.expected_reward == pytest.approx(float(worth), abs=1e-7)


def test_a_plan_of_another_space_is_refused():
    with pytest.raises(PlanError, match="is not available where the plan takes it"):
        evaluate(TREE, Trial(1))
    with pytest.raises(PlanError, match="is not available where the plan takes it"):
        outlook(TREE, Trial(1))


@pytest.mark.parametrize("kind", SPACES)
def test_policies_of_ones_own_are_played(kind):
    space = SPACES[kind](4)

    always = simulate(space, policy=lambda s: "a" if sum(s) < 4 else None)
    assert always.expected_reward == pytest.approx(2)
    assert simulate(space, policy="random").expected_reward == pytest.approx(2)
    assert simulate(space, policy=solve(space).tree).policy == "plan"
    with pytest.raises(ValueError, match="goes by rewarding sets"):
        simulate(space, policy="greedy-reward")
    with pytest.raises(PlanError, match="choose one of `a`, `b`"):
        simulate(space, policy=lambda s: "c")
    with pytest.raises(ValueError, match=r"simulate\(space, policy=solution"):
        simulate(solve(space))


@pytest.mark.parametrize("kind", SPACES)
def test_another_action_is_explained(kind):
    space = SPACES[kind](6)

    why = explain(space, "b", after="a=worked")

    best = solve(space, after="a=worked").expected_reward
    outcomes = ("b=worked", "b=failed")
    after = [solve(space, after=f"a=worked, {each}") for each in outcomes]
    assert why.best_action == "a"
    assert why.loss == pytest.approx(best - sum(s.expected_reward for s in after) / 2)
    assert explain(space, "c").objection == "what can be done there is `a`, `b`"
    with pytest.raises(ValueError, match=r"explain\(space, action\)"):
        explain(solve(space), "a")


@pytest.mark.parametrize("kind", SPACES)
def test_a_plan_is_followed(kind):
    follower = Follower(SPACES[kind](4))

    assert follower.happened("a=worked").after.action == "a"
    assert follower.happened("b=failed").is_surprise
    assert follower.state == (1, 0, 0, 1)
    assert str(follower.solution.history) != "()"
    follower.undo()
    assert follower.state == (1, 0, 0, 0)


SURPRISES = {
    "rule_out": lambda follower: follower.rule_out("a"),
    "probability": lambda follower: follower.change_probability("a=worked", 0.1),
    "cost": lambda follower: follower.change_cost("a", 1),
    "budget": lambda follower: follower.change_budget(1),
    "reward": lambda follower: follower.change_reward(1, 2),
    "force": lambda follower: follower.happened("c=x", force=True),
    "unknown": lambda follower: follower.happened("c=x"),
}


@pytest.mark.parametrize("name", SURPRISES)
def test_surprises_that_a_state_space_cannot_take_are_refused(name):
    with pytest.raises(HistoryError, match="fix: "):
        SURPRISES[name](Follower(Trial(2)))


def test_there_is_no_journal_of_a_state_space(tmp_path):
    with pytest.raises(ValueError, match="leave `journal` out"):
        Follower(Trial(2), journal=tmp_path / "journal")


@pytest.mark.parametrize("kind", SPACES)
def test_a_certificate_is_about_its_space_only(kind):
    certificate = certify(SPACES[kind](4))

    assert verify(certificate, SPACES[kind](4)).is_accepted
    assert not verify(certificate, SPACES[kind](3)).is_accepted
    assert not verify(certificate, illustrative()).is_accepted


def tampered(change):
    document = json.loads(certify(Trial(2)).text())
    change(document)
    try:
        branchwise.certificate.checker.check(json.dumps(document))
    except branchwise.certificate.checker.RejectedError as error:
        return str(error)
    return "ACCEPTED"


def first_step(document):
    return document["problem"]["states"][0][1][0]


TAMPERINGS = {
    "claim": lambda d: d["claim"].update(at_most="1"),
    "probability": lambda d: first_step(d)[2][0].__setitem__(1, "1/3"),
    "twice": lambda d: d["problem"]["states"][0][1].append(first_step(d)),
    "circle": lambda d: first_step(d)[2][0].__setitem__(2, 0),
    "nowhere": lambda d: first_step(d)[2][0].__setitem__(2, 999),
    "outcome": lambda d: first_step(d)[2][0].__setitem__(0, first_step(d)[2][1][0]),
    "closed": lambda d: d["bounds"][0].__setitem__(1, "close"),
    "reveal": lambda d: d["bounds"].__setitem__(0, ["9", "reveal", "a"]),
    "stop": lambda d: d["policy"][0].__setitem__(1, None),
    "reward": lambda d: d["problem"]["states"][-1].__setitem__(0, "7"),
    "malformed": lambda d: d["problem"]["states"].append(3),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_certificate_that_was_tampered_with_is_rejected(name):
    assert tampered(lambda _: None) == "ACCEPTED"
    assert tampered(TAMPERINGS[name]) != "ACCEPTED"


def test_a_large_space_has_no_certificate():
    with pytest.raises(branchwise.LimitError):
        certify(Trial(40), time_limit_seconds=0.05)


def test_an_answer_is_checked_if_asked_for():
    assert solve(Trial(4), verify=True).verification.is_checked
    assert solve(Trial(4), verify=True, exact=True).verification.is_checked
    assert "only with verify=True" in solve(Trial(4)).verification.reason


RESULTS = {
    "solution": solve,
    "cut short": lambda space: solve(space, time_limit_seconds=1e-9),
    "bounded": lambda _: solve(BoundedTrial(9), time_limit_seconds=1e-9),
    "simulation": lambda space: simulate(space, num_runs=100),
    "explanation": lambda space: explain(space, "b"),
    "certificate": certify,
    "advice": lambda space: Follower(space).advice,
    "program": lambda space: score_program(space).solve(),
    "aimed": lambda space: solve(space, aim=branchwise.CVaR("25%")),
}


@pytest.mark.parametrize("kind", SPACES)
@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_shown_in_every_format_it_has(name, kind, tmp_path):
    result = RESULTS[name](SPACES[kind](4))
    for suffix in branchwise.report.answer.answer_to(result).formats:
        path = tmp_path / f"shown.{suffix}"
        branchwise.render(result, path)
        assert path.stat().st_size


def test_a_bound_that_is_not_known_is_said_to_be_so(tmp_path):
    found = solve(Trial(9), time_limit_seconds=1e-9)
    text = "\n".join(branchwise.report.lines(found))

    assert found.status is Status.TIME_LIMIT
    assert "what a better plan could be worth is not known (time limit)" in text
    branchwise.render(found, tmp_path / "found.json")
    assert json.loads((tmp_path / "found.json").read_text())["upper_bound"] is None
    assert "inf" not in text.split("solved in")[0]
    assert "not known" in found._repr_html_()


def test_a_solution_of_a_space_is_pickled_without_the_space():
    for space in (Trial(4), ArrayTrial(4)):
        again = pickle.loads(pickle.dumps(solve(space)))
        assert again.tree.after("a=worked").state == (1, 0, 0, 0)
