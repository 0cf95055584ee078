"""An analysis as a page."""

from branchwise.analysis.analyze import Analysis
from branchwise.report.answers.analysis import KEPT_NOTES, VIEWS, kept_words
from branchwise.report.page.templates import page_from
from branchwise.tree.solution import Status


def analysis_page(analysis: Analysis) -> str:
    """Return an analysis as one self-contained page, with a chart in every section."""
    is_optimal = analysis.solution.status is Status.OPTIMAL
    values = {
        "problem": analysis.problem,
        "solution": analysis.solution,
        "is_optimal": is_optimal,
        "kept": "" if is_optimal else " ".join(kept_words(analysis.solution)),
        "kept_notes": {} if is_optimal else KEPT_NOTES,
        "titles": {key: view.TITLE for key, view in VIEWS.items()},
        "sections": {
            key: VIEWS[key].fragment(found) for key, found in analysis.sections.items()
        },
        "unreached": analysis.unreached,
    }
    return page_from("analysis", analysis.problem.name, values)
