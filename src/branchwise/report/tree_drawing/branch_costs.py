"""What each branch of a plan costs: the action, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from branchwise.model.budget import DEFAULT_RESOURCE, Amounts, counted
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import start_of, stepped, turn_of
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.report.text.wording import short
from branchwise.report.tree_drawing.lettering import legible
from branchwise.tree.choices.policy import children_first
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import histories

_MOST_STATES: Final = 20_000  # whose costs depend on more than outcomes

Costs = Mapping[str, Amounts]
"""What is paid if an outcome comes, by its label."""


def branch_costs(tree: DecisionTree) -> Iterator[tuple[Hashable, Costs]]:
    """
    Yield what the branches of each state cost; nothing where that is not known.

    A state may stand for many histories, but what is charged there is the same after
    all of them: one will do.
    """
    problem, policy = tree.problem, tree.policy
    if problem is None:
        return
    if features_of(problem):
        yield from _wide_costs(tree, problem)
        return
    actions = {action.name: action for action in problem.actions}
    for key, outcomes in histories(policy, tree.root.key):
        if (name := policy[key].action) is not None:
            cost, _ = actions[name].as_of(outcomes)
            yield key, dict.fromkeys((b.outcome for b in policy[key].branches), cost)


def _wide_costs(
    tree: DecisionTree, problem: Problem
) -> Iterator[tuple[Hashable, Costs]]:
    policy, root = tree.policy, tree.root.key
    order = list(children_first(policy, root))[::-1]
    if len(order) > _MOST_STATES:
        return
    states: dict[Hashable, State] = {root: start_of(problem)}
    for key in order:
        state, name = states.pop(key), policy[key].action
        if name is None:
            continue
        yield key, costs_at(problem, name, state)
        for outcome, _, child in policy[key].branches:
            if child not in states:
                states[child] = stepped(problem, state, Happened(name, outcome))


def costs_at(problem: Problem, name: str, state: State) -> Costs:
    """Return what the outcomes of an action cost at a state."""
    action = problem.action(name)
    turn = turn_of(problem, action, state)
    return {o.label: turn.cost.plus(o.cost) for o in action.outcomes}


def cost_text(cost: Amounts) -> str:
    """
    Return what a branch costs, in words; nothing where it is free.

    >>> cost_text(Amounts({"money": "2.5", "days": 1})), cost_text(Amounts(3))
    ('costs 2.5 money, 1 day', 'costs 3')
    """
    words = amount_words(cost, short)
    return f"costs {words}" if words else ""


def amount_words(cost: Amounts, write: Callable[[Fraction], str]) -> str:
    """Return the amounts of all resources in words; nothing where all are zero."""
    return ", ".join(
        write(amount)
        if resource == DEFAULT_RESOURCE
        else f"{write(amount)} {legible(counted(resource, amount))}"
        for resource, amount in cost.items()
    )
