"""Why not another action: its loss is the oracle's, and its case can be replayed."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import Event

import pytest

from branchwise import (
    Action,
    Given,
    Problem,
    Reward,
    Status,
    evaluate,
    explain,
    generate,
    read,
    read_text,
    report,
    solve,
)
from branchwise.errors import HistoryError
from branchwise.model.execution.state import State
from branchwise.tree.alternatives import objections
from oracles.oracle import Oracle
from problems.strategies import seeded_documents

ILLUSTRATIVE = read(Path(__file__).parents[3] / "examples" / "illustrative.yaml")


def places(oracle, random, depth):
    """Walk somewhere by chance; give the state there, and the way."""
    state, events = oracle.root, []
    for _ in range(depth):
        steps = oracle.steps(state)
        if not steps:
            break
        step = random.choice(steps)
        outcome = random.choice(list(step.children))
        events.append((step.action, outcome))
        state = step.children[outcome][1]
    return state, ", ".join(f"{action}={outcome}" for action, outcome in events)


@pytest.mark.parametrize("portion", range(3))
def test_the_loss_anywhere_is_what_the_oracle_says(portion):
    for document in seeded_documents(8, seed=f"why {portion}", max_states=200):
        oracle = Oracle(document)
        random = Random(document["name"])
        problem = read_text(json.dumps(document), format="json")
        state, history = places(oracle, random, portion)
        steps = {step.action: step for step in oracle.steps(state)}
        for name in document["actions"]:
            found = explain(problem, name, after=history, exact=True)

            assert found.best_value == oracle.value(state), document["name"]
            assert bool(found.objection) == (name not in steps), (name, found)
            if name in steps:
                assert found.value == oracle.gain(steps[name]), (document["name"], name)
                assert found.loss == oracle.value(state) - oracle.gain(steps[name])
                assert found.loss_bounds == (found.loss, found.loss)
                assert replayed(oracle, state, found.case)
                # Somewhere a loss must show; without one, both may end alike.
                assert found.case or not found.is_case_settled or not found.loss
                assert carried_on(oracle, state, found.other)
                assert carried_on(oracle, state, found.best)


def replayed(oracle, state, case):
    """Whether both paths of a case are possible, and end with what it says."""
    if case is None:
        return True
    for path, reward in zip(case.paths, case.rewards, strict=True):
        here, charged = state, 0
        for event in path:
            [step] = [s for s in oracle.steps(here) if s.action == event.action]
            paid = zip(oracle.weights, step.cost, strict=True)
            charged += sum(weight * cost for weight, cost in paid)
            here = step.children[event.outcome][1]
        if oracle.reward(here) - charged != reward:
            return False
    assert 0 < case.probability <= 1
    return case.rewards[0] > case.rewards[1]


def carried_on(oracle, state, plan):
    """Whether a plan earns what it says, and each outcome is worth what is said."""
    for step in oracle.steps(state):
        for each in plan.following if step.action == plan.action else ():
            probability, child = step.children[each.outcome]
            assert each.probability == probability
            assert each.value == oracle.value(child)
    return earned(oracle, state, plan.tree.root) == plan.value


def earned(oracle, state, node):
    if node.action is None:
        return oracle.reward(state)
    [step] = [s for s in oracle.steps(state) if s.action == node.action]
    paid = zip(oracle.weights, step.cost, strict=True)
    below = node.children
    return sum(
        probability * earned(oracle, child, below[outcome])
        for outcome, (probability, child) in step.children.items()
    ) - sum(weight * cost for weight, cost in paid)


def test_the_case_has_the_same_draws_for_both_plans():
    found = explain(ILLUSTRATIVE, "a3", exact=True)

    assert found.best_action == "a1"
    luck = [{(e.action, e.outcome) for e in path} for path in found.case.paths]
    both = {action for action, _ in luck[0]} & {action for action, _ in luck[1]}
    assert both
    assert all(
        (action, outcome) in luck[1] for action, outcome in luck[0] if action in both
    )
    assert found.case.parting in found.case.paths[0]


def test_probabilities_that_change_read_the_same_draws():
    """After a test success is likelier; what fails then would fail without, too."""
    test = Action("test", outcomes={"done": 1})
    better = Given(test["done"], outcomes={"no": "1/4", "yes": "3/4"})
    drill = Action("drill", outcomes={"no": "1/2", "yes": "1/2"}, given=[better])
    problem = Problem([test, drill], [Reward(drill["yes"], 8)], budget=2)

    found = explain(problem, "drill", exact=True)

    assert found.loss == 2
    # From 1/4 to 1/2 it comes out as yes after the test, and as no without.
    assert found.case.probability == Fraction(1, 4)
    assert [str(event) for event in found.case.paths[0]] == ["test=done", "drill=yes"]
    assert [str(event) for event in found.case.paths[1]] == ["drill=no"]


def test_what_the_plan_does_has_no_loss_and_no_case():
    found = explain(solve(ILLUSTRATIVE), "a1")

    assert found.loss == 0
    assert found.case is None
    assert list(report.lines(found))[:2] == [
        "At the start the best plan does a1, worth 8.43672 from there on.",
        "a1 is what the best plan does.",
    ]


def test_it_is_said_in_words():
    assert "\n".join(report.lines(explain(ILLUSTRATIVE, "a3", after="a1=ok"))) == (
        """\
After a1=ok the best plan does a4, worth 11.9316 from there on.
a3 is worth 3.6984: 8.2332 less.

a3    probability   worth  then
fail         70 %    0.72    a2
ok           30 %  10.648    a7

With the same luck, the likeliest case in which the best plan ends better has 5.04 %:
  the best plan  ends with 50: a4=ok, a5=ok, a3=fail
  a3 first       ends with 0: a3=fail, a2=fail
They part at a4=ok, which happens with the best plan only."""
    )


def test_an_action_that_cannot_be_taken_says_why():
    found = explain(ILLUSTRATIVE, "a5", after="a1=fail, a3=ok")

    assert found.value is None
    assert found.loss is None
    assert list(report.lines(found)) == [
        "After a1=fail, a3=ok the best plan does a7, worth 10.648 from there on.",
        "a5 cannot be taken there: precluded by a3.",
    ]


def test_stopping_may_be_best():
    bet = Action("bet", outcomes={"won": 0.5, "lost": 0.5})
    rewards = [Reward(bet["won"], 10), Reward(bet["lost"], -20)]
    problem = Problem([bet], rewards, combine="sum")

    lines = list(report.lines(explain(problem, "bet")))

    assert lines[0] == "At the start the best plan stops, worth 0 from there on."
    assert lines[1] == "bet is worth -5: 5 less."
    assert lines[-1] == "They part at bet=lost, which happens with the other one only."


def test_an_action_as_good_as_the_plan_s_is_said_to_be():
    probabilities = {"oil": 0.5, "dry": 0.5}
    here, there = (
        Action("here", outcomes=probabilities),
        Action("there", outcomes=probabilities),
    )
    rewards = [Reward(here["oil"], 8), Reward(there["oil"], 8)]

    found = explain(Problem([here, there], rewards, budget=1), "there")

    assert list(report.lines(found))[1] == (
        "there would be as good: it is worth the same."
    )


def test_what_cannot_have_happened_and_unknown_actions_are_refused():
    with pytest.raises(HistoryError):
        explain(ILLUSTRATIVE, "a3", after="a7=ok")
    with pytest.raises(KeyError) as caught:
        explain(ILLUSTRATIVE, "b1")

    assert "there is no action 'b1'" in str(caught.value)


@pytest.mark.parametrize(
    ("history", "action", "why"),
    [
        ("", "drill", "needs test=good"),
        ("test=bad", "drill", "precluded by test=bad"),
        ("test=good", "test", "already done"),
        ("test=good, probe=no, probe=no", "probe", "already done 2 times"),
        ("test=good, probe=no", "drill", "costs 2, only 1 left"),
    ],
)
def test_every_reason_why_an_action_cannot_be_taken_is_said(history, action, why):
    test = Action("test", outcomes={"good": 0.5, "bad": 0.5})
    probe = Action("probe", outcomes={"yes": 0.1, "no": 0.9}, attempts=2)
    drill = Action(
        "drill",
        outcomes={"oil": 1},
        requires=test["good"],
        precluded_by=test["bad"],
        cost=2,
    )
    rewards = [Reward(drill["oil"], 9), Reward(probe["yes"], 1)]
    problem = Problem([test, probe, drill], rewards, budget=3)

    found = explain(problem, action, after=history)

    assert found.objection == why
    assert list(report.lines(found))[1] == (f"{action} cannot be taken there: {why}.")


def test_an_action_done_before_a_solution_began_cannot_be_taken_again():
    solution = solve(ILLUSTRATIVE, after="a1=ok")

    found = explain(solution, "a1")

    assert found.objection == "already done"
    assert [str(event) for event in found.history] == ["a1=ok"]


def test_a_solution_is_not_sought_again():
    solution = solve(ILLUSTRATIVE)

    assert explain(solution, "a3").best.tree is solution.tree


def open_action(problem, best_action):
    """Give an action that can be taken at the start, and is not the best plan's."""
    shut = objections(problem, State((), problem.budget))
    return next(a.name for a in problem.actions if a.name not in {*shut, best_action})


def test_at_a_limit_there_are_bounds_that_hold():
    """The exact values lie between bounds; this one is too large to end at once."""
    problem = generate(25, seed="why", budget=15)
    best = solve(problem)
    asked = open_action(problem, best.first_action)
    proven = explain(best, asked)
    stopped = Event()
    stopped.set()

    found = explain(problem, asked, cancel=stopped)

    assert found.status is Status.INTERRUPTED
    assert found.best.value <= proven.best.value <= found.best.upper_bound
    assert found.other.value <= proven.other.value <= found.other.upper_bound
    least, most = found.loss_bounds
    assert least <= proven.loss <= most
    place, verdict = list(report.lines(found))[:2]
    assert place.startswith("At the start the best plan found (interrupted) ")
    assert verdict.startswith(f"{asked} is worth between ")


def test_within_a_gap_there_are_bounds_that_hold():
    proven = explain(ILLUSTRATIVE, "a2", exact=True)

    found = explain(ILLUSTRATIVE, "a2", gap=0.5)

    assert found.status is Status.WITHIN_GAP
    assert found.best.value <= proven.best.value <= found.best.upper_bound
    assert found.other.value <= proven.other.value <= found.other.upper_bound
    least, most = found.loss_bounds
    assert least <= proven.loss <= most
    for plan in (found.best, found.other):
        worth = float(evaluate(plan.tree, ILLUSTRATIVE))
        assert plan.value == pytest.approx(worth)
    shown = "\n".join(report.lines(found))
    assert "best plan found (within gap, 10.3 % from the optimum at most) " in shown
    assert shown.count("the best plan") == 1


def test_a_solution_within_a_gap_lets_that_do_for_what_follows():
    solution = solve(ILLUSTRATIVE, gap=0.5)

    found = explain(solution, "a2")

    assert found.best.tree is solution.tree
    assert found.other.value < found.other.upper_bound


def test_a_solution_that_met_a_limit_gives_what_follows_as_much_time():
    stopped = Event()
    stopped.set()
    problem = generate(25, seed="why", budget=15)
    solution = solve(problem, cancel=stopped)
    asked = open_action(problem, solution.first_action)

    found = explain(solution, asked)

    assert found.best.value == solution.expected_reward
    assert found.status is not Status.OPTIMAL
