"""An analysis as a page."""

from collections.abc import Iterator

from branchwise.analysis.analyze import Analysis
from branchwise.report.answers.analysis import KEPT_NOTES, VIEWS, kept_words
from branchwise.report.answers.key_results import key_results
from branchwise.report.least_cost import in_costs
from branchwise.report.page.templates import page_from
from branchwise.report.text.cost_wording import cost_words, counting_costs
from branchwise.report.text.wording import problem_name
from branchwise.tree.solution import Status


def analysis_page(analysis: Analysis) -> str:
    """Return an analysis as one self-contained page, with a chart in every section."""
    is_optimal = analysis.solution.status is Status.OPTIMAL
    values = {
        "problem": analysis.problem,
        "key_results": key_results(analysis),
        "solution": analysis.solution,
        "is_optimal": is_optimal,
        "kept": "" if is_optimal else " ".join(kept_words(analysis.solution)),
        "kept_notes": {} if is_optimal else KEPT_NOTES,
        "titles": {key: view.TITLE for key, view in VIEWS.items()},
        "sections": dict(_fragments(analysis)),
        "unreached": analysis.unreached,
    }
    return page_from("analysis", problem_name(analysis.problem), values)


def _fragments(analysis: Analysis) -> Iterator[tuple[str, str]]:
    is_cost = analysis.is_least_cost
    for key, found in analysis.sections.items():
        with counting_costs(is_cost=is_cost):
            shown = in_costs(found) if is_cost else found
            fragment = VIEWS[key].fragment(shown)
        yield key, cost_words(fragment) if is_cost else fragment
