"""The paper's stages in C++ find what the reference finds, state for state."""

import json
import math
import time
from dataclasses import replace
from itertools import cycle, pairwise
from pathlib import Path
from threading import Event

import pytest

from branchwise import evaluate, read, read_text
from branchwise.engine.limits import Limits
from branchwise.engine.paper import solve_by_paper
from branchwise.errors import LimitError
from branchwise.model.action import Action, Given
from branchwise.model.problem import Problem, Reward
from branchwise.reference.full_graph import accelerated_full_graph, naive_full_graph
from branchwise.reference.pipeline import solve_by_reference
from branchwise.reference.reduced_graph import reduced_graph, scores
from branchwise.reference.rewarding_sets import RewardingSetPruning
from branchwise.reference.select_tree import select_tree
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.preference import Preference
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.progress import Stage
from problems.paper import FIGURE_4, illustrative
from problems.strategies import seeded_documents

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "illustrative.yaml"
INSTANCES = ROOT / "benchmarks" / "instances"
PORTIONS = 12
PORTION = 50


def nodes(tree):
    """All that a tree says, node by node."""
    return [
        (node.action, node.outcome, node.state, node.reward) for node in tree.walk()
    ]


def reference_trees(problem, *, naive, objectives):
    """The counts of the reference, its value, and its tree for each objective."""
    space = ProblemSpace(problem)
    found = None if naive else list_sets(space)
    if found is None:
        graph = naive_full_graph(space)
    else:
        graph = accelerated_full_graph(space, RewardingSetPruning(space, found))
    phi = scores(graph)
    reduced = reduced_graph(graph, phi)
    trees = {
        name: DecisionTree(
            select_tree(graph, phi, reduced, Preference.of(name)),
            graph.root,
            lambda state, _path: space.describe(state),
        )
        for name in objectives
    }
    return (len(graph), len(reduced)), phi[graph.root], trees


def agree(problem, *, naive, objectives=OBJECTIVE_NAMES):
    counts, value, trees = reference_trees(problem, naive=naive, objectives=objectives)
    for prefer, tree in trees.items():
        solution = solve_by_paper(problem, prefer=prefer, naive=naive)
        found = solution.statistics

        assert (found.full_graph_states, found.reduced_graph_states) == counts
        assert solution.expected_reward == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert found.tree_nodes == solution.tree.num_nodes == tree.num_nodes
        assert solution.tree.depth == tree.depth
        if tree.num_nodes < 2000:
            assert nodes(solution.tree) == nodes(tree), prefer


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_600_random_problems_have_the_reference_s_states_and_trees(portion):
    # Every sixth portion may be large; the others cover more ground in less time.
    max_states = 3000 if portion % 6 == 0 else 400
    documents = seeded_documents(
        PORTION, seed=f"paper engine {portion}", max_states=max_states
    )
    # Two of the objectives at a time, and others with naive, all in their turn.
    turns = cycle(OBJECTIVE_NAMES)
    for document in documents:
        problem = read_text(json.dumps(document), format="json")
        agree(problem, naive=True, objectives=[next(turns), next(turns)])
        agree(problem, naive=False, objectives=[next(turns), next(turns)])


@pytest.mark.parametrize("seed", range(3))
def test_a_plan_is_worth_what_the_problem_says(seed):
    for document in seeded_documents(20, seed=seed, max_states=300):
        problem = read_text(json.dumps(document), format="json")
        solution = solve_by_paper(problem)
        worth = float(evaluate(solution.tree, problem))

        assert solution.expected_reward == pytest.approx(worth, rel=1e-12, abs=1e-12)


# Budget: value, states of the accelerated full graph and of the reduced graph, nodes.
PUBLISHED = {
    3: (33 / 5, 19, 11, 11),
    4: (393 / 50, 87, 21, 15),
    5: (4119 / 500, 140, 48, 23),
    6: (105459 / 12500, 168, 92, 33),
    7: (530211 / 62500, 180, 112, 37),
}


@pytest.mark.parametrize("budget", PUBLISHED)
def test_the_illustrative_example_has_its_published_value_and_sizes(budget):
    solution = solve_by_paper(illustrative(budget))
    found = solution.statistics

    assert (
        pytest.approx(solution.expected_reward, rel=1e-12),
        found.full_graph_states,
        found.reduced_graph_states,
        found.tree_nodes,
    ) == PUBLISHED[budget]


def test_the_naive_full_graph_of_the_example_has_175_states():
    found = solve_by_paper(read(EXAMPLE), naive=True).statistics

    assert found.full_graph_states == 175
    # Without pruning there are more ties: useless actions that do no harm.
    assert (found.reduced_graph_states, found.tree_nodes) == (97, 33)
    assert found.rewarding_sets is None


def test_the_tree_is_the_one_of_figure_4_node_for_node():
    def drawn(node):
        if node.is_leaf:
            return node.reward
        return (node.action, *(drawn(child) for child in node.children.values()))

    assert drawn(solve_by_paper(illustrative(6)).tree.root) == FIGURE_4


def chain(length, **budget):
    """Actions that each need the one before; the reward is for the last."""
    likely = {"fail": "1/100", "ok": "99/100"}
    actions = [Action("a0", outcomes=likely)]
    actions += [
        Action(f"a{i}", outcomes=likely, requires=f"a{i - 1}=ok")
        for i in range(1, length)
    ]
    return Problem(actions, [Reward(f"a{length - 1}=ok", 1)], **budget)


@pytest.mark.parametrize("naive", [True, False])
@pytest.mark.parametrize("length", [20, 31, 32, 40, 62, 63, 64, 90, 500])
def test_a_chain_of_any_length_has_two_states_for_each_action(length, naive):
    """After k successes the next action has failed, or not yet been taken."""
    found = solve_by_paper(chain(length, budget=length), naive=naive)

    assert found.statistics.full_graph_states == 2 * length + 1
    assert found.statistics.tree_nodes == 2 * length + 1
    assert found.expected_reward == pytest.approx(0.99**length)
    assert found.tree.depth == length


def test_200_actions_in_parallel_have_the_reference_s_states():
    """Five of the actions belong to the reward; the others lie between their bits."""
    half = {"fail": "1/2", "ok": "1/2"}
    actions = [Action(f"a{i}", outcomes=half) for i in range(200)]
    wanted = [f"a{i}=ok" for i in range(3, 200, 49)]
    problem = Problem(actions, [Reward(" and ".join(wanted), 32)], budget=5)

    agree(problem, naive=False)


def pairs(length, budget, *more):
    """Actions of which any two neighbors that succeed are worth something."""
    half = {"fail": "1/2", "ok": "1/2"}
    actions = [Action(f"a{i}", outcomes=half) for i in range(length)]
    rewards = [
        Reward(f"{one.name}=ok and {two.name}=ok", 1 + i)
        for i, (one, two) in enumerate(pairwise(actions))
    ]
    return Problem([*actions, *more], rewards, budget=budget)


@pytest.mark.parametrize("budget", [3, 4])
def test_one_price_for_all_and_many_prices_have_the_same_states(budget):
    """One action more, which costs 2 but is never allowed, takes the general way."""
    never = Action(
        "never",
        outcomes={"no": "1/2", "yes": "1/2"},
        cost=2,
        requires="a0=ok and a0=fail",
    )
    even, uneven = pairs(6, budget), pairs(6, budget, never)

    agree(even, naive=False)
    one, other = solve_by_paper(even), solve_by_paper(uneven)
    assert replace(one.statistics, seconds=None, num_bytes=None) == replace(
        other.statistics, seconds=None, num_bytes=None
    )
    assert nodes(one.tree) == nodes(other.tree)


@pytest.mark.parametrize("naive", [True, False])
def test_any_number_of_threads_finds_the_same_tree(naive):
    problem = pairs(12, 6)
    one = solve_by_paper(problem, naive=naive, num_threads=1)
    three = solve_by_paper(problem, naive=naive, num_threads=3)

    assert one.expected_reward == three.expected_reward
    assert one.statistics.full_graph_states == three.statistics.full_graph_states
    assert one.statistics.reduced_graph_states == three.statistics.reduced_graph_states
    assert nodes(one.tree) == nodes(three.tree)


@pytest.mark.parametrize("attempts", [2, 3, 1000, math.inf])
def test_repeats_are_counted_however_many_there_are(attempts):
    toss = Action(
        "toss",
        outcomes={"heads": "1/10", "tails": "9/10"},
        attempts=attempts,
        precluded_by="toss=heads",
    )
    other = Action("other", outcomes={"no": "1/2", "ok": "1/2"}, requires="toss=heads")
    problem = Problem([toss, other], [Reward("other=ok", 10)], budget=1100)

    agree(problem, naive=True)
    agree(problem, naive=False)


def test_what_is_left_tells_states_apart_even_where_it_never_runs_out():
    """After b the attempt a costs 3, before it 1: two sums for the same outcomes."""
    half = {"fail": "1/2", "ok": "1/2"}
    a = Action("a", outcomes=half, given=[Given("b", cost=3)])
    b = Action("b", outcomes=half)
    problem = Problem([a, b], [Reward("a=ok and b=ok", 1)], budget=100)

    assert solve_by_paper(problem, naive=True).statistics.full_graph_states == 13
    agree(problem, naive=True)


def test_a_cost_just_above_the_budget_is_not_rounded_down_to_it():
    half = {"fail": "1/2", "ok": "1/2"}
    a = Action("a", outcomes=half, given=[Given("b=ok", cost="3/2")])
    b = Action("b", outcomes=half, cost=0)
    problem = Problem([a, b], [Reward("a=ok and b=ok", 1)], budget=1)

    assert solve_by_paper(problem).expected_reward == 0.25
    agree(problem, naive=True)


def test_nodes_beyond_any_word_are_counted_exactly():
    """
    Two of three outcomes lead on, so n attempts make f(n) = 2 + 2 f(n - 1) nodes, and
    f(0) = 1: together 3 times 2 to the n, less 2. The order of outcomes makes nodes but
    not states, of which there are few.
    """
    third = {"one": "1/3", "two": "1/3", "gold": "1/3"}
    dig = Action("dig", outcomes=third, attempts=140, precluded_by="dig=gold")
    problem = Problem([dig], [Reward("dig=gold", 1)])

    assert solve_by_paper(problem).statistics.tree_nodes == 3 * 2**140 - 2


def test_progress_reports_the_stages_in_the_order_of_the_paper():
    seen = []
    solve_by_paper(
        illustrative(), progress=lambda progress: seen.append(progress.stage)
    )

    assert seen[0] is Stage.REWARDING_SETS
    assert sorted(seen, key=list(Stage).index) == seen


def too_large():
    half = {"fail": "1/2", "ok": "1/2"}
    actions = [Action(f"a{i}", outcomes=half) for i in range(40)]
    rewards = [
        Reward(f"{one.name}=ok and {two.name}=ok", 1) for one, two in pairwise(actions)
    ]
    return Problem(actions, rewards, combine="sum", budget=30)


def test_time_that_runs_out_says_so():
    with pytest.raises(LimitError, match=r"^time ran out"):
        solve_by_paper(too_large(), limits=Limits(time_limit_seconds=0.2))


def many_sets():
    """A reward with 3^7 ways to it, which take a while to compare with each other."""
    actions = [Action(f"a{i}", outcomes={"ok": "1/2", "no": "1/2"}) for i in range(21)]
    names = [action.name for action in actions]
    threes = [names[i : i + 3] for i in range(0, 21, 3)]
    clauses = [f"({' or '.join(f'{name}=ok' for name in some)})" for some in threes]
    return Problem(actions, [Reward(" and ".join(clauses), 1)], budget=30)


def test_time_may_run_out_while_rewarding_sets_are_listed():
    start = time.process_time()
    with pytest.raises(LimitError, match=r"^time ran out"):
        solve_by_paper(many_sets(), limits=Limits(time_limit_seconds=0.02))

    assert time.process_time() - start < 0.02 + 0.5


def test_a_run_may_be_cancelled_while_rewarding_sets_are_listed():
    cancel = Event()
    cancel.set()
    with pytest.raises(KeyboardInterrupt):
        solve_by_paper(many_sets(), limits=Limits(cancel=cancel))


def test_threads_that_share_large_layers_find_the_same_plan():
    # Some layers of this one have hundreds of thousands of states.
    problem = read(INSTANCES / "table1-00.yaml")
    one = solve_by_paper(problem)
    three = solve_by_paper(problem, num_threads=3)

    assert three.expected_reward == one.expected_reward
    assert nodes(three.tree) == nodes(one.tree)
    assert replace(three.statistics, seconds=None, num_bytes=None) == replace(
        one.statistics, seconds=None, num_bytes=None
    )


def test_memory_that_runs_out_says_so():
    with pytest.raises(LimitError, match=r"^memory ran out"):
        solve_by_paper(too_large(), limits=Limits(memory_limit_bytes=200_000_000))


def test_whoever_listens_may_end_the_run():
    def interrupt(progress):
        if progress.stage is Stage.FULL_GRAPH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_by_paper(too_large(), progress=interrupt)


def test_an_objective_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="there is no objective `fewest`"):
        solve_by_paper(illustrative(), prefer="fewest")


def test_the_policy_is_a_mapping_over_the_states_of_the_plan():
    policy = solve_by_paper(illustrative()).tree.policy
    other = solve_by_reference(illustrative()).tree.policy

    assert len(policy) == len(list(policy)) == len(other)
    assert b"no state" not in policy
    assert 7 not in policy
