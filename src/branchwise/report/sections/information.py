"""The value of information, shown: everything known, each action, each test."""

from collections.abc import Iterator
from typing import Final

from branchwise.analysis.information.value_of_information import (
    ActionInformation,
    Information,
    InformingAction,
    ValuedTest,
)
from branchwise.model.numbers.number import TIE
from branchwise.report.charts.span_chart import Bar, Row, moves_chart
from branchwise.report.column import (
    MOST,
    MOST_BARS,
    PAGE_NUMBERS,
    Column,
    table_html,
    table_lines,
)
from branchwise.report.markup import name, words
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import change, plural, rounded

TITLE: Final = "Value of information"
NOTE: Final = "what the best plan would be worth if outcomes were known before starting"

_EVERYTHING: Final = "every outcome"
_EVERY_FACT: Final = "every hidden fact"
_TELLING: Final = "what the best plan is worth without an action that tells about them"


def _worth_without(each: InformingAction) -> str:
    return "never sure to finish" if each.value is None else rounded(each.value)


_KNOWN: Final = (
    Column("action", "known before starting", "name"),
    Column("value", "worth", "rounded"),
    Column("gain", "gain", "change", ink="reward", write=lambda gain: change(gain, 4)),
    Column(
        "standard_error",
        "standard error",
        "rounded",
        lambda each: each.standard_error or None,
        write=lambda error: rounded(error, 2),
        is_optional=True,
    ),
)
_INFORMING: Final = (
    Column("action", "without", "name"),
    Column("value", "worth", "figure", _worth_without),
    Column("loss", "loss", "change", write=lambda loss: change(-loss, 4)),
)
_RESULTS: Final = (
    Column("result", "result", "name"),
    Column("probability", "probability", "chance"),
    Column("value", "worth", "rounded"),
    Column("first_action", "first action", "action"),
)


def lines(found: Information, look: Look) -> Iterator[str]:
    """Return the value of information as text: what is known, and what that adds."""
    perfect = found.perfect
    everything = ActionInformation(
        _all(found), perfect.value, _gain(found), perfect.standard_error
    )
    others = "fact" if found.facts else "action"
    yield from table_lines(
        _KNOWN, [everything, *_each(found)], look, most=MOST + 1, others=others
    )
    yield look.line((_cases(found), "faint"))
    if found.informing:
        yield ""
        yield _TELLING
        yield from table_lines(_INFORMING, found.informing, look, others="action")
    for test in found.tests:
        yield ""
        yield look.line(_tested(test))
        yield from table_lines(_RESULTS, test.results, look)


def _gain(found: Information) -> float:
    """Return what knowing everything changes, also where costs are shown."""
    gain = found.perfect.value - found.expected_reward
    return gain if abs(gain) > TIE * abs(found.perfect.value) else 0.0


def _all(found: Information) -> str:
    return _EVERY_FACT if found.facts else _EVERYTHING


def _each(found: Information) -> tuple[ActionInformation, ...]:
    """Return what may be known, one by one: hidden facts, if there are some."""
    facts = (ActionInformation(f.fact, f.value, f.gain, 0.0) for f in found.facts)
    return (*facts, *found.actions)


def _cases(found: Information) -> str:
    cases, error = plural(found.perfect.num_cases, "case"), found.perfect.standard_error
    if not error:
        return f"exactly, over {cases}"
    drawn = f"{_all(found)}: over {cases} drawn by chance"
    return f"{drawn}, standard error {rounded(error, 2)}"


def _tested(test: ValuedTest) -> str:
    cost = float(test.test.cost)
    worth = f"a test of {test.test.action} first: worth {rounded(test.value)}"
    less = f" less its cost {rounded(cost)}" if cost else ""
    return f"{worth}{less}, gain {change(test.gain, 4)}"


def fragment(found: Information) -> str:
    """Return the value of information for a page: bars, a table, and the tests."""
    perfect = found.perfect
    size = rounded(perfect.standard_error, 2)
    error = f" (standard error {size})" if perfect.standard_error else ""
    tests = "\n".join(map(_test, found.tests))
    gain = PAGE_NUMBERS["rounded"](_gain(found))
    more = f" The chart shows the first {MOST_BARS} actions."
    what = "what a hidden fact is" if found.facts else "how an action comes out"
    return f"""<p class="hint">What the best plan would earn if it were known, before
starting, {what}; nothing becomes possible or cheaper by that. To know
{_all(found)} would be worth {gain}{error}; no test of anything is
worth more.{more if len(_each(found)) > MOST_BARS else ""}</p>
{_chart(found)}
{table_html(_KNOWN, _each(found), "Value of information by action")}
{_told(found)}
{tests}"""


def _told(found: Information) -> str:
    if not found.informing:
        return ""
    return f"""<p class="hint">{words(_TELLING.capitalize())}.</p>
{table_html(_INFORMING, found.informing, "Worth of actions that tell something")}"""


def _chart(found: Information) -> str:
    base = found.expected_reward
    rows = [_bar(base, _all(found), base + _gain(found))]
    rows += [_bar(base, e.action, base + e.gain) for e in _each(found)[:MOST_BARS]]
    title = "What knowing each action beforehand would add"
    return moves_chart(rows, base, title, "Chart of the value of information")


def _bar(base: float, label: str, end: float) -> Row:
    note = f"{label} known: {rounded(end)}"
    return Row(label, (Bar(base, end, "gain", note, change(end - base, 4)),))


def _test(test: ValuedTest) -> str:
    return f"""<h3>A test of {name(test.test.action)}</h3>
<p class="hint">{words(_tested(test))}.</p>
{table_html(_RESULTS, test.results)}"""
