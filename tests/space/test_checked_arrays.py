"""State spaces in arrays: what is wrong is refused, with the state it is wrong at."""

import math
import sys

import numpy as np
import pytest

from branchwise import ArrayTransitions, ProblemError, certify, solve
from problems.own_spaces import ArrayTrial


class Toss:
    """Toss a coin at (0, 7) for 10; with other columns where said."""

    root = (0, 7)
    action_names = ("toss", "wait")
    outcome_names = ("heads", "tails")

    def __init__(self, **parts):
        for name in ("root", "action_names", "outcome_names"):
            if name in parts:
                setattr(self, name, parts.pop(name))
        self.worths = parts.pop("worths", [0, 10, 0])
        self.parts = parts

    def expand(self, states):
        at = np.flatnonzero(states[:, 0] == 0)
        if not len(at):
            return ArrayTransitions([], [], [], [], np.zeros((0, 2), int))
        columns = {
            "source": [0, 0],
            "action": [0, 0],
            "outcome": [0, 1],
            "probability": [0.5, 0.5],
            "state": [[1, 7], [2, 7]],
        }
        return ArrayTransitions(**(columns | self.parts))

    def reward(self, states):
        return np.array(self.worths)[states[:, 0]]


def refused(**parts):
    with pytest.raises(ProblemError) as caught:
        solve(Toss(**parts))
    message = str(caught.value)
    assert "\n    fix: " in message
    return message


def test_a_sound_space_is_solved():
    found = solve(Toss())

    assert (found.expected_reward, found.first_action) == (5, "toss")
    assert found.tree.after("toss=heads").state == (1, 7)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"probability": [0.5, 0.4]}, "the probabilities sum to 0.9, not 1"),
        ({"probability": [-0.5, 1.5]}, "the probability of `heads` is -0.5"),
        ({"probability": [math.nan, 0.5]}, "the probability of `heads` is nan"),
        ({"probability": [0.5, math.inf]}, "the probability of `tails` is inf"),
        ({"outcome": [1, 1]}, "two outcomes are called `tails`"),
        ({"cost": [1, 2]}, "the cost is not the same for all outcomes"),
        ({"cost": math.nan}, "the cost is nan, which is no finite number"),
        ({"charge": [0, math.inf]}, "the charge is inf, which is no finite number"),
    ],
)
def test_what_is_wrong_with_an_action_is_refused_at_its_state(parts, says):
    message = refused(**parts)

    assert message.startswith("state (0, 7), action `toss`: ")
    assert says in message


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"source": [0, 1]}, "row 1 of `source` is 1, but there are 1"),
        ({"action": [0, 2]}, "row 1 of `action` is 2, but there are 2"),
        ({"outcome": [0, -1]}, "row 1 of `outcome` is -1, but there are 2"),
        ({"source": [0]}, "`source` is 1 of int64, but `state` has 2 rows"),
        ({"probability": 1}, "`probability` is one of float64"),
        ({"probability": ["x", "y"]}, "`probability` is ['x', 'y']"),
        ({"state": [[1, 7, 0], [2, 7, 0]]}, "`state` is 2 x 3 of int64, but a state"),
        ({"state": [[1.5, 7], [2, 7]]}, "`state` is 2 x 2 of float64"),
        ({"action": [0.0, 0.0]}, "`action` is 2 of float64"),
        ({"root": []}, "`root`: is 0 of int64"),
        ({"root": [[0, 7]]}, "`root`: is 1 x 2 of int64"),
        ({"root": "abc"}, "`root` is"),
        ({"action_names": ("toss", "toss")}, "`action_names`: has `toss` twice"),
        ({"outcome_names": ("heads", 3)}, "`outcome_names`: has 3"),
        ({"action_names": "toss"}, "`action_names`: is 'toss'"),
        ({"worths": [0, math.nan, 0]}, "state (1, 7): the reward is"),
        ({"worths": [0, 10, math.inf]}, "state (2, 7): the reward is"),
    ],
)
def test_columns_that_do_not_fit_are_refused(parts, says):
    assert says in refused(**parts)


class Odd(Toss):
    """A space whose methods give something else."""

    given = None

    def reward(self, states):
        return self.given


@pytest.mark.parametrize("given", [None, 3, "much", [1, 2, 3]])
def test_a_reward_for_each_state_is_asked_for(given):
    odd = Odd()
    odd.given = given

    with pytest.raises(ProblemError, match="return one number for each state"):
        solve(odd)


def test_what_expand_gives_is_asked_for():
    class Nothing(Toss):
        def expand(self, states):
            return None

    with pytest.raises(ProblemError, match=r"return ArrayTransitions\(\.\.\.\)"):
        solve(Nothing())


def test_a_circle_is_refused_with_its_state():
    message = refused(state=[[1, 7], [0, 7]])

    assert message.startswith("state (0, 7): can be reached from itself")
    assert "`toss` leads to itself" in message


def test_what_lacks_a_member_is_refused():
    class Bare:
        root = (0,)

        def expand(self, states):
            return None

    with pytest.raises(TypeError, match="has no `reward`, `action_names`"):
        solve(Bare())


class Claiming(ArrayTrial):
    """A trial with a bound and a claim of its own."""

    bound = 0.0
    helps = True

    def upper_bound(self, states):
        left = self.patients - states.sum(axis=1)
        return self.reward(states) + left * 1.0 + self.bound

    def may_help(self, states, actions):
        return np.full(len(states), self.helps)


def test_bounds_and_claims_in_arrays_are_heeded_unless_naive():
    whole = solve(ArrayTrial(6))
    claiming = Claiming(6)

    assert solve(claiming).expected_reward == whole.expected_reward
    claiming.helps = False
    assert solve(claiming).expected_reward == 0
    assert solve(claiming, naive=True).expected_reward == whole.expected_reward


def test_a_bound_that_is_too_low_is_refused():
    claiming = Claiming(6)
    claiming.bound = -3

    with pytest.raises(ProblemError, match=r"the upper bound is .*, but stopping"):
        solve(claiming)
    claiming.bound = math.nan
    with pytest.raises(ProblemError, match="the upper bound is nan"):
        solve(claiming)


def test_states_may_be_negative_and_large():
    class Far(Toss):
        root = (0, -(2**62))

        def expand(self, states):
            given = super().expand(states)
            return given._replace(state=np.asarray(given.state) * [1, -(2**60)])

    assert solve(Far()).tree.after("toss=tails").state == (2, -7 * 2**60)


def test_without_numpy_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)

    for function in (solve, certify):
        with pytest.raises(ImportError, match="pip install numpy"):
            function(Toss())
