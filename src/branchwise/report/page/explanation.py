"""An explanation as one self-contained page: two plans, and where they part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from branchwise.analysis.explanations.explanation import Continuation, Explanation
from branchwise.report.answers.explanation import (
    lost_words,
    luck_words,
    parting_words,
    place_words,
    verdict_words,
    worth_words,
)
from branchwise.report.page.templates import page_from
from branchwise.report.tree_drawing.folded import ShownPart, shown_part
from branchwise.report.tree_drawing.svg import part_svg
from branchwise.tree.solution import Status


class _Plan(NamedTuple):
    """A plan to be shown: its name, how it goes on, its worth, and its picture."""

    title: str
    plan: Continuation
    worth: str
    part: ShownPart
    picture: str


def explanation_page(explanation: Explanation, *, max_nodes: int = 30) -> str:
    """Return in one page why an action is not what the best plan does."""
    loss = explanation.loss
    values = {
        "explanation": explanation,
        "place": place_words(explanation),
        "verdict": verdict_words(explanation),
        "is_proven": explanation.status is Status.OPTIMAL,
        "loss": None if loss is None else max(loss, 0),
        "lost": "" if loss is None else lost_words(explanation),
        "plans": list(_plans(explanation, max_nodes)),
        **_case_values(explanation),
    }
    title = explanation.problem.name.strip() or "Explanation"
    return page_from("explanation", title, values)


def _is_compared(explanation: Explanation) -> bool:
    return bool(explanation.other) and explanation.action != explanation.best_action


def _plans(explanation: Explanation, max_nodes: int) -> Iterator[_Plan]:
    plans = {"The best plan": explanation.best}
    if explanation.other and _is_compared(explanation):
        plans[f"{explanation.action} first"] = explanation.other
    for number, (title, plan) in enumerate(plans.items()):
        part = shown_part(plan.tree, max_nodes)
        picture = part_svg(plan.tree, part, title=title, name=f"plan-{number}")
        yield _Plan(title, plan, worth_words(plan), part, picture)


def _case_values(explanation: Explanation) -> dict[str, Any]:
    """Collect the two plans step by step, in the case that shows the difference."""
    if not _is_compared(explanation):
        return {"luck": ""}
    case = explanation.case
    values: dict[str, Any] = {"luck": luck_words(explanation), "case": case}
    if case is not None:
        values["steps"] = list(zip_longest(*case.paths))
        values["parting"] = parting_words(case)
    return values
