"""The probabilities that an action may have, and the worst of them."""

from fractions import Fraction
from random import Random

import pytest

from branchwise.model.action import Action, Given
from branchwise.model.outcome import Outcome
from branchwise.model.spread import possible_labels, spread_of
from oracles.robust_oracle import polytope


def test_an_outcome_without_interval_takes_up_what_the_others_leave():
    """With ok from 0.5 to 0.7 there are 0.3 to 0.5 left for the other one."""
    for fail in ("rest", 0.4):
        action = Action("a", outcomes={"ok": "0.6 [0.5, 0.7]", "fail": fail})
        assert action.outcome("fail") == Outcome("fail", 0.4, low=0.3, high=0.5)


def test_of_several_without_interval_only_rest_moves():
    written = {"ok": "0.5 [0.4, 0.6]", "odd": 0.2, "fail": "rest"}
    action = Action("a", outcomes=written)
    assert action.outcome("odd") == Outcome("odd", 0.2, low=0.2, high=0.2)
    assert Action("b", outcomes=action.outcomes).outcomes == action.outcomes
    assert spread_of(action).low[1] == spread_of(action).high[1] == Fraction("0.2")
    assert action.outcome("fail") == Outcome("fail", 0.3, low=0.2, high=0.4)


def test_outcomes_without_any_interval_have_none():
    assert Action("a", outcomes={"ok": 0.6, "fail": "rest"}).outcomes[0].low is None


def test_distance_moves_probability_from_the_best_to_the_worst():
    """0.1 of the best goes to the worst; the one in between keeps its 0.3."""
    action = Action("a", outcomes={"x": 0.2, "y": 0.3, "z": 0.5}, distance=0.1)
    worst = spread_of(action).worst([5, 7, 9])
    assert worst == (Fraction("0.3"), Fraction("0.3"), Fraction("0.4"))


def test_interval_and_distance_both_hold():
    outcomes = {"ok": "0.6 [0.2, 0.9]", "fail": "rest"}
    action = Action("a", outcomes=outcomes, distance=0.1)
    assert spread_of(action).worst([1, 0]) == (Fraction("0.5"), Fraction("0.5"))


def test_nothing_moves_between_outcomes_of_the_same_worth():
    action = Action("a", outcomes={"x": 0.2, "y": 0.8}, distance=1)
    assert spread_of(action).worst([3, 3]) == (Fraction("0.2"), Fraction("0.8"))


def test_a_clause_may_have_a_distance_of_its_own():
    clause = Given("b", outcomes={"x": 0.5, "y": 0.5}, distance=0.3)
    action = Action(
        "a", outcomes={"x": 0.2, "y": 0.8}, distance=0.1, given=[clause, Given("c")]
    )
    assert spread_of(action, clause).low == (Fraction("0.2"), Fraction("0.2"))
    assert spread_of(action, action.given[1]).low == (Fraction("0.1"), Fraction("0.7"))


def test_what_has_no_probability_may_still_be_possible():
    action = Action("a", outcomes={"x": "0 [0, 0.2]", "y": "rest", "z": "0 [0, 0]"})
    assert possible_labels(action) == {"x", "y"}


@pytest.mark.parametrize("seed", range(5))
def test_worst_probabilities_are_those_of_the_worst_vertex(seed):
    """A linear function is least at a vertex, so trying all of them finds it."""
    random = Random(seed)
    for _ in range(60):
        cuts = sorted(random.choices(range(21), k=random.choice([1, 2, 3])))
        probabilities = [b - a for a, b in zip([0, *cuts], [*cuts, 20], strict=True)]
        written = {}
        for label, part in enumerate(probabilities):
            low, high = random.randint(0, part), random.randint(part, 20)
            written[str(label)] = f"{part}/20 [{low}/20, {high}/20]"
        distance = random.choice([None, Fraction(random.randint(0, 10), 20)])
        values = [random.randint(0, 5) for _ in probabilities]

        worst = spread_of(Action("a", outcomes=written, distance=distance)).worst(
            values
        )

        points = polytope(written, distance)
        least = min(sum(map(lambda p, v: p * v, point, values)) for point in points)
        assert sum(map(lambda p, v: p * v, worst, values)) == least
        assert sum(worst) == 1
