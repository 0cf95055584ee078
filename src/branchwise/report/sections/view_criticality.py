"""Criticality, told: what matters most, first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from branchwise.analysis.critical_actions.criticality import (
    ActionCriticality,
    Criticality,
    LiftedCondition,
)
from branchwise.report.charts.span_chart import Bar, Row, span_chart
from branchwise.report.page.markup import Column, listing, name, scrollable, words
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look
from branchwise.report.text.label import label
from branchwise.report.text.wording import chance, change, plural, value

__all__ = ["criticality_fragment", "criticality_lines"]

_MOST_LINES: Final = 30
_MOST_BARS: Final = 30

_KINDS: Final = {"requires": "requires", "precluded_by": "precluded by"}


def criticality_lines(found: Criticality, look: Look) -> Iterator[str]:
    """Tell criticality as text: actions, then what stands in their way."""
    titles = ["action", "removed", "failing", "certain", "used", "uses", "through it"]
    rows = [
        [look.name(a.action, 0.3), *_numbers(a)] for a in found.actions[:_MOST_LINES]
    ]
    yield from aligned(titles, rows, look, words=0, inks={1: "reward"})
    yield from _others(len(found.actions) - len(rows), "action", look)
    worth = [each for each in found.conditions if each.gain_at_most]
    if not found.conditions:
        return
    yield ""
    if not worth:
        yield look.line(
            [("lifting a prerequisite or preclusion gains nothing", "plain")]
        )
        return
    lifted = [[_told(c, look), _gain(c)] for c in worth[:_MOST_LINES]]
    yield from aligned(["without", "gain"], lifted, look, words=0, inks={1: "reward"})
    yield from _others(len(worth) - len(lifted), "gain", look)


def criticality_fragment(found: Criticality) -> str:
    """Tell criticality in a page: a chart and a table of actions, then conditions."""
    return f"""<p class="hint">What the best plan would lose if an action could not be
taken, or always came out in the way that is worst, and what it would gain if the action
always came out in the way that is best. After each change one plans anew. In the chart,
red is the loss without the action, green the gain if it is certain.</p>
{scrollable(_chart(found), "Chart of criticality")}
{_actions(found)}
{_conditions(found)}"""


def _chart(found: Criticality) -> str:
    shown = _most_moving(found.actions)
    rows = [_row(found.expected_reward, each) for each in shown]
    title = "What each action could take from the expected reward, and add to it"
    return span_chart(rows, found.expected_reward, title)


def _most_moving(actions: Sequence[ActionCriticality]) -> list[ActionCriticality]:
    """Choose what moves the value most, in the order of the ranking."""
    moved = sorted(actions, key=lambda a: -max(a.loss_removed, a.gain_certain))
    kept = {each.action for each in moved[:_MOST_BARS]}
    return [each for each in actions if each.action in kept]


def _row(base: float, each: ActionCriticality) -> Row:
    loss, gain = each.loss_removed, each.gain_certain
    lost = f"without it {value(base - loss)}"
    won = f"always {each.best_outcome}: {value(base + gain)}"
    bars = (
        Bar(base, base - loss, "loss", lost, change(-loss, 4) if loss else ""),
        Bar(base, base + gain, "gain", won, change(gain, 4) if gain else ""),
    )
    return Row(each.action, bars)


def _actions(found: Criticality) -> str:
    columns = [
        Column("Action", is_head=True),
        Column("If removed", "number"),
        Column("If failing", "number"),
        Column("If certain", "number"),
        Column("Used", "number"),
        Column("Uses", "number"),
        Column("Reward through it", "number"),
    ]
    rows = [[name(a.action), *map(words, _numbers(a))] for a in found.actions]
    listed = listing(columns, rows, "Criticality of actions")
    shown = min(len(rows), _MOST_BARS)
    more = (
        f" The chart shows the {shown} that matter most." if shown < len(rows) else ""
    )
    return f"""<h3>Actions</h3>
<p class="hint">Used: how likely the plan takes it. Through it: what is earned on the
ways that take it.{more}</p>
{listed}"""


def _conditions(found: Criticality) -> str:
    if not found.conditions:
        return ""
    columns = [
        Column("Action", is_head=True),
        Column("What stands in its way"),
        Column("If lifted", "number"),
    ]
    rows = [
        [name(c.action), f"{_KINDS[c.kind]} {name(c.condition)}", _gain(c)]
        for c in found.conditions
    ]
    return f"""<h3>Prerequisites and preclusions</h3>
<p class="hint">What the best plan would gain without it: all of a condition, or one
fact in it.</p>
{listing(columns, rows, "What stands in the way of actions")}"""


def _numbers(action: ActionCriticality) -> list[str]:
    return [
        change(-action.loss_removed),
        change(-action.loss_failing),
        change(action.gain_certain),
        chance(action.probability_used),
        value(action.num_uses),
        value(action.reward_through),
    ]


def _gain(condition: LiftedCondition) -> str:
    """Say what lifting gains, or what that lies between."""
    low, high = condition.gain, condition.gain_at_most
    if condition.is_proven:
        return change(low)
    if not low:
        return f"at most {change(high, 4)}"
    return f"{change(low, 4)} to {change(high, 4)}"


def _told(condition: LiftedCondition, look: Look) -> str:
    kind = _KINDS[condition.kind]
    what = look.name(condition.condition, 0.5)
    return f"{label(condition.action)} {kind} {what}"


def _others(number: int, noun: str, look: Look) -> Iterator[str]:
    if number > 0:
        yield look.line([(f"and {plural(number, f'other {noun}')}", "faint")])
