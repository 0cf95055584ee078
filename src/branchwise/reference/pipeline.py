"""The paper's pipeline: full graph, reduced graph, tree."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from branchwise.model.adversary import Adversary, supported
from branchwise.model.number import exact as exact_number
from branchwise.model.problem import Problem
from branchwise.reference.full_graph import (
    FullGraph,
    accelerated_full_graph,
    naive_full_graph,
)
from branchwise.reference.objective import Objective, objective_named
from branchwise.reference.reduced_graph import reduced_graph
from branchwise.reference.rewarding_sets import RewardingSetPruning
from branchwise.reference.score import action_score, scores
from branchwise.reference.select_tree import select_tree
from branchwise.reference.worst_case import Faced, worst_case_graph
from branchwise.rewarding.enumerate import ListedSets, list_sets
from branchwise.space.checked_space import CheckedSpace
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.state_space import AvailableAction, Real, StateSpace, Transition
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import Describe, Path, SpaceStates
from branchwise.tree.policy import KnownPolicy
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

S = TypeVar("S", bound=Hashable)


def solve_by_reference(
    problem: Problem | StateSpace[Any],
    *,
    prefer: str | Objective = "fewest-nodes",
    naive: bool = False,
    exact: bool = False,
    sets: ListedSets | None = None,
    adversary: Adversary | None = None,
    progress: Listener = silent,
) -> Solution:
    """
    Find the optimal tree the paper's way.

    Naive means every state, without rewarding sets (Algorithm 1 for Algorithm 3); a
    state space of your own is always explored this way. `sets` are the rewarding sets
    to go by, where not all of them are wanted.
    """
    name, objective = objective_named(prefer)
    clock = _Clock()
    found = sets
    space, describe = _space(problem, exact=exact, adversary=adversary)
    possible = _possible(space, adversary)
    with clock.measures(Stage.REWARDING_SETS):
        if isinstance(possible, ProblemSpace) and not naive and sets is None:
            progress(Progress(Stage.REWARDING_SETS, 0))
            found = list_sets(possible)
        num_sets = None if found is None else found.count_minimal()
    with clock.measures(Stage.FULL_GRAPH):
        graph = full_graph(space, possible, found, progress)
        if adversary is not None:
            if not isinstance(problem, Problem) and adversary.distance is None:
                _check_unsure(graph)
            graph = worst_case_graph(graph, _deviations(adversary, problem), progress)
            if not isinstance(prefer, str):
                objective = _of_states(objective)
    with clock.measures(Stage.REDUCED_GRAPH):
        phi = scores(graph, progress)
        reduced = reduced_graph(graph, phi, progress)
    with clock.measures(Stage.TREE):
        policy = select_tree(graph, phi, reduced, objective, progress)
        weighed = considered_actions(graph, phi, policy) if sets is None else {}
        tree = DecisionTree(
            KnownPolicy(policy, weighed),
            graph.root,
            describe,
            problem=problem if isinstance(problem, Problem) else None,
        )
        num_nodes = tree.num_nodes
    return Solution(
        expected_reward=phi[graph.root],
        status=Status.OPTIMAL,
        tree=tree,
        engine="reference",
        prefer=name,
        is_exact=exact,
        statistics=Statistics(
            rewarding_sets=num_sets,
            full_graph_states=len(graph),
            reduced_graph_states=len(reduced),
            tree_nodes=num_nodes,
            seconds=clock.seconds(),
        ),
        problem=problem if isinstance(problem, Problem) else None,
        adversary=adversary,
    )


def _deviations(
    adversary: Adversary, problem: Problem | StateSpace[Any]
) -> int | float:
    """Return how many deviations there are; infinity where they cannot run out."""
    if not isinstance(problem, Problem):
        return adversary.deviations
    return adversary.with_useful_deviations(problem).deviations


def _space(
    problem: Problem | StateSpace[Any], *, exact: bool, adversary: Adversary | None
) -> tuple[StateSpace[Any], Describe]:
    """Return the state space to explore, and how to show its states."""
    if isinstance(problem, Problem):
        has_adversary = adversary is not None
        space = ProblemSpace(problem, exact=exact, has_adversary=has_adversary)
        return space, SpaceStates(space, _bare)
    own: StateSpace[Any] = CheckedSpace(problem)
    if adversary is not None and adversary.distance is not None:
        own = _DistantSpace(own, adversary)
    own = _ExactSpace(own) if exact else own
    return own, _own_state


def _bare(state: Any) -> Any:
    return state.state if isinstance(state, Faced) else state


def _own_state(state: Any, _path: Path) -> Any:
    return _bare(state)


def _of_states(objective: Objective) -> Objective:
    """Let an objective see the states of the space, as it does without adversary."""
    return lambda state, action, children: objective(_bare(state), action, children)


def _possible(
    space: StateSpace[Any], adversary: Adversary | None
) -> StateSpace[Any] | ProblemSpace:
    """Return the space by which to tell what is possible at all."""
    if adversary is None or not isinstance(space, ProblemSpace):
        return space
    return ProblemSpace(supported(space.problem))


def full_graph(
    space: StateSpace[Any],
    possible: StateSpace[Any],
    found: ListedSets | None,
    progress: Listener = silent,
) -> FullGraph[Any]:
    """Generate the full graph: accelerated by rewarding sets, if there are any."""
    if isinstance(possible, ProblemSpace) and found is not None:
        pruning = RewardingSetPruning(possible, found)
        return accelerated_full_graph(space, pruning, progress)
    return naive_full_graph(space, progress)


def _check_unsure(graph: FullGraph[Any]) -> None:
    """Refuse a state space of one's own in which an adversary has no choice."""
    actions = [action for each in graph.actions.values() for action in each]
    if actions and all(action.spread is None for action in actions):
        raise ValueError(
            "this state space leaves the adversary no choice: none of its actions has "
            "a spread\n    fix: give AvailableAction(..., spread=Spread(...)), or say "
            "how far all probabilities may lie off: Adversary(distance=...)"
        )


class _DistantSpace(Generic[S]):
    """A state space whose probabilities may lie off as far as an adversary says."""

    def __init__(self, space: StateSpace[S], adversary: Adversary) -> None:
        self._space = space
        self._adversary = adversary
        self.root = space.root

    def actions(self, state: S) -> Iterator[AvailableAction[S]]:
        for action in self._space.actions(state):
            probabilities = [
                transition.probability for transition in action.transitions
            ]
            spread = action.spread or self._adversary.spread_around(probabilities)
            yield action._replace(spread=spread)

    def reward(self, state: S) -> Real:
        return self._space.reward(state)


class _ExactSpace(Generic[S]):
    """A state space whose numbers are read exactly."""

    def __init__(self, space: StateSpace[S]) -> None:
        self._space = space
        self.root = space.root

    def actions(self, state: S) -> Iterator[AvailableAction[S]]:
        for name, transitions, cost, charge, spread in self._space.actions(state):
            yield AvailableAction(
                name,
                tuple(Transition(o, exact_number(p), s) for o, p, s in transitions),
                exact_number(cost),
                exact_number(charge),
                spread and spread.with_fractions(),
            )

    def reward(self, state: S) -> Real:
        return exact_number(self._space.reward(state))


class _Clock:
    """Measures how long each stage takes."""

    def __init__(self) -> None:
        self._spent = dict.fromkeys(Stage, 0.0)

    @contextmanager
    def measures(self, stage: Stage) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self._spent[stage] += time.perf_counter() - start

    def seconds(self) -> Seconds:
        return Seconds(
            rewarding_sets=self._spent[Stage.REWARDING_SETS],
            full_graph=self._spent[Stage.FULL_GRAPH],
            reduced_graph=self._spent[Stage.REDUCED_GRAPH],
            tree=self._spent[Stage.TREE],
        )


def considered_actions(
    graph: FullGraph[S], phi: dict[S, Real], states: Iterable[S]
) -> dict[S, tuple[Alternative, ...]]:
    """
    Return the actions considered at some states, with their expected scores.

    Only these states are kept, so that the full graph can be forgotten.
    """
    return {
        state: tuple(
            Alternative(
                action.name,
                action_score(action, phi),
                prospects=tuple(
                    Prospect(label, probability, phi[child])
                    for label, probability, child in action.transitions
                ),
            )
            for action in graph.actions[state]
        )
        for state in states
    }
