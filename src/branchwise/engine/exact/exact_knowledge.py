"""Exact knowledge: what is known of hidden facts at canonical states, in fractions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from operator import mul

from branchwise.engine.hidden_groups import Signals, Terms, Vector
from branchwise.engine.payments import Payment
from branchwise.model.problem import Problem

Met = tuple[int, ...]
"""By signal of a problem: how often it was met."""


class ExactKnowledge:
    """By Bayes' rule, from how often each signal was met."""

    def __init__(self, problem: Problem) -> None:
        self._signals = Signals(problem, 0)
        self._known: dict[tuple[int, Met], Vector] = {}

    @property
    def num_signals(self) -> int:
        """How many signals there are."""
        return len(self._signals.sizes)

    def terms(self, action: str, variant: int) -> Terms | None:
        """Return what comes of an action; None if no hidden fact decides that."""
        telling = self._signals.telling.get(action)
        return None if telling is None else telling.terms[variant]

    def chances(self, action: str, terms: Terms, met: Met) -> list[Fraction]:
        """Return how likely the outcomes of an action are, by what is known."""
        weights = self._weights(self._signals.telling[action].group, met)
        return [
            sum(map(mul, weights, likelihoods), Fraction(0))
            for likelihoods in terms.likelihoods
        ]

    def _weights(self, group: int, met: Met) -> Vector:
        """Return how likely each way is that the facts of a group may be."""
        known = self._known.get((group, met))
        if known is None:
            known = self._known[group, met] = self._worked_out(group, met)
        return known

    def _worked_out(self, group: int, met: Met) -> Vector:
        groups = self._signals.groups.groups
        weights = [each.probability for each in groups[group].assignments]
        for (about, signal), times in zip(self._signals.sizes, met, strict=True):
            if about == group and times:
                weights = [
                    weight * likelihood**times
                    for weight, likelihood in zip(weights, signal, strict=True)
                ]
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    def expected_sum(self, payments: Iterable[Payment], met: Met) -> Fraction:
        """Return what payments come to on average, where they add up."""
        total = Fraction(0)
        for payment in payments:
            likely = Fraction(1)
            if payment.group is not None:
                weights = self._weights(payment.group, met)
                likely = sum(map(mul, weights, payment.given), Fraction(0))
            total += payment.value * likely
        return total

    def expected_best(self, payments: Iterable[Payment], met: Met) -> Fraction:
        """Return the best of payments, for each way that hidden facts may be."""
        listed = tuple(payments)
        sure = [Fraction(0), *(each.value for each in listed if each.group is None)]
        group = next((each.group for each in listed if each.group is not None), None)
        if group is None:
            return max(sure)
        total = Fraction(0)
        for way, weight in enumerate(self._weights(group, met)):
            paid = (e.value for e in listed if e.group is not None and e.given[way])
            total += weight * max([*sure, *paid])
        return total
