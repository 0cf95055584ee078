"""What is called impossible is impossible: checked against every state there is."""

import time

import pytest

from branchwise.model.action import Action, Given
from branchwise.model.checks.reachability import Reachability
from branchwise.model.checks.validate import validate
from branchwise.model.conditions.condition import (
    Happened,
    all_of,
    any_of,
    at_least,
    negation,
)
from branchwise.model.conditions.condition_text import parse_condition
from branchwise.model.problem import Problem, Reward
from oracles.oracle import Oracle
from problems.strategies import seeded_documents


def condition(written):
    """Build a condition from the tree of a document."""
    if isinstance(written, str):
        return parse_condition(written)
    [(kind, inner)] = written.items()
    if kind == "not":
        return negation(condition(inner))
    if kind == "at_least":
        [(count, inner)] = inner.items()
        return at_least(int(count), *map(condition, inner))
    return {"all": all_of, "any": any_of}[kind](*map(condition, inner))


def problem_of(document):
    """Build a problem from a document, without the reader."""
    actions = []
    for name, body in document["actions"].items():
        given = [
            Given(
                condition(clause["when"]),
                outcomes=clause.get("outcomes"),
                cost=clause.get("cost"),
            )
            for clause in body.get("given", [])
        ]
        attempts = body.get("attempts", 1)
        actions.append(
            Action(
                name,
                outcomes=body["outcomes"],
                cost=body.get("cost", 1),
                requires=condition(body.get("requires", {"all": []})),
                precluded_by=condition(body.get("precluded_by", {"any": []})),
                attempts=float("inf") if attempts == "unlimited" else attempts,
                given=given,
            )
        )
    rewards = [Reward(condition(r["when"]), r["value"]) for r in document["rewards"]]
    return Problem(
        actions,
        rewards,
        budget=document["budget"],
        combine=document.get("combine", "max"),
        cost_weight=document.get("cost_weight", 0),
    )


def chain(length, **options):
    """Build actions of which each needs the one before."""
    return [
        Action(
            f"step {i}",
            outcomes={"ok": "0.9", "fail": "rest"},
            requires=Happened(f"step {i - 1}", "ok") if i else all_of(),
            **options,
        )
        for i in range(length)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_called_impossible_never_happens_in_any_reachable_state(seed):
    for document in seeded_documents(40, seed, max_states=300):
        problem, oracle = problem_of(document), Oracle(document)
        states = oracle.reachable()
        happened = {pair for state in states for pair in state.happened}
        reachability = Reachability(problem)

        for action in problem.actions:
            for label in action.labels:
                if label not in reachability.outcomes[action.name]:
                    assert (action.name, label) not in happened, document
        for reward, written in zip(problem.rewards, document["rewards"], strict=True):
            wanted = (reward.when, True)
            if not reachability.can_hold(wanted) or reachability.shortfall(wanted):
                held = [s for s in states if oracle.holds(written["when"], s)]
                assert not held, document


@pytest.mark.parametrize("seed", range(4))
def test_warnings_about_the_impossible_are_true(seed):
    """The same of the warnings: never taken, never counts, cannot be reached."""
    for document in seeded_documents(40, f"warned {seed}", max_states=300):
        issues = validate(problem_of(document))
        assert all(issue.severity == "warning" for issue in issues), document
        oracle = Oracle(document)
        states = oracle.reachable()
        taken = {action for state in states for action, _ in state.happened}
        for issue in issues:
            if "can never be taken" in issue.what and issue.path[0] == "actions":
                assert issue.path[1] not in taken, (issue, document)
            if "can reach this reward" in issue.what:
                when = document["rewards"][issue.path[1]]["when"]
                assert not any(oracle.holds(when, s) for s in states), (issue, document)
            if "cannot pay for any action" in issue.what:
                assert not taken, document
            if "cannot hold when the action is taken" in issue.what:
                body = document["actions"][issue.path[1]]
                when = body["given"][issue.path[3]]["when"]
                steps = {s for s in states if oracle.holds(when, s)}
                names = {step.action for s in steps for step in oracle.steps(s)}
                assert issue.path[1] not in names, (issue, document)


def test_most_of_what_is_impossible_is_found():
    """
    Not a promise, but a measure: of the outcomes that no state has, the share that
    is found to be impossible without looking at a single state.
    """
    found = missed = 0
    for document in seeded_documents(80, "share", max_states=300):
        states = Oracle(document).reachable()
        happened = {pair for state in states for pair in state.happened}
        problem = problem_of(document)
        reachability = Reachability(problem)
        for action in problem.actions:
            for label in action.labels:
                if (action.name, label) not in happened:
                    is_found = label not in reachability.outcomes[action.name]
                    found, missed = found + is_found, missed + (not is_found)
    assert found > 4 * missed, (found, missed)


@pytest.mark.parametrize(
    ("requires", "precluded_by"),
    [
        ("never", "never"),
        ("always", "always"),
        ("scan=open and not scan=open", "never"),
        ("scan=open and not scan", "never"),
        ("scan=open and scan=closed", "never"),  # taken once, it has one outcome
        ("scan and not scan=open and not scan=closed", "never"),
        ("scan=open", "scan"),
        ("scan=open", "scan=open or scan=closed"),
        ("scan=filtered", "never"),  # has probability 0
        ("(scan=filtered or wait) and scan", "never"),
        ("(scan=closed or not scan) and scan=open", "never"),
        ("not (not wait or not scan)", "never"),
        ("wait", "never"),  # itself
        ("always", "not wait"),
    ],
)
def test_an_action_is_never_available(requires, precluded_by):
    scan = Action("scan", outcomes={"open": "0.5", "closed": "0.5", "filtered": 0})
    wait = Action(
        "wait", outcomes={"done": 1}, requires=requires, precluded_by=precluded_by
    )
    reachability = Reachability(Problem([scan, wait]))
    assert reachability.outcomes == {"scan": {"open", "closed"}, "wait": set()}


def test_two_outcomes_of_an_action_taken_twice_can_both_be_had():
    scan = Action("scan", outcomes={"open": "0.5", "closed": "0.5"}, attempts=2)
    reachability = Reachability(Problem([scan]))
    both = (Happened("scan", "open") & Happened("scan", "closed"), True)
    assert reachability.can_hold(both)


def test_an_outcome_that_only_a_clause_makes_likely_can_happen():
    scan = Action("scan", outcomes={"open": 1})
    given = [Given("scan=open", outcomes={"shell": 1})]
    exploit = Action("exploit", outcomes={"shell": 0, "crash": 1}, given=given)
    reachability = Reachability(Problem([exploit, scan]))
    assert reachability.outcomes["exploit"] == {"shell", "crash"}


def test_a_clause_may_make_an_action_affordable():
    scan = Action("scan", outcomes={"open": 1})
    given = [Given("scan=open", cost=2)]
    exploit = Action("exploit", outcomes={"shell": 1}, cost=9, given=given)
    assert Reachability(Problem([scan, exploit], budget=3)).is_available("exploit")
    assert not Reachability(Problem([scan, exploit], budget=1)).is_available("exploit")


def test_what_an_action_needs_counts_against_the_budget():
    """Three steps cost 3, so of a budget of 2 the third cannot be paid."""
    reachability = Reachability(Problem(chain(4), budget=2))
    available = [reachability.is_available(f"step {i}") for i in range(4)]
    assert available == [True, True, False, False]


def test_what_two_needs_share_is_paid_once():
    """The site is opened once for both wells: 5 + 1 + 1 + 1 = 8."""
    site = Action("open site", outcomes={"done": 1}, cost=5)
    wells = [
        Action(name, outcomes={"oil": 1}, requires='"open site"')
        for name in ("north well", "south well")
    ]
    plant = Action(
        "plant", outcomes={"built": 1}, requires='"north well" and "south well"'
    )
    for budget, is_available in ((8, True), ("7.9", False)):
        problem = Problem([plant, *wells, site], budget=budget)
        assert Reachability(problem).is_available("plant") is is_available


@pytest.mark.parametrize("budget", ["unlimited", 6, 2500])
@pytest.mark.parametrize("is_backwards", [False, True])
def test_a_chain_of_5000_actions_is_checked_quickly(budget, is_backwards):
    actions = chain(5000)[:: -1 if is_backwards else 1]
    problem = Problem(actions, [Reward('"step 4999"=ok', 1)], budget=budget)
    started = time.process_time()
    issues = validate(problem)
    assert time.process_time() - started < 30  # seconds; takes about one
    assert (budget == "unlimited") == (not issues)


def test_a_circle_of_5000_actions_is_one_warning():
    actions = [
        Action(f"step {i}", outcomes={"ok": 1}, requires=f'"step {(i + 1) % 5000}"')
        for i in range(5000)
    ]
    circle, reward = validate(Problem(actions, [Reward('"step 7"=ok', 1)]))
    assert circle.path == ("actions", "step 0", "requires")
    assert "step 0 -> step 1 -> " in circle.what
    assert "... -> step 0`" in circle.what
    assert reward.path == ("rewards", 0, "when")
