"""Views of an analysis: how each of its sections is told, as text and in a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from branchwise.report.sections.view_criticality import (
    criticality_fragment,
    criticality_lines,
)
from branchwise.report.sections.view_derivatives import (
    derivatives_fragment,
    derivatives_lines,
)
from branchwise.report.sections.view_frontier import frontier_fragment, frontier_lines
from branchwise.report.sections.view_information import (
    information_fragment,
    information_lines,
)
from branchwise.report.sections.view_risk import risk_fragment, risk_lines
from branchwise.report.sections.view_thresholds import (
    thresholds_fragment,
    thresholds_lines,
)
from branchwise.report.sections.view_tornado import tornado_fragment, tornado_lines
from branchwise.report.sections.view_two_way import two_way_fragment, two_way_lines
from branchwise.report.sections.view_uncertainty import (
    uncertainty_fragment,
    uncertainty_lines,
)
from branchwise.report.text.ink import Look

__all__ = ["VIEWS", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """
    How a section is told.

    Parameters
    ----------
    title
        Its heading.
    note
        What its text tells, in a line; the page says more.
    lines
        Tells what was found as text, line by line.
    fragment
        Tells it in a page, with a chart: HTML without a heading.
    """

    title: str
    note: str
    lines: Callable[[Any, Look], Iterator[str]]
    fragment: Callable[[Any], str]


VIEWS: Final[Mapping[str, View]] = {
    "criticality": View(
        "Criticality",
        "how the expected reward changes if an action is removed, fails or is certain",
        criticality_lines,
        criticality_fragment,
    ),
    "frontier": View(
        "Budget frontier",
        "what smaller budgets are worth; after a kink further units pay less",
        frontier_lines,
        frontier_fragment,
    ),
    "derivatives": View(
        "Derivatives",
        "how the expected reward changes per unit of a number, and by 1 % of it",
        derivatives_lines,
        derivatives_fragment,
    ),
    "tornado": View(
        "Tornado",
        "the expected reward with one number at a time at either end of its range",
        tornado_lines,
        tornado_fragment,
    ),
    "thresholds": View(
        "Thresholds",
        "from where to where the plan stays the best, and where its start changes",
        thresholds_lines,
        thresholds_fragment,
    ),
    "two-way": View(
        "Two-way map",
        "what the best plan starts with as two numbers change at once",
        two_way_lines,
        two_way_fragment,
    ),
    "uncertainty": View(
        "Uncertainty",
        "what best plans are worth at odds drawn by chance: mean and percentiles",
        uncertainty_lines,
        uncertainty_fragment,
    ),
    "information": View(
        "Value of information",
        "what the best plan would be worth if outcomes were known before starting",
        information_lines,
        information_fragment,
    ),
    "risk": View(
        "Risk",
        "the best plan for other aims than the mean, and the mean it gives up",
        risk_lines,
        risk_fragment,
    ),
}
"""How to tell each section, by its name."""
