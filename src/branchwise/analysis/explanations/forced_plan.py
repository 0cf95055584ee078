"""Forced plans: an action that somebody has chosen, and the best plans after it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.policy import Branch, Decision, Shape

__all__ = ["forced_plan"]


class _After(NamedTuple):
    """A state of the plan that follows one outcome."""

    outcome: str
    key: Hashable


_START: Final = "start"


def forced_plan(
    first: Decision, plans: Mapping[str, DecisionTree], state: object
) -> DecisionTree:
    """
    Join the plans that follow an action into one that begins with it.

    Parameters
    ----------
    first
        The action, its outcomes, and what it is worth; its branches lead nowhere yet.
    plans
        The plan after each outcome.
    state
        Where it begins.
    """
    shapes = [plan.shape for plan in plans.values()]
    shape = Shape(
        nodes=1 + sum(each.nodes for each in shapes),
        leaves=sum(each.leaves for each in shapes),
        depth=1 + max(each.depth for each in shapes),
    )
    return DecisionTree(_Joined(first, plans), _START, _States(state, plans), shape)


@dataclass(frozen=True, slots=True)
class _States:
    """Describes the states of a plan that was joined from others."""

    start: object
    plans: Mapping[str, DecisionTree]

    def __call__(self, key: Hashable, path: Path) -> object:
        if not isinstance(key, _After):
            return self.start
        return self.plans[key.outcome].describe(key.key, path[1:])


class _Joined(Mapping[Hashable, Decision]):
    """The decisions of several plans, and the one before them; made when asked for."""

    def __init__(self, first: Decision, plans: Mapping[str, DecisionTree]) -> None:
        self._plans = plans
        branches = tuple(
            branch._replace(
                state=_After(branch.outcome, plans[branch.outcome].root.key)
            )
            for branch in first.branches
        )
        self._first = first._replace(branches=branches)

    def __getitem__(self, key: Hashable) -> Decision:
        if key == _START:
            return self._first
        if not isinstance(key, _After):
            raise KeyError(key)
        decision = self._plans[key.outcome].policy[key.key]
        branches = tuple(
            Branch(outcome, probability, _After(key.outcome, state))
            for outcome, probability, state in decision.branches
        )
        return decision._replace(branches=branches)

    def __iter__(self) -> Iterator[Hashable]:
        yield _START
        for outcome, plan in self._plans.items():
            for key in plan.policy:
                yield _After(outcome, key)

    def __len__(self) -> int:
        return 1 + sum(len(plan.policy) for plan in self._plans.values())
