"""The paper's three stages in C++: full graph, reduced graph, tree."""

import math
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final

import branchwise._core as core
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import PRUNED_STATES, Limits, reported, thread_count
from branchwise.engine.lower import Lowered, core_objective
from branchwise.errors import LimitError
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.rewarding.enumerate import goals
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.policy import Branch, Decision, PolicyOnDemand
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import PathStates
from branchwise.tree.progress import Listener, Progress, Stage, silent
from branchwise.tree.solution import Seconds, Solution, Statistics, Status

# The core counts nodes exactly up to here.
_MOST_NODES: Final = 2**127

_WHY_NAIVE: Final = (
    "explored the naive full graph, as rewarding sets do not tell what may help where "
    "states hold more than outcomes"
)


def solve_by_paper(
    problem: Problem,
    *,
    prefer: str = OBJECTIVE_NAMES[0],
    naive: bool = False,
    limits: Limits | None = None,
    num_threads: int | None = None,
    progress: Listener = silent,
) -> Solution:
    """Find the optimal tree the paper's way, fast."""
    # A `LimitError` says that time or memory ran out, or that the costs are too fine
    # for the core.
    limits = limits or Limits()
    objective = core_objective(prefer)
    start = time.perf_counter()
    lowering = Lowered(problem, every_resource=True)
    sets, is_wide = None, not PRUNED_STATES.issuperset(features_of(problem))
    if not naive and not is_wide:
        progress(Progress(Stage.REWARDING_SETS, 0))
        with _endings():
            sets = listed_sets(lowering, limits, progress)
    spent = time.perf_counter() - start
    with _endings():
        plan = core.solve_by_paper(
            lowering.instance,
            sets,
            objective,
            limits.less(spent).time_limit_seconds,
            limits.memory_limit_bytes,
            thread_count(num_threads),
            reported(progress, limits),
        )
    num_sets = None if sets is None else sets.num_minimal
    policy = PaperPolicy(problem, lowering, plan)
    if policy[policy.root].value == -math.inf:
        # The other engine shows a way on which every plan gets stuck.
        CanonicalSolver(problem, num_threads=num_threads).solve(limits=limits)
    tree = DecisionTree(policy, policy.root, PathStates(problem), problem=problem)
    return Solution(
        expected_reward=policy[policy.root].value,
        status=Status.OPTIMAL,
        tree=tree,
        engine="paper",
        prefer=prefer,
        is_exact=False,
        statistics=_statistics(plan.statistics, num_sets, spent, tree),
        problem=problem,
        reason=_WHY_NAIVE if is_wide and not naive else "",
    )


class PaperPolicy(PolicyOnDemand):
    """The decisions of a plan that stays in the core until it is asked for."""

    # Its states are the core's packed outcome vectors, as bytes.

    def __init__(
        self, problem: Problem, lowering: Lowered, plan: core.PaperPlan
    ) -> None:
        self.root = plan.root
        self._plan = plan
        self._budget = problem.budget
        self._scales = lowering.scales
        self._actions = [action.name for action in problem.actions]
        self._outcomes = list(lowering.outcome_ids)

    def __getitem__(self, state: Hashable) -> Decision:
        step = self._plan.step(state) if isinstance(state, bytes) else None
        if step is None:
            raise KeyError(state)
        action, branches, value, reward = step
        return Decision(
            None if action is None else self._actions[action],
            tuple(
                Branch(self._outcomes[outcome].outcome, probability, child)
                for outcome, probability, child in branches
            ),
            value,
            reward,
        )

    def __len__(self) -> int:
        return self._plan.statistics.num_policy_states


@contextmanager
def _endings() -> Iterator[None]:
    """Return in our words why the core gave up."""
    try:
        yield
    except (core.RunStopped, MemoryError) as error:
        what = "memory" if isinstance(error, MemoryError) else str(error)
        if what == "asked":
            raise KeyboardInterrupt from None
        raise LimitError(
            f"{what} ran out before there was anything to show; the engine `paper` "
            "needs the whole graph: allow more, lower the budget, or use another engine"
        ) from None


def _statistics(
    took: core.PaperStatistics, num_sets: int | None, spent: float, tree: DecisionTree
) -> Statistics:
    high, low = took.num_nodes
    num_nodes = high << 64 | low
    return Statistics(
        rewarding_sets=num_sets,
        full_graph_states=took.num_full_states,
        reduced_graph_states=took.num_reduced_states,
        # Trees that outgrow even this are counted in numbers of any length.
        tree_nodes=num_nodes if num_nodes < _MOST_NODES else tree.num_nodes,
        seconds=Seconds(
            rewarding_sets=spent,
            full_graph=took.full_seconds,
            reduced_graph=took.reduced_seconds,
            tree=took.tree_seconds,
        ),
        num_bytes=took.most_bytes,
    )


_MOST_ATTEMPTS: Final = 2**60


def listed_sets(
    lowering: Lowered, limits: Limits, progress: Listener
) -> core.PaperSets | None:
    """List all rewarding sets; None where there are too many to list one by one."""
    # A `RunStopped` says that time or memory ran out, or that it was asked to stop.
    problem = lowering.problem
    found = goals(problem)
    gains = sorted({goal.gain for goal in found})
    return core.list_rewarding_sets(
        lowering.instance,
        [(lowering.condition(goal.when), gains.index(goal.gain)) for goal in found],
        [int(min(action.attempts, _MOST_ATTEMPTS)) for action in problem.actions],
        limits.time_limit_seconds,
        limits.memory_limit_bytes,
        reported(progress, limits),
    )
