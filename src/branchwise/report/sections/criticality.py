"""Criticality, shown: what matters most, first."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from branchwise.analysis.critical_actions.criticality import (
    ActionCriticality,
    Criticality,
    LiftedCondition,
)
from branchwise.analysis.table import Cell
from branchwise.report.charts.span_chart import Bar, Row, moves_chart
from branchwise.report.column import (
    MOST,
    MOST_BARS,
    Column,
    condition_on_page,
    page_number,
    table_html,
    table_lines,
)
from branchwise.report.markup import words
from branchwise.report.text.ink import Ink, Look
from branchwise.report.text.wording import change, plural, value

TITLE: Final = "Criticality"
NOTE: Final = (
    "how the expected reward changes if an action is removed, fails or is certain"
)


_HINT: Final = """What the best plan would lose if an action could not be
taken, or always came out in the way that is worst, and what it would gain if the action
always came out in the way that is best. After each change one plans anew. In the chart,
red is the loss without the action, green the gain if it is certain."""

_KEPT_HINT: Final = """What this plan would lose if an action always came out in the way
that is worst for it, and gain if in the way that is best. After each change it is kept.
What is lost without an action, and gained without a prerequisite or preclusion, needs
the optimum. In the chart, red is the loss if the action fails, green the gain if it is
certain."""


_STUCK: Final = "never sure to finish"


def _removed(each: ActionCriticality) -> Cell:
    if each.is_needed:
        return _STUCK
    return None if each.loss_removed is None else -each.loss_removed


def _failing(each: ActionCriticality) -> Cell:
    if each.loss_failing is not None:
        return -each.loss_failing
    return None if each.worst_outcome is None else _STUCK


def _loss(
    key: str, title: str, get: Callable[[ActionCriticality], Cell], ink: Ink = "plain"
) -> Column:
    """Return a column of losses, with words in the place of a number here and there."""

    def written(cell: Any) -> str:
        return cell if isinstance(cell, str) else change(cell)

    def shown(each: ActionCriticality) -> str:
        cell = get(each)
        return words(cell) if isinstance(cell, str) else page_number("change", cell)

    return Column(key, title, "figure", get, ink, shown, written, is_optional=True)


_NO_OPTIMUM: Final = (
    "without an action, or without what it requires or is precluded by: needs the "
    "optimum"
)


def _kind(condition: LiftedCondition) -> str:
    return condition.kind.replace("_", " ")


def _gain(condition: LiftedCondition) -> str:
    """Return what lifting gains, or what that lies between."""
    low, high = condition.gain, condition.gain_at_most
    if condition.is_proven:
        return change(low)
    if not low:
        return f"at most {change(high, 4)}"
    return f"{change(low, 4)} to {change(high, 4)}"


def _gain_on_page(condition: LiftedCondition) -> str:
    if condition.is_proven:
        return page_number("change", condition.gain)
    return words(_gain(condition))


_ACTIONS: Final = (
    Column("action", "action", "name", share=0.3),
    _loss("loss_removed", "if removed", _removed, "reward"),
    _loss("loss_failing", "if failing", _failing),
    Column("gain_certain", "if certain", "change"),
    Column("probability_used", "used", "chance"),
    Column("num_uses", "uses", "value"),
    Column("reward_through", "through it", "value"),
)
_CONDITIONS: Final = (
    Column("action", "action", "name", share=0.3),
    Column(
        "condition",
        "condition",
        "name",
        lambda each: f"{_kind(each)} {each.condition}",
        html=lambda each: f"{_kind(each)} {condition_on_page(each.condition)}",
        share=0.5,
    ),
    Column(
        "gain", "gain without it", "figure", _gain, ink="reward", html=_gain_on_page
    ),
)


def lines(found: Criticality, look: Look) -> Iterator[str]:
    """Return criticality as text: actions, then conditions that restrict them."""
    yield from table_lines(_ACTIONS, found.actions, look, most=MOST, others="action")
    if found.is_plan_kept:
        yield look.line((_NO_OPTIMUM, "faint"))
    if not found.conditions:
        return
    yield ""
    worth = [each for each in found.conditions if each.gain_at_most]
    if not worth:
        yield look.line("lifting a prerequisite or preclusion gains nothing")
    yield from table_lines(_CONDITIONS, worth, look, most=MOST, others="gain")


def fragment(found: Criticality) -> str:
    """Return criticality for a page: a chart and a table of actions, conditions."""
    is_cut = len(found.actions) > MOST_BARS
    more = f" The chart shows the {MOST_BARS} that matter most." if is_cut else ""
    hint = _KEPT_HINT if found.is_plan_kept else _HINT
    return f"""<p class="hint">{hint}</p>
{_chart(found)}
<h3>Actions</h3>
<p class="hint">Used: how likely the plan takes it. Through it: what is earned on the
ways that take it.{more}</p>
{table_html(_ACTIONS, found.actions, "Criticality of actions")}
{_conditions(found) if found.conditions else ""}"""


def _conditions(found: Criticality) -> str:
    """Return what conditions cost the plan; those that cost nothing are counted."""
    worth = [each for each in found.conditions if each.gain_at_most]
    number = len(found.conditions) - len(worth)
    others = "" if worth else "No prerequisite or preclusion costs the plan anything."
    if worth and number:
        others = f"{plural(number, 'other')}: nothing is gained without."
    label = "Conditions that restrict actions"
    return f"""<h3>Prerequisites and preclusions</h3>
<p class="hint">What the best plan would gain without it: all of a condition, or one
fact in it.</p>
{table_html(_CONDITIONS, worth, label) if worth else ""}
{others and f'<p class="hint">{others}</p>'}"""


def _chart(found: Criticality) -> str:
    """Draw what moves the value most, in the order of the ranking."""
    ranked = sorted(found.actions, key=lambda each: -max(_moves(each)))
    kept = {each.action for each in ranked[:MOST_BARS]}
    base = found.expected_reward
    rows = [_row(base, each) for each in found.actions if each.action in kept]
    title = "What each action could take from the expected reward, and add to it"
    return moves_chart(rows, base, title, "Chart of criticality")


def _moves(each: ActionCriticality) -> tuple[float, float]:
    """Return what is lost without the action, or where it fails, and its gain."""
    loss = each.loss_failing if each.loss_removed is None else each.loss_removed
    return loss or 0.0, each.gain_certain or 0.0


def _row(base: float, each: ActionCriticality) -> Row:
    loss, gain = _moves(each)
    is_kept = each.loss_removed is None and not each.is_needed
    how = f"always {each.worst_outcome}:" if is_kept else "without it"
    lost = f"{how} {_STUCK if each.is_needed else value(base - loss)}"
    won = f"always {each.best_outcome}: {value(base + gain)}"
    bars = (
        Bar(base, base - loss, "loss", lost, change(-loss, 4) if loss else ""),
        Bar(base, base + gain, "gain", won, change(gain, 4) if gain else ""),
    )
    return Row(each.action, bars)
