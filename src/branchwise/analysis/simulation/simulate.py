"""Simulation: what comes of a policy when chance decides, beside what should."""

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from branchwise.analysis.simulation.coins import SeededDeals
from branchwise.analysis.simulation.own_play import OwnChooser, OwnPlay
from branchwise.analysis.simulation.play import Play
from branchwise.analysis.simulation.policies import (
    MOST_STATES,
    POLICY_NAMES,
    contender,
    policy_name,
)
from branchwise.analysis.simulation.rounds import Trail, exactly
from branchwise.errors import LimitError
from branchwise.executors.executor import Executor, checked_executor
from branchwise.model.arguments import (
    a_function,
    a_real,
    a_whole_number,
    shown_in_notebook,
)
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.checked_space import CheckedSpace
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import Rule
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.progress import Listener, silent
from branchwise.tree.prospects.likely_paths import likely_paths
from branchwise.tree.prospects.outlook import Outlook, outlook
from branchwise.tree.solution import Solution

# The number of standard errors that 95 % of all means lie within.
_NORMAL_95: Final = 1.959964
_MOST_RUNS: Final = 10_000_000_000


class ObservedPath(NamedTuple):
    """
    One of the likeliest ways a policy may go, and how often it went so.

    Parameters
    ----------
    path
        What happens, in order.
    probability
        How likely it is.
    reward
        The reward where it stops.
    num_runs
        In how many of the runs it happened.
    """

    path: Path
    probability: Real
    reward: Real
    num_runs: int


@dataclass(frozen=True)
class Simulation:
    """
    What came of a policy in many runs, beside what should.

    Parameters
    ----------
    problem
        What was played through; None for a state space of your own.
    policy
        The name of the policy.
    num_runs
        How often the problem was played through.
    seed
        What decided all that was left to chance.
    observed
        What came of the runs: shares of them.
    expected
        The same, exactly; None where the policy comes to too many states.
    paths
        The likeliest ways to go; none where they are not known.
    """

    problem: Problem | None
    policy: str
    num_runs: int
    seed: object
    observed: Outlook
    expected: Outlook | None
    paths: tuple[ObservedPath, ...]

    def _repr_html_(self) -> str:
        """Show the page of the simulation in a notebook."""
        return shown_in_notebook(self)

    @property
    def mean(self) -> float:
        """The mean reward of the runs, less weighted cost."""
        return float(self.observed.net_rewards.mean)

    @property
    def expected_reward(self) -> Real | None:
        """What the mean should be; None where it is not known."""
        return None if self.expected is None else self.expected.net_rewards.mean

    @property
    def standard_error(self) -> float:
        """How far the mean is likely to be off, as far as the runs can tell."""
        deviation = self.observed.net_rewards.standard_deviation
        return deviation / math.sqrt(self.num_runs - 1)

    @property
    def confidence_interval(self) -> tuple[float, float]:
        """The interval that holds the expected reward in 95 % of all simulations."""
        reach = _NORMAL_95 * self.standard_error
        return self.mean - reach, self.mean + reach


def simulate(
    problem: Problem | Solution | OwnSpace,
    *,
    num_runs: int = 100_000,
    seed: object = 0,
    policy: str | DecisionTree | Rule = POLICY_NAMES[0],
    num_paths: int = 5,
    progress: Listener = silent,
    executor: Executor | None = None,
) -> Simulation:
    """
    Play a problem through many times, and tell what came of it.

    What may happen is read off the problem alone; a plan is only asked for its next
    action. So this is a check on the engines, too.

    Parameters
    ----------
    problem
        A problem, or a solution, whose plan is then what ``optimal`` means; or a state
        space of your own.
    num_runs
        How often; at least twice. A million take about as long as a thousand.
    seed
        What decides all that is left to chance: same seed, same answer, on every
        machine.
    policy
        ``optimal``, ``greedy-reward``, ``greedy-expected``, ``random``, a tree, or a
        function that names the action to take at a `State`, or None to stop. In a
        state space of your own the function gets your states, and nothing is greedy.
    num_paths
        How many of the likeliest paths to list.
    progress
        Called with how many positions the runs have come to.
    executor
        Who helps to play where runs come to many positions: an executor of
        `concurrent.futures`, or a Dask client. The answer does not depend on it. The
        best plan is found here, and a state space of your own is played here.

    Raises
    ------
    ExecutorError
        The executor has no workers any more, or such of another version.
    PlanError
        The policy takes an action that is not available there.
    LimitError
        There are too many rewarding sets for a greedy policy.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    >>> found = simulate(Problem([toss], [Reward(toss["heads"], 10)]), num_runs=10_000)
    >>> found.mean, found.expected_reward
    (7.469, 7.5)
    """
    if a_real("num_runs", num_runs) < 2:
        raise ValueError(f"there must be at least 2 runs, not {num_runs}")
    num_runs = a_whole_number("num_runs", num_runs, most=_MOST_RUNS)
    num_paths = a_whole_number("num_paths", num_paths, least=0)
    a_function("progress", progress)
    if executor is not None:
        checked_executor(executor)
    if not isinstance(problem, Problem | Solution):
        asked = _Asked(num_runs, seed, num_paths, progress)
        return _simulated_own(problem, policy, asked)
    chosen = contender(problem, policy, progress)
    paths = likely_paths(chosen.tree, num_paths) if chosen.tree else ()
    trail = Trail([path for path, _, _ in paths])
    play = Play(chosen.space, chosen.chooser, trail)
    deals = SeededDeals(seed)
    if executor is None:
        tally = play.through(num_runs, deals, progress)
    else:
        tally = play.through_elsewhere(num_runs, deals, progress, executor)
    return Simulation(
        problem=chosen.space.problem,
        policy=chosen.name,
        num_runs=num_runs,
        seed=seed,
        observed=play.outlook(tally, num_runs),
        expected=chosen.outlook,
        paths=tuple(
            ObservedPath(*path, tally.num_stopped(end))
            for path, end in zip(paths, trail.ends, strict=True)
        ),
    )


class _Asked(NamedTuple):
    """How a simulation is asked for."""

    num_runs: int
    seed: object
    num_paths: int
    progress: Listener


def _simulated_own(
    space: OwnSpace, policy: str | DecisionTree | Rule, asked: _Asked
) -> Simulation:
    """Play a state space of one's own through."""
    checked = own_space(space, naive=True)
    name = policy_name(policy)
    if isinstance(policy, str) and policy.startswith("greedy"):
        raise ValueError(
            f"`{policy}` goes by rewarding sets, which a state space of your own has "
            "not\n    fix: use `optimal`, `random`, a tree, or a function"
        )
    if policy == POLICY_NAMES[0]:
        policy = solve(space, progress=asked.progress).tree
    tree = policy if isinstance(policy, DecisionTree) else None
    follow: Any = None if isinstance(policy, str) else policy
    paths = likely_paths(tree, asked.num_paths) if tree else ()
    trail = Trail([path for path, _, _ in paths])
    play = OwnPlay(checked, OwnChooser(checked, follow), trail)
    tally = play.through(asked.num_runs, SeededDeals(asked.seed), asked.progress)
    return Simulation(
        problem=None,
        policy=name,
        num_runs=asked.num_runs,
        seed=asked.seed,
        observed=play.outlook(tally, asked.num_runs),
        expected=_expected_own(checked, follow, asked.progress),
        paths=tuple(
            ObservedPath(*path, tally.num_stopped(end))
            for path, end in zip(paths, trail.ends, strict=True)
        ),
    )


def _expected_own(
    space: CheckedSpace[Any], policy: Any, progress: Listener
) -> Outlook | None:
    """Play every run at once, each with its probability."""
    if isinstance(policy, DecisionTree):
        return outlook(policy, space)
    play = OwnPlay(space, OwnChooser(space, policy))
    with suppress(LimitError):
        tally = play.through(1.0, exactly, progress, MOST_STATES)
        return play.outlook(tally, 1.0)
    return None
