"""The solution: the best tree, how good it is, and what it took to find."""

from __future__ import annotations

import math
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from branchwise.model.arguments import shown_in_notebook
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.prospects.distribution import Distribution

if TYPE_CHECKING:
    from branchwise.model.adversary import Adversary
    from branchwise.tree.nearest_thresholds import NearestThresholds
    from branchwise.tree.robustness import Robustness


class Status(StrEnum):
    """How far the solver came."""

    OPTIMAL = "optimal"
    """No plan has a higher expected reward."""

    WITHIN_GAP = "within gap"
    """The gap is as small as was asked for."""

    TIME_LIMIT = "time limit"
    """Time ran out; the plan is the best found by then."""

    MEMORY_LIMIT = "memory limit"
    """Memory ran out; the plan is the best found by then."""

    INTERRUPTED = "interrupted"
    """It was stopped; the plan is the best found by then."""

    LOWER_BOUND = "lower bound"
    """The plan goes by some rewarding sets only, so another may be better."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """Time spent in each stage, as in the paper's Table 2."""

    rewarding_sets: float = 0.0
    full_graph: float = 0.0
    reduced_graph: float = 0.0
    tree: float = 0.0

    @property
    def total(self) -> float:
        """The sum of the stages."""
        return self.rewarding_sets + self.full_graph + self.reduced_graph + self.tree


@dataclass(frozen=True, slots=True)
class Statistics:
    """
    What it took to find the solution.

    Parameters
    ----------
    rewarding_sets
        The number of rewarding sets at the root; None where none were used.
    full_graph_states, reduced_graph_states
        The number of states in each graph; the canonical engine counts canonical
        states. None where not all of a graph is known.
    tree_nodes
        The number of nodes of the tree.
    seconds
        The time each stage took.
    expanded_states
        How many states were looked at closely, where the engine chooses; else None.
    num_bytes
        How much memory the states took; None where that was not counted.
    """

    rewarding_sets: int | None
    full_graph_states: int
    reduced_graph_states: int | None
    tree_nodes: int
    seconds: Seconds
    expanded_states: int | None = None
    num_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """
    Whether an answer was checked by a certificate of its own.

    The checker goes over the problem by its own rules, in exact arithmetic, and shares
    no code with any engine. An answer that it contradicts is never given.

    Parameters
    ----------
    is_checked
        Whether the checker has confirmed the answer: what the tree is worth, and what
        no plan can exceed.
    num_rows
        How many rows the certificate has; 0 where there is none.
    seconds
        How long making and checking it took, or trying to.
    reason
        Why the answer was not checked; nothing where it was.
    is_asked
        Whether it was asked for, and not only done because it was quick.
    """

    is_checked: bool = False
    num_rows: int = 0
    seconds: float = 0.0
    reason: str = ""
    is_asked: bool = False


UNVERIFIED: Final = Verification(reason="it was not asked for")
"""An answer that was given without a check, as the one who asked wanted it."""


@dataclass(frozen=True, slots=True)
class MeasuredPlan:
    """
    A plan, and what it is worth by an aim.

    Parameters
    ----------
    solution
        The plan; the values of its nodes are expected rewards.
    rewards
        What it may end with: the final reward less weighted cost, and how likely.
    worth
        How well it meets the aim: an expected utility, a probability, or CVaR.
    certainty_equivalent
        The sure reward that is worth as much; None where there is none.
    """

    solution: Solution
    rewards: Distribution
    worth: Real
    certainty_equivalent: Real | None

    @property
    def expected_reward(self) -> Real:
        """What it earns on average."""
        return self.solution.expected_reward


class AimMet(NamedTuple):
    """
    What a plan makes the most of, where that is not the expected reward.

    Parameters
    ----------
    title
        What it is called.
    worth
        How well the plan meets it: an expected utility, a probability, or CVaR.
    certainty_equivalent
        The sure reward that is worth as much; None where there is none.
    is_probability
        Whether `worth` is a probability.
    bound
        What no plan can exceed, where the plan is not proven to meet the aim best.
    rewards
        What the plan may end with: the final reward less weighted cost.
    neutral
        The plan with the highest expected reward, measured by the same aim.
    price
        What the plan gives up in expected reward against the neutral one.
    """

    title: str
    worth: Real
    certainty_equivalent: Real | None
    is_probability: bool
    bound: Real | None = None
    rewards: Distribution | None = None
    neutral: MeasuredPlan | None = None
    price: Real = 0

    @property
    def upper_bound(self) -> Real:
        """How well any plan can meet the aim, at most."""
        return self.worth if self.bound is None else max(self.bound, self.worth)

    @property
    def gain(self) -> Real:
        """How much better the plan meets the aim than the neutral one does."""
        return 0 if self.neutral is None else self.worth - self.neutral.worth


@dataclass(frozen=True, slots=True)
class Solution:
    """
    The answer to a problem.

    Parameters
    ----------
    expected_reward
        The expected reward of the tree, less weighted cost where the problem says so;
        where the least cost is wanted, that cost below zero: see `expected_cost`.
    status
        Whether it is proven optimal.
    tree
        The plan.
    engine
        Which engine found it.
    prefer
        The secondary objective that settled ties.
    is_exact
        Whether the numbers are exact fractions.
    statistics
        What it took.
    problem
        The problem solved; None for a state space of your own. Where it was planned
        from a later state, what was left of the problem there.
    bound
        What no plan can exceed, where the plan is not proven to have the highest
        expected reward; infinity where that is not known.
    reason
        Why this engine, and how it went about it.
    is_tie_settled
        Whether the secondary objective was taken into account everywhere.
    history
        What had happened where the plan begins; nothing, unless it was asked to plan
        from a later state.
    adversary
        Who chose the probabilities of the tree within their spreads: the expected
        reward is then that of the worst case. None where all probabilities are nominal.
    robustness
        The plan beside the best nominal one; None unless that was asked for.
    aim
        What the plan makes the most of; None where that is the expected reward. With an
        aim, `status` speaks of the aim.
    verification
        Whether the independent checker has confirmed it, and if not, why not.
    thresholds
        What would change the first action, where that was looked for; else None. See
        `branchwise.analysis.nearest_thresholds`.
    """

    expected_reward: Real
    status: Status
    tree: DecisionTree
    engine: str
    prefer: str
    is_exact: bool
    statistics: Statistics
    problem: Problem | None = None
    bound: Real | None = None
    reason: str = ""
    is_tie_settled: bool = True
    history: Path = ()
    adversary: Adversary | None = None
    robustness: Robustness | None = None
    aim: AimMet | None = None
    verification: Verification = UNVERIFIED
    thresholds: NearestThresholds | None = None

    @property
    def expected_cost(self) -> Real | None:
        """What the plan costs on average, where the least cost is wanted; else None."""
        if self.problem is None or not self.problem.is_least_cost:
            return None
        return -self.expected_reward

    @property
    def first_action(self) -> str | None:
        """What to do first; None if doing nothing is best."""
        return self.tree.root.action

    @property
    def upper_bound(self) -> Real:
        """What no plan can exceed; the expected reward itself once it is optimal."""
        is_settled = self.status is Status.OPTIMAL and self.aim is None
        if self.bound is None or is_settled:
            return self.expected_reward
        return max(self.bound, self.expected_reward)

    @property
    def gap(self) -> Real:
        """How much better a plan could be, at most."""
        return self.upper_bound - self.expected_reward

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the upper bound; infinity where that has no share."""
        gap, bound = float(self.gap), abs(float(self.upper_bound))
        if not gap:
            return 0.0
        return gap / bound if 0 < bound < math.inf else math.inf

    def _repr_html_(self) -> str:
        """Show the answer and its tree in a notebook."""
        return shown_in_notebook(self)

    def __str__(self) -> str:
        """The answer in a few lines, as the command line has it."""
        report = import_module("branchwise.report.answer")
        return "\n".join(report.lines(self, detail="answer"))

    def __repr__(self) -> str:
        of = f" of {self.problem.name!r}" if self.problem and self.problem.name else ""
        does = "nothing to do" if self.first_action is None else self.first_action
        worth = f"{float(self.expected_reward):.6g}"
        return f"<Solution{of}: {worth}, {does} first, {self.status}>"
