"""The budget frontier: every step, each worth what a separate solve says."""

import json
import math
from fractions import Fraction

import pytest

from branchwise import UNLIMITED, LimitError, read_text, solve
from branchwise.analysis import budget_frontier
from oracles.oracle import Oracle, value
from problems.paper import illustrative
from problems.strategies import seeded_documents
from problems.wide_documents import wide_oracles


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def test_the_illustrative_example_is_worth_what_design_says():
    """33/5, 393/50, 4119/500 and 105459/12500 with 3, 4, 5 and 6."""
    [along] = budget_frontier(illustrative(6)).resources

    found = {int(point.budget): point for point in along.points}
    assert list(found) == [0, 2, 3, 4, 5, 6]
    values = [found[n].expected_reward for n in (3, 4, 5, 6)]
    exact = [Fraction(33, 5), Fraction(393, 50), Fraction(4119, 500)]
    exact.append(Fraction(105459, 12500))
    assert values == pytest.approx([float(n) for n in exact])
    assert [found[n].tree_nodes for n in (3, 4, 5, 6)] == [11, 15, 23, 33]
    assert along.gain_of_more == pytest.approx(530211 / 62500 - 105459 / 12500)
    assert along.loss_of_less == pytest.approx(105459 / 12500 - 4119 / 500)


@pytest.mark.parametrize("portion", range(3))
def test_every_budget_is_worth_what_brute_force_says(portion):
    """Quarters and thirds are as fine as costs get in these documents."""
    steps = 0
    for document in seeded_documents(8, f"frontier {portion}", max_states=150):
        problem = problem_of(document)
        for along in budget_frontier(problem, num_threads=1).resources:
            top = min(along.limit, along.points[-1].budget + 1)
            twelfths = range(0, int(top * 12) + 1, 5)
            for budget in [*(Fraction(n, 12) for n in twelfths), top]:
                best = value(with_budget(document, along.resource, budget))
                assert known(along, budget) == pytest.approx(float(best), abs=1e-9), (
                    document["name"]
                )
            steps += len(along.points)
    assert steps > 20


def test_every_budget_is_worth_what_brute_force_says_where_less_may_be_better():
    """What conditions ask of what is left, and where a plan must finish."""
    tried = 0
    for oracle in wide_oracles(
        14, "frontier", max_states=60, only=("comparisons", "finish")
    ):
        problem = problem_of(oracle.doc)
        if oracle.value(oracle.root) == -math.inf:
            continue
        for along in budget_frontier(problem, num_threads=1).resources:
            top = min(along.limit, along.points[-1].budget + 1)
            for budget in range(int(top) + 1):
                changed = Oracle(with_budget(oracle.doc, along.resource, budget))
                best = changed.value(changed.root)
                if budget < along.points[0].budget:
                    assert best == -math.inf, oracle.doc
                    continue
                found = pytest.approx(float(best), abs=1e-9)
                assert known(along, budget) == found, oracle.doc
                tried += 1
    assert tried > 40


def test_more_budgets_than_can_be_tried_are_too_many():
    text = """
    budget: 30
    actions: {a: {cost: 0.01, outcomes: {ok: 0.5, no: rest}, attempts: 900}}
    rewards: [{when: a=ok, value: 3}]
    finish: a=ok
    """
    with pytest.raises(LimitError, match="every budget is tried, and there are 90"):
        budget_frontier(read_text(text, "yaml"))


def with_budget(document, resource, amount):
    budget = document["budget"]
    if isinstance(budget, dict):
        return document | {"budget": budget | {resource: str(amount)}}
    return document | {"budget": str(amount)}


def known(along, budget):
    return [p for p in along.points if p.budget <= budget][-1].expected_reward


def test_steps_of_fine_costs_are_found_exactly():
    text = """
budget: 1000
actions:
  a: {cost: 33.25, outcomes: {ok: 0.5, fail: rest}}
  b: {cost: 700 , outcomes: {ok: 0.5, fail: rest}}
rewards: [{when: a=ok, value: 1}, {when: b=ok, value: 2}]
"""
    [along] = budget_frontier(read_text(text, format="yaml")).resources

    assert [float(p.budget) for p in along.points] == [0, 33.25, 700, 733.25]
    assert [p.first_action for p in along.points] == [None, "a", "b", "b"]


def test_kinks_are_the_corners_of_the_concave_hull():
    """
    Of 0, 3, 6.6, 7.86, 8.238 and 8.43672 at 0, 2, 3, 4, 5 and 6 only the second lies
    below the line between others: 3 < 2/3 of 6.6.
    """
    [along] = budget_frontier(illustrative(6)).resources

    assert [int(p.budget) for p in along.points if p.is_kink] == [0, 3, 4, 5, 6]
    assert along.points[1].gain_per_unit == pytest.approx(1.5)


def test_resources_are_varied_one_at_a_time():
    text = """
budget: {money: 2, days: 1, luck: unlimited}
actions:
  dear: {cost: {money: 2, days: 1}, outcomes: {ok: 0.5, fail: rest}}
  slow: {cost: {money: 1, days: 2}, outcomes: {ok: 0.9, fail: rest}}
rewards: [{when: dear=ok, value: 10}, {when: slow=ok, value: 10}]
"""
    found = budget_frontier(read_text(text, format="yaml"))

    money, days, luck = found.resources
    assert [int(p.budget) for p in money.points] == [0, 2]
    assert (money.gain_of_more, money.loss_of_less) == (0, pytest.approx(5))
    # A day more pays for `slow` instead.
    assert (days.gain_of_more, days.loss_of_less) == pytest.approx((4, 5))
    assert luck.limit == UNLIMITED
    assert [int(p.budget) for p in luck.points] == [0]
    assert found.resource("days") is days


def test_an_unlimited_resource_ends_where_others_do():
    text = """
budget: {money: 2, days: unlimited}
actions:
  toss: {cost: {money: 1, days: 1}, attempts: unlimited, outcomes: {ok: 0.5, no: rest}}
rewards: [{when: toss=ok, value: 8}]
"""
    found = budget_frontier(read_text(text, format="yaml"))

    assert [int(p.budget) for p in found.resource("money").points] == [0, 1, 2]
    assert [int(p.budget) for p in found.resource("days").points] == [0, 1, 2]


def test_what_is_known_of_a_budget_can_be_asked():
    [along] = budget_frontier(illustrative(6)).resources

    assert along.worth(1) == 0
    assert along.worth(Fraction(7, 2)) == pytest.approx(6.6)
    with pytest.raises(ValueError, match="nothing is known of a budget of 7"):
        along.worth(7)


def test_plans_are_those_of_separate_solves():
    [along] = budget_frontier(illustrative(6)).resources

    for point in along.points:
        alone = solve(illustrative(int(point.budget)))
        assert point.first_action == alone.first_action
        assert point.depth == alone.tree.depth


def test_points_come_as_a_data_frame():
    frame = budget_frontier(illustrative(6)).frame()

    assert list(frame["budget"]) == [0, 2, 3, 4, 5, 6]
    assert list(frame["resource"].unique()) == ["budget"]
