"""An analysis as one self-contained HTML page, with a chart in every section."""

from __future__ import annotations

from collections.abc import Iterator

from branchwise.analysis.analyze import Analysis
from branchwise.report.page.markup import figure, name, words
from branchwise.report.page.page_frame import page_frame
from branchwise.report.sections.views import VIEWS
from branchwise.report.text.wording import value
from branchwise.tree.solution import Status

__all__ = ["analysis_html"]


def analysis_html(analysis: Analysis) -> str:
    """Tell an analysis in one page."""
    sections = "\n".join(_sections(analysis))
    return page_frame(_title(analysis), _header(analysis), sections)


def _sections(analysis: Analysis) -> Iterator[str]:
    for section, found in analysis.sections.items():
        view = VIEWS[section]
        yield f"""<section aria-labelledby="{section}">
<h2 id="{section}">{words(view.title)}</h2>
{view.fragment(found)}
</section>"""
    for section, reason in analysis.unreached.items():
        yield f"""<section aria-labelledby="{section}">
<h2 id="{section}">{words(VIEWS[section].title)}</h2>
<p>{words(reason[0].upper() + reason[1:])}.</p>
</section>"""


def _title(analysis: Analysis) -> str:
    return analysis.problem.name.strip() or "Analysis"


def _header(analysis: Analysis) -> str:
    facts = "\n".join(
        f"<div><dt>{label}</dt><dd>{figure(fact)}</dd></div>"
        for label, fact in _facts(analysis)
    )
    return f"""<header>
<p class="eyebrow">Analysis</p>
<h1>{name(_title(analysis))}</h1>
<p class="lead">What matters, what would change the plan, and what more would buy.</p>
<dl class="facts">
{facts}
</dl>
{_contents(analysis)}
</header>"""


def _contents(analysis: Analysis) -> str:
    """Link to every section, where there are several."""
    sections = [*analysis.sections, *analysis.unreached]
    if len(sections) < 2:
        return ""
    links = "\n".join(
        f'<a href="#{section}">{words(VIEWS[section].title)}</a>'
        for section in sections
    )
    return f'<nav class="contents" aria-label="Sections">\n{links}\n</nav>'


def _facts(analysis: Analysis) -> Iterator[tuple[str, str]]:
    solution = analysis.solution
    yield "Expected reward", value(solution.expected_reward)
    if solution.status is not Status.OPTIMAL:
        yield "At most", value(solution.upper_bound)
    first = solution.first_action
    yield "First action", "none" if first is None else name(first)
    yield "Budget", words(str(analysis.problem.budget))
    yield "Actions", f"{len(analysis.problem.actions):,}"
