"""Which engine is chosen, and why; what no engine can do."""

import pytest

from branchwise import Adversary, AvailableAction, Transition, solve
from problems.paper import illustrative


class Coin:
    """A state space of one's own: toss once, heads pays 8."""

    root = "start"

    def actions(self, state):
        if state == "start":
            sides = (
                Transition("heads", 0.5, "heads"),
                Transition("tails", 0.5, "tails"),
            )
            yield AvailableAction("toss", sides)

    def reward(self, state):
        return 8.0 if state == "heads" else 0.0


def first_of_ties(*_):
    """An objective of one's own that does not care."""
    return 0


@pytest.mark.parametrize(
    ("options", "engine", "reason"),
    [
        ({}, "canonical", "explored every canonical state"),
        ({"gap": 0.01}, "canonical", "searched best first, as a gap was asked for"),
        ({"search": "best-first"}, "canonical", "searched best first"),
        ({"naive": True}, "paper", "the naive full graph was asked for"),
        ({"exact": True}, "canonical", "explored every canonical state"),
        ({"exact": True, "search": "best-first"}, "canonical", "searched best first"),
        (
            {"exact": True, "search": "deepening"},
            "canonical",
            "searched best first, as deepening does not follow all",
        ),
        ({"naive": True, "exact": True}, "reference", "the naive full graph was asked"),
        ({"prefer": first_of_ties}, "canonical", "explored every canonical state"),
        ({"prefer": "random"}, "canonical", "explored every canonical state"),
        ({"naive": True, "prefer": "random"}, "reference", "the naive full graph"),
        ({"rewarding_sets": 2}, "canonical", "went by the 2 strongest rewarding sets"),
        ({"rewarding_sets": 2, "exact": True}, "reference", "fractions by some"),
        (
            {"rewarding_sets": 2, "prefer": first_of_ties},
            "reference",
            "some rewarding sets count, and a choice",
        ),
        ({"engine": "canonical"}, "canonical", "explored every canonical state"),
        ({"engine": "paper"}, "paper", "it was asked for"),
        ({"engine": "reference"}, "reference", "it was asked for"),
    ],
)
def test_the_engine_is_chosen_and_the_solution_says_why(options, engine, reason):
    solution = solve(illustrative(), **options)

    assert solution.engine == engine
    assert solution.reason.startswith(reason)


def test_a_state_space_of_ones_own_is_scored_in_the_core_unless_it_is_exact():
    solution = solve(Coin())

    assert (solution.engine, solution.expected_reward) == ("explicit", 4)
    assert solve(Coin(), exact=True).engine == "reference"
    assert solution.reason == "explored every state"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "magic"}, "there is no engine `magic`; there are auto, canonical"),
        (
            {"engine": "canonical", "exact": True, "adversary": Adversary(1, "5%")},
            "`canonical` cannot do this: fractions against an adversary",
        ),
        ({"engine": "paper", "exact": True}, "`paper` has no fractions; `canonical`"),
        ({"engine": "paper", "prefer": first_of_ties}, "`paper` has five objectives"),
        ({"engine": "paper", "rewarding_sets": 1}, "only some rewarding sets"),
        ({"engine": "canonical", "naive": True}, "`canonical` has no naive full graph"),
        ({"naive": True, "rewarding_sets": 1}, "no rewarding sets to go by"),
    ],
)
def test_what_no_engine_can_do_is_an_error(options, message):
    with pytest.raises(ValueError, match=message):
        solve(illustrative(), **options)


def test_a_state_space_of_ones_own_has_no_canonical_states():
    with pytest.raises(ValueError, match="it is a state space of your own"):
        solve(Coin(), engine="canonical")
