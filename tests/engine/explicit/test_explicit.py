"""Explicit states: the same answers as the reference's fractions and brute force."""

from threading import Event

import pytest

from branchwise import Status, solve
from branchwise.engine.explicit import explicit
from branchwise.tree import OBJECTIVE_NAMES
from problems.own_spaces import (
    ArrayTrial,
    ArrayTwin,
    BoundedTrial,
    RandomSpace,
    Trial,
)

PORTIONS = 3


def seeds(count, portion):
    """A share of so many seeds: few tests of many spaces take less time than many."""
    return range(portion, count, PORTIONS)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_plain_arrays_reference_and_brute_force_agree(portion):
    for seed in seeds(300, portion):
        check_all_ways(RandomSpace(seed))


def check_all_ways(space):
    value, nodes = space.value(space.root)

    exact = solve(space, exact=True)
    plain = solve(space)
    arrays = solve(ArrayTwin(space))

    assert (exact.expected_reward, exact.tree.num_nodes) == (value, nodes)
    assert exact.engine == "reference"
    for found in (plain, arrays):
        assert found.engine == "explicit"
        assert found.expected_reward == pytest.approx(float(value), abs=1e-12)
        assert found.tree.num_nodes == nodes
        assert found.first_action == exact.first_action
        assert found.status is Status.OPTIMAL
        assert found.is_tie_settled
        full, reduced = exact.statistics.full_graph_states, exact.statistics
        assert found.statistics.full_graph_states == full
        assert found.statistics.reduced_graph_states == reduced.reduced_graph_states


def path_actions(tree):
    """What a plan does, node by node."""
    return [(node.action, node.outcome) for node in tree.walk()]


@pytest.mark.parametrize("prefer", OBJECTIVE_NAMES)
def test_ties_are_settled_as_by_the_reference(prefer):
    for seed in range(60):
        space = RandomSpace(seed, num_states=9)

        exact = solve(space, exact=True, prefer=prefer)

        for each in (space, ArrayTwin(space)):
            found = solve(each, prefer=prefer)
            assert path_actions(found.tree) == path_actions(exact.tree), seed
            assert found.tree.shape == exact.tree.shape, seed


class Bounded(RandomSpace):
    """A random space that knows its values, give or take."""

    slack = 0

    def upper_bound(self, state):
        return float(self.value(state)[0]) + self.slack * (state % 3)


@pytest.fixture
def step_by_step(monkeypatch):
    """A search that expands no more than it has to, in rounds of one layer."""
    monkeypatch.setattr(explicit, "_LEAST_IN_A_ROUND", 1)
    monkeypatch.setattr(explicit, "_SHARE_OF_A_ROUND", 10**9)


@pytest.mark.parametrize("slack", [0, 1, 5])
def test_upper_bounds_leave_the_answer_as_it_is(slack, step_by_step):
    for seed in range(150):
        space = Bounded(seed)
        space.slack = slack

        found, whole = solve(space), solve(space, naive=True)

        right = pytest.approx(whole.expected_reward, abs=1e-12)
        assert found.expected_reward == right, seed
        assert path_actions(found.tree) == path_actions(whole.tree), seed
        assert found.is_tie_settled, seed
        expanded = found.statistics.expanded_states
        assert expanded <= whole.statistics.expanded_states, seed


def test_upper_bounds_save_states(step_by_step):
    spaces = [Bounded(seed) for seed in range(40)]

    found = sum(solve(space).statistics.expanded_states for space in spaces)
    whole = sum(solve(s, naive=True).statistics.expanded_states for s in spaces)

    assert found < whole / 2


def test_bounds_that_tell_little_find_the_same(step_by_step):
    whole, found = solve(Trial(9)), solve(BoundedTrial(9))

    assert found.expected_reward == pytest.approx(whole.expected_reward)
    assert found.tree.num_nodes == whole.tree.num_nodes


def test_the_trial_of_ten_has_its_published_value():
    # 16861/2800, which the guide works out in fractions.
    for space in (Trial(10), ArrayTrial(10)):
        found = solve(space)
        assert found.expected_reward == pytest.approx(16861 / 2800, rel=1e-12)
        assert found.statistics.full_graph_states == 1001
        assert found.tree.root.state == (0, 0, 0, 0)
        assert found.tree.after("a=worked").state == (1, 0, 0, 0)


@pytest.mark.parametrize("space", [Trial(40), ArrayTrial(40)])
def test_a_limit_leaves_a_plan_and_says_that_the_bound_is_not_known(space):
    found = solve(space, time_limit_seconds=0.02)

    assert found.status is Status.TIME_LIMIT
    assert found.upper_bound == float("inf")
    assert found.relative_gap == float("inf")
    assert found.tree.num_nodes >= 1
    assert "no `upper_bound`" in found.reason


def test_a_limit_with_upper_bounds_leaves_both_bounds():
    found = solve(BoundedTrial(40), time_limit_seconds=0.02)

    best = solve(ArrayTrial(40)).expected_reward
    assert found.status is Status.TIME_LIMIT
    assert found.expected_reward <= best <= found.upper_bound <= 40


def test_a_memory_limit_leaves_a_plan():
    found = solve(Trial(40), memory_limit_bytes=1_000_000)

    assert found.status is Status.MEMORY_LIMIT
    assert found.expected_reward >= 0


def test_a_gap_ends_the_search():
    found = solve(BoundedTrial(10), gap=0.9)

    assert found.status in (Status.WITHIN_GAP, Status.OPTIMAL)
    assert found.relative_gap <= 0.9


def test_an_event_ends_the_run_with_a_plan():
    cancel = Event()
    cancel.set()

    found = solve(Trial(30), cancel=cancel)

    assert found.status is Status.INTERRUPTED
    assert found.expected_reward == 0


class Interrupting(Trial):
    """A trial in which Ctrl-C is pressed after so many rewards."""

    left = 500

    def reward(self, results):
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return super().reward(results)


@pytest.mark.parametrize("left", [2, 3, 50, 501, 502, 503, 504, 505])
def test_ctrl_c_leaves_a_plan_in_which_every_state_is_whole(left):
    space = Interrupting(12)
    space.left = left

    found = solve(space)

    best = solve(Trial(12)).expected_reward
    assert found.status is Status.INTERRUPTED
    assert 0 <= found.expected_reward <= best
    for node in found.tree.walk():
        total = sum(child.probability for child in node.children.values())
        assert node.is_leaf or total == pytest.approx(node.probability)


def test_a_plan_that_a_limit_cut_short_is_worth_what_it_says():
    space = Interrupting(12)

    found = solve(space)

    worth = sum(leaf.probability * leaf.reward for leaf in found.tree.leaves())
    assert worth == pytest.approx(found.expected_reward)


class InterruptedSearch(Bounded):
    """A space with bounds in which Ctrl-C is pressed after so many rewards."""

    left = 0

    def reward(self, state):
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return super().reward(state)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_a_search_that_is_cut_short_has_bounds_that_hold(portion, step_by_step):
    for seed in seeds(40, portion):
        check_bounds(InterruptedSearch(seed))


def check_bounds(space):
    best = float(space.value(0)[0])
    for space.slack in (0, 1, 5):
        for left in range(2, 13):
            space.left = left
            found = solve(space)

            assert found.expected_reward <= best + 1e-9
            assert found.upper_bound >= best - 1e-9
            if found.status is Status.OPTIMAL:
                assert found.expected_reward == pytest.approx(best)
