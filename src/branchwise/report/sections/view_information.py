"""The value of information, told: everything known, each action, each test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.information.value_of_information import (
    ActionInformation,
    Finding,
    Information,
    ValuedTest,
)
from branchwise.report.charts.span_chart import Bar, Row, span_chart
from branchwise.report.page.markup import (
    Column,
    listing,
    name,
    scrollable,
    table,
    words,
)
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import chance, plural, rounded

__all__ = ["information_fragment", "information_lines"]

_MOST_LINES: Final = 30
_MOST_BARS: Final = 30
_EVERYTHING: Final = "every outcome"


def information_lines(found: Information, look: Look) -> Iterator[str]:
    """Tell the value of information as text: what is known, and what that adds."""
    shown = found.actions[:_MOST_LINES]
    rows = [[_EVERYTHING, rounded(found.perfect.value), _gain(found.perfect_gain)]]
    rows += [
        [look.name(each.action, 0.4), rounded(each.value), _gain(each.gain)]
        for each in shown
    ]
    titles = ["known before starting", "worth", "gain"]
    yield from aligned(titles, rows, look, words=0, inks={2: "reward"})
    others = len(found.actions) - len(shown)
    if others:
        yield look.line([(f"and {plural(others, 'other action')}", "faint")])
    yield look.line([(_cases(found), "faint")])
    for test in found.tests:
        yield ""
        yield look.line([(_tested(test), "plain")])
        findings = [_finding(each) for each in test.findings]
        titles = ["result", "probability", "worth", "first"]
        yield from aligned(titles, findings, look, words=0)


def _cases(found: Information) -> str:
    perfect = found.perfect
    if not perfect.standard_error:
        return f"exactly, over {plural(perfect.num_cases, 'case')}"
    return (
        f"{_EVERYTHING}: over {plural(perfect.num_cases, 'case')} drawn by chance, "
        f"standard error {rounded(perfect.standard_error, 2)}"
    )


def _tested(test: ValuedTest) -> str:
    cost = float(test.test.cost)
    told = f"a test of {test.test.action} first: worth {rounded(test.value)}"
    less = f" less its cost {rounded(cost)}" if cost else ""
    return f"{told}{less}, gain {_gain(test.gain)}"


def _finding(finding: Finding) -> list[str]:
    return [
        finding.result,
        chance(finding.probability),
        rounded(finding.value),
        finding.first_action or "none",
    ]


def _gain(number: float) -> str:
    text = rounded(number, 4)
    return f"+{text}" if number > 0 else text


def information_fragment(found: Information) -> str:
    """Tell the value of information in a page: bars, a table, and the tests."""
    perfect = found.perfect
    error = ""
    if perfect.standard_error:
        error = f" (standard error {rounded(perfect.standard_error, 2)})"
    tests = "\n".join(map(_test, found.tests))
    return f"""<p class="hint">What the best plan would earn if it were known, before
starting, how an action comes out; nothing becomes possible or cheaper by that. To know
every outcome would be worth {_gain(found.perfect_gain)}{error}; no test of anything is
worth more.{_left_out(found)}</p>
{scrollable(_chart(found), "Chart of the value of information")}
{_table(found)}
{tests}"""


def _left_out(found: Information) -> str:
    if len(found.actions) <= _MOST_BARS:
        return ""
    return f" The chart shows the first {_MOST_BARS} actions."


def _chart(found: Information) -> str:
    base = found.expected_reward
    rows = [_bar(base, _EVERYTHING, base + found.perfect_gain)]
    rows += [_bar(base, e.action, base + e.gain) for e in found.actions[:_MOST_BARS]]
    return span_chart(rows, base, "What knowing each action beforehand would add")


def _bar(base: float, label: str, end: float) -> Row:
    note = f"{label} known: {rounded(end)}"
    return Row(label, (Bar(base, end, "gain", note, _gain(end - base)),))


def _table(found: Information) -> str:
    columns = [
        Column("Known before starting", is_head=True),
        Column("Worth", "number"),
        Column("Gain", "number"),
        Column("Standard error", "number"),
    ]
    rows = [[name(e.action), *map(words, _numbers(e))] for e in found.actions]
    return listing(columns, rows, "Value of information by action")


def _numbers(each: ActionInformation) -> list[str]:
    error = rounded(each.standard_error, 2) if each.standard_error else "exact"
    return [rounded(each.value), _gain(each.gain), error]


def _test(test: ValuedTest) -> str:
    columns = [
        Column("Result", is_head=True),
        Column("Probability", "number"),
        Column("Worth", "number"),
        Column("First action", "action"),
    ]
    rows = [[name(cell) for cell in _finding(each)] for each in test.findings]
    return f"""<h3>A test of {name(test.test.action)}</h3>
<p class="hint">{words(_tested(test))}.</p>
{table(columns, rows, style="narrow")}"""
