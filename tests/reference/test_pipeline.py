"""The pipeline as a whole, against the numbers of the paper and of design."""

import json
from fractions import Fraction

import pytest

from branchwise import Adversary, read_text, solve
from branchwise.errors import ProblemError
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.reference.full_graph import naive_full_graph
from branchwise.reference.pipeline import solve_by_reference
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.state_space import AvailableAction, Transition
from branchwise.tree.progress import Stage
from problems.paper import FIGURE_4, illustrative
from problems.robust_documents import robust_documents

# Budget: value, nodes of the tree, states of the accelerated full and reduced graph.
ILLUSTRATIVE = {
    3: (Fraction(33, 5), 11, 19, 11),
    4: (Fraction(393, 50), 15, 87, 21),
    5: (Fraction(4119, 500), 23, 140, 48),
    6: (Fraction(105459, 12500), 33, 168, 92),
    7: (Fraction(530211, 62500), 37, 180, 112),
}


@pytest.mark.parametrize("budget", ILLUSTRATIVE)
def test_the_illustrative_example_has_its_published_value_and_sizes(budget):
    solution = solve_by_reference(illustrative(budget), exact=True)

    statistics = solution.statistics
    found = (
        solution.expected_reward,
        statistics.tree_nodes,
        statistics.full_graph_states,
        statistics.reduced_graph_states,
    )
    assert found == ILLUSTRATIVE[budget]
    assert solution.first_action == "a1"


def test_four_rewarding_sets_lead_to_the_rewards_of_the_example():
    assert solve_by_reference(illustrative()).statistics.rewarding_sets == 4


def test_the_naive_full_graph_of_the_example_has_175_states():
    solution = solve_by_reference(illustrative(), naive=True, exact=True)

    assert solution.statistics.full_graph_states == 175
    assert solution.statistics.rewarding_sets is None
    assert solution.expected_reward == Fraction(105459, 12500)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("naive", [False, True])
def test_the_tree_is_the_one_of_figure_4_node_for_node(naive, exact):
    tree = solve_by_reference(illustrative(), naive=naive, exact=exact).tree

    def drawn(node):
        if node.is_leaf:
            return node.reward
        return (node.action, *map(drawn, node.children.values()))

    assert drawn(tree.root) == FIGURE_4


def test_floats_and_fractions_find_the_same_plan():
    floats = solve_by_reference(illustrative())
    fractions = solve_by_reference(illustrative(), exact=True)

    assert floats.expected_reward == pytest.approx(8.43672, rel=1e-15)
    assert [n.action for n in floats.tree.walk()] == [
        n.action for n in fractions.tree.walk()
    ]


def test_a_chain_of_5000_actions_needs_no_recursion():
    """Each step succeeds with 999/1000, so all of them do with (999/1000)^5000."""
    steps = [
        Action(
            f"step {i}",
            outcomes={"fall": "1/1000", "go on": "rest"},
            requires=f'"step {i - 1}"="go on"' if i else "always",
        )
        for i in range(5000)
    ]
    problem = Problem(steps, [Reward(steps[-1]["go on"], 10)], budget=5000)

    solution = solve_by_reference(problem)

    assert solution.expected_reward == pytest.approx(10 * 0.999**5000)
    assert solution.tree.depth == 5000
    assert sum(1 for _ in solution.tree.walk()) == 10_001


def test_progress_reports_every_stage_in_the_order_of_the_paper():
    reported = []

    solve_by_reference(illustrative(), progress=lambda now: reported.append(now.stage))

    assert list(dict.fromkeys(reported)) == [
        Stage.REWARDING_SETS,
        Stage.FULL_GRAPH,
        Stage.REDUCED_GRAPH,
        Stage.TREE,
    ]


def test_an_interrupt_during_the_work_ends_it_at_once():
    def interrupt(progress):
        if progress.num_states > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_by_reference(illustrative(), progress=interrupt)


class Countdown:
    """Roll dice until the pips are used up; pips left over pay their square."""

    root = 6

    def actions(self, pips):
        if pips > 0:
            rolls = [(str(n), 1 / 3, max(pips - n, 0)) for n in (1, 2, 3)]
            yield AvailableAction("roll", tuple(Transition(*r) for r in rolls), cost=1)

    def reward(self, pips):
        return (pips % 4) ** 2


def test_any_state_space_can_be_solved():
    """
    Stopping pays 0 at 4 and 0, 1 at 1 and 5, 4 at 2 and 6, 9 at 3. From 6 a roll
    leads to 5, 4 or 3; there 3 pays 9, 4 rolls on to 3, 2, 1 for (9 + 4 + 1) / 3, and 5
    rolls on to 4, 3, 2 for (14/3 + 9 + 4) / 3.
    """
    solution = solve_by_reference(Countdown(), exact=True)

    at_4 = Fraction(14, 3)
    at_5 = (at_4 + 9 + 4) / 3
    # 1/3 as a float is taken as the decimal it prints as.
    assert solution.expected_reward == pytest.approx((at_5 + at_4 + 9) / 3)
    assert solution.first_action == "roll"
    assert solution.tree.after("roll=2").state == 4


def test_a_state_space_that_goes_in_circles_is_refused():
    class Circle:
        root = "here"

        def actions(self, state):
            other = "there" if state == "here" else "here"
            yield AvailableAction("go", (Transition("gone", 1.0, other),))

        def reward(self, state):
            return 0

    with pytest.raises(ProblemError) as caught:
        solve_by_reference(Circle())

    assert str(caught.value) == (
        "state 'here': can be reached from itself, so a plan might never end: "
        "`go` leads there from state 'there'\n"
        "    fix: let every action use something up, and make that part of the state"
    )


class Own:
    """The states of a problem as somebody might have written them."""

    def __init__(self, problem, *, has_spreads=True):
        self._space = ProblemSpace(problem, has_adversary=has_spreads)
        self.root, self.actions = self._space.root, self._space.actions
        self.reward = self._space.reward


@pytest.mark.parametrize("gamma", [0, 1, None])
def test_an_adversary_deviates_in_a_state_space_of_ones_own(gamma):
    adversary, num_solved = Adversary(gamma=gamma), 0
    for document in robust_documents(20, "own", max_states=100):
        problem = read_text(json.dumps(document), "json")
        own = Own(problem)
        reached = naive_full_graph(own).actions.values()
        if any(action.spread for actions in reached for action in actions):
            robust = solve(problem, adversary=adversary)

            found = solve(own, adversary=adversary)

            assert found.expected_reward == pytest.approx(robust.expected_reward)
            assert found.adversary is adversary
            num_solved += 1
    assert num_solved > 10


def test_a_distance_of_the_adversary_holds_for_a_state_space_of_ones_own():
    """A toss for 10 is worth 5, or 10 * 0.4 where a tenth may move."""
    toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    problem = Problem([toss], [Reward(toss["heads"], 10)])
    adversary = Adversary(distance="0.1")

    for exact in (False, True):
        own = solve(Own(problem, has_spreads=False), adversary=adversary, exact=exact)
        assert own.expected_reward == pytest.approx(4)
        assert own.tree.root.has_deviation


def test_an_adversary_without_any_choice_in_a_state_space_is_refused():
    with pytest.raises(ValueError, match="leaves the adversary no choice"):
        solve(Countdown(), adversary=Adversary())
