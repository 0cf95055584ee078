"""Histories: for each state of a policy, one way in which it can come about."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from branchwise.tree.policy import Policy, children_first

__all__ = ["Outcomes", "histories"]

Outcomes = Mapping[str, frozenset[str]]
"""The outcomes that each action has had."""


def histories(policy: Policy, root: Hashable) -> Iterator[tuple[Hashable, Outcomes]]:
    """
    Yield every state of a policy with what has happened on one way there, root first.

    A state may stand for many histories, but only for such as have the same future:
    what is paid or charged there after one of them is the same after all.
    """
    found: dict[Hashable, Outcomes] = {root: {}}
    for state in reversed(list(children_first(policy, root))):
        outcomes, decision = found.pop(state), policy[state]
        yield state, outcomes
        if decision.action is None:
            continue
        name = decision.action
        for label, _, child in decision.branches:
            if child not in found:
                had = outcomes.get(name, frozenset())
                found[child] = {**outcomes, name: had | {label}}
