"""Solving over explicit states: explored in Python, scored in C++."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import branchwise._core as core
from branchwise.engine.explicit.explicit_policy import ExplicitPolicy, Worths
from branchwise.engine.explicit.exploration import Exploration, PlainExploration
from branchwise.engine.limits import Limits
from branchwise.errors import Issue, ProblemError
from branchwise.model.problem import Problem
from branchwise.space.array_space import is_array_space, make_sure_of_numpy
from branchwise.space.checked_space import CheckedSpace, circle_issue, place
from branchwise.space.own_space import OwnSpace
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.choices.policy import Shape
from branchwise.tree.choices.preference import Prefer, Preference
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import Describe, SpaceStates, as_it_is
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

# What scoring takes on top of the arrays, which a memory limit is to leave room for.
_BYTES_TO_SCORE: Final = 80

_SECONDS_BETWEEN_LOOKS: Final = 0.05

# Scoring goes over all states, so each round of a search is to expand a share of them.
_LEAST_IN_A_ROUND: Final = 256
_SHARE_OF_A_ROUND: Final = 16

_OBJECTIVES: Final = {
    name.lower().replace("_", "-"): objective
    for name, objective in core.Objective.__members__.items()
}


def solve_by_states(
    problem: Problem | OwnSpace,
    *,
    prefer: Prefer = "fewest-nodes",
    naive: bool = False,
    limits: Limits | None = None,
    progress: Listener = silent,
) -> Solution:
    """Explore a state space as far as need be, or as limits let it, and solve it."""
    began = time.perf_counter()
    watch = _Watch(limits or Limits(), progress)
    explored = _exploration(problem, naive=naive)
    run = _Run(explored, watch)
    run.explore()
    seconds = time.perf_counter() - began
    return run.solution(problem, Preference.of(prefer), seconds)


def _exploration(problem: Problem | OwnSpace, *, naive: bool) -> Exploration:
    if isinstance(problem, Problem):
        return PlainExploration(CheckedSpace(ProblemSpace(problem)))
    space: Any = problem
    if not is_array_space(space):
        return PlainExploration(CheckedSpace(space, naive=naive))
    # NumPy is loaded by those who use it.
    make_sure_of_numpy()
    from branchwise.engine.explicit.array_exploration import ArrayExploration  # noqa: PLC0415
    from branchwise.space.checked_arrays import CheckedArrays  # noqa: PLC0415

    return ArrayExploration(CheckedArrays(space, naive=naive))


class _EndedError(Exception):
    """A limit was met."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class _Watch:
    """Looks up from exploring, and stops it at a limit."""

    def __init__(self, limits: Limits, progress: Listener) -> None:
        self.limits = limits
        self._progress = progress
        self._deadline = Deadline.after(limits.time_limit_seconds)
        self._next_look = Deadline.after(0)

    def look(self, explored: Exploration) -> None:
        if self._deadline.is_over:
            raise _EndedError(Status.TIME_LIMIT)
        if not self._next_look.is_over:
            return
        self._next_look = Deadline.after(_SECONDS_BETWEEN_LOOKS)
        num_states = len(explored.arrays.rewards)
        self._progress(Progress(Stage.EXPLORING, num_states))
        if self.limits.is_cancelled:
            raise _EndedError(Status.INTERRUPTED)
        most = self.limits.memory_limit_bytes
        needed = _BYTES_TO_SCORE * num_states
        if most is not None and core.resident_bytes() + needed >= most:
            raise _EndedError(Status.MEMORY_LIMIT)


class _Run:
    """One exploration, and what came of it."""

    def __init__(self, explored: Exploration, watch: _Watch) -> None:
        self._explored, self._watch = explored, watch
        self._ended: Status | None = None  # why it had to end
        self._is_proven = False  # nothing that is open could be worth more
        self._is_settled = False  # nothing that is open could be as good

    def explore(self) -> None:
        """Go on until the best plan is known, or a limit is met."""
        explore = self._breadth_first
        if self._explored.has_upper_bound:
            explore = self._best_first
        try:
            explore()
        except _EndedError as ended:
            self._ended = ended.status
        except KeyboardInterrupt:
            self._ended = Status.INTERRUPTED
        self._explored.settle()

    def _breadth_first(self) -> None:
        """Expand all states, one layer after another."""
        first, last = 0, 1
        while first < last:
            self._expand(range(first, last))
            first, last = last, len(self._explored.arrays.rewards)
        self._is_proven = self._is_settled = True

    def _best_first(self) -> None:
        """Expand what the best plan by upper bounds comes to, until it is real."""
        # Then its worth and the bound are the same, so no plan is better. After that,
        # the same for every plan that may be as good, for the secondary objective.
        while not self._is_settled:
            open_states = self._open_states()
            if open_states:
                self._expand_from(open_states)
            else:
                self._is_settled, self._is_proven = self._is_proven, True

    def _open_states(self) -> Sequence[int]:
        explored = self._explored
        graph = _graph(explored)
        uppers, found = graph.bounds(explored.arrays.uppers, self._is_proven)
        gap = self._watch.limits.gap
        if gap and not self._is_proven:
            lower = _numbers(graph.scores(_OBJECTIVES["order"]).scores, "d")[0]
            upper = _numbers(uppers, "d")[0]
            if upper - lower <= gap * abs(upper):
                raise _EndedError(Status.WITHIN_GAP)
        return _numbers(found, "i").tolist()

    def _expand_from(self, numbers: Sequence[int]) -> None:
        """Expand states and what they lead to, as many as make scoring worth it."""
        states = self._explored.arrays.rewards
        most = max(_LEAST_IN_A_ROUND, len(states) // _SHARE_OF_A_ROUND)
        while numbers and most > 0:
            met = len(states)
            self._expand(numbers)
            most -= len(numbers)
            numbers = range(met, min(len(states), met + max(most, 0)))

    def _expand(self, numbers: Sequence[int]) -> None:
        self._explored.expand(numbers, lambda: self._watch.look(self._explored))

    def solution(
        self, problem: Problem | OwnSpace, preference: Preference, spent: float
    ) -> Solution:
        """Score what was explored, and choose the tree."""
        began = time.perf_counter()
        explored = self._explored
        graph = _graph(explored)
        scores = graph.scores(_OBJECTIVES[preference.name])
        bounds, _ = graph.bounds(explored.arrays.uppers, False)  # noqa: FBT003
        del graph
        _check_bounds(explored, scores)
        worths = Worths(
            _numbers(scores.scores, "d"),
            _numbers(scores.choices, "q"),
            _numbers(bounds, "d"),
            scores.tolerance,
        )
        lower, upper = worths.scores[0], worths.uppers[0]
        is_optimal = self._is_proven or upper - lower <= worths.tolerance
        policy, shape = ExplicitPolicy(explored, worths), Shape(*scores.shape())
        whole = problem if isinstance(problem, Problem) else None
        tree = DecisionTree(
            policy, policy.root, _describe(whole), _known(shape), problem=whole
        )
        scored = time.perf_counter() - began
        return Solution(
            expected_reward=lower,
            status=Status.OPTIMAL if is_optimal else self._ended or Status.OPTIMAL,
            tree=tree,
            engine="explicit",
            prefer=preference.name,
            is_exact=False,
            statistics=Statistics(
                rewarding_sets=None,
                full_graph_states=len(explored.arrays.rewards),
                reduced_graph_states=scores.num_reduced if self._is_settled else None,
                tree_nodes=tree.num_nodes,
                seconds=Seconds(full_graph=spent, tree=scored),
                expanded_states=explored.arrays.num_expanded,
                num_bytes=explored.arrays.num_bytes,
            ),
            problem=whole,
            bound=None if is_optimal else upper,
            reason=self._reason(is_optimal=is_optimal),
            is_tie_settled=self._is_settled,
        )

    def _reason(self, *, is_optimal: bool) -> str:
        if self._explored.has_upper_bound:
            return "explored what its upper bounds leave open, best first"
        if self._is_settled:
            return "explored every state"
        if is_optimal:
            return "explored states until nothing was left open"
        return (
            "explored states layer by layer; the space has no `upper_bound`, so what "
            "the states left out are worth is not known"
        )


def _graph(explored: Exploration) -> core.ExplicitGraph:
    """Return the states for the core; refuse them if they go in a circle."""
    graph = explored.arrays.graph()
    if graph.circle is None:
        return graph
    number, child = graph.circle
    arrays = explored.arrays
    action = next(
        explored.action_names[arrays.actions[option]]
        for option in arrays.options(number)
        if child in (arrays.children[branch] for branch in arrays.branches(option))
    )
    issue = circle_issue(explored.state(number), action, explored.state(child))
    raise ProblemError([issue])


def _check_bounds(explored: Exploration, scores: core.ExplicitScores) -> None:
    """Refuse an upper bound that a plan is proof against."""
    number = scores.broken_bound(explored.arrays.uppers)
    if number is None:
        return
    bound, worth = explored.arrays.uppers[number], _numbers(scores.scores, "d")[number]
    what = f"the upper bound is {bound}, but a plan is worth {worth} from there on"
    fix = "let `upper_bound` be no less than what any plan is worth"
    raise ProblemError([Issue(place(explored.state(number)), what, fix)])


def _numbers(data: bytes, code: Any) -> memoryview[Any]:
    return memoryview(data).cast(code)


def _describe(problem: Problem | None) -> Describe:
    if problem is None:
        return as_it_is
    return SpaceStates(ProblemSpace(problem), _itself)


def _itself(state: Any) -> Any:
    return state


def _known(shape: Shape) -> Shape | None:
    """Return the shape of a tree; None where the core cannot count so far."""
    return shape if shape.nodes < _MOST_NODES else None


_MOST_NODES: Final = 2**127
