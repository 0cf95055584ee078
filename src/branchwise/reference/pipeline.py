"""The paper's pipeline: full graph, reduced graph, tree."""

import math
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from branchwise.model.adversary import Adversary, supported
from branchwise.model.features import features_of
from branchwise.model.numbers.number import exact as exact_number
from branchwise.model.problem import Problem
from branchwise.reference.full_graph import (
    FullGraph,
    accelerated_full_graph,
    naive_full_graph,
)
from branchwise.reference.reduced_graph import action_score, reduced_graph, scores
from branchwise.reference.rewarding_sets import RewardingSetPruning
from branchwise.reference.select_tree import select_tree
from branchwise.reference.worst_case import (
    Faced,
    OutcomeCost,
    OutcomeCosts,
    worst_case_graph,
)
from branchwise.rewarding.enumerate import ListedSets, list_sets
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.problem_space import ProblemSpace
from branchwise.space.state_space import (
    AvailableAction,
    Real,
    SoundSpace,
    StateSpace,
    Transition,
)
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.choices.policy import KnownPolicy
from branchwise.tree.choices.preference import Objective, Prefer, Preference
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import Describe, Path, SpaceStates
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

S = TypeVar("S", bound=Hashable)


def solve_by_reference(
    problem: Problem | OwnSpace,
    *,
    prefer: Prefer = "fewest-nodes",
    naive: bool = False,
    exact: bool = False,
    sets: ListedSets | None = None,
    adversary: Adversary | None = None,
    progress: Listener = silent,
) -> Solution:
    """Find the optimal tree the paper's way."""
    # Naive means every state, without rewarding sets (Algorithm 1 for Algorithm 3), or
    # without what a state space of your own says cannot help. `sets` are the rewarding
    # sets to go by, where not all of them are wanted.
    preference = Preference.of(prefer)
    found, spent = sets, dict[str, float]()
    whole = problem if isinstance(problem, Problem) else None
    space, describe = _space(problem, naive=naive, exact=exact, adversary=adversary)
    # By this one it is told what is possible at all.
    possible = ProblemSpace(supported(whole)) if whole and adversary else space
    with _measured(spent, "rewarding_sets"):
        if isinstance(possible, ProblemSpace) and not naive and sets is None:
            progress(Progress(Stage.REWARDING_SETS, 0))
            found = _sets_of(possible)
        num_sets = None if found is None else found.count_minimal()
    with _measured(spent, "full_graph"):
        graph = full_graph(space, possible, found, progress)
        if adversary is not None:
            if whole is None and adversary.distance is None:
                _check_unsure(graph)
            useful = adversary.with_useful_deviations(whole) if whole else adversary
            graph = worst_case_graph(
                graph, useful.deviations, progress, _outcome_costs(whole)
            )
            if preference.is_own:
                seen = _of_states(preference.objective)
                preference = replace(preference, objective=seen)
    with _measured(spent, "reduced_graph"):
        phi = scores(graph, progress)
        reduced = reduced_graph(graph, phi, progress)
    with _measured(spent, "tree"):
        policy = select_tree(graph, phi, reduced, preference, progress)
        weighed = considered_actions(graph, phi, policy) if sets is None else {}
        policy = KnownPolicy(policy, weighed)
        tree = DecisionTree(policy, graph.root, describe, problem=whole)
        num_nodes = tree.num_nodes
    return Solution(
        expected_reward=phi[graph.root],
        status=Status.OPTIMAL,
        tree=tree,
        engine="reference",
        prefer=preference.name,
        is_exact=exact,
        statistics=Statistics(
            rewarding_sets=num_sets,
            full_graph_states=len(graph),
            reduced_graph_states=len(reduced),
            tree_nodes=num_nodes,
            seconds=Seconds(**spent),
        ),
        problem=whole,
        adversary=adversary,
    )


def _outcome_costs(problem: Problem | None) -> OutcomeCosts:
    """Return what each outcome costs that does, besides its action."""
    if problem is None:  # In a state space of one's own, only actions cost something.
        return {}
    weigh = problem.charge_weight.times
    return {
        (action.name, outcome.label): OutcomeCost(
            outcome.cost.total(), weigh(outcome.cost)
        )
        for action in problem.actions
        for outcome in action.outcomes
        if outcome.cost.named
    }


def _sets_of(space: ProblemSpace) -> ListedSets | None:
    """List the rewarding sets to prune by, where that is proven to lose nothing."""
    # What they say holds for outcomes alone; see what-may-be-pruned.md.
    return None if features_of(space.problem) else list_sets(space)


def _space(
    problem: Problem | OwnSpace,
    *,
    naive: bool,
    exact: bool,
    adversary: Adversary | None,
) -> tuple[StateSpace[Any], Describe]:
    """Return the state space to explore, and how to show its states."""
    if isinstance(problem, Problem):
        has_adversary = adversary is not None
        space = ProblemSpace(problem, exact=exact, has_adversary=has_adversary)
        return space, SpaceStates(space, _bare)
    asked: Any = problem
    if isinstance(asked, SoundSpace):
        return cast("StateSpace[Any]", asked), _own_state
    own: StateSpace[Any] = own_space(problem, naive=naive)
    if adversary is not None and adversary.distance is not None:
        own = _SeenSpace(own, partial(_distant, adversary))
    return _SeenSpace(own, _exact, exact_number) if exact else own, _own_state


def _bare(state: Any) -> Any:
    return state.state if isinstance(state, Faced) else state


def _own_state(state: Any, _path: Path) -> Any:
    return _bare(state)


def _distant(adversary: Adversary, action: AvailableAction[S]) -> AvailableAction[S]:
    probabilities = [transition.probability for transition in action.transitions]
    spread = action.spread or adversary.spread_around(probabilities)
    return action._replace(spread=spread)


def _exact(action: AvailableAction[S]) -> AvailableAction[S]:
    # Floats that sum to one but for rounding are shares of what they sum to.
    name, transitions, cost, charge, spread = action
    total = sum(exact_number(each.probability) for each in transitions)
    return AvailableAction(
        name,
        tuple(Transition(o, exact_number(p) / total, s) for o, p, s in transitions),
        exact_number(cost),
        exact_number(charge),
        spread and spread.with_fractions(),
    )


class _SeenSpace(Generic[S]):
    """A state space of one's own, whose actions and rewards are seen in another way."""

    def __init__(
        self,
        space: StateSpace[S],
        action: Callable[[AvailableAction[S]], AvailableAction[S]],
        number: Callable[[Real], Real] = lambda number: number,
    ) -> None:
        self._space, self._action, self._number = space, action, number
        self.root = space.root

    def actions(self, state: S) -> Iterator[AvailableAction[S]]:
        return map(self._action, self._space.actions(state))

    def reward(self, state: S) -> Real:
        return self._number(self._space.reward(state))


def _of_states(objective: Objective) -> Objective:
    """Let an objective see the states of the space, as it does without adversary."""
    return lambda state, action, children: objective(_bare(state), action, children)


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


@contextmanager
def _measured(spent: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    spent[stage] = time.perf_counter() - start


def considered_actions(
    graph: FullGraph[S], phi: dict[S, Real], states: Iterable[S]
) -> dict[S, tuple[Alternative, ...]]:
    """Return the actions considered at some states, with their expected scores."""
    # Only these states are kept, so that the full graph can be forgotten.
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
            # What may get stuck where that must not happen is no alternative.
            if action_score(action, phi) > -math.inf
        )
        for state in states
    }
