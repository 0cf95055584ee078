"""Lots: what an action will come out as, drawn before anything is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeVar

from branchwise.analysis.parameter import outcomes_in
from branchwise.model.action import Action, Outcome
from branchwise.model.hidden import Hidden


class Lot(NamedTuple):
    """One draw of an action that is taken at most once."""

    probability: Fraction  # how likely it is
    action: Action  # the action, which with this lot cannot come out in another way


def lots_of(action: Action) -> tuple[Lot, ...]:
    """
    Return the lots of an action: without conditioning, one for each outcome.

    What has happened may change probabilities. One draw, a number from 0 to 1, then
    decides for all clauses: each lays its outcomes side by side, in the action's order,
    as wide as they are likely.
    """
    changed = [clause.outcomes for clause in action.given if clause.outcomes]
    tables = [_ends(action, outcomes) for outcomes in (action.outcomes, *changed)]
    cuts = sorted({Fraction(0), *(end for table in tables for end, _ in table)})
    return tuple(
        Lot(high - low, _drawn(action, [_label(table, low) for table in tables]))
        for low, high in pairwise(cuts)
    )


def mixture(action: Action, lots: Sequence[Lot], weights: Sequence[Fraction]) -> Action:
    """
    Return an action whose lot is one of several, each as likely as it weighs.

    Whatever clause counts, its outcomes are as likely as the lots that have them.
    """

    def mixed(tables: Iterable[Sequence[Outcome]]) -> tuple[Outcome, ...]:
        total = dict.fromkeys(action.labels, Fraction(0))
        for weight, table in zip(weights, tables, strict=True):
            for outcome in table:
                total[outcome.label] += weight * outcome.probability
        return tuple(Outcome(label, total[label]) for label in action.labels)

    return with_outcomes(
        action, lambda clause: mixed(outcomes_in(lot.action, clause) for lot in lots)
    )


OneOwner = TypeVar("OneOwner", Action, Hidden)


def with_outcomes(
    own: OneOwner, outcomes: Callable[[int | None], tuple[Outcome, ...]]
) -> OneOwner:
    """Return an action or a fact with other outcomes: by the clause, then its own."""
    given = tuple(
        replace(clause, outcomes=outcomes(number)) if clause.outcomes else clause
        for number, clause in enumerate(own.given)
    )
    # What an outcome does besides stays with it.
    known = {outcome.label: outcome for outcome in own.outcomes}
    changed = tuple(
        known[o.label].with_probability(o.probability, low=o.low, high=o.high)
        for o in outcomes(None)
    )
    return replace(own, outcomes=changed, given=given)


def certain(action: Action, label: str) -> tuple[Outcome, ...]:
    """Return the outcomes of an action that always comes out in one way."""
    return tuple(Outcome(other, int(other == label)) for other in action.labels)


def label_of(outcomes: Iterable[Outcome]) -> str:
    """Return the outcome that can happen; of a lot there is one."""
    return next(outcome.label for outcome in outcomes if outcome.probability)


def _ends(action: Action, outcomes: Sequence[Outcome]) -> list[tuple[Fraction, str]]:
    """Lay outcomes side by side, in the action's order; say where each ends."""
    widths = {outcome.label: outcome.probability for outcome in outcomes}
    labels = [label for label in action.labels if widths.get(label)]
    ends = accumulate(widths[label] for label in labels)
    return list(zip(ends, labels, strict=True))


def _label(table: Sequence[tuple[Fraction, str]], number: Fraction) -> str:
    return next(label for end, label in table if number < end)


def _drawn(action: Action, labels: Sequence[str]) -> Action:
    """Return the action as it is with one draw: certain, whatever clause counts."""
    own, *others = labels
    rest = iter(others)
    return with_outcomes(
        action, lambda clause: certain(action, own if clause is None else next(rest))
    )
