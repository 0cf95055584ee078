"""The sections of an analysis: how each is shown, as text and in a page."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from branchwise.analysis.analyze import Analysis
from branchwise.report.page.templates import page_from
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
from branchwise.tree.solution import Status

VIEWS: Final[Mapping[str, ModuleType]] = {
    "criticality": criticality,
    "frontier": frontier,
    "derivatives": derivatives,
    "tornado": tornado,
    "thresholds": thresholds,
    "two-way": two_way,
    "uncertainty": uncertainty,
    "information": information,
    "risk": risk,
}
"""
What shows each section, by its name.

``TITLE`` is its heading, and ``NOTE`` says in a line what its text shows; ``lines``
returns it as text, and ``fragment`` for a page, as HTML without a heading.
"""


def analysis_page(analysis: Analysis) -> str:
    """Return an analysis as one self-contained page, with a chart in every section."""
    values = {
        "problem": analysis.problem,
        "solution": analysis.solution,
        "is_optimal": analysis.solution.status is Status.OPTIMAL,
        "titles": {key: view.TITLE for key, view in VIEWS.items()},
        "sections": {
            key: VIEWS[key].fragment(found) for key, found in analysis.sections.items()
        },
        "unreached": analysis.unreached,
    }
    title = analysis.problem.name.strip() or "Analysis"
    return page_from("analysis", title, values)
