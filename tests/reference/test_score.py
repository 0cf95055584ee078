"""Scores, against the paper's worked table."""

from fractions import Fraction

import pytest

from problems.paper import by_vector

# "Illustrative example - Reduced graph generation": the actions considered, the score
# (of a reward of 100) and the optimal actions.
SCORES = {
    "2022100": ("a2 a7", "0.1", "a2 a7"),
    "2122100": ("a7", "0.1", "a7"),
    "2222100": ("a6 a7", "0.1", "a7"),
    "2022101": ("", "0", ""),
    "2022102": ("", "1", ""),
    "2122101": ("", "0", ""),
    "2122102": ("", "1", ""),
    "2222110": ("", "0", ""),
    "2222120": ("", "0.1", ""),
    "2222101": ("", "0", ""),
    "2222102": ("", "1", ""),
}


def names(actions):
    return " ".join(action.name for action in actions)


@pytest.mark.parametrize("vector", SCORES)
def test_scores_are_those_of_the_worked_table(stages, vector):
    space, graph, phi, _ = stages
    considered, score, optimal = SCORES[vector]

    state = by_vector(space, graph.actions)[vector]
    best = [
        action
        for action in graph.actions[state]
        if sum(p * phi[child] for _, p, child in action.transitions) == phi[state]
    ]

    assert names(graph.actions[state]) == considered
    assert phi[state] == 100 * Fraction(score)
    assert names(best) == optimal
