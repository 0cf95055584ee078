"""Explanations in words: why an action is not what the best plan does."""

from __future__ import annotations

from collections.abc import Iterator

from branchwise.analysis.explain import Explanation, Following
from branchwise.analysis.same_luck import LuckyCase
from branchwise.report.columns import aligned
from branchwise.report.ink import Look, Paint, uncolored
from branchwise.report.label import label, told
from branchwise.report.wording import chance, value

__all__ = ["explanation_lines"]


def explanation_lines(
    explanation: Explanation,
    *,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Say line by line why an action is not what the best plan does.

    Parameters
    ----------
    explanation
        What to say.
    width
        Cut tables that are wider; None lets them be.
    is_ascii
        Write without the marks that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    look = Look(width, is_ascii, paint)
    # Sentences are not cut: better two rows than half a reason.
    whole = Look(paint=paint)
    history = told(explanation.history)
    place = f"After {history}" if history else "At the start"
    yield whole.line([(f"{place} the best plan {_does(explanation)}.", "plain")])
    yield whole.line([(_verdict(explanation), "title")])
    if not explanation.following:
        return
    yield ""
    rows = [_row(each) for each in explanation.following]
    titles = [label(explanation.action), "probability", "worth", "then"]
    yield from aligned(titles, rows, look, words=0, inks={2: "reward"})
    if explanation.action != explanation.best_action:
        yield ""
        for sentence in _luck(explanation):
            yield whole.line([(sentence, "plain")])


def _row(following: Following) -> list[str]:
    return [
        label(following.outcome),
        chance(following.probability),
        value(following.value),
        label(following.action or "stop"),
    ]


def _does(explanation: Explanation) -> str:
    worth = f"worth {value(explanation.best_value)} from there on"
    if explanation.best_action is None:
        return f"stops, {worth}"
    return f"does {label(explanation.best_action)}, {worth}"


def _verdict(explanation: Explanation) -> str:
    name = label(explanation.action)
    if explanation.objection:
        return f"{name} cannot be taken there: {explanation.objection}."
    loss, worth = explanation.loss, explanation.value
    assert loss is not None
    assert worth is not None
    if explanation.action == explanation.best_action:
        return f"{name} is what the best plan does."
    if not loss:
        return f"{name} would be as good: it is worth the same."
    return f"{name} is worth {value(worth)}: {value(loss)} less."


def _luck(explanation: Explanation) -> Iterator[str]:
    case = explanation.case
    if case is None:
        yield "With the same luck the best plan never ends better, as far as was seen."
        return
    yield (
        "With the same luck, the likeliest case in which the best plan ends better "
        f"has {chance(case.probability)}:"
    )
    yield f"  the best plan  {_ending(case, 0)}"
    yield f"  {label(explanation.action)} first  {_ending(case, 1)}"
    yield f"They part at {label(str(case.parting))}, which happens with {_whose(case)}."


def _ending(case: LuckyCase, side: int) -> str:
    path = told(case.paths[side]) or "nothing done"
    return f"ends with {value(case.rewards[side])}: {path}"


def _whose(case: LuckyCase) -> str:
    is_best = case.parting in case.paths[0]
    return "the best plan only" if is_best else "the other one only"
