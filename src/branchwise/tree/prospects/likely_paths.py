"""The likeliest ways a plan may go, from its start to where it stops."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import nlargest
from typing import NamedTuple

from branchwise.model.conditions.condition import Happened
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import Decision, children_first
from branchwise.tree.decision_tree import DecisionTree, Path


class LikelyPath(NamedTuple):
    """One way a plan may go until it stops."""

    path: Path  # What happens, in order
    probability: Real  # How likely it goes this way
    reward: Real  # The reward where it stops


class _Tail(NamedTuple):
    """How a path goes on from a state."""

    probability: Real
    reward: Real
    event: Happened | None
    rest: _Tail | None

    def events(self) -> Iterator[Happened]:
        tail: _Tail | None = self
        while tail is not None and tail.event is not None:
            yield tail.event
            tail = tail.rest


def likely_paths(tree: DecisionTree, num_paths: int) -> tuple[LikelyPath, ...]:
    """List the likeliest paths of a plan, without unrolling its tree."""
    policy = tree.policy
    tails: dict[Hashable, list[_Tail]] = {}
    for state in children_first(policy, tree.root.key):
        ways = _tails(policy[state], tails)
        tails[state] = nlargest(num_paths, ways, key=lambda tail: tail.probability)
    found = tails[tree.root.key]
    return tuple(LikelyPath(tuple(t.events()), t.probability, t.reward) for t in found)


def _tails(decision: Decision, below: dict[Hashable, list[_Tail]]) -> Iterator[_Tail]:
    """Return the ways to go on; the likeliest go on by the likeliest of a child."""
    if decision.action is None:
        yield _Tail(1, decision.reward, None, None)
        return
    for outcome, probability, state in decision.branches:
        event = Happened(decision.action, outcome)
        for rest in below[state]:
            yield _Tail(rest.probability * probability, rest.reward, event, rest)
