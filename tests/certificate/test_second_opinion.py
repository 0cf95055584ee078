"""An answer is checked before it is given, and a wrong one is never given."""

import json
import time
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Event

import pytest

import branchwise
from branchwise.certificate import checker, second_opinion
from branchwise.certificate import proof as proofs
from branchwise.engines import TABLE
from branchwise.solver import Solver
from oracles import oracle
from problems.counterexamples import COUNTEREXAMPLES, WRONG_VALUES
from problems.gadgets import gadget_documents
from problems.strategies import seeded_documents

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
WAYS = [
    {"engine": "canonical", "search": "exhaustive"},
    {"engine": "canonical", "search": "best-first"},
    {"engine": "paper"},
    {"engine": "paper", "naive": True},
    {"engine": "reference"},
    {"engine": "reference", "exact": True},
    {"prefer": "order"},
    {"prefer": "least-depth"},
    {"prefer": "least-expected-cost"},
    {"prefer": "fewest-expected-actions"},
    {"gap": 0.1},
]


class Toss:
    """A state space of one's own: a coin that may be tossed once."""

    root = "start"

    def actions(self, state):
        if state == "start":
            sides = [("heads", 0.5, "won"), ("tails", 0.5, "lost")]
            transitions = [branchwise.Transition(*side) for side in sides]
            yield branchwise.AvailableAction("toss", transitions)

    def reward(self, state):
        return 10 if state == "won" else 0


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own, as bundles are written where one works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer_by(monkeypatch, name, solve):
    """Let an engine answer by a function."""
    monkeypatch.setitem(TABLE, name, replace(TABLE[name], solve=solve))


@pytest.fixture
def answering(monkeypatch):
    """Lets the canonical engine answer as it should, changed by a function."""

    def answer(change):
        honest = TABLE["canonical"].solve
        answer_by(monkeypatch, "canonical", lambda task: change(honest(task)))

    return answer


def without(problem, name):
    """A problem in which an action can never be taken."""
    closed = replace(problem.action(name), requires=branchwise.any_of())
    return problem.with_action(closed)


def problem_of(document):
    return branchwise.read_text(json.dumps(document), "json")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_confirmed_where_that_is_asked(path):
    problem = branchwise.read(path)
    if path.stem == "tireworld":  # Whole, it has 65,000 states for the checker.
        problem = problem.with_budget(5)

    solution = branchwise.solve(problem, verify=True)

    assert solution.verification.is_checked, solution.verification
    assert solution.verification.is_asked
    assert solution.verification.num_rows > 1
    assert not solution.verification.reason


def test_a_small_answer_is_confirmed_without_being_asked(illustrative):
    """23 rows of the plan and 37 of bounds, as `certify` writes them."""
    verification = branchwise.solve(illustrative).verification

    assert verification.is_checked
    assert verification.num_rows == 60
    assert not verification.is_asked


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_every_way_to_solve_is_confirmed(how):
    for document in seeded_documents(12, "opinion", max_actions=5, max_states=100):
        solution = branchwise.solve(problem_of(document), verify=True, **how)

        assert solution.verification.is_checked, (document, solution.verification)
        most, value = solution.upper_bound, oracle.value(document)
        assert solution.expected_reward <= value + Fraction(1, 10**6)
        assert most >= value - Fraction(1, 10**6)


def test_what_only_opens_something_sooner_is_confirmed_with_the_reference():
    for document in gadget_documents(40, "opinion", part="opener"):
        problem = problem_of(document)
        solution = branchwise.solve(problem, engine="reference", verify=True)

        assert solution.verification.is_checked
        assert solution.expected_reward == pytest.approx(float(oracle.value(document)))


def test_a_plan_from_a_later_state_is_confirmed(illustrative):
    solution = branchwise.solve(illustrative, after="a1=ok", verify=True)

    assert solution.verification.is_checked
    assert str(solution.history[0]) == "a1=ok"


def test_a_lower_bound_by_some_rewarding_sets_is_confirmed(illustrative):
    solution = branchwise.solve(illustrative, rewarding_sets=1, verify=True)

    assert solution.status is branchwise.Status.LOWER_BOUND
    assert solution.verification.is_checked


def test_nothing_is_checked_where_that_is_not_wanted(illustrative):
    verification = branchwise.solve(illustrative, verify=False).verification

    assert verification == branchwise.tree.Verification(reason="it was not asked for")


def test_a_solver_checks_only_what_it_is_asked_to(illustrative):
    solver = Solver(illustrative)

    assert not solver.solve().verification.is_checked
    assert solver.solve(verify=True).verification.is_checked
    assert solver.solve(illustrative.with_budget(3), verify=None).verification.num_rows


def test_that_certificates_know_no_adversary_is_said(illustrative):
    for verify in (None, True):
        robust = {"adversary": branchwise.Adversary()}
        found = branchwise.solve(illustrative, verify=verify, **robust)

        assert not found.verification.is_checked
        assert found.verification.reason == "certificates know no adversary"


def test_a_state_space_of_ones_own_is_checked_where_that_is_asked_for():
    assert not branchwise.solve(Toss()).verification.is_checked
    assert branchwise.solve(Toss(), verify=True).verification.is_checked


def test_an_aim_is_not_checked(illustrative):
    answer = branchwise.solve(illustrative, aim=branchwise.CVaR("10%"))
    verification = answer.verification

    assert not verification.is_checked
    assert "not about an aim" in verification.reason


def test_a_large_problem_is_not_even_begun(monkeypatch):
    """It has 18,000 canonical states, and the checker has no fewer."""
    monkeypatch.setattr(second_opinion, "Proof", None)
    solution = branchwise.solve(branchwise.generate(25, 12, seed=7))

    assert not solution.verification.is_checked
    assert solution.verification.reason.startswith("it would take longer than 0.04 s")


def test_endless_conditions_are_not_even_begun(monkeypatch):
    monkeypatch.setattr(second_opinion, "Proof", None)
    goal = branchwise.Action("goal", outcomes={"ok": "1/2", "no": "1/2"})
    rewards = [
        branchwise.Reward(goal["ok"] & ~goal["no"], number) for number in range(1, 700)
    ]

    solution = branchwise.solve(branchwise.Problem([goal], rewards))
    assert not solution.verification.is_checked


@pytest.mark.parametrize("engine", ["canonical", "paper"])
def test_hundreds_of_actions_are_not_even_begun(engine, monkeypatch):
    monkeypatch.setattr(second_opinion, "Proof", None)
    outcomes = {"ok": "1/2", "no": "1/2"}
    goals = [branchwise.Action(f"goal {n}", outcomes=outcomes) for n in range(201)]
    rewards = [branchwise.Reward(goals[0]["ok"], 1)]

    found = branchwise.solve(
        branchwise.Problem(goals, rewards, budget=1), engine=engine
    )
    assert found.verification.reason.startswith("it would take longer")


def test_a_check_that_was_not_asked_for_leaves_the_time_limit_alone(illustrative):
    solution = branchwise.solve(illustrative, time_limit_seconds=0.03)

    assert solution.verification.reason == "the time limit was met"
    assert branchwise.solve(illustrative, time_limit_seconds=60).verification.num_rows


def test_a_check_that_was_not_asked_for_ends_in_time(illustrative, monkeypatch):
    monkeypatch.setattr(second_opinion, "_SECONDS_TO_EXPLORE", 0.0)
    monkeypatch.setattr(second_opinion, "_SURE_STATES_TIMES_ACTIONS", 0)
    solution = branchwise.solve(illustrative)

    assert solution.expected_reward == pytest.approx(8.43672)
    assert not solution.verification.is_checked
    assert solution.verification.num_rows == 0


def test_a_check_that_will_take_too_long_ends_after_a_few_states(
    illustrative, monkeypatch
):
    """Seven actions at 91 states are sure; 92 of 100,000 in 1 ms are far too many."""
    times = iter([0.0, 0.001])
    monkeypatch.setattr(time, "thread_time", lambda: next(times))
    watch = second_opinion._clock(illustrative)
    for _ in range(91):
        watch(100_000)

    with pytest.raises(branchwise.LimitError):
        watch(100_000)


def test_a_check_ends_with_the_time_limit(monkeypatch):
    """All the time is spent by then, so that not even the tree is evaluated."""
    problem = branchwise.generate(25, 12, seed=7)
    honest = TABLE["canonical"].solve

    def late(task):
        found = honest(task)
        monkeypatch.setattr(time, "perf_counter", lambda: 1e9)
        return found

    answer_by(monkeypatch, "canonical", late)
    solution = branchwise.solve(problem, time_limit_seconds=600, verify=True)

    assert solution.status is branchwise.Status.OPTIMAL
    assert not solution.verification.is_checked
    assert solution.verification.reason == "the time limit was met"


def test_a_proof_of_too_few_states_says_how_far_it_came(monkeypatch):
    monkeypatch.setattr(proofs, "_MOST_STATES", 7)
    solution = branchwise.solve(branchwise.generate(25, 12, seed=7), verify=True)

    assert not solution.verification.is_checked
    assert "rows prove only that no plan is worth more than" in (
        solution.verification.reason
    )


def test_whoever_interrupts_a_check_keeps_the_plan(illustrative, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(second_opinion.Proof, "find", interrupted)
    solution = branchwise.solve(illustrative, verify=True)

    assert solution.expected_reward == pytest.approx(8.43672)
    assert solution.verification.reason == "it was interrupted"


def test_an_answer_that_was_cancelled_is_not_checked(illustrative):
    cancel = Event()
    cancel.set()
    solution = branchwise.solve(illustrative, cancel=cancel, verify=True)

    assert solution.verification.reason == "it was interrupted"


@pytest.mark.parametrize("digits", [4100, 5000])
def test_a_problem_that_the_checker_cannot_read_is_solved_all_the_same(digits):
    """The checker reads no number of more than 4,000 digits, Python of 4,300."""
    small = Fraction(1, 10**digits)
    coin = branchwise.Action("coin", outcomes={"ok": small, "no": 1 - small})
    problem = branchwise.Problem([coin], [branchwise.Reward(coin["ok"], 1)])
    solution = branchwise.solve(problem, verify=True)

    assert solution.verification.reason.startswith("the checker cannot read")


def test_numbers_past_any_float_are_confirmed():
    coin = branchwise.Action("coin", outcomes={"ok": "1/3", "no": "rest"})
    problem = branchwise.Problem([coin], [branchwise.Reward(coin["ok"], 10**400)])
    solution = branchwise.solve(problem, exact=True, verify=True)

    assert solution.verification.is_checked


def test_more_states_than_can_be_looked_at_are_confirmed_by_bounds(monkeypatch):
    """Nothing is small any more, so that the plan of the engine is told in rows."""
    monkeypatch.setattr(proofs, "_MOST_STATES_FOR_A_GAP", 0)
    problem = branchwise.generate(9, 5, seed=3)
    solution = branchwise.solve(problem, gap=0.2, verify=True)

    assert solution.status is branchwise.Status.WITHIN_GAP
    assert solution.verification.is_checked


@pytest.mark.parametrize("name", WRONG_VALUES)
@pytest.mark.parametrize("verify", [None, True])
def test_a_plan_that_leaves_the_opener_out_is_never_given(name, verify, monkeypatch):
    """What the engine once answered: best of all plans without the opener."""
    case = COUNTEREXAMPLES[name]
    problem = branchwise.read_text(case.text)
    lesser = branchwise.solve(without(problem, case.opener), engine="reference")
    answer_by(monkeypatch, "canonical", lambda _: lesser)

    with pytest.raises(
        branchwise.errors.VerificationError, match="another plan is worth"
    ):
        branchwise.solve(problem, verify=verify)


def test_too_high_a_value_is_never_given(illustrative, answering):
    answering(lambda found: replace(found, expected_reward=found.expected_reward + 1))

    with pytest.raises(
        branchwise.errors.VerificationError, match=r"plan is worth 8\.43672"
    ):
        branchwise.solve(illustrative)


def test_too_low_a_bound_is_never_given(illustrative, answering):
    status = branchwise.Status.WITHIN_GAP
    stop = branchwise.solve(illustrative.with_budget(3), engine="reference")
    answering(lambda _: replace(stop, status=status, bound=stop.expected_reward + 1))

    with pytest.raises(
        branchwise.errors.VerificationError, match="another plan is worth"
    ):
        branchwise.solve(illustrative)


def test_what_is_no_number_is_never_given(illustrative, answering):
    answering(lambda found: replace(found, expected_reward=float("nan")))

    with pytest.raises(branchwise.errors.VerificationError, match="are no rewards"):
        branchwise.solve(illustrative)


def test_a_plan_that_the_problem_forbids_is_never_given(illustrative, answering):
    """With a budget of 6 the plan goes deeper than 3 can pay for."""
    rich = branchwise.solve(illustrative, verify=False)
    answering(lambda _: rich)

    with pytest.raises(
        branchwise.errors.VerificationError, match="does not allow the plan"
    ):
        branchwise.solve(illustrative.with_budget(3))


def test_a_certificate_that_is_rejected_lets_no_answer_pass(illustrative, monkeypatch):
    def rejected(*_):
        raise checker.RejectedError("bounds, row 3: says 1")

    monkeypatch.setattr(second_opinion, "judge", rejected)
    with pytest.raises(
        branchwise.errors.VerificationError, match="certificate is rejected"
    ):
        branchwise.solve(illustrative)


def test_exact_answers_have_no_room_for_rounding(illustrative, monkeypatch):
    exact = branchwise.solve(illustrative, exact=True)
    tiny = Fraction(1, 10**30)
    wrong = replace(exact, expected_reward=exact.expected_reward - tiny)
    answer_by(monkeypatch, "canonical", lambda _: wrong)

    with pytest.raises(branchwise.errors.VerificationError):
        branchwise.solve(illustrative, exact=True)


@pytest.fixture
def disagreement(illustrative, answering):
    answering(lambda found: replace(found, expected_reward=found.expected_reward + 1))
    with pytest.raises(branchwise.errors.VerificationError) as caught:
        branchwise.solve(illustrative, prefer="order", verify=True)
    return caught.value


def test_the_bundle_holds_all_it_takes(disagreement, illustrative, folder):
    assert disagreement.bundle.parent == folder
    with zipfile.ZipFile(disagreement.bundle) as bundle:
        files = {name: bundle.read(name).decode() for name in bundle.namelist()}

    assert branchwise.read_text(files["problem.yaml"]) == illustrative
    assert checker.check(files["certificate.json"])[0] == Fraction(105459, 12500)
    assert json.loads(files["options.json"])["prefer"] == "order"
    assert json.loads(files["answer.json"])["expected_reward"].startswith("9.43672")
    assert json.loads(files["answer.json"])["policy"][0]["action"] == "a1"
    assert set(json.loads(files["versions.json"])) >= {"branchwise", "python"}
    assert "the plan is worth 8.43672" in files["README.txt"]


def test_the_same_disagreement_has_one_bundle(disagreement, illustrative, folder):
    for _ in range(2):
        with pytest.raises(branchwise.errors.VerificationError):
            branchwise.solve(illustrative, prefer="order", verify=True)

    assert [path.name for path in folder.iterdir()] == [disagreement.bundle.name]


def test_a_bundle_goes_elsewhere_where_it_cannot_be_written(
    illustrative, answering, monkeypatch, tmp_path_factory
):
    """A name of a file that is no folder, instead of the one where one works."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    monkeypatch.setattr(Path, "cwd", lambda: Path(__file__))
    answering(lambda found: replace(found, expected_reward=found.expected_reward + 1))

    with pytest.raises(branchwise.errors.VerificationError) as caught:
        branchwise.solve(illustrative)
    assert caught.value.bundle.parent == elsewhere


def test_without_any_bundle_the_error_is_told_all_the_same(
    illustrative, answering, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(Path(__file__)))
    monkeypatch.setattr(Path, "cwd", lambda: Path(__file__))
    answering(lambda found: replace(found, expected_reward=found.expected_reward + 1))

    with pytest.raises(
        branchwise.errors.VerificationError, match="send the problem to"
    ):
        branchwise.solve(illustrative)
