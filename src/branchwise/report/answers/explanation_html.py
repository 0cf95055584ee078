"""An explanation as one self-contained page: two plans, and where they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from branchwise.analysis.explanations.explanation import (
    Continuation,
    Explanation,
    Following,
)
from branchwise.analysis.explanations.same_luck import LuckyCase
from branchwise.model.condition import Happened
from branchwise.report.answers.explanation import (
    lost_words,
    luck_words,
    parting_words,
    place_words,
    verdict_words,
    worth_words,
)
from branchwise.report.page.html import header_html
from branchwise.report.page.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.page.page_frame import page_frame
from branchwise.report.text.wording import chance, count, plural, value
from branchwise.report.tree_drawing.folded import shown_part
from branchwise.report.tree_drawing.svg import part_svg
from branchwise.tree.solution import Status

__all__ = ["explanation_html"]

_STOP: Final = '<span class="none">stop</span>'


def explanation_html(explanation: Explanation, *, max_nodes: int = 30) -> str:
    """
    Tell in one page why an action is not what the best plan does.

    Parameters
    ----------
    explanation
        What to tell.
    max_nodes
        The picture of a larger plan is folded to about so many of its likeliest nodes.
    """
    title = explanation.problem.name.strip() or "Explanation"
    header = header_html(
        "Why not?",
        title,
        f"{words(place_words(explanation))} "
        f"<strong>{words(verdict_words(explanation))}</strong>",
        _facts(explanation),
    )
    plans = list(_plans(explanation))
    sections = [
        _case_section(explanation),
        _following_section(plans),
        *(_picture(number, *plan, max_nodes) for number, plan in enumerate(plans)),
    ]
    return page_frame(title, header, "\n".join(filter(None, sections)))


def _facts(explanation: Explanation) -> Iterator[tuple[str, str, str]]:
    best, other = explanation.best, explanation.other
    does = "stops" if best.action is None else f"does {name(best.action)}"
    yield "Best plan", value(best.value), does
    asked = f"{name(explanation.action)} first"
    if other is None:
        yield asked, "cannot be taken", words(explanation.objection)
    else:
        yield asked, value(other.value), "and the best plan after it"
        loss = explanation.loss
        assert loss is not None
        note = "" if _is_proven(explanation) else words(lost_words(explanation))
        yield "Lost by it", value(max(loss, 0)), note
    proof = "both plans are proven best" if other else "the plan is proven best"
    if not _is_proven(explanation):
        proof = "values are those of plans found by then"
    yield "Status", words(str(explanation.status)), proof


def _is_proven(explanation: Explanation) -> bool:
    return explanation.status is Status.OPTIMAL


def _plans(explanation: Explanation) -> Iterator[tuple[str, Continuation]]:
    """Give the plans to be shown, with what they are called."""
    yield "The best plan", explanation.best
    if explanation.other and explanation.action != explanation.best_action:
        yield f"{explanation.action} first", explanation.other


def _case_section(explanation: Explanation) -> str:
    if explanation.other is None or explanation.action == explanation.best_action:
        return ""
    case = explanation.case
    content = "" if case is None else _case(explanation, case)
    return f"""<section aria-labelledby="case">
<h2 id="case">Where it shows</h2>
<p class="hint">{words(luck_words(explanation))}</p>
{content}
</section>"""


def _case(explanation: Explanation, case: LuckyCase) -> str:
    columns = [
        Column("Step", is_head=True),
        Column("The best plan"),
        Column(f"{explanation.action} first"),
    ]
    rows = [
        [str(number), *(_step(event, case.parting) for event in events)]
        for number, events in enumerate(zip_longest(*case.paths), 1)
    ]
    foot = ["Ends with", *map(value, case.rewards)]
    content = scrollable(
        table(columns, rows, style="narrow", foot=foot), "The two plans, step by step"
    )
    return f"""{content}
<p>{words(parting_words(case))} With the same luck means: an action that both plans
take comes out alike for both.</p>"""


def _step(event: Happened | None, parting: Happened) -> str:
    if event is None:
        return NONE
    mark = ' <span class="tag">here they part</span>' if event == parting else ""
    return f"{_event(event)}{mark}"


def _event(event: Happened) -> str:
    return f"{name(event.action)}&nbsp;=&nbsp;{name(event.outcome)}"


def _following_section(plans: Sequence[tuple[str, Continuation]]) -> str:
    shown = [(title, plan) for title, plan in plans if plan.action is not None]
    if not shown:
        return ""
    tables = "\n".join(f"<div>{_following(*plan)}</div>" for plan in shown)
    return f"""<section aria-labelledby="following">
<h2 id="following">What follows</h2>
<p class="hint">How the first action may come out, what it is worth to go on well from
there, and what to do then.</p>
<div class="beside">
{tables}
</div>
</section>"""


def _following(title: str, plan: Continuation) -> str:
    columns = [
        Column(str(plan.action), is_head=True),
        Column("Probability", "number"),
        Column("Worth", "number"),
        Column("Then", "action"),
    ]
    rows = table(columns, map(_row, plan.following))
    heading = f"{words(title)}: worth {words(worth_words(plan))}"
    return f"<h3>{heading}</h3>\n{scrollable(rows, title)}"


def _row(following: Following) -> list[str]:
    return [
        name(following.outcome),
        chance(following.probability),
        value(following.value),
        _STOP if following.action is None else name(following.action),
    ]


def _picture(number: int, title: str, plan: Continuation, max_nodes: int) -> str:
    part = shown_part(plan.tree, max_nodes)
    size = plural(plan.tree.num_nodes, "node")
    if part.num_hidden:
        total = count(plan.tree.num_nodes)
        size = f"the {len(part.nodes):,} likeliest of {total} nodes"
    svg = part_svg(plan.tree, part, title=title, name=f"plan-{number}").rstrip()
    return f"""<section aria-labelledby="plan-{number}">
<h2 id="plan-{number}">{words(title)}</h2>
<p class="hint">Read from left to right: {size}.</p>
<figure>
{scrollable(svg, f"Picture of the plan: {title}")}
</figure>
</section>"""
