"""The outlook: what may come of a plan, in reward, in cost and in actions taken."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from branchwise.model.budget import Amounts
from branchwise.model.problem import Problem, a_problem
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree, checked_tree
from branchwise.tree.describing import histories
from branchwise.tree.distribution import (
    Distribution,
    accumulated,
    exact_rewards,
    final_rewards,
    numbers_of_actions,
)


@dataclass(frozen=True, slots=True)
class Outlook:
    """
    What may come of a plan, and how likely.

    Parameters
    ----------
    net_rewards
        The final reward less weighted cost; its mean is the expected reward.
    rewards
        The final reward alone. The same, where the problem has no `cost_weight`.
    costs
        What is spent of each resource, by its name.
    num_actions
        How many actions are taken.
    """

    net_rewards: Distribution
    rewards: Distribution
    costs: Mapping[str, Distribution]
    num_actions: Distribution


def outlook(tree: DecisionTree, problem: Problem) -> Outlook:
    """
    Work out exactly what may come of a plan, without unrolling its tree.

    Parameters
    ----------
    tree
        The plan. Its probabilities are taken from its policy; numbers are exact where
        these are.
    problem
        What the plan is for; says what each action costs and what is paid in the end.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> from branchwise.solver import solve
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2, cost=3)
    >>> problem = Problem([toss], [Reward(toss["heads"], 10)], budget=6)
    >>> expected = outlook(solve(problem).tree, problem)
    >>> expected.rewards.chances
    ((0.0, 0.25), (10.0, 0.75))
    >>> expected.costs["budget"].chances
    ((Fraction(3, 1), 0.5), (Fraction(6, 1), 0.5))
    """
    checked_tree(tree)
    a_problem(problem)
    prices = _prices(tree, problem)
    rewards = final_rewards(tree, problem)
    net = rewards
    if problem.cost_weight:
        net = _net_rewards(tree, problem, prices).in_numbers_of(tree)
    return Outlook(
        net_rewards=net,
        rewards=rewards,
        costs={r: _costs(tree, r, prices) for r in problem.budget},
        num_actions=numbers_of_actions(tree),
    )


def _costs(
    tree: DecisionTree, resource: str, prices: Mapping[Hashable, Amounts]
) -> Distribution:
    def price(state: Hashable) -> Real:
        return prices[state].of(resource)

    return accumulated(tree, price, lambda _, total: total)


def net_rewards(tree: DecisionTree, problem: Problem) -> Distribution:
    """
    Return the distribution of the final reward less weighted cost, in exact values.

    However wide their range is, two values are the same only if they are equal.
    """
    return _net_rewards(tree, problem, _prices(tree, problem))


def _net_rewards(
    tree: DecisionTree, problem: Problem, prices: Mapping[Hashable, Amounts]
) -> Distribution:
    weight = problem.cost_weight
    paid = exact_rewards(tree, problem)

    def charge(state: Hashable) -> Real:
        return weight.times(prices[state])

    def net(state: Hashable, total: Real) -> Real:
        return paid[state] - total

    return accumulated(tree, charge, net)


def _prices(tree: DecisionTree, problem: Problem) -> Mapping[Hashable, Amounts]:
    """Return what the action of each state costs."""
    actions = {action.name: action for action in problem.actions}
    prices: dict[Hashable, Amounts] = {}
    for state, outcomes in histories(tree.policy, tree.root.key):
        name = tree.policy[state].action
        if name is not None:
            prices[state], _ = actions[name].as_of(outcomes)
    return prices
