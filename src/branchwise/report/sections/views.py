"""The sections of an analysis: how each is shown, as text and in a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from branchwise.report.sections import (
    criticality,
    derivatives,
    frontier,
    information,
    risk,
    thresholds,
    tornado,
    two_way,
    uncertainty,
)
from branchwise.report.text.ink import Look

__all__ = ["VIEWS", "View"]


class View(NamedTuple):
    """
    How a section is shown.

    Parameters
    ----------
    title
        Its heading.
    note
        What its text shows, in a line; the page says more.
    lines
        Returns the section as text, line by line.
    fragment
        Returns it for a page, with a chart: HTML without a heading.
    """

    title: str
    note: str
    lines: Callable[[Any, Look], Iterator[str]]
    fragment: Callable[[Any], str]


VIEWS: Final[Mapping[str, View]] = {
    "criticality": View(
        "Criticality",
        "how the expected reward changes if an action is removed, fails or is certain",
        criticality.lines,
        criticality.fragment,
    ),
    "frontier": View(
        "Budget frontier",
        "what smaller budgets are worth; after a kink further units pay less",
        frontier.lines,
        frontier.fragment,
    ),
    "derivatives": View(
        "Derivatives",
        "how the expected reward changes per unit of a number, and by 1 % of it",
        derivatives.lines,
        derivatives.fragment,
    ),
    "tornado": View(
        "Tornado",
        "the expected reward with one number at a time at either end of its range",
        tornado.lines,
        tornado.fragment,
    ),
    "thresholds": View(
        "Thresholds",
        "from where to where the plan stays the best, and where its start changes",
        thresholds.lines,
        thresholds.fragment,
    ),
    "two-way": View(
        "Two-way map",
        "what the best plan starts with as two numbers change at once",
        two_way.lines,
        two_way.fragment,
    ),
    "uncertainty": View(
        "Uncertainty",
        "what best plans are worth with sampled probabilities: mean and percentiles",
        uncertainty.lines,
        uncertainty.fragment,
    ),
    "information": View(
        "Value of information",
        "what the best plan would be worth if outcomes were known before starting",
        information.lines,
        information.fragment,
    ),
    "risk": View(
        "Risk",
        "the best plan for other aims than the mean, and the mean it gives up",
        risk.lines,
        risk.fragment,
    ),
}
"""How to show each section, by its name."""
