"""The value of information: what it is worth to know outcomes before starting."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Unpack

from branchwise.analysis.information.attempts import one_by_one
from branchwise.analysis.information.clairvoyance import Estimate, foreknown
from branchwise.analysis.information.lots import lots_of
from branchwise.analysis.information.outcome_tests import OutcomeTest
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.table import Table, Tabular, find
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.problem import Problem
from branchwise.rewarding.sets import RewardingSets

__all__ = [
    "ActionInformation",
    "Information",
    "OutcomeTestResult",
    "ValuedTest",
    "information_section",
    "value_of_information",
]

_MOST_CASES: Final = 2048
_NUM_SAMPLES: Final = 1000
# With more actions than this, adding up in the diagram may take minutes.
_MOST_IN_SETS: Final = 40


@dataclass(frozen=True, slots=True)
class ActionInformation:
    """
    What it is worth to know of one action, before starting, how it would come out.

    Parameters
    ----------
    action
        Its name. Of an action that can be repeated all attempts are known.
    value
        The expected reward of a plan that knows.
    gain
        How much more that is.
    standard_error
        How far both are likely to be off: 0 where every case was looked at.
    """

    action: str
    value: float
    gain: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class OutcomeTestResult:
    """
    One result of a test.

    Parameters
    ----------
    result
        Its name.
    probability
        How likely it is.
    value
        The expected reward after it.
    first_action
        What to do first then; None to do nothing.
    """

    result: str
    probability: float
    value: float
    first_action: str | None


@dataclass(frozen=True, slots=True)
class ValuedTest:
    """
    What a test is worth.

    Parameters
    ----------
    test
        The test.
    value
        The expected reward of a plan that tests first, before its cost.
    gain
        How much more that is, less the cost of the test.
    results
        What may come of it.
    """

    test: OutcomeTest
    value: float
    gain: float
    results: tuple[OutcomeTestResult, ...]


@dataclass(frozen=True, slots=True)
class Information(Tabular):
    """
    What it is worth to know outcomes before starting.

    Parameters
    ----------
    expected_reward
        What the best plan earns without.
    perfect
        The expected reward of a plan that knows how every attempt would come out, and
        is bound by the budget and by all conditions as ever.
    actions
        The same for each action alone, by falling gain.
    tests
        What tests are worth.
    """

    expected_reward: float
    perfect: Estimate
    actions: tuple[ActionInformation, ...]
    tests: tuple[ValuedTest, ...]

    @property
    def perfect_gain(self) -> float:
        """The value of perfect information: what knowing everything adds."""
        return max(0.0, self.perfect.value - self.expected_reward)

    def action(self, name: str) -> ActionInformation:
        """Return what it is worth to know of an action."""
        return find(self.actions, "action", name)

    def tables(self) -> tuple[Table, ...]:
        """Return it in rows: everything known, each action, each test."""
        total = self.perfect
        columns = ["value", "gain", "standard_error", "num_cases"]
        row = [total.value, self.perfect_gain, total.standard_error, total.num_cases]
        results = ((each.test.action, each.results) for each in self.tests)
        return (
            Table.of("perfect", columns, [row]),
            Table.of_records("actions", ActionInformation, self.actions),
            Table.of(
                "tests",
                ["action", "cost", "value", "gain"],
                ([t.test.action, t.test.cost, t.value, t.gain] for t in self.tests),
            ),
            Table.of_owned("results", "action", OutcomeTestResult, results),
        )


def value_of_information(
    problem: Problem,
    *,
    tests: Iterable[OutcomeTest] = (),
    most_cases: int = _MOST_CASES,
    num_samples: int = _NUM_SAMPLES,
    **limits: Unpack[WhatIfLimits],
) -> Information:
    """
    Work out what it is worth to know outcomes before starting.

    Every attempt at an action has a lot, drawn beforehand and apart from all others.
    Where what has happened changes probabilities, one number from 0 to 1 decides for
    all clauses: each lays its outcomes side by side, in order, as wide as they are
    likely.

    Parameters
    ----------
    problem
        The problem.
    tests
        Tests whose value is wanted, too.
    most_cases, num_samples
        Up to so many cases are all looked at; of more, so many are drawn by chance,
        and the answer says how far it is likely to be off. Where rewards do not add up,
        spending does not count, nothing repeats and no probability changes, any number
        of cases is added up at once, for up to 40 actions.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> wells = {"oil": 0.5, "dry": 0.5}
    >>> here, there = (Action(name, outcomes=wells) for name in ("here", "there"))
    >>> rewards = [Reward(here["oil"], 8), Reward(there["oil"], 8)]
    >>> found = value_of_information(Problem([here, there], rewards, budget=1))
    >>> found.expected_reward, found.perfect.value, found.action("here").gain
    (4.0, 6.0, 2.0)
    """
    what_ifs = WhatIfs(problem, **limits)
    return _Inquiry(what_ifs, most_cases, num_samples).information(tests)


def information_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Information:
    """Work out the value of information as a section of an analysis."""
    inquiry = _Inquiry(what_ifs, _MOST_CASES, _NUM_SAMPLES)
    return inquiry.information(options.tests)


class _Inquiry:
    """What may be asked about information in one problem."""

    def __init__(self, what_ifs: WhatIfs, most_cases: int, num_samples: int) -> None:
        what_ifs.need_proof()
        self._what_ifs = what_ifs
        self._most_cases = most_cases
        self._num_samples = num_samples
        self._expected = float(what_ifs.solution.expected_reward)
        self._split = one_by_one(what_ifs.problem)
        self._attempts = what_ifs.of(self._split.problem)
        self._sets = RewardingSets(what_ifs.problem)
        self._useful = _useful_actions(self._sets)

    def information(self, tests: Iterable[OutcomeTest]) -> Information:
        actions = [self._action(action) for action in self._split.attempts]
        return Information(
            expected_reward=self._expected,
            perfect=self._perfect(actions),
            actions=tuple(sorted(actions, key=lambda each: -each.gain)),
            tests=tuple(map(self._tested, tests)),
        )

    def _perfect(self, actions: Iterable[ActionInformation]) -> Estimate:
        """Return what knowing everything is worth: no less than knowing one action."""
        attempts = self._split.attempts
        everything = [each for name in self._useful for each in attempts[name]]
        found = self._by_sets() or self._foreknown(everything)
        least = max(each.value for each in actions)
        return replace(found, value=max(found.value, least))

    def _by_sets(self) -> Estimate | None:
        """
        Add up all cases in the diagram of rewarding sets; None where that will not do.

        With all outcomes known, a plan takes a set that comes true and nothing else.
        Where rewards add up or spending counts, there is more to choose than a set.
        """
        problem = self._what_ifs.problem
        if problem.combine != "max" or any(problem.cost_weight.values()):
            return None
        if any(a.is_repeatable or _is_conditioned(a) for a in problem.actions):
            return None
        if len(self._useful) > _MOST_IN_SETS:
            return None
        cases = math.prod(len(lots_of(problem.action(name))) for name in self._useful)
        try:
            return Estimate(self._sets.perfect_information, 0.0, cases)
        except LimitError:
            return None

    def _foreknown(self, attempts: Iterable[str]) -> Estimate:
        return foreknown(
            self._split.problem,
            tuple(attempts),
            self._attempts.values,
            plan=self._attempts.solution,
            most_cases=self._most_cases,
            num_samples=self._num_samples,
        )

    def _action(self, name: str) -> ActionInformation:
        if name not in self._useful:
            return ActionInformation(name, self._expected, 0.0, 0.0)
        known = self._foreknown(self._split.attempts[name])
        gain = self._gain(known.value)
        return ActionInformation(name, known.value, gain, known.standard_error)

    def _tested(self, test: OutcomeTest) -> ValuedTest:
        original = test.looked_at(self._what_ifs.problem).original
        results = list(test.results(self._what_ifs.problem))
        solutions = self._what_ifs.solve(problem for _, _, problem in results)
        valued = tuple(
            OutcomeTestResult(
                result,
                float(probability),
                float(found.expected_reward),
                original(found.first_action),
            )
            for (result, probability, _), found in zip(results, solutions, strict=True)
        )
        value = sum(each.probability * each.value for each in valued)
        gain = self._gain(value) - float(test.cost)
        return ValuedTest(test, value, gain, valued)

    def _gain(self, value: float) -> float:
        """Return what knowing adds: never less than nothing, whatever rounding says."""
        is_same = self._what_ifs.is_same(value, self._expected)
        return 0.0 if is_same else max(0.0, value - self._expected)


def _useful_actions(sets: RewardingSets) -> tuple[str, ...]:
    """Return the actions that may be worth taking: knowing others gains nothing."""
    names = [action.name for action in sets.problem.actions]
    try:
        unused = set(sets.unused_actions)
    except LimitError:
        unused = set()
    return tuple(name for name in names if name not in unused)


def _is_conditioned(action: Action) -> bool:
    return any(clause.outcomes for clause in action.given)
