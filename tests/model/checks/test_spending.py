"""Costs, budgets and weights that contradict each other, or cannot be counted."""

from fractions import Fraction

from branchwise.model.action import Action, Given
from branchwise.model.budget import UNLIMITED
from branchwise.model.checks.validate import validate
from branchwise.model.numbers.number import exact
from branchwise.model.problem import Problem, Reward
from problems.scanning import OPEN, SCAN, exploit, needing, only_issue


def test_unlimited_attempts_cost_something_that_runs_out():
    free = {"attempts": UNLIMITED, "cost": 0}
    issue = only_issue(exploit(**free), budget=5)
    assert issue.path == ("actions", "exploit", "attempts")
    assert "for ever" in issue.what
    assert "`cost: 1`" in issue.fix

    issue = only_issue(exploit(attempts=UNLIMITED))
    assert "so is the budget" in issue.what

    given = [Given("scan=open", cost={"days": 1})]
    action = exploit(attempts=UNLIMITED, cost={"money": 1}, given=given)
    scan = Action("scan", outcomes={"open": 1}, cost={"money": 1})
    budget = {"money": 5, "days": UNLIMITED}
    [issue] = validate(Problem([scan, action], OPEN, budget=budget))
    assert issue.path == ("actions", "exploit", "given", 0, "cost")
    assert "`cost: {money: 1}`" in issue.fix


def test_costs_in_unknown_resources():
    budget = {"money": 10, "days": 4}
    scan = Action("scan", outcomes={"open": 1}, cost={"days": 1})

    def issue(cost):
        [issue] = validate(Problem([scan, exploit(cost=cost)], OPEN, budget=budget))
        return issue

    mistyped = issue({"mony": 1})
    assert mistyped.path == ("actions", "exploit", "cost", "mony")
    assert mistyped.what == "there is no resource `mony`; did you mean `money`?"
    plain = issue(3)
    assert plain.path == ("actions", "exploit", "cost")
    assert plain.what == "the cost says 3, but not of which resource"
    assert plain.fix == "write `cost: {money: 3}`; the resources are `money` and `days`"


def test_one_named_resource_needs_no_naming_in_costs():
    assert validate(Problem([SCAN], OPEN, budget={"money": 10})) == ()


def test_a_resource_where_the_budget_is_a_plain_number():
    issue = only_issue(exploit(cost={"money": 3}), budget=10)
    assert issue.fix == "write `cost: 3`, or `budget: {money: 10}`"


def test_a_budget_of_no_resource():
    assert only_issue(budget={}).path == ("budget",)


def test_negative_budgets_and_weights():
    issues = validate(Problem([SCAN], OPEN, budget=-1, cost_weight="-0.5"))
    assert [issue.path for issue in issues] == [("budget",), ("cost_weight",)]
    assert "-0.5" in issues[1].what

    scan = Action("scan", outcomes={"open": 1}, cost={"days": 1})
    several = {"money": 10, "days": 4}
    weights = {"money": 1, "days": -1}
    [issue] = validate(Problem([scan], OPEN, budget=several, cost_weight=weights))
    assert issue.path == ("cost_weight", "days")
    [issue] = validate(Problem([scan], OPEN, budget=several, cost_weight=-1))
    assert issue.path == ("cost_weight",)  # written once, so said once


def test_costs_without_a_common_unit_that_is_large_enough():
    cost = "70.1234567890123456789"
    issue = only_issue(exploit(cost=cost), budget=1_000_000)
    assert issue.path == ("actions", "exploit", "cost")
    assert cost in issue.what
    assert issue.fix == "write fewer digits: `70.12`"


def test_the_largest_scaled_number_stays_below_2_to_the_62():
    """In halves, 2**61 - 1/2 is 2**62 - 1 units, and 2**61 one too many."""
    action, rewards = needing(cost="1/2")
    fits = Problem([SCAN, action], rewards, budget=2**61 - exact("0.5"))
    assert validate(fits) == ()
    [issue] = validate(Problem([SCAN, action], rewards, budget=2**61))
    assert "62 bits" in issue.what


def test_denominators_that_only_together_are_too_fine():
    primes = (10_007, 10_009, 10_037, 10_039, 10_061)
    actions = [
        Action(f"pump {p}", outcomes={"ok": 1}, cost=Fraction(1, p)) for p in primes
    ]
    problem = Problem(actions, [Reward('"pump 10007"', 1)], budget=1)
    [issue] = validate(problem)
    assert issue.path == ("actions", "pump 10061", "cost")


def test_huge_numbers_are_reported_and_not_printed_in_full():
    issue = only_issue(exploit(cost=Fraction(10**5000)), budget=5)
    assert "about 1e+" in issue.what
    assert len(str(issue)) < 300
