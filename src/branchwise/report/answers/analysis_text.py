"""An analysis as text: the answer, then one section after another."""

from __future__ import annotations

from collections.abc import Iterator

from branchwise.analysis.analyze import Analysis
from branchwise.report.sections.views import VIEWS
from branchwise.report.text.ink import Look, Paint, uncolored
from branchwise.report.text.title_line import title_line
from branchwise.report.text.wording import value
from branchwise.tree.solution import Status

__all__ = ["analysis_lines"]


def analysis_lines(
    analysis: Analysis,
    *,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Tell an analysis line by line.

    Parameters
    ----------
    analysis
        What to tell.
    width
        Cut lines that are longer; None lets them be.
    is_ascii
        Write without the marks that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    look = Look(width, is_ascii, paint)
    yield from _head(analysis, look)
    for name, section in analysis.sections.items():
        yield ""
        yield look.line([(VIEWS[name].title, "title")])
        yield look.line([(VIEWS[name].note, "faint")])
        yield from VIEWS[name].lines(section, look)
    for name, reason in analysis.unreached.items():
        yield ""
        yield look.line([(VIEWS[name].title, "title")])
        yield look.line([(reason, "plain")])


def _head(analysis: Analysis, look: Look) -> Iterator[str]:
    yield title_line(analysis.problem, look)
    solution = analysis.solution
    first = solution.first_action
    does = "nothing to do" if first is None else f"first action {look.name(first, 0.4)}"
    worth = f"expected reward {value(solution.expected_reward)}"
    if solution.status is not Status.OPTIMAL:
        worth += f", at most {value(solution.upper_bound)}"
    yield look.line([(f"{worth}, {does}", "plain")])
