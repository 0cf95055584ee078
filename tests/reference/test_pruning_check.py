"""What a state space says of itself, tried on small spaces."""

import pytest

from branchwise import LimitError, ProblemError, solve
from branchwise.reference import check_pruning
from problems.own_spaces import ArrayTrial, RandomSpace, Trial


class Sound(RandomSpace):
    """Says that an action helps where it is as good as anything."""

    def may_help(self, state, action):
        values = {child: self.value(child)[0] for child in range(self.num_states)}
        for name, branches, _, charge in self.options[state]:
            if name == action:
                worth = sum(share * values[child] for _, share, child in branches)
                return worth - charge >= values[state]
        raise AssertionError(action)


class Unsound(RandomSpace):
    """Says that the action `a` never helps."""

    def may_help(self, state, action):
        return action != "a"


@pytest.mark.parametrize("seed", range(60))
def test_a_sound_claim_keeps_the_optimum_in_every_engine(seed):
    space = Sound(seed)
    value = space.value(0)[0]

    found = check_pruning(space)

    assert found.is_sound
    assert found.expected_reward == found.pruned_reward == value
    assert found.num_pruned_states <= found.num_states
    assert solve(space).expected_reward == pytest.approx(float(value))
    assert solve(space, exact=True).expected_reward == value
    states = solve(space).statistics.full_graph_states
    assert states == found.num_pruned_states


def test_an_unsound_claim_is_found_wherever_it_costs_something():
    num_wrong = 0
    for seed in range(60):
        space = Unsound(seed)
        found = check_pruning(space)
        pruned = solve(space, exact=True).expected_reward
        assert found.pruned_reward == pruned
        assert found.expected_reward == space.value(0)[0]
        if pruned < found.expected_reward:
            num_wrong += 1
            assert not found.is_sound
    assert num_wrong


def test_a_wrong_claim_is_shown_at_its_state():
    class Lazy(Trial):
        def may_help(self, results, action):
            return sum(results) < 2

    found = check_pruning(Lazy(3))

    assert not found.is_sound
    assert found.pruned_reward < found.expected_reward
    assert "is said not to help, but is worth" in str(found.issues[0])


def test_a_wrong_bound_is_shown_at_its_state():
    class Low(Trial):
        def upper_bound(self, results):
            return self.reward(results)

    class LowArrays(ArrayTrial):
        def upper_bound(self, states):
            return self.reward(states)

    for space in (Low(3), LowArrays(3)):
        found = check_pruning(space)
        assert "the upper bound is" in str(found.issues[0])


def test_a_bound_that_a_plan_in_hand_exceeds_is_refused_by_solve():
    class Late(Trial):
        def upper_bound(self, results):
            return 9 if sum(results) else 0.1

    with pytest.raises(ProblemError, match=r"upper bound is 0\.1, but a plan is worth"):
        solve(Late(3))


def test_too_many_states_are_given_up():
    with pytest.raises(LimitError, match="more than 10 states"):
        check_pruning(Trial(5), most_states=10)
