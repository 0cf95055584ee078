"""Graphs of states, and the full one: all a plan could come to (section 4.1)."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from branchwise.errors import Issue, ProblemError
from branchwise.reference.rewarding_sets import RewardingSetPruning
from branchwise.space.checked_space import circle_issue
from branchwise.space.problem_space import PackedState
from branchwise.space.state_space import AvailableAction, Real, SoundSpace, StateSpace
from branchwise.tree.progress import Listener, Progress, Stage, silent

S = TypeVar("S", bound=Hashable)


@dataclass(slots=True)
class Graph(Generic[S]):
    """
    A set of states with the actions considered at each.

    The paper stores states and calls R(s) again where it needs the edges; we keep the
    actions, which are the edges.
    """

    root: S
    actions: dict[S, tuple[AvailableAction[S], ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.actions)

    def children(self, state: S) -> Iterator[S]:
        """Return the states that the actions considered here lead to."""
        for action in self.actions[state]:
            for transition in action.transitions:
                yield transition.state

    def children_first(self) -> Iterator[S]:
        """Return the states so that each comes after all of its children."""
        # The recursions of the paper as a loop: plans may be thousands of actions deep.
        done: set[S] = set()
        above: set[S] = set()
        pending = [self.root]
        while pending:
            state = pending[-1]
            if state in done:
                pending.pop()
            elif state in above:
                pending.pop()
                above.remove(state)
                done.add(state)
                yield state
            else:
                above.add(state)
                for child in self.children(state):
                    if child in above:
                        raise ProblemError([self._circle(state, child)])
                    if child not in done:
                        pending.append(child)

    def _circle(self, state: S, child: S) -> Issue:
        """Return that an action leads from a state back to one that leads there."""
        steps = ((a.name, t.state) for a in self.actions[state] for t in a.transitions)
        action = next(name for name, other in steps if other == child)
        return circle_issue(state, action, child)


@dataclass(slots=True)
class FullGraph(Graph[S]):
    """The states S_FG, with the actions considered and the reward at each."""

    rewards: dict[S, Real] = field(default_factory=dict)
    # Where one must go on: nothing is finished, and something can be done.
    unfinished: set[S] = field(default_factory=set)

    def choices(self, state: S, options: list[Real]) -> list[Real]:
        """Return what can be expected at a state: of stopping, and of each action."""
        if state in self.unfinished:
            return options
        return [self.rewards[state], *options]


def naive_full_graph(space: StateSpace[S], progress: Listener = silent) -> FullGraph[S]:
    """Generate the naive full graph (Algorithm 1, Equation 2)."""
    graph = FullGraph(space.root)
    graph.rewards[space.root] = space.reward(space.root)
    queue = [space.root]
    while queue:
        state = queue.pop()
        graph.actions[state] = tuple(space.actions(state))
        if graph.actions[state] and not _may_stop(space, state):
            graph.unfinished.add(state)
        for child in graph.children(state):
            if child in graph.rewards:
                continue
            graph.rewards[child] = space.reward(child)
            queue.append(child)
        progress(Progress(Stage.FULL_GRAPH, len(graph.rewards)))
    return graph


def _may_stop(space: StateSpace[S], state: S) -> bool:
    """Whether one may stop at a state although something can be done."""
    # In a state space of one's own one may stop anywhere.
    asked: object = space
    return not isinstance(asked, SoundSpace) or asked.may_stop(state)


def accelerated_full_graph(
    space: StateSpace[PackedState],
    pruning: RewardingSetPruning,
    progress: Listener = silent,
) -> FullGraph[PackedState]:
    """Generate the accelerated full graph (Algorithm 3)."""
    # The search is depth-first and forgets the rewarding sets of a state once its
    # children have theirs, as the paper advises to save memory.
    graph = FullGraph(space.root)
    graph.rewards[space.root] = space.reward(space.root)
    queue = [(space.root, pruning.root())]
    while queue:
        state, sets = queue.pop()
        graph.actions[state] = tuple(
            each for each in space.actions(state) if pruning.keeps(sets, each.name)
        )
        for action in graph.actions[state]:
            for outcome, _, child in action.transitions:
                if child in graph.rewards:
                    continue
                graph.rewards[child] = space.reward(child)
                queue.append((child, pruning.child(sets, action.name, outcome, child)))
        progress(Progress(Stage.FULL_GRAPH, len(graph.rewards)))
    return graph
