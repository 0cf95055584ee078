"""Policies by name: the optimal plan, greedy ones, chance, or a rule of yours."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from branchwise.analysis.simulation.greedy import GreedyChooser
from branchwise.analysis.simulation.play import Play
from branchwise.errors import LimitError, did_you_mean
from branchwise.model.arguments import a_function
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem, a_problem
from branchwise.solver import solve
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.choosers import (
    Chooser,
    PlanChooser,
    RandomChooser,
    Rule,
    RuleChooser,
    policy_tree,
)
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.outlook import Outlook, outlook
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution

POLICY_NAMES: Final = ("optimal", "greedy-reward", "greedy-expected", "random")
"""The policies that `simulate` knows by name; the first one is the default."""

# What is exact of a policy that has no plan takes as many states as it comes to.
_MOST_STATES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy for a problem, and what is known of it beforehand."""

    name: str  # what it is called
    space: ProblemSpace  # the problem as a state space, with floats
    chooser: Chooser  # what decides on the actions
    tree: DecisionTree | None  # the plan; None where there is none, or too large a one
    # What should come of it, exactly; None where it comes to too many states.
    outlook: Outlook | None


def contender(
    problem: Problem | Solution, policy: str | DecisionTree | Rule, progress: Listener
) -> Contender:
    """Make a policy ready, and work out exactly what should come of it."""
    name = _name(policy)
    space = ProblemSpace(checked(_problem(problem)))
    if policy == POLICY_NAMES[0]:
        policy = _plan(problem, progress)
    if isinstance(policy, DecisionTree):
        foreseen = outlook(policy, space.problem)
        return Contender(name, space, PlanChooser(policy), policy, foreseen)
    if policy == "random":
        return _random(name, space, progress)
    chooser = _chooser(space, policy)
    tree = policy_tree(space, chooser, _MOST_STATES, progress)
    expected = None if tree is None else outlook(tree, space.problem)
    return Contender(name, space, chooser, tree, expected)


def _name(policy: str | DecisionTree | Rule) -> str:
    if isinstance(policy, DecisionTree):
        return "plan"
    if not isinstance(policy, str):
        known = ", ".join(POLICY_NAMES)
        a_function(f"policy, if no tree and not one of {known},", policy)
        return getattr(policy, "__name__", type(policy).__name__)
    if policy not in POLICY_NAMES:
        known = ", ".join(POLICY_NAMES)
        hint = did_you_mean(policy, POLICY_NAMES)
        raise ValueError(f"there is no policy `{policy}`; there are {known}{hint}")
    return policy


def _problem(problem: Problem | Solution) -> Problem:
    if not isinstance(problem, Solution):
        return a_problem(problem)
    found = problem.problem
    if found is None:
        raise ValueError("only a problem can be simulated, no state space of your own")
    return found


def _plan(problem: Problem | Solution, progress: Listener) -> DecisionTree:
    if isinstance(problem, Problem):
        problem = solve(problem, progress=progress)
    return problem.tree


def _chooser(space: ProblemSpace, policy: str | Rule) -> Chooser:
    if policy == "greedy-reward":
        return GreedyChooser(space.problem, "reward")
    if policy == "greedy-expected":
        return GreedyChooser(space.problem, "expected")
    assert not isinstance(policy, str)
    return RuleChooser(space, policy)


def _random(name: str, space: ProblemSpace, progress: Listener) -> Contender:
    """Play every run at once, each with its probability."""
    chooser, expected = RandomChooser(space), None
    with suppress(LimitError):
        tally = Play(space, chooser).through(
            1.0, _by_probability, progress, _MOST_STATES
        )
        expected = tally.outlook(1.0)
    return Contender(name, space, chooser, None, expected)


def _by_probability(share: float, probabilities: Sequence[float]) -> list[float]:
    return [share * probability for probability in probabilities]
