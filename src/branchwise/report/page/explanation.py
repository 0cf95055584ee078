"""An explanation as one self-contained page: two plans, and where they part."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import zip_longest
from typing import Final

from branchwise.analysis.explanations.explain import Continuation, Explanation
from branchwise.report.answers.explanation import (
    amount_words,
    is_least_cost,
    lost_words,
    luck_words,
    parting_words,
    place_words,
    plan_words,
    verdict_words,
    worth_words,
)
from branchwise.report.page.solution import fitting_part
from branchwise.report.page.templates import page_from
from branchwise.report.text.outline import shown_part
from branchwise.report.text.wording import in_four_digits, problem_name
from branchwise.report.tree_drawing.svg import WIDEST_FITTED, part_svg
from branchwise.tree.solution import Status

_MAX_NODES: Final = 30


def explanation_page(explanation: Explanation) -> str:
    """Return in one page why an action is not what the best plan does."""
    with in_four_digits():
        return _page(explanation)


def _page(explanation: Explanation) -> str:
    loss, case, other = explanation.loss, explanation.case, explanation.other
    plan = plan_words(explanation)
    plans = {plan.capitalize(): explanation.best}
    is_compared = explanation.action != explanation.best_action
    if other and is_compared:
        plans[f"{explanation.action} first"] = other
    values = {
        "explanation": explanation,
        "place": place_words(explanation),
        "verdict": verdict_words(explanation),
        "is_proven": explanation.status is Status.OPTIMAL,
        "loss": None if loss is None else max(loss, 0),
        "lost": "" if loss is None else lost_words(explanation),
        "plans": list(_drawn(explanation, plans)),
        "plan": plan.capitalize(),
        "amount": partial(amount_words, explanation),
        "is_cost": is_least_cost(explanation),
        "luck": luck_words(explanation) if other and is_compared else "",
        "case": case,
        "steps": list(zip_longest(*case.paths)) if case else [],
        "parting": parting_words(case, plan) if case else "",
    }
    return page_from("explanation", problem_name(explanation.problem), values)


def _drawn(
    explanation: Explanation, plans: Mapping[str, Continuation]
) -> Iterator[dict[str, object]]:
    for number, (title, plan) in enumerate(plans.items()):
        part = fitting_part(plan.tree, shown_part(plan.tree, _MAX_NODES), WIDEST_FITTED)
        picture = part_svg(
            plan.tree, part, title=title, name=f"plan-{number}", is_fitted=True
        )
        shown = {"title": title, "plan": plan, "worth": worth_words(explanation, plan)}
        yield {**shown, "part": part, "picture": picture}
