"""The answer to how to defend: what to choose, what it does, and what it is worth."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from branchwise.model.budget import Limit
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.solution import Solution, Status

Method = Literal["search", "program"]
"""How the best defenses may be found."""


class DefensePoint(NamedTuple):
    """
    What a defender's budget can achieve, up to where more would achieve more.

    Parameters
    ----------
    cost
        The least that it takes.
    value
        The attacker's optimum against the best defenses of that cost.
    chosen
        These defenses.
    """

    cost: Fraction
    value: Real
    chosen: tuple[str, ...]


class DefenseWorth(NamedTuple):
    """
    What a defense is worth, on its own and among the others.

    Parameters
    ----------
    name
        The defense.
    is_chosen
        Whether it is among the best.
    alone
        The attacker's optimum against this defense and no other.
    otherwise
        Of a chosen one, the attacker's optimum against the best defenses without it;
        of another one, against the best with it. None where there are none such.
    margin
        How much more that is than against the best defenses: what the attacker would
        gain. The larger it is for a chosen one, the less it can be spared; the smaller
        for another one, the nearer it is to being chosen.
    """

    name: str
    is_chosen: bool
    alone: Real
    otherwise: Real | None
    margin: Real | None


@dataclass(frozen=True, slots=True)
class InterdictionStatistics:
    """What it took to find the best defenses."""

    # How many sets the search proposed, or how many nodes HiGHS looked at.
    num_nodes: int
    # How many attacker's problems were solved until the best set was proven.
    num_solved: int
    num_solved_in_all: int  # how many with the frontier and the worth of every defense
    # How many sets there are to choose from; None where they are too many to count.
    num_sets: int | None
    # How long it took until the best set was proven, and with all the rest.
    seconds: float
    seconds_in_all: float


@dataclass(frozen=True, slots=True)
class Interdiction:
    """
    The defenses that leave the attacker least.

    Parameters
    ----------
    problem
        The problem, with its defenses and the defender's budget.
    chosen
        The best defenses, in the problem's order. Among sets that leave the attacker
        the same: the cheapest, then the smallest, then the first.
    cost
        What they cost.
    before, reply
        The attacker's best plan without defenses, and against these.
    status
        Whether they are proven best.
    bound
        What the attacker can be sure of, whatever is chosen; None once it is optimal.
    frontier
        What every smaller budget can achieve, from nothing up; what was not proven
        in time is left out.
    worths
        What every defense is worth; empty where that was not worked out.
    method
        How the defenses were found: ``search`` or ``program``.
    statistics
        What it took.
    """

    problem: Problem
    chosen: tuple[str, ...]
    cost: Fraction
    before: Solution
    reply: Solution
    status: Status
    bound: Real | None
    frontier: tuple[DefensePoint, ...]
    worths: tuple[DefenseWorth, ...]
    method: str
    statistics: InterdictionStatistics

    @property
    def budget(self) -> Limit:
        """What the defender may spend."""
        return self.problem.defense_budget

    @property
    def value_before(self) -> Real:
        """What the attacker expects without defenses."""
        return self.before.expected_reward

    @property
    def value(self) -> Real:
        """What the attacker expects against the chosen defenses."""
        return self.reply.upper_bound

    @property
    def lower_bound(self) -> Real:
        """What no choice of defenses can push the attacker below."""
        return self.value if self.bound is None else min(self.bound, self.value)

    @property
    def gap(self) -> Real:
        """How much better other defenses could be, at most."""
        return self.value - self.lower_bound

    @property
    def relative_gap(self) -> float:
        """The gap as a share of what the attacker expects."""
        return float(self.gap) / abs(float(self.value)) if self.gap else 0.0
