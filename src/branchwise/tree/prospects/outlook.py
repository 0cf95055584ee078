"""The outlook: what may come of a plan, in reward, in cost and in actions taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from branchwise.model.budget import Amounts
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree, checked_tree
from branchwise.tree.describing import histories
from branchwise.tree.prospects.arrivals import arrivals, payoffs
from branchwise.tree.prospects.distribution import (
    Distribution,
    accumulated,
    exact_rewards,
    final_rewards,
    total_of,
)

if TYPE_CHECKING:
    from branchwise.space.own_space import OwnSpace


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


def outlook(tree: DecisionTree, problem: Problem | OwnSpace) -> Outlook:
    """
    Work out exactly what may come of a plan, without unrolling its tree.

    Parameters
    ----------
    tree
        The plan. Its probabilities are taken from its policy; numbers are exact where
        these are.
    problem
        What the plan is for; says what each action costs and what is paid in the end.
        In a state space of your own, what actions cost is one resource, ``cost``.

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
    if not isinstance(problem, Problem):
        # Start-up is felt, so what few ask for is loaded only here.
        from branchwise.tree.own_plan import COST, own_distributions  # noqa: PLC0415

        net, rewards, spent_in_all, num_actions = own_distributions(tree, problem)
        return Outlook(net, rewards, {COST: spent_in_all}, num_actions)
    if features_of(problem):
        return _wide_outlook(tree, problem)
    prices = _prices(tree, problem)
    rewards = net = final_rewards(tree, problem)
    if problem.cost_weight:
        net = _net_rewards(tree, problem, prices).in_numbers_of(tree)

    def spent(resource: str) -> Distribution:
        return total_of(tree, lambda state: prices[state].of(resource))

    costs = {resource: spent(resource) for resource in problem.budget}
    return Outlook(net, rewards, costs, num_actions=total_of(tree, lambda _: 1))


def _wide_outlook(tree: DecisionTree, problem: Problem) -> Outlook:
    """Do the same where states hold more than outcomes and what is left."""
    exactly = _wide_distributions(tree, problem)
    return replace(
        exactly,
        net_rewards=exactly.net_rewards.in_numbers_of(tree),
        rewards=exactly.rewards.in_numbers_of(tree),
    )


def _wide_distributions(tree: DecisionTree, problem: Problem) -> Outlook:
    """Return what may come of a plan; rewards differ only if they are not equal."""
    met = list(arrivals(tree, problem))
    net, rewards = _collected(), _collected()
    costs = {resource: _collected() for resource in problem.budget}
    num_actions = _collected()
    for each in met:
        num_actions[each.num_actions] += each.probability
        for resource, found in costs.items():
            found[each.spent.of(resource)] += each.probability
        charge = problem.charge_weight.times(each.spent)
        for paid, probability in payoffs(each, problem):
            rewards[paid] += probability
            net[paid - charge] += probability
    return Outlook(
        Distribution.of_distinct(net),
        Distribution.of_distinct(rewards),
        {resource: Distribution.of_distinct(each) for resource, each in costs.items()},
        num_actions=Distribution.of_distinct(num_actions),
    )


def _collected() -> defaultdict[Real, Real]:
    return defaultdict(int)


def net_rewards(tree: DecisionTree, problem: Problem) -> Distribution:
    """Return the distribution of the final reward less weighted cost, exactly."""
    if features_of(problem):
        return _wide_distributions(tree, problem).net_rewards
    # However wide their range is, two values are the same only if they are equal.
    return _net_rewards(tree, problem, _prices(tree, problem))


def _net_rewards(
    tree: DecisionTree, problem: Problem, prices: Mapping[Hashable, Amounts]
) -> Distribution:
    weight, paid = problem.cost_weight, exact_rewards(tree, problem)
    return accumulated(
        tree,
        lambda state: weight.times(prices[state]),
        lambda state, total: paid[state] - total,
    )


def _prices(tree: DecisionTree, problem: Problem) -> Mapping[Hashable, Amounts]:
    actions = {action.name: action for action in problem.actions}
    prices: dict[Hashable, Amounts] = {}
    for state, outcomes in histories(tree.policy, tree.root.key):
        name = tree.policy[state].action
        if name is not None:
            prices[state], _ = actions[name].as_of(outcomes)
    return prices
