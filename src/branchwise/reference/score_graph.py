"""The full graph as a score graph: its states in numbers, for programs."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import Any, TypeVar

from branchwise.model.problem import Problem
from branchwise.reference.full_graph import FullGraph
from branchwise.reference.pipeline import full_graph
from branchwise.rewarding.enumerate import list_sets
from branchwise.space.checked_space import CheckedSpace
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.score_graph import ScoreGraph
from branchwise.space.state_space import StateSpace
from branchwise.tree.progress import Listener, silent

S = TypeVar("S", bound=Hashable)


def full_score_graph(
    problem: Problem | StateSpace[Any],
    *,
    naive: bool = False,
    progress: Listener = silent,
) -> ScoreGraph:
    """
    Generate the full graph, and number it.

    Naive means every state, without rewarding sets; a state space of your own is always
    explored this way. It may contradict itself, or reach a state from itself, which is
    a `ProblemError`.
    """
    if not isinstance(problem, Problem):
        own = CheckedSpace(problem)
        return numbered(full_graph(own, own, None, progress))
    space = ProblemSpace(problem)
    found = None if naive else list_sets(space)
    return numbered(full_graph(space, space, found, progress), problem)


def numbered(graph: FullGraph[S], problem: Problem | None = None) -> ScoreGraph:
    """
    Number the states of a full graph: the root first, each state before its children.

    The problem is None for the graph of another state space.
    """
    states = list(graph.children_first())[::-1]
    numbers = {state: number for number, state in enumerate(states)}
    catalogue = _Catalogue(problem)
    rows = _Rows()
    for state in states:
        rows.add_state(float(graph.rewards[state]))
        for action in graph.actions[state]:
            number = catalogue.number(action.name)
            rows.add_option(number, float(action.charge))
            for label, probability, child in action.transitions:
                outcome = catalogue.outcome(number, label)
                rows.add_branch(outcome, numbers[child], float(probability))
    return rows.finished(catalogue, () if problem else states)


class _Catalogue:
    """Numbers for the names of actions and the labels of their outcomes."""

    def __init__(self, problem: Problem | None) -> None:
        self.actions: dict[str, int] = {}
        self._outcomes: list[dict[str, int]] = []
        for action in problem.actions if problem else ():
            number = self.number(action.name)
            for label in action.labels:
                self.outcome(number, label)

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(outcomes) for outcomes in self._outcomes)

    def number(self, name: str) -> int:
        if name not in self.actions:
            self.actions[name] = len(self.actions)
            self._outcomes.append({})
        return self.actions[name]

    def outcome(self, action: int, label: str) -> int:
        outcomes = self._outcomes[action]
        return outcomes.setdefault(label, len(outcomes))


class _Rows:
    """The arrays of a score graph in the making."""

    def __init__(self) -> None:
        self._rewards = array("d")
        self._first_options = array("q")
        self._actions = array("q")
        self._charges = array("d")
        self._first_branches = array("q")
        self._outcomes = array("q")
        self._children = array("q")
        self._probabilities = array("d")

    def add_state(self, reward: float) -> None:
        self._rewards.append(reward)
        self._first_options.append(len(self._actions))

    def add_option(self, action: int, charge: float) -> None:
        self._actions.append(action)
        self._charges.append(charge)
        self._first_branches.append(len(self._children))

    def add_branch(self, outcome: int, child: int, probability: float) -> None:
        self._outcomes.append(outcome)
        self._children.append(child)
        self._probabilities.append(probability)

    def finished(
        self, catalogue: _Catalogue, states: list[S] | tuple[()]
    ) -> ScoreGraph:
        self._first_options.append(len(self._actions))
        self._first_branches.append(len(self._children))
        return ScoreGraph(
            rewards=self._rewards,
            first_options=self._first_options,
            actions=self._actions,
            variants=(),
            charges=self._charges,
            first_branches=self._first_branches,
            outcomes=self._outcomes,
            children=self._children,
            probabilities=self._probabilities,
            gains=array("d", bytes(8 * len(self._probabilities))),
            action_names=tuple(catalogue.actions),
            labels=catalogue.labels,
            states=states,
        )
