"""An analysis as one self-contained HTML page, with a chart in every section."""

from __future__ import annotations

from branchwise.analysis.analyze import Analysis
from branchwise.report.page.templates import page_from
from branchwise.report.sections.views import VIEWS
from branchwise.tree.solution import Status

__all__ = ["analysis_page"]


def analysis_page(analysis: Analysis) -> str:
    """Return an analysis as one page."""
    values = {
        "problem": analysis.problem,
        "solution": analysis.solution,
        "is_optimal": analysis.solution.status is Status.OPTIMAL,
        "titles": {key: view.title for key, view in VIEWS.items()},
        "sections": {
            key: VIEWS[key].fragment(found) for key, found in analysis.sections.items()
        },
        "unreached": analysis.unreached,
    }
    title = analysis.problem.name.strip() or "Analysis"
    return page_from("analysis", title, values)
