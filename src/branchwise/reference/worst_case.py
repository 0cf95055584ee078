"""The worst case: the full graph as an adversary makes it, strike by strike."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from branchwise.reference.full_graph import FullGraph
from branchwise.reference.score import action_score, tie_tolerance
from branchwise.space.state_space import AvailableAction, Real, Transition
from branchwise.tree.progress import Listener, Progress, Stage, silent

__all__ = ["Faced", "worst_case_graph"]

S = TypeVar("S", bound=Hashable)


class Faced(NamedTuple, Generic[S]):
    """
    A state, and how often the adversary can still strike.

    Parameters
    ----------
    state
        The state of the space.
    strikes
        A whole number, or infinity.
    """

    state: S
    strikes: int | float


def worst_case_graph(
    graph: FullGraph[S], strikes: int | float, progress: Listener = silent
) -> FullGraph[Faced[S]]:
    """
    Give the full graph with the odds that the adversary chooses everywhere.

    V(s, g) = max(rho(s), max over actions of min(at nominal odds with g strikes left,
    at the worst odds with g - 1)), children first. Once the adversary's choices are
    known, it is a graph like any other: its scores are V, and its best tree is the
    plan that fares best in the worst case.
    """
    layers = [strikes] if strikes == float("inf") else range(int(strikes) + 1)
    tolerance = tie_tolerance(graph.rewards.values())
    worst: FullGraph[Faced[S]] = FullGraph(Faced(graph.root, strikes))
    value: dict[Faced[S], Real] = {}
    for state in graph.children_first():
        for left in layers:
            here = Faced(state, left)
            answers = [
                answered(action, left, value, tolerance)
                for action in graph.actions[state]
            ]
            options = [action_score(answer, value) for answer in answers]
            worst.rewards[here] = graph.rewards[state]
            worst.actions[here] = tuple(answers)
            value[here] = max([graph.rewards[state], *options])
        progress(Progress(Stage.FULL_GRAPH, len(value)))
    return worst


def answered(
    action: AvailableAction[S],
    strikes: int | float,
    value: dict[Faced[S], Real],
    tolerance: float,
) -> AvailableAction[Faced[S]]:
    """Give an action with the odds that the adversary answers it with."""
    nominal = _led_to(action, [t.probability for t in action.transitions], strikes)
    if action.spread is None or strikes == 0:
        return nominal
    values = [value[Faced(t.state, strikes - 1)] for t in action.transitions]
    odds = action.spread.worst(values, tolerance)
    struck = _led_to(action, odds, strikes - 1)
    harm = action_score(nominal, value) - action_score(struck, value)
    return struck if harm > tolerance else nominal


def _led_to(
    action: AvailableAction[S], odds: Sequence[Real], strikes: int | float
) -> AvailableAction[Faced[S]]:
    transitions = tuple(
        Transition(t.outcome, probability, Faced(t.state, strikes))
        for t, probability in zip(action.transitions, odds, strict=True)
    )
    return AvailableAction(
        action.name, transitions, action.cost, action.charge, action.spread
    )
