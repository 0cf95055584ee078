"""Who the adversary is, and what probabilities are left to choose."""

from fractions import Fraction

import pytest

from branchwise.model.action import Action, Given
from branchwise.model.adversary import Adversary, supported
from branchwise.model.problem import Problem
from branchwise.model.spread import spread_of

KNOWN = {"x": "0.5", "y": "0.5"}
UNSURE = {"x": "0.5 [0.4, 0.6]", "y": "rest"}


def only_action(problem):
    [action] = problem.actions
    return action


def test_a_blanket_distance_is_for_probabilities_that_say_nothing():
    silent = Action("a", outcomes=KNOWN)
    telling = Action("b", outcomes=UNSURE)
    exact = Action("c", outcomes=KNOWN, distance=0)
    problem = Adversary(distance=0.2).faced_by(Problem([silent, telling, exact]))
    lows = [spread_of(action).low[0] for action in problem.actions]
    assert lows == [Fraction("0.3"), Fraction("0.4"), Fraction("0.5")]


def test_a_blanket_distance_is_decided_clause_by_clause():
    clauses = [Given("a", outcomes=UNSURE), Given("a=x", outcomes=KNOWN)]
    action = Action("a", outcomes=KNOWN, given=clauses)
    action = only_action(Adversary(distance=0.2).faced_by(Problem([action])))
    lows = [spread_of(action, clause).low[0] for clause in action.given]
    assert lows == [Fraction("0.4"), Fraction("0.3")]


def test_without_a_blanket_distance_the_problem_stays():
    problem = Problem([Action("a", outcomes=KNOWN)])
    assert Adversary(gamma=1).faced_by(problem) is problem


def test_what_is_possible_at_all_has_some_probability():
    probabilities = {"x": "0 [0, 0.1]", "y": "rest", "z": 0}
    action = only_action(supported(Problem([Action("a", outcomes=probabilities)])))
    assert [outcome.probability > 0 for outcome in action.outcomes] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("options", [{"gamma": -1}, {"gamma": True}, {"distance": 1.5}])
def test_what_is_no_adversary_is_refused(options):
    with pytest.raises((TypeError, ValueError), match=next(iter(options))):
        Adversary(**options)
