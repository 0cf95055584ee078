"""Distributions: every value that may come of a plan, and how likely each is."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Self

from branchwise.model.features import features_of
from branchwise.model.numbers.number import TIE, exact
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import children_first
from branchwise.tree.deadline import in_time
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import histories
from branchwise.tree.prospects.arrivals import arrivals, payoffs


@dataclass(frozen=True)
class Distribution:
    """
    Values and how likely each is: exact wherever the numbers it is made of are.

    Parameters
    ----------
    chances
        Each value with its probability, by rising value. No value stands here twice,
        and none that cannot happen; the probabilities sum to one.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> toss = Distribution.of([(10, half / 2), (0, half), (10, half / 2)])
    >>> toss.chances
    ((0, Fraction(1, 2)), (10, Fraction(1, 2)))
    >>> toss.mean, toss.at_least(5), toss.quantile(0.75), toss.cvar(0.75)
    (Fraction(5, 1), Fraction(1, 2), 10, Fraction(10, 3))
    """

    chances: tuple[tuple[Real, Real], ...]

    @classmethod
    def of(cls, chances: Iterable[tuple[Real, Real]]) -> Self:
        """
        Put a distribution together: in order, equal values as one.

        Parameters
        ----------
        chances
            Values with their probabilities, in any order. Floats that differ by no
            more than rounding are equal.
        """
        merged: list[tuple[Real, Real]] = []
        for value, chance in sorted(pair for pair in chances if pair[1]):
            if merged and _is_same(merged[-1][0], value, abs(float(value))):
                merged[-1] = (merged[-1][0], merged[-1][1] + chance)
            else:
                merged.append((value, chance))
        return cls(tuple(merged))

    @classmethod
    def of_distinct(cls, chances: Mapping[Real, Real]) -> Self:
        """Put a distribution together of values that all differ, however little."""
        return cls(tuple(sorted(pair for pair in chances.items() if pair[1])))

    def in_numbers_of(self, tree: DecisionTree) -> Distribution:
        """Return it with floats for values if that is what a tree has."""
        if not isinstance(tree.root.value, float):
            return self
        rounded: dict[Real, Real] = {}
        for value, chance in self.chances:
            rounded[float(value)] = rounded.get(float(value), 0) + chance
        return Distribution.of_distinct(rounded)

    @cached_property
    def mean(self) -> Real:
        """The mean: each value times its probability, added up."""
        return _total(value * chance for value, chance in self.chances)

    @cached_property
    def standard_deviation(self) -> float:
        """How far values lie from the mean: the root of the mean squared distance."""
        squares = ((value - self.mean) ** 2 * chance for value, chance in self.chances)
        return math.sqrt(_total(squares))

    @property
    def least(self) -> Real:
        """The lowest value that can happen."""
        return self.chances[0][0]

    @property
    def most(self) -> Real:
        """The highest value that can happen."""
        return self.chances[-1][0]

    def at_least(self, value: Real) -> Real:
        """Return the probability of this value or a higher one."""
        wanted, scale = self._as_written(value), abs(float(value))
        return _total(
            p for v, p in self.chances if v >= wanted or _is_same(v, wanted, scale)
        )

    def quantile(self, share: Real) -> Real:
        """
        Return the lowest value that is not exceeded with at least this probability.

        Parameters
        ----------
        share
            From 0 to 1: 0.5 asks for the median, 0 for the lowest value.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"a share is a number from 0 to 1, not {share}")
        wanted = self._as_written(share)
        reached: Real = 0
        for value, chance in self.chances:
            reached += chance
            if reached >= wanted or _is_same(reached, wanted, 1.0):
                return value
        return self.most

    def cvar(self, level: Real) -> Real:
        """
        Return the conditional value at risk: the mean of the worst share of cases.

        The lowest values count as the worst. Where the share ends within the
        probability of a value, that part of it counts.

        Parameters
        ----------
        level
            The share, above 0 and up to 1: 0.05 asks for the mean of the worst 5 %,
            1 for the mean of all.
        """
        if not 0 < level <= 1:
            raise ValueError(f"a level is above 0 and at most 1, not {level}")
        left = share = self._as_written(level)
        parts: list[Real] = []
        for value, chance in self.chances:
            part = min(chance, left)
            parts.append(value * part)
            left -= part
            if left <= 0:
                break
        return _total(parts) / share

    def _as_written(self, number: Real) -> Real:
        """Where chances are exact, read 0.1 as one tenth."""
        is_exact = not any(isinstance(chance, float) for _, chance in self.chances)
        return exact(number) if is_exact else number


def final_rewards(tree: DecisionTree, problem: Problem | None = None) -> Distribution:
    """Return the distribution of the reward where a plan stops, less no cost."""
    # The policy is walked as a graph, each state once, so that the size of the tree
    # does not matter. Given the problem, rewards that add up are told apart by what
    # they come to there, without the rounding of the engine.
    if problem is not None and features_of(problem):
        paid_so: dict[Real, Real] = {}
        for arrival in arrivals(tree, problem):
            for reward, chance in payoffs(arrival, problem):
                paid_so[reward] = paid_so.get(reward, 0) + chance
        return Distribution.of_distinct(paid_so).in_numbers_of(tree)
    if problem is None or problem.combine == "max":  # Then they are not added up.
        found = accumulated(tree, lambda _: 0, lambda key, _: tree.policy[key].reward)
        return Distribution.of(found.chances) if problem is None else found
    paid = exact_rewards(tree, problem)
    return accumulated(tree, lambda _: 0, lambda key, _: paid[key]).in_numbers_of(tree)


def exact_rewards(tree: DecisionTree, problem: Problem) -> Mapping[Hashable, Fraction]:
    """Return the reward for stopping at each state where a plan does, exactly."""
    policy = tree.policy
    met = histories(policy, tree.root.key)
    return {s: problem.reward(had) for s, had in met if policy[s].action is None}


def total_of(tree: DecisionTree, step: Callable[[Hashable], Real]) -> Distribution:
    """Return the distribution of what all actions of a plan add up to, by state."""
    return accumulated(tree, step, lambda _, total: total)


def accumulated(
    tree: DecisionTree,
    step: Callable[[Hashable], Real],
    ending: Callable[[Hashable, Real], Real],
) -> Distribution:
    """Return the distribution of a total that grows with every action of a plan."""
    # Every state of the policy is visited once, with all totals that the plan can come
    # there with. `step` says what the action of a state adds to the total, `ending`
    # what comes of stopping there with some total.
    policy, root = tree.policy, tree.root.key
    reached: dict[Hashable, dict[Real, Real]] = {root: {0: 1}}
    endings: dict[Real, Real] = {}
    for state in in_time(reversed(list(children_first(policy, root)))):
        totals, decision = reached.pop(state, {}), policy[state]
        if decision.action is None:
            for total, chance in totals.items():
                value = ending(state, total)
                endings[value] = endings.get(value, 0) + chance
            continue
        grown = step(state)
        for _, probability, child in decision.branches:
            if not probability:
                continue  # An adversary does not let it happen.
            there = reached.setdefault(child, {})
            for total, chance in totals.items():
                new = total + grown
                there[new] = there.get(new, 0) + chance * probability
    return Distribution.of_distinct(endings)


def _is_same(one: Real, other: Real, scale: float) -> bool:
    """Whether two numbers differ by no more than the rounding of floats."""
    if isinstance(one, float) or isinstance(other, float):
        return abs(float(one) - float(other)) <= TIE * scale
    return one == other


def _total(numbers: Iterable[Real]) -> Real:
    """Add up: fractions exactly, floats without losing digits on the way."""
    parts = list(numbers)
    if any(isinstance(part, float) for part in parts):
        return math.fsum(parts)
    return sum(parts, Fraction(0))
