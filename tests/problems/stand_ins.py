"""Plans that no engine made: of any size, and with all that a plan may know."""

from dataclasses import replace

from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.solver import solve
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree


def steps(number):
    """
    Give a problem whose plan takes every step, whatever comes of it.

    Rewards add up, so the tree has 2 ** (number + 1) - 1 nodes, but steps that are
    worth the same lead to few states.
    """
    actions = [
        Action(f"step {n}", outcomes={"ok": f"{30 + 3 * n}%", "fail": "rest"})
        for n in range(number)
    ]
    rewards = [Reward(action["ok"], 1 + n % 3) for n, action in enumerate(actions)]
    name = f"{number} steps"
    return Problem(actions, rewards, budget=number, combine="sum", name=name)


def branching(depth):
    """Give a plan in which no two nodes are alike: a state for each."""
    first_leaf = 2**depth
    policy = {
        leaf: Decision(None, (), leaf % 7, leaf % 7)
        for leaf in range(first_leaf, 2 * first_leaf)
    }
    for state in range(first_leaf - 1, 0, -1):
        probabilities = (1 + state % 9) / 10
        left, right = 2 * state, 2 * state + 1
        value = (
            probabilities * policy[left].value
            + (1 - probabilities) * policy[right].value
        )
        branches = (
            Branch("left", probabilities, left),
            Branch("right", 1 - probabilities, right),
        )
        policy[state] = Decision(f"turn {state % 50}", branches, value, 0)
    return DecisionTree(policy, 1)


def tosses(number):
    """Give a plan of few states whose tree has 2 ** (number + 1) - 1 nodes."""
    policy = {0: Decision(None, (), 1.0, 1.0)}
    for left in range(1, number + 1):
        branches = Branch("heads", 0.5, left - 1), Branch("tails", 0.5, left - 1)
        policy[left] = Decision(f"toss {left}", branches, 1.0, 0.0)
    return DecisionTree(policy, number)


def solution_of(tree, **changes):
    """Give a solution with this tree, as if it were of a space of one's own."""
    solved = solve(steps(1))
    return replace(
        solved,
        tree=tree,
        expected_reward=tree.root.value,
        **{"problem": None, **changes},
    )
