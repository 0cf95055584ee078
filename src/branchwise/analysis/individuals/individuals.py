"""Individuals and their plans: what came of planning for many, to look at."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from branchwise.analysis.table import Cell, Columns, Table, Tabular, find, own_columns
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.solution import Solution, Status

MOST_MAIN_PLANS: Final = 12
"""So many of the most common plans are looked at more closely."""

Side = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class NumberRange:
    """
    One number among those who get a plan.

    Parameters
    ----------
    parameter
        Its name.
    low, mean, high
        The least, the mean and the most of it.
    """

    parameter: str
    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class PlanRule:
    """
    The single question that best separates those who get a plan.

    Parameters
    ----------
    parameter, side, threshold
        Is this number above, or below, this threshold?
    hits
        For which share of those who get the plan the answer is yes.
    false_alarms
        For which share of the others it is yes, too.
    """

    parameter: str
    side: Side
    threshold: float
    hits: float
    false_alarms: float

    @property
    def is_exact(self) -> bool:
        """Whether the question separates all of them."""
        return self.hits == 1 and self.false_alarms == 0


def plan_letter(number: int) -> str:
    """Name a plan, from 0 on."""
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Individual:
    """
    One individual, and the plan for it.

    Parameters
    ----------
    name
        Its name, or the number of its row.
    plan
        The letter of its plan.
    first_action
        What its plan does first; None where it does nothing.
    expected_reward, upper_bound, status
        What the plan is worth to it, what no plan can exceed, and how far the solver
        came.
    loss_common, loss_base
        What it would lose by the most common plan, and by the plan of the problem
        itself; None where a plan is too large to be valued.
    kept
        What stands in the columns that were kept.
    """

    name: str
    plan: str
    first_action: str | None
    expected_reward: float
    upper_bound: float
    status: Status
    loss_common: float | None
    loss_base: float | None
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePlan:
    """
    A plan, and those it is the best for.

    Two plans are the same if they take the same actions after the same outcomes.

    Parameters
    ----------
    letter
        Its name: A goes to most.
    members
        The names of those who get it, in the order of the table.
    share
        How many of all that is.
    first_action
        What it does first; None where it does nothing.
    num_nodes, depth
        How large its tree is.
    mean_expected_reward
        What it is worth to those who get it, on average.
    mean_for_all
        What it would be worth to all individuals, on average; only of main plans.
    numbers
        The numbers of those who get it; only of main plans.
    rule
        The question that best separates those who get it; only of main plans.
    problem
        The problem of the first who gets it.
    """

    letter: str
    members: tuple[str, ...]
    share: float
    first_action: str | None
    num_nodes: int
    depth: int
    mean_expected_reward: float
    mean_for_all: float | None
    numbers: tuple[NumberRange, ...]
    rule: PlanRule | None
    problem: Problem = field(repr=False)

    def solution(self) -> Solution:
        """Solve for the first who gets it: the plan with the numbers of one."""
        return solve(self.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles(Tabular):
    """
    The best plan for each of many individuals, and which plan goes to whom.

    Parameters
    ----------
    problem
        What they have in common.
    status
        Whether all have a plan, or why it ended before.
    parameters, kept_columns
        The numbers that individuals differ in, and the columns that were kept.
    num_all
        How many individuals there are in the table.
    individuals
        Those who have a plan, in the order of the table.
    plans
        The plans, the most common first.
    base_plan, base_expected_reward
        The letter of the problem's own plan, None where it is the best for no
        individual; and what it is worth by the problem's own numbers.
    """

    problem: Problem = field(repr=False)
    status: Status
    parameters: tuple[str, ...]
    kept_columns: tuple[str, ...]
    num_all: int
    individuals: tuple[Individual, ...] = field(repr=False)
    plans: tuple[ProfilePlan, ...] = field(repr=False)
    base_plan: str | None
    base_expected_reward: float

    @property
    def rewards(self) -> Distribution:
        """The distribution of what plans are worth to individuals."""
        share = Fraction(1, len(self.individuals))
        return Distribution.of(
            (each.expected_reward, share) for each in self.individuals
        )

    @property
    def mean_loss_common(self) -> float | None:
        """What is lost on average if all get the most common plan."""
        return _mean([each.loss_common for each in self.individuals])

    @property
    def mean_loss_base(self) -> float | None:
        """What is lost on average if all get the plan of the problem itself."""
        return _mean([each.loss_base for each in self.individuals])

    @property
    def main_plans(self) -> tuple[ProfilePlan, ...]:
        """The most common plans."""
        return self.plans[:MOST_MAIN_PLANS]

    @property
    def best_for_all(self) -> ProfilePlan | None:
        """The main plan that is worth most if all get the same one."""
        valued = [plan for plan in self.main_plans if plan.mean_for_all is not None]
        return max(valued, key=lambda plan: plan.mean_for_all or 0.0, default=None)

    def individual(self, name: str) -> Individual:
        """Return an individual with a plan, by its name."""
        return find(self.individuals, "name", name, "individual with a plan called")

    def plan(self, letter: str) -> ProfilePlan:
        """Return a plan by its letter."""
        return find(self.plans, "letter", letter, "plan")

    def tables(self) -> tuple[Table, ...]:
        """Return the rows: of individuals, of plans, and of the numbers that decide."""
        own = Table.of_columns("individuals", _INDIVIDUAL_COLUMNS, self.individuals)
        kept = (
            (*row, *each.kept)
            for row, each in zip(own.rows, self.individuals, strict=True)
        )
        numbers = (
            (plan.letter, each.parameter, each.low, each.mean, each.high)
            for plan in self.main_plans
            for each in plan.numbers
        )
        return (
            Table.of("individuals", (*own.columns, *self.kept_columns), kept),
            Table.of_columns("plans", _PLAN_COLUMNS, self.plans),
            Table.of("numbers", ("plan", "number", "low", "mean", "high"), numbers),
        )


def _of_rule(field: str) -> Callable[[ProfilePlan], Cell]:
    return lambda plan: None if plan.rule is None else getattr(plan.rule, field)


_PLAN_COLUMNS: Final[Columns] = {
    "plan": lambda plan: plan.letter,
    "individuals": lambda plan: len(plan.members),
    **own_columns("share", "first_action"),
    "nodes": lambda plan: plan.num_nodes,
    **own_columns("depth", "mean_expected_reward", "mean_for_all"),
    "rule_number": _of_rule("parameter"),
    "rule_side": _of_rule("side"),
    "rule_threshold": _of_rule("threshold"),
    "rule_hits": _of_rule("hits"),
    "rule_false_alarms": _of_rule("false_alarms"),
}
_INDIVIDUAL_COLUMNS: Final[Columns] = {
    "profile": lambda each: each.name,
    **own_columns("expected_reward", "first_action", "plan"),
    **own_columns("loss_common", "loss_base", "upper_bound"),
    "status": lambda each: str(each.status),
}


def _mean(losses: list[float | None]) -> float | None:
    known = [loss for loss in losses if loss is not None]
    return sum(known) / len(known) if len(known) == len(losses) else None


def number_ranges(
    parameters: Sequence[str], members: Sequence[Sequence[float]]
) -> tuple[NumberRange, ...]:
    """Return the range of every number among some individuals, each given by a row."""
    return tuple(
        NumberRange(name, min(column), sum(column) / len(column), max(column))
        for name, column in zip(parameters, zip(*members, strict=True), strict=True)
    )


class SortedNumbers(NamedTuple):
    """One number of everyone, and who follows whom by it."""

    name: str
    values: Sequence[float]
    order: Sequence[int]


def sorted_numbers(
    parameters: Sequence[str], rows: Sequence[Sequence[float]]
) -> list[SortedNumbers]:
    """Return every number of everyone, given by a row for each."""
    return [
        SortedNumbers(name, column, sorted(range(len(rows)), key=column.__getitem__))
        for name, column in zip(parameters, zip(*rows, strict=True), strict=True)
    ]


def best_rule(
    numbers: Sequence[SortedNumbers], is_member: Sequence[bool]
) -> PlanRule | None:
    """
    Find the threshold of one number that best separates members from others.

    It is the one with the most hits less false alarms; None where nothing separates
    them at all, or there are no others.
    """
    if all(is_member):
        return None
    cuts = (_cut(each, is_member) for each in numbers)
    return max(filter(None, cuts), key=_merit, default=None)


def _merit(rule: PlanRule) -> float:
    return rule.hits - rule.false_alarms


def _cut(numbers: SortedNumbers, member: Sequence[bool]) -> PlanRule | None:
    name, values, order = numbers
    num_members = sum(member)
    num_others = len(values) - num_members
    below = others_below = 0
    best: tuple[Side, float, float, float, float] | None = None
    highest = -math.inf
    for before, after in pairwise(order):
        if member[before]:
            below += 1
        else:
            others_below += 1
        if values[before] == values[after]:
            continue
        hits, alarms = below / num_members, others_below / num_others
        side: Side = "below" if hits >= alarms else "above"
        if side == "above":
            hits, alarms = 1 - hits, 1 - alarms
        if hits - alarms > highest:
            highest = hits - alarms
            best = side, values[before], values[after], hits, alarms
    if best is None:
        return None
    side, low, high, hits, alarms = best
    return PlanRule(name, side, _between(low, high), hits, alarms)


def _between(low: float, high: float) -> float:
    """Return the shortest number in the middle part of a gap."""
    if math.isinf(high):
        high = low + max(1.0, abs(low))  # Some have no limit: any number above will do.
    quarter = (high - low) / 4
    for digits in range(1, 17):
        rounded = float(f"{(low + high) / 2:.{digits}g}")
        if low + quarter <= rounded <= high - quarter:
            return rounded
    return (low + high) / 2
