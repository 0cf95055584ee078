"""Tests of outcomes: a look, before starting, at how an action would come out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from branchwise.analysis.attempts import AttemptProblem, first_apart
from branchwise.analysis.lots import label_of, lots_of, mixture
from branchwise.model.action import Action
from branchwise.model.conditions.condition_text import parse_history
from branchwise.model.execution.turn import start_of
from branchwise.model.numbers.number import Number, exact, number_text
from branchwise.model.problem import Problem


@dataclass(frozen=True, init=False)
class OutcomeTest:
    """
    A test that tells, before anything is done, how an action may come out.

    It looks at the first attempt, as that would come out at the start: with the
    probabilities that hold before anything is done.

    Parameters
    ----------
    action
        The name of the action that it looks at.
    likelihoods
        For each result of the test, how likely it is given each outcome of the action.
        For each outcome they sum to one over the results.
    cost
        What the test costs, in units of the reward.

    Examples
    --------
    >>> drill = Action("drill", outcomes={"oil": 0.2, "dry": 0.8})
    >>> test = OutcomeTest.of(drill, "oil", sensitivity=0.9, specificity="80%")
    >>> {o: str(p) for o, p in test.likelihoods["positive"].items()}
    {'oil': '9/10', 'dry': '1/5'}
    """

    action: str
    likelihoods: Mapping[str, Mapping[str, Fraction]]
    cost: Fraction

    def __init__(
        self,
        action: str,
        likelihoods: Mapping[str, Mapping[str, Number]],
        *,
        cost: Number = 0,
    ) -> None:
        read = {
            result: {label: exact(p) for label, p in given.items()}
            for result, given in likelihoods.items()
        }
        object.__setattr__(self, "action", action)
        object.__setattr__(self, "likelihoods", read)
        object.__setattr__(self, "cost", exact(cost))
        self._check()

    @classmethod
    def of(
        cls,
        action: Action,
        outcome: str,
        *,
        sensitivity: Number,
        specificity: Number,
        cost: Number = 0,
    ) -> Self:
        """
        Return a test for one outcome, with results ``positive`` and ``negative``.

        Parameters
        ----------
        action, outcome
            What it is a test for.
        sensitivity
            How likely it is positive if the action would come out so.
        specificity
            How likely it is negative if the action would not.
        cost
            What it costs, in units of the reward.
        """
        hit, miss = exact(sensitivity), 1 - exact(specificity)
        known = action.outcome(outcome).label
        positive = {label: hit if label == known else miss for label in action.labels}
        negative = {label: 1 - share for label, share in positive.items()}
        return cls(action.name, {"positive": positive, "negative": negative}, cost=cost)

    def _check(self) -> None:
        labels = {label for given in self.likelihoods.values() for label in given}
        for label in sorted(labels):
            shares = [
                given.get(label, Fraction(0)) for given in self.likelihoods.values()
            ]
            if min(shares) < 0 or sum(shares) != 1:
                total = " + ".join(map(number_text, shares))
                raise ValueError(
                    f"given {label}, the results of a test have the probabilities "
                    f"{total}; they must be from 0 to 1 and sum to 1"
                )

    def results(self, problem: Problem) -> Iterator[tuple[str, Fraction, Problem]]:
        """
        Return each possible result, how likely it is, and the problem as it is then.

        The probabilities of the action are updated by Bayes' rule, those of every
        clause by what its lots would come out as at the start. Where it can be
        repeated, its first attempt is looked at, and is an action of its own: see
        `looked_at`.
        """
        split = self.looked_at(problem)
        action = split.problem.action(split.attempts[self.action][0])
        lots, start = lots_of(action), start_of(split.problem).facts
        for result, given in self.likelihoods.items():
            # How an attempt would come out if it were the first thing to do.
            labels = [label_of(lot.action.as_of(start)[1]) for lot in lots]
            joint = [
                lot.probability * given.get(label, Fraction(0))
                for lot, label in zip(lots, labels, strict=True)
            ]
            total = sum(joint, Fraction(0))
            if total:
                weights = [weight / total for weight in joint]
                mixed = mixture(action, lots, weights)
                yield result, total, split.problem.with_action(mixed)

    def looked_at(self, problem: Problem) -> AttemptProblem:
        """Return the problem in which the attempt that is looked at is taken once."""
        action = problem.action(self.action)
        for label in action.labels:
            if not any(label in given for given in self.likelihoods.values()):
                raise ValueError(f"the test does not say what `{label}` leads to")
        return first_apart(problem, action.name)


def parse_outcome_test(text: str, problem: Problem) -> OutcomeTest:
    """
    Read a test as ``action=outcome:sensitivity:specificity``, maybe ``:cost``.

    Examples
    --------
    >>> drill = Action("drill", outcomes={"oil": 0.2, "dry": 0.8})
    >>> parse_outcome_test("drill=oil:90%:80%:5", Problem([drill])).cost
    Fraction(5, 1)
    """
    what, *numbers = (part.strip() for part in _split(text))
    events = parse_history(what) if len(numbers) in {2, 3} else ()
    if len(events) != 1:
        raise ValueError(
            f"`{text}` is no test; write `action=outcome:sensitivity:specificity`, "
            "such as `drill=oil:90%:80%`, and maybe `:5` for its cost"
        )
    action = problem.action(events[0].action)
    sensitivity, specificity, *cost = numbers
    return OutcomeTest.of(
        action,
        events[0].outcome,
        sensitivity=sensitivity,
        specificity=specificity,
        cost=cost[0] if cost else 0,
    )


def _split(text: str) -> list[str]:
    """Split at colons outside of quotes."""
    parts, is_quoted = [""], False
    for character in text:
        is_quoted ^= character == '"'
        if character == ":" and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts
