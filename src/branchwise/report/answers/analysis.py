"""Analyses, shown: the answer, then one section after another."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, ClassVar, Final, Protocol, cast

from branchwise.analysis.analyze import SECTIONS, Analysis
from branchwise.analysis.table import Table
from branchwise.report.answer import Answer, Detail
from branchwise.report.answers.key_results import key_results
from branchwise.report.fields import (
    BOOLEAN,
    NAMES,
    NUMBER,
    ROWS,
    TEXT,
    Field,
    Kind,
    document,
    mapping,
    nullable,
    one_of,
)
from branchwise.report.least_cost import in_costs
from branchwise.report.text.cost_wording import cost_words, counting_costs
from branchwise.report.text.ink import Look, title_line
from branchwise.report.text.wording import chance, problem_name, value
from branchwise.tree.solution import Solution, Status


class View(Protocol):
    """What shows a section: the module of its name in `branchwise.report.sections`."""

    TITLE: str  # its heading
    NOTE: str  # what its text shows, in a line

    def lines(self, found: Any, look: Look, /) -> Iterator[str]: ...  # noqa: D102
    # For a page, without a heading.
    def fragment(self, found: Any, /) -> str: ...  # noqa: D102


def _view(section: str) -> View:
    name = f"branchwise.report.sections.{section.replace('-', '_')}"
    return cast("View", import_module(name))


VIEWS: Final[Mapping[str, View]] = {section: _view(section) for section in SECTIONS}

KEPT_NOTES: Final = {
    "criticality": "how the worth of this plan changes if an action fails or succeeds",
    "derivatives": "how the worth of this plan changes per unit of a number, or 1 %",
    "tornado": "what this plan is worth with one number at either end of its range",
    "uncertainty": "what this plan is worth with sampled probabilities",
    "risk": "how well this plan meets other aims than the mean, and any plan at most",
}
"""What a section shows in a line, where it keeps a plan that is not the optimum."""

_TABLES: Final = mapping(ROWS)
_SECTIONS: Final = Kind(
    {"type": "object", "properties": dict.fromkeys(SECTIONS, _TABLES.schema)},
    lambda sections: {
        name: _TABLES.plain({table.name: table for table in section.tables()})
        for name, section in sections.items()
    },
)
_STATUSES: Final = one_of(
    "optimal", "within gap", "time limit", "memory limit", "interrupted"
)


def _sentences(analysis: Analysis) -> list[str]:
    return [each.words for each in key_results(analysis)]


class AnalysisAnswer(Answer[Analysis]):
    """What matters in a problem, in tables: rows by column."""

    page = "page.analysis.analysis_page"
    layout: ClassVar = document(
        "branchwise-analysis",
        "What matters in a problem, in tables: rows by column.",
        Field("problem", TEXT, lambda found: problem_name(found.problem), "Its name."),
        Field("expected_reward", NUMBER, "solution.expected_reward"),
        Field("upper_bound", NUMBER, "solution.upper_bound").about(
            "What no plan can exceed; the same where proven."
        ),
        Field("plan_kept", BOOLEAN, lambda found: not _is_proven(found)).about(
            "Whether sections keep and evaluate the plan in hand, which is not proven "
            "optimal, instead of planning anew after each change."
        ),
        Field("first_action", nullable(TEXT), "solution.first_action"),
        Field("status", Kind(_STATUSES.schema, str)).about(
            "`optimal` where all that was asked for is there; `within gap` where it is "
            "about a plan within the gap that was asked for."
        ),
        Field("unreached", mapping(TEXT)).about(
            "Why sections that were asked for are not there."
        ),
        Field("key_results", NAMES, _sentences).about(
            "What matters most, in up to five sentences."
        ),
        Field("sections", _SECTIONS),
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the answer, and then every section."""
        yield from _head(self.result, look)
        for each in key_results(self.result):
            yield look.uncut.line(f"- {each.words}")
        if detail != "answer":
            yield from _sections(self.result, look)

    def tables(self) -> tuple[Table, ...]:
        """
        Return the tables of all sections, named ``section-table``.

        Where these are not about the optimum, ``plan`` says so, and ``unreached`` which
        sections need it.
        """
        sections = tuple(
            replace(table, name=f"{name}-{table.name}")
            for name, section in self.result.sections.items()
            for table in section.tables()
        )
        return sections if _is_proven(self.result) else (*sections, *self._kept())

    def _kept(self) -> tuple[Table, Table]:
        solution, unreached = self.result.solution, self.result.unreached
        columns = ("expected_reward", "upper_bound", "status", "plan_kept")
        worth = solution.expected_reward, solution.upper_bound
        return (
            Table.of("plan", columns, [(*worth, str(solution.status), True)]),
            Table.of("unreached", ("section", "reason"), unreached.items()),
        )


def _sections(analysis: Analysis, look: Look) -> Iterator[str]:
    for name, section in analysis.sections.items():
        yield ""
        yield look.line((VIEWS[name].TITLE, "title"))
        is_kept = name in KEPT_NOTES and not _is_proven(analysis)
        note = KEPT_NOTES[name] if is_kept else VIEWS[name].NOTE
        is_cost = analysis.is_least_cost
        yield look.line((cost_words(note) if is_cost else note, "faint"))
        with counting_costs(is_cost=is_cost):
            found = in_costs(section) if is_cost else section
            lines = list(VIEWS[name].lines(found, look))
        yield from map(cost_words, lines) if is_cost else lines
    for name, reason in analysis.unreached.items():
        yield ""
        yield look.line((VIEWS[name].TITLE, "title"))
        yield look.line(reason)


def _head(analysis: Analysis, look: Look) -> Iterator[str]:
    problem = analysis.problem
    if problem is None:
        yield look.line((problem_name(None), "title"))
    else:
        yield title_line(problem, look)
    solution = analysis.solution
    first = solution.first_action
    does = "nothing to do" if first is None else f"first action {look.name(first, 0.4)}"
    worth = f"expected reward {value(solution.expected_reward)}"
    if problem is not None and any(problem.cost_weight.values()):
        worth = f"{worth} net of weighted cost"
    if solution.expected_cost is not None:
        worth = f"expected cost {value(solution.expected_cost)}"
        does = f"{does}; smaller is better"
    if _is_proven(analysis):
        yield look.line(f"{worth}, {does}")
        return
    most = f"at most {value(solution.upper_bound)}"
    if solution.expected_cost is not None:
        most = f"at least {value(-solution.upper_bound)}"
    yield look.line(f"{worth}, {most}, {does}")
    yield from map(look.line, kept_words(solution))


def kept_words(solution: Solution) -> tuple[str, str]:
    """Return in words that an analysis is about a plan which is not the optimum."""
    near = f"within {chance(solution.relative_gap)} of the optimum"
    return (
        f"about a plan {near} ({solution.status}), not about the optimum:",
        "after each change this plan is kept and evaluated, not planned anew",
    )


def _is_proven(analysis: Analysis) -> bool:
    return analysis.solution.status is Status.OPTIMAL
