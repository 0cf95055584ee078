"""The value of information: what it is worth to know outcomes before starting."""

from __future__ import annotations

from dataclasses import dataclass

from branchwise.analysis.clairvoyance import Estimate
from branchwise.analysis.outcome_tests import OutcomeTest
from branchwise.analysis.table import Table

__all__ = ["ActionInformation", "Finding", "Information", "ValuedTest"]


@dataclass(frozen=True, slots=True)
class ActionInformation:
    """
    What it is worth to know of one action, before starting, how it would come out.

    Parameters
    ----------
    action
        Its name. Of an action that can be repeated all attempts are known.
    value
        The expected reward of somebody who knows.
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
class Finding:
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
        The expected reward of somebody who tests first, before its cost.
    gain
        How much more that is, less the cost of the test.
    findings
        Its results.
    """

    test: OutcomeTest
    value: float
    gain: float
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Information:
    """
    What it is worth to know outcomes before starting.

    Parameters
    ----------
    expected_reward
        What the best plan earns without.
    perfect
        What somebody could expect who knows how every attempt would come out, and is
        bound by the budget and by all conditions as ever.
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
        """Find an action by its name."""
        return next(each for each in self.actions if each.action == name)

    def tables(self) -> tuple[Table, ...]:
        """Give it in rows: everything known, each action, each test."""
        total = self.perfect
        columns = ["value", "gain", "standard_error", "num_cases"]
        row = [total.value, self.perfect_gain, total.standard_error, total.num_cases]
        findings = ["action", "result", "probability", "value", "first_action"]
        return (
            Table.of("perfect", columns, [row]),
            Table.of_records("actions", ActionInformation, self.actions),
            Table.of(
                "tests",
                ["action", "cost", "value", "gain"],
                ([t.test.action, t.test.cost, t.value, t.gain] for t in self.tests),
            ),
            Table.of(
                "findings",
                findings,
                (
                    [t.test.action, f.result, f.probability, f.value, f.first_action]
                    for t in self.tests
                    for f in t.findings
                ),
            ),
        )
