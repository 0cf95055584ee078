"""Explanations: the best plan and the one that begins otherwise, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from branchwise.analysis.explanations.same_luck import LuckyCase
from branchwise.model.condition import Happened
from branchwise.model.number import TIE
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Status


@dataclass(frozen=True, slots=True)
class Following:
    """
    What comes after one outcome of an action.

    Parameters
    ----------
    outcome
        The outcome.
    probability
        How likely it is.
    value
        The expected reward from there on.
    action
        What the plan does then; None to stop.
    """

    outcome: str
    probability: Real
    value: Real
    action: str | None


@dataclass(frozen=True, slots=True)
class Continuation:
    """
    How to go on from a place: a plan, and what it is worth.

    Parameters
    ----------
    tree
        The plan.
    value
        What it is worth from there on.
    upper_bound
        What no plan that begins like this can exceed; the value itself once it is
        proven.
    """

    tree: DecisionTree
    value: Real
    upper_bound: Real

    @property
    def action(self) -> str | None:
        """What it does first; None to stop."""
        return self.tree.root.action

    @property
    def following(self) -> tuple[Following, ...]:
        """What comes after each outcome of its first action."""
        return tuple(
            Following(label, node.probability, node.value, node.action)
            for label, node in self.tree.root.children.items()
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    Why an action is not what the best plan does at a place.

    Parameters
    ----------
    problem
        The problem.
    history
        What has happened by then.
    action
        The action asked about.
    best
        How the best plan goes on; where a limit was met, the best one found by then.
    other
        The action taken all the same, and the best plan after it; None where it cannot
        be taken.
    objection
        Why the action cannot be taken; nothing where it can.
    status
        Whether all values are proven, or which limit was met.
    case
        The likeliest case in which the best plan ends better with the same draws; None
        where there is none, or none was found in reasonable time.
    is_case_settled
        Whether no case can have been missed: without a case, both plans then always
        end alike.
    """

    problem: Problem
    history: tuple[Happened, ...]
    action: str
    best: Continuation
    other: Continuation | None = None
    objection: str = ""
    status: Status = Status.OPTIMAL
    case: LuckyCase | None = None
    is_case_settled: bool = True

    @property
    def best_action(self) -> str | None:
        """What the best plan does; None to stop."""
        return self.best.action

    @property
    def best_value(self) -> Real:
        """What the best plan is worth from there on."""
        return self.best.value

    @property
    def value(self) -> Real | None:
        """What taking it and going on well is worth; None where it cannot be taken."""
        return None if self.other is None else self.other.value

    @property
    def following(self) -> tuple[Following, ...]:
        """What comes after each outcome of the action asked about."""
        return () if self.other is None else self.other.following

    @property
    def loss(self) -> Real | None:
        """What is lost by taking it; None where it cannot be taken."""
        if self.other is None:
            return None
        return self._rounded(self.best.value - self.other.value)

    @property
    def loss_bounds(self) -> tuple[Real, Real] | None:
        """What is lost at least and at most; the loss twice, once it is proven."""
        if self.other is None:
            return None
        least = self._rounded(self.best.value - self.other.upper_bound)
        most = self._rounded(self.best.upper_bound - self.other.value)
        return max(least, 0), max(most, 0)

    @property
    def parting(self) -> Happened | None:
        """The first outcome at which the plans differ in the case; None without one."""
        return None if self.case is None else self.case.parting

    def _rounded(self, loss: Real) -> Real:
        is_rounding = abs(float(loss)) <= TIE * abs(float(self.best.value))
        return loss if loss and not is_rounding else 0
