"""Runs of the canonical engine by some rewarding sets, or by ever more of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Final, NamedTuple

import branchwise._core as core
from branchwise.engine.canonical_policy import CanonicalPolicy
from branchwise.engine.canonical_run import Run
from branchwise.engine.limits import Limits, Search
from branchwise.model.problem import Problem
from branchwise.rewarding.choice import SetChoice, SetChoices
from branchwise.tree.choices.policy import Decision, PolicyOnDemand
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.progress import Listener, Progress
from branchwise.tree.solution import Solution, Statistics, Status

# Of a time limit, what bounding the whole problem may take.
_SHARE_FOR_BOUND: Final = 0.2

# As sets are added, of what is left of a time limit, what one step may take; without a
# limit so many seconds, and twice as many after each step that was not done by then.
_SHARE_FOR_STEP: Final = 0.25
_SECONDS_FOR_STEP: Final = 1.0

# So little time is not worth dividing.
_SECONDS_AT_LEAST: Final = 0.2

_DONE: Final = (Status.OPTIMAL, Status.WITHIN_GAP)
_BROKEN_OFF: Final = (Status.MEMORY_LIMIT, Status.INTERRUPTED)


class SetsEngine(NamedTuple):
    """The engine, as far as a run by some sets has to do with it."""

    # Lets plans take these actions only, or all of them where it is None.
    restrict: Callable[[frozenset[str] | None], core.CanonicalEngine]
    begin: Callable[[Limits, Listener], Run]  # Begins a run


class SetsRun:
    """One answer by some rewarding sets, or by ever more of them until one will do."""

    # All runs share one graph: what a smaller choice has explored, a larger one, and in
    # the end the whole problem, need not explore again. The best plan is kept, so that
    # it never gets worse; and no plan whatsoever is worth more than the bound.

    def __init__(
        self,
        engine: SetsEngine,
        problem: Problem,
        choices: SetChoices,
        limits: Limits,
        progress: Listener,
    ) -> None:
        self._engine = engine
        self._problem = problem
        self._choices = choices
        self._limits = limits
        self._progress = progress
        self._start = time.perf_counter()
        self._deadline = Deadline.after(limits.time_limit_seconds)
        self._patience = _SECONDS_FOR_STEP
        self._bound = math.inf  # on what any plan is worth that may take all actions
        self._lower = -math.inf  # what the plan in hand is worth
        self._is_whole = False
        self._secured = 0.0
        self._best: Solution | None = None
        self._counts: Statistics  # of the last run

    def solution(self, search: Search) -> Solution:
        """Find the best plan by the sets that were asked for."""
        for choice in self._choices:
            answer = self._by_sets(choice, search)
            is_over = answer.status in _DONE or answer.status in _BROKEN_OFF
            if not self._choices.grows or self._is_whole or is_over:
                return self._counted(answer)
        return self._counted(self._by_all(search))

    def _by_sets(self, choice: SetChoice, search: Search) -> Solution:
        """Go by these sets; the answer is the best so far."""
        self._restrict(choice.actions)
        num_all = len(self._problem.actions)
        words = f"went by {choice}, {len(choice.actions)} of {num_all} actions"
        if self._is_whole:
            words += ", which are all that matter"
            found = self._found(search, self._deadline.time_limit_seconds())
        else:
            found = _restricted(self._found(search, self._seconds_for_step()))
        statistics = replace(found.statistics, rewarding_sets=choice.num_sets)
        reason = f"{words}; {found.reason}"
        return self._judged(replace(found, statistics=statistics, reason=reason))

    def _by_all(self, search: Search) -> Solution:
        """Go by all actions; the answer is the best so far."""
        self._restrict(None)
        words = self._choices.why_none or "all rewarding sets were in"
        while True:
            found = self._found(search, self._seconds_for_all())
            reason = f"{words}, so all actions count; {found.reason}"
            answer = self._judged(replace(found, reason=reason))
            is_over = found.status is Status.TIME_LIMIT and not self._has_time
            if answer.status in _DONE or answer.status in _BROKEN_OFF or is_over:
                return answer

    @property
    def _has_time(self) -> bool:
        """Whether a run was out of time only for the gap to be looked at."""
        is_enough = self._deadline.seconds_left > _SECONDS_AT_LEAST
        return is_enough and self._limits.gap > 0

    def _found(self, search: Search, seconds: float | None) -> Solution:
        """Run for so long."""
        limits = replace(self._limits, time_limit_seconds=seconds)
        if self._choices.grows and not self._is_whole:
            limits = replace(limits, gap=0.0)  # The gap of few sets says nothing.
        run = self._engine.begin(limits, self._listen)
        run.go(search)
        found = run.solution(self._problem, None)
        if found.status is Status.TIME_LIMIT:
            self._patience *= 2
        self._counts = found.statistics
        return found

    def _seconds_for_step(self) -> float | None:
        if not self._choices.grows:
            return self._deadline.time_limit_seconds()
        left = self._deadline.time_limit_seconds(_SHARE_FOR_STEP)
        return self._patience if left is None else left

    def _seconds_for_all(self) -> float | None:
        """How long to go on before looking at the gap of the plan in hand."""
        # That plan may be better than what the search has, which does not know it.
        left = self._deadline.time_limit_seconds()
        if self._limits.gap == 0 or self._best is None:
            return left
        step = self._seconds_for_step() or math.inf
        return step if left is None else min(left, max(step, _SECONDS_AT_LEAST))

    def _restrict(self, actions: frozenset[str] | None) -> None:
        """Let plans take these actions, and bound what any plan is worth."""
        # The engine is not kept here, as a run may give it up for another one.
        engine = self._engine.restrict(actions)
        self._is_whole, self._secured = not engine.is_restricted, engine.secured
        if not self._is_whole and self._bound == math.inf:
            seconds = self._deadline.time_limit_seconds(_SHARE_FOR_BOUND)
            bytes_ = self._limits.memory_limit_bytes
            bound = engine.whole_bound(seconds, bytes_, self._goes_on)
            # Either may be the lower one: this one knows what is precluded.
            self._bound = min(bound, self._choices.upper_bound())

    def _goes_on(self, *_: object) -> bool:
        return not self._limits.is_cancelled

    def _listen(self, report: Progress) -> None:
        """Pass on what the best plan is worth, and what no plan can exceed."""
        low, high = report.lower_bound, report.upper_bound
        if low is not None and high is not None:
            self._lower = max(self._lower, float(low) + self._secured)
            if self._is_whole:
                self._bound = min(self._bound, float(high) + self._secured)
        bounds: tuple[float, float] | tuple[None, None] = None, None
        if self._lower > -math.inf and self._bound < math.inf:
            bounds = self._lower, max(self._lower, self._bound)
        self._progress(report._replace(lower_bound=bounds[0], upper_bound=bounds[1]))

    def _judged(self, found: Solution) -> Solution:
        """Take note of what was found; the best so far, and how good it is."""
        if self._is_whole:
            self._bound = min(self._bound, float(found.upper_bound))
            if found.status is Status.OPTIMAL:
                self._best = found
                return found
        best = self._best
        if best is None or found.expected_reward > best.expected_reward:
            self._best = best = found
        self._lower = max(self._lower, float(best.expected_reward))
        gap = self._bound - float(best.expected_reward)
        status = found.status
        if gap <= _tolerance(found):
            status = Status.OPTIMAL
        elif gap <= self._limits.gap * abs(self._bound):
            status = Status.WITHIN_GAP
        elif status in _DONE and not self._is_whole:
            status = Status.LOWER_BOUND
        # Ties with plans that take other actions are not.
        is_settled = best.is_tie_settled and status is not Status.OPTIMAL
        return replace(
            best, status=status, bound=self._bound, is_tie_settled=is_settled
        )

    def _counted(self, answer: Solution) -> Solution:
        """Return the answer with what all of it took."""
        spent = answer.statistics.seconds
        passed = time.perf_counter() - self._start
        statistics = replace(
            answer.statistics,
            full_graph_states=self._counts.full_graph_states,
            expanded_states=self._counts.expanded_states,
            num_bytes=self._counts.num_bytes,
            seconds=replace(
                spent,
                rewarding_sets=self._choices.seconds,
                full_graph=max(passed - spent.tree, 0.0),
            ),
        )
        return replace(answer, statistics=statistics)


class RestrictedPolicy(PolicyOnDemand):
    """The decisions of a plan that leaves actions out."""

    # What else could be done, and what that is worth, was not weighed.

    def __init__(self, policy: CanonicalPolicy) -> None:
        self.root = policy.root
        self.plan = policy.plan
        self._policy = policy

    def __getitem__(self, key: Hashable) -> Decision:
        return self._policy[key]


def _restricted(solution: Solution) -> Solution:
    tree = solution.tree
    assert isinstance(tree.policy, CanonicalPolicy)
    policy, root = RestrictedPolicy(tree.policy), tree.root.key
    kept = DecisionTree(policy, root, tree.describe, tree.shape, problem=tree.problem)
    # What is on the optimal plans of the whole problem is not known.
    statistics = replace(solution.statistics, reduced_graph_states=None)
    return replace(solution, tree=kept, statistics=statistics)


def _tolerance(solution: Solution) -> float:
    """Return how close two values are that are as good as equal."""
    policy = solution.tree.policy
    assert isinstance(policy, CanonicalPolicy | RestrictedPolicy)
    return policy.plan.tolerance
