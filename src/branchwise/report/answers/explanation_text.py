"""Explanations in words: why an action is not what the best plan does."""

from __future__ import annotations

from collections.abc import Iterator

from branchwise.analysis.explanations.explanation import (
    Continuation,
    Explanation,
    Following,
)
from branchwise.analysis.explanations.same_luck import LuckyCase
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look, Paint, uncolored
from branchwise.report.text.label import label, told
from branchwise.report.text.wording import chance, value
from branchwise.tree.solution import Status

__all__ = [
    "explanation_lines",
    "lost_words",
    "luck_words",
    "parting_words",
    "place_words",
    "verdict_words",
    "worth_words",
]


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
    yield whole.line([(place_words(explanation), "plain")])
    yield whole.line([(verdict_words(explanation), "title")])
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


def place_words(explanation: Explanation) -> str:
    """Say where it is, and what the best plan does there."""
    history = told(explanation.history)
    place = f"After {history}" if history else "At the start"
    found = "" if _is_proven(explanation) else f" found ({explanation.status})"
    does = "stops"
    if explanation.best_action is not None:
        does = f"does {label(explanation.best_action)}"
    worth = f"{worth_words(explanation.best)} from there on"
    return f"{place} the best plan{found} {does}, worth {worth}."


def worth_words(continuation: Continuation) -> str:
    """Say what a plan is worth, or between what that lies."""
    least, most = value(continuation.value), value(continuation.upper_bound)
    return least if least == most else f"between {least} and {most}"


def verdict_words(explanation: Explanation) -> str:
    """Say what the action asked about would be worth, and what is lost by it."""
    name, other = label(explanation.action), explanation.other
    if other is None:
        return f"{name} cannot be taken there: {explanation.objection}."
    if explanation.action == explanation.best_action:
        plan = "the best plan" if _is_proven(explanation) else "that plan"
        return f"{name} is what {plan} does."
    if _is_proven(explanation):
        if not explanation.loss:
            return f"{name} would be as good: it is worth the same."
        return f"{name} is worth {value(other.value)}: {lost_words(explanation)}."
    return f"{name} is worth {worth_words(other)}: {lost_words(explanation)}."


def lost_words(explanation: Explanation) -> str:
    """Say how much less the action is worth, or between what that lies."""
    loss, bounds = explanation.loss, explanation.loss_bounds
    if loss is None or bounds is None:
        return "cannot be taken"
    if loss < 0:
        return f"{value(-loss)} more than the plan found"
    least, most = bounds
    if value(least) == value(most):
        return f"{value(most)} less" if most else "as good"
    if not least:
        return f"at most {value(most)} less, or as good"
    return f"between {value(least)} and {value(most)} less"


def luck_words(explanation: Explanation) -> str:
    """Say in which case it shows which plan is better, or that there is none."""
    case = explanation.case
    if case is not None:
        return (
            "With the same luck, the likeliest case in which the best plan ends better "
            f"has {chance(case.probability)}:"
        )
    if not explanation.is_case_settled:
        return (
            "No case was found in which the best plan ends better with the same luck."
        )
    if _is_proven(explanation):
        return "With the same luck both plans always end alike."
    return "With the same luck the plan found never ends better."


def parting_words(case: LuckyCase) -> str:
    """Say where two plans part."""
    is_best = case.parting in case.paths[0]
    whose = "the best plan only" if is_best else "the other one only"
    return f"They part at {label(str(case.parting))}, which happens with {whose}."


def _luck(explanation: Explanation) -> Iterator[str]:
    yield luck_words(explanation)
    case = explanation.case
    if case is None:
        return
    sides = ("the best plan", f"{label(explanation.action)} first")
    wide = max(map(len, sides))
    for number, side in enumerate(sides):
        yield f"  {side:{wide}}  {_ending(case, number)}"
    yield parting_words(case)


def _is_proven(explanation: Explanation) -> bool:
    return explanation.status is Status.OPTIMAL


def _ending(case: LuckyCase, side: int) -> str:
    path = told(case.paths[side]) or "nothing done"
    return f"ends with {value(case.rewards[side])}: {path}"
