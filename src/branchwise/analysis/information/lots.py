"""Lots: what an action will come out as, drawn before anything is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from branchwise.model.action import Action, Outcome


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

    def mixed(tables: Iterable[Sequence[Outcome] | None]) -> tuple[Outcome, ...]:
        total = dict.fromkeys(action.labels, Fraction(0))
        for weight, table in zip(weights, tables, strict=True):
            for outcome in table or ():
                total[outcome.label] += weight * outcome.probability
        return tuple(Outcome(label, total[label]) for label in action.labels)

    given = tuple(
        replace(clause, outcomes=mixed(lot.action.given[i].outcomes for lot in lots))
        if clause.outcomes
        else clause
        for i, clause in enumerate(action.given)
    )
    own = mixed(lot.action.outcomes for lot in lots)
    return replace(action, outcomes=own, given=given)


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
    rest: Iterator[str] = iter(others)
    given = tuple(
        replace(clause, outcomes=_certain(action, next(rest)))
        if clause.outcomes
        else clause
        for clause in action.given
    )
    return replace(action, outcomes=_certain(action, own), given=given)


def _certain(action: Action, label: str) -> tuple[Outcome, ...]:
    return tuple(Outcome(other, int(other == label)) for other in action.labels)
