"""An analysis as a page."""

from __future__ import annotations

from branchwise.analysis.analyze import Analysis
from branchwise.report.answers.analysis import VIEWS
from branchwise.report.page.templates import page_from
from branchwise.tree.solution import Status


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
    return page_from("analysis", analysis.problem.name, values)
