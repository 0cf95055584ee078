"""Tree selection, against the paper's worked table and the oracle."""

from fractions import Fraction

import pytest

from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.reference.full_graph import FullGraph
from branchwise.reference.objective import OBJECTIVES
from branchwise.reference.pipeline import solve_by_reference
from branchwise.reference.reduced_graph import reduced_graph
from branchwise.reference.select_tree import select_tree
from branchwise.space.problem_space import PackedState
from branchwise.tree.choices.preference import Preference
from oracles.oracle import Oracle
from problems.paper import by_vector, illustrative

# "Illustrative example - Optimal decision tree": the nodes in the subtree and the
# action chosen.
NODES = {
    "2022100": (3, "a7"),
    "2122100": (3, "a7"),
    "2222100": (3, "a7"),
    "2022101": (1, None),
    "2022102": (1, None),
    "2122101": (1, None),
    "2122102": (1, None),
    "2222101": (1, None),
    "2222102": (1, None),
}


def starting_at(vector, stages):
    """The stages of the example, as if it began at another state."""
    space, graph, phi, _ = stages
    root = by_vector(space, graph.actions)[vector]
    here = FullGraph(root, graph.actions, rewards=graph.rewards)
    return here, phi, reduced_graph(here, phi)


@pytest.mark.parametrize("vector", NODES)
def test_nodes_in_the_subtree_are_those_of_the_worked_table(stages, vector):
    num_nodes, action = NODES[vector]
    graph, phi, reduced = starting_at(vector, stages)

    policy = select_tree(graph, phi, reduced, Preference.of("fewest-nodes"))

    assert policy[graph.root].action == action
    assert len(policy) == num_nodes  # no state of these subtrees is shared


def test_tied_actions_cost_seven_nodes_against_three(stages):
    """The worked table: min(7, 3) for a2 and a7 at [2,0,2,2,1,0,0]."""
    space, _, _, reduced = stages
    state = by_vector(space, reduced.actions)["2022100"]
    fewest = OBJECTIVES["fewest-nodes"]

    a2, a7 = reduced.actions[state]
    leaf = fewest(None, None, ())
    pair = fewest(None, a7, [(0.9, leaf), (0.1, leaf)])

    assert (a2.name, a7.name) == ("a2", "a7")
    assert pair == 3
    assert fewest(None, a2, [(0.4, pair), (0.6, pair)]) == 7


def test_a_function_of_your_own_settles_ties():
    """Preferring many nodes finds a larger tree with the same value."""

    def most_nodes(state, action, children):
        assert isinstance(state, PackedState)
        return -1 + sum(nodes for _, nodes in children)

    solution = solve_by_reference(illustrative(), prefer=most_nodes, exact=True)

    assert solution.prefer == "most_nodes"
    assert solution.expected_reward == Fraction(105459, 12500)
    assert solution.tree.num_nodes > 33


def test_order_passes_over_an_optimal_action_that_makes_no_difference(stages):
    """
    At [2,0,2,2,1,0,0] both a2 and a7 are optimal, and a2 stands first; but whatever
    comes of a2, only a7 decides what is earned.
    """
    graph, phi, reduced = starting_at("2022100", stages)

    policy = select_tree(graph, phi, reduced, Preference.of("order"))

    assert policy[graph.root].action == "a7"


def test_order_takes_the_first_of_the_file_that_makes_a_difference():
    """Either coin alone is as good as the other, and both may be tossed."""
    one, other = (
        Action(name, outcomes={"heads": 0.5, "tails": 0.5}) for name in ("one", "other")
    )
    rewards = [Reward(one["heads"], 2), Reward(other["heads"], 2)]
    for actions in ([one, other], [other, one]):
        problem = Problem(actions, rewards)

        tree = solve_by_reference(problem, prefer="order").tree

        assert tree.root.action == actions[0].name
        assert tree.action_after(f"{actions[0].name}=tails") == actions[1].name


def test_where_no_step_makes_a_difference_order_takes_the_fewest_nodes():
    """
    Both `long` and `short` are certain and open the prize, but `long` needs another
    step; nothing that is certain makes a difference, so that the short way is taken.
    """
    long = Action("long", outcomes={"done": 1})
    longer = Action("longer", outcomes={"done": 1}, requires=long["done"])
    short = Action("short", outcomes={"done": 1})
    prize = Action(
        "prize",
        outcomes={"won": 0.5, "lost": 0.5},
        requires=longer["done"] | short["done"],
    )
    problem = Problem([long, longer, short, prize], [Reward(prize["won"], 8)])

    tree = solve_by_reference(problem, prefer="order").tree

    assert tree.root.action == "short"
    assert tree.num_nodes == 4


@pytest.mark.parametrize(
    "objective", ["least-depth", "least-expected-cost", "fewest-expected-actions"]
)
def test_of_trees_that_measure_the_same_one_with_fewer_nodes_is_taken(objective):
    """
    The dice and the coin win equally often at the same cost, and the dice stand first;
    but a coin has two sides, and so its tree three nodes, not seven.
    """
    sides = {str(side): Fraction(1, 6) for side in range(1, 7)}
    dice = Action("dice", outcomes=sides, cost=2)
    coin = Action("coin", outcomes={"heads": 0.5, "tails": 0.5}, cost=2)
    even = dice["2"] | dice["4"] | dice["6"]
    problem = Problem(
        [dice, coin], [Reward(even, 6), Reward(coin["heads"], 6)], budget=2
    )

    solution = solve_by_reference(problem, prefer=objective)

    assert solution.first_action == "coin"
    assert solution.tree.num_nodes == 3


def document(problem):
    """The example in the oracle's form."""
    actions = {}
    for action in problem.actions:
        probabilities = {o.label: str(o.probability) for o in action.outcomes}
        actions[action.name] = {"outcomes": probabilities}
    actions["a4"]["requires"] = {"any": ["a1=2", "a3=2"]}
    actions["a5"] |= {"requires": "a4=2", "precluded_by": "a3"}
    actions["a6"]["requires"] = {"all": ["a4=2", "a2=2"]}
    actions["a7"]["requires"] = "a3=2"
    rewards = [{"when": str(r.when), "value": str(r.value)} for r in problem.rewards]
    return {"budget": 6, "actions": actions, "rewards": rewards}


@pytest.mark.parametrize("objective", sorted(set(OBJECTIVES) - {"order"}))
def test_every_objective_finds_its_best_tree_of_the_example(objective):
    problem = illustrative(6)
    oracle = Oracle(document(problem))

    tree = solve_by_reference(problem, prefer=objective, exact=True).tree
    measured = {
        "fewest-nodes": tree.num_nodes,
        "least-depth": tree.depth,
        # Every action costs one, so both count the decisions.
        "least-expected-cost": sum(n.probability for n in tree.walk() if n.action),
        "fewest-expected-actions": sum(n.probability for n in tree.walk() if n.action),
    }

    assert measured[objective] == oracle.worth(objective, oracle.root)
