"""What speaks against an action at a state is said in the words of the problem."""

import pytest

from branchwise import Action, Given, Problem, Reward
from branchwise.model import Budget, Happened, State
from branchwise.tree.alternatives import objections

HALF = {"fail": "1/2", "ok": "1/2"}


def problem_with(**action):
    first = Action("a", outcomes=HALF)
    other = Action("b", outcomes=HALF)
    asked = Action("drill deep", **{"outcomes": HALF, **action})
    rewards = [Reward(asked["ok"], 10)]
    cost = action.get("cost", 1)
    budget = {"money": 9, "days": 4} if isinstance(cost, dict) else 9
    return Problem([first, other, asked], rewards, budget=budget)


def state(*events, left=5):
    counts = {event: events.count(event) for event in events}
    named = tuple((Happened(*event.split("=")), n) for event, n in counts.items())
    return State(named, Budget(left))


@pytest.mark.parametrize(
    ("action", "at", "why"),
    [
        ({}, state(), None),
        ({}, state("drill deep=ok"), "already done"),
        ({"attempts": 2}, state("drill deep=fail"), None),
        (
            {"attempts": 2},
            state("drill deep=fail", "drill deep=fail"),
            "already done 2 times",
        ),
        ({"requires": "a=ok"}, state("a=fail"), "needs a=ok"),
        ({"requires": "a=ok and b=ok"}, state("a=ok"), "needs b=ok"),
        ({"requires": "a=ok or b=ok"}, state(), "needs a=ok or b=ok"),
        (
            {"requires": "a and (b=ok or not a=ok)"},
            state("a=ok"),
            "needs b=ok or not a=ok",
        ),
        ({"precluded_by": "a"}, state("a=fail"), "precluded by a"),
        ({"precluded_by": "a=ok or b=ok"}, state("b=ok"), "precluded by b=ok"),
        ({"cost": 3}, state(left=2), "costs 3, only 2 left"),
        ({"cost": "1/3"}, state(left=0), "costs 1/3, only 0 left"),
        (
            {"cost": {"money": 1, "days": "1.5"}},
            state(left={"money": 5, "days": 1}),
            "costs 1.5 days, only 1 left",
        ),
    ],
)
def test_an_action_that_cannot_be_taken_says_why(action, at, why):
    assert objections(problem_with(**action), at).get("drill deep") == why


def test_the_cost_that_counts_is_the_one_of_the_clause_that_holds():
    problem = problem_with(given=[Given("a=ok", cost=7)])

    assert "drill deep" not in objections(problem, state("a=fail"))
    after = objections(problem, state("a=ok"))
    assert after["drill deep"] == "costs 7, only 5 left"
