"""The frontier is the upper hull of all plans, each tried by brute force."""

import json
from fractions import Fraction
from functools import partial

import pytest

from branchwise import AtLeast, CVaR, read_text
from branchwise.analysis import risk_frontier
from oracles.every_plan import TooManyPlansError, at_least, cvar, every_plan, mean
from problems.strategies import seeded_documents


def upper_hull(points):
    """The points of the hull from the most reward to the best aim."""
    hull = []
    for x, y in sorted(points, key=lambda point: (-point[0], -point[1])):
        if hull and y <= hull[-1][1]:
            continue
        while len(hull) >= 2 and turns_out(hull[-2], hull[-1], (x, y)):
            hull.pop()
        hull.append((x, y))
    return hull


def turns_out(one, two, three):
    """Whether the middle one lies on or below the line through the others."""
    (a, b), (c, d), (e, f) = one, two, three
    return (d - b) * (a - e) <= (f - b) * (a - c)


@pytest.mark.parametrize("portion", range(3))
def test_the_frontier_is_the_upper_hull_of_all_plans(portion):
    tried = several = 0
    for document in seeded_documents(
        20, seed=f"frontier {portion}", max_actions=4, max_states=40
    ):
        try:
            plans = every_plan(document)
        except TooManyPlansError:
            continue
        problem = read_text(json.dumps(document), format="json")
        rewards = sorted({reward for plan in plans for reward, _ in plan})
        wanted = rewards[len(rewards) // 2]
        for aim, worth in (
            (AtLeast(wanted), partial(at_least, wanted=wanted)),
            (CVaR("50%"), partial(cvar, level=Fraction(1, 2))),
        ):
            found = risk_frontier(problem, aim, exact=True)

            points = [(plan.expected_reward, plan.worth) for plan in found.plans]
            hull = upper_hull((mean(plan), worth(plan)) for plan in plans)
            assert points == hull, (document["name"], aim)
            assert found.is_complete
            several += len(points) > 1
        tried += 1
    assert tried >= 8
    assert several >= 1


def test_a_frontier_that_is_cut_short_says_so():
    document = next(
        document
        for document in seeded_documents(50, seed="frontier cut", max_states=300)
        if _num_plans(document) > 2
    )
    problem = read_text(json.dumps(document), format="json")

    assert not risk_frontier(problem, CVaR("30%"), max_plans=2).is_complete
    with pytest.raises(ValueError) as caught:
        risk_frontier(problem, CVaR("30%"), max_plans=1)

    assert str(caught.value) == "a frontier has at least two plans to show, not 1"


def _num_plans(document):
    problem = read_text(json.dumps(document), format="json")
    return len(risk_frontier(problem, CVaR("30%")).plans)
