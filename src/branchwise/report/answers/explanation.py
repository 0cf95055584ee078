"""Explanations, shown: why an action is not what the best plan does."""

import math
from collections.abc import Iterator
from typing import ClassVar, Final

from branchwise.analysis.explanations.explain import Continuation, Explanation
from branchwise.analysis.explanations.same_luck import LuckyCase
from branchwise.model.features import features_of
from branchwise.report.answer import Answer, Detail
from branchwise.report.fields import (
    BOOLEAN,
    COUNT,
    EVENT,
    EVENTS,
    NUMBER,
    PAIR,
    STATUS,
    TEXT,
    Field,
    array,
    document,
    nullable,
    record,
)
from branchwise.report.text.ink import Look, aligned
from branchwise.report.text.label import history_text, label
from branchwise.report.text.wording import chance, problem_name, value
from branchwise.space.state_space import Real
from branchwise.tree.solution import Status

_ACTION: Final = Field("action", nullable(TEXT), note="Null to stop.")
_FOLLOWING: Final = record(
    Field("outcome", TEXT),
    Field("probability", NUMBER),
    Field("value", NUMBER),
    _ACTION,
)
_SIZE: Final = record(
    Field("nodes", COUNT, "num_nodes"),
    Field("leaves", COUNT, "num_leaves"),
    Field("depth", COUNT),
)
_CONTINUATION: Final = record(
    _ACTION,
    Field("value", NUMBER, note="What it is worth from there on."),
    Field("upper_bound", NUMBER, note="What it can be worth at most."),
    Field("following", array(_FOLLOWING)),
    Field("tree", _SIZE),
)


def _side(key: str, side: int) -> Field:
    ending = record(
        Field("path", EVENTS, lambda case: case.paths[side]),
        Field("reward", NUMBER, lambda case: case.rewards[side]),
    )
    return Field(key, ending, lambda case: case)


_CASE: Final = record(
    Field("probability", NUMBER),
    Field("parting", EVENT, note="Where the plans part."),
    _side("best", 0),
    _side("other", 1),
)


class ExplanationAnswer(Answer[Explanation]):
    """Why an action is not what the best plan does."""

    page = "page.explanation.explanation_page"
    layout: ClassVar = document(
        "branchwise-explanation",
        "Why an action is not what the best plan does.",
        Field("problem", TEXT, lambda why: problem_name(why.problem), "Its name."),
        Field("after", EVENTS, "history", "What has happened."),
        Field("action", TEXT, note="The action asked about."),
        Field("status", STATUS),
        Field(
            "objection",
            nullable(TEXT),
            lambda explanation: explanation.objection or None,
        ).about("Why it cannot be taken."),
        Field("best", _CONTINUATION),
        Field("other", nullable(_CONTINUATION), note="It, and the best after it."),
        Field("loss", nullable(NUMBER), note="What is lost by taking it."),
        Field("loss_bounds", nullable(PAIR), note="What is lost at least and at most."),
        Field("case", nullable(_CASE), note="Where it shows, with the same luck."),
        Field("case_settled", BOOLEAN, "is_case_settled"),
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the reason in words, what would follow, and a case where it shows."""
        explanation = self.result
        yield look.uncut.line(place_words(explanation))
        yield look.uncut.line((verdict_words(explanation), "title"))
        if detail == "answer" or not explanation.following:
            return
        yield ""
        rows = [
            [
                label(e.outcome),
                chance(e.probability),
                amount_words(explanation, e.value),
                label(e.action or "stop"),
            ]
            for e in explanation.following
        ]
        worth = "cost" if is_least_cost(explanation) else "worth"
        titles = [label(explanation.action), "probability", worth, "then"]
        yield from aligned(titles, rows, look, words=0, inks={2: "reward"})
        if explanation.action != explanation.best_action:
            yield ""
            for sentence in _luck(explanation):
                yield look.uncut.line(sentence)


def place_words(explanation: Explanation) -> str:
    """Return in words where it is, and what the best plan does there."""
    history = history_text(explanation.history)
    place = f"After {history}" if history else "At the start"
    best = explanation.best_action
    does = "stops" if best is None else f"does {label(best)}"
    net = _net_words(explanation)
    worth = f"{worth_words(explanation, explanation.best)}{net} from there on"
    says = "expected cost" if is_least_cost(explanation) else "worth"
    found = _found_words(explanation)
    return f"{place} the best plan{found} {does}, {says} {worth}."


def is_least_cost(explanation: Explanation) -> bool:
    """Whether values are costs below zero."""
    return explanation.problem is not None and explanation.problem.is_least_cost


def _net_words(explanation: Explanation) -> str:
    problem = explanation.problem
    weighs = problem is not None and any(problem.cost_weight.values())
    return " net of weighted cost" if weighs and not is_least_cost(explanation) else ""


def amount_words(explanation: Explanation, number: Real) -> str:
    """Return what something is worth, or costs where the least cost is wanted."""
    return value(0 - number if is_least_cost(explanation) else number)


def _found_words(explanation: Explanation) -> str:
    """Return in words how far the plan may be from the optimum."""
    if _is_proven(explanation):
        return ""
    status, best = explanation.status, explanation.best
    low, high = float(best.value), float(best.upper_bound)
    if status is not Status.WITHIN_GAP or low >= high:
        return f" found ({status})"
    gap = (high - low) / abs(high) if high else math.inf
    return f" found ({status}, {chance(gap)} from the optimum at most)"


def worth_words(explanation: Explanation, continuation: Continuation) -> str:
    """Return in words what a plan is worth, or between what that lies."""
    ends = continuation.value, continuation.upper_bound
    if is_least_cost(explanation):
        ends = continuation.upper_bound, continuation.value
    least, most = (amount_words(explanation, end) for end in ends)
    return least if least == most else f"between {least} and {most}"


def verdict_words(explanation: Explanation) -> str:
    """Return in words what the action would be worth, and what is lost by it."""
    name, other = label(explanation.action), explanation.other
    if other is None:
        return f"{name} cannot be taken there: {explanation.objection}."
    if explanation.action == explanation.best_action:
        plan = "the best plan" if _is_proven(explanation) else "that plan"
        return f"{name} is what {plan} does."
    is_cost = is_least_cost(explanation)
    if _is_proven(explanation) and not explanation.loss:
        same = "costs" if is_cost else "is worth"
        return f"{name} would be as good: it {same} the same."
    worth = worth_words(explanation, other)
    if _is_proven(explanation):
        worth = amount_words(explanation, other.value)
    says = "has an expected cost of" if is_cost else "is worth"
    return f"{name} {says} {worth}: {lost_words(explanation)}."


def lost_words(explanation: Explanation) -> str:
    """Return in words how much less the action is worth, or between what that lies."""
    loss, bounds = explanation.loss, explanation.loss_bounds
    if loss is None or bounds is None:
        return "cannot be taken"
    worse, better = "less", "more"
    if is_least_cost(explanation):
        worse, better = better, worse
    if loss < 0:
        return f"{value(-loss)} {better} than the plan found"
    least, most = bounds
    if value(least) == value(most):
        return f"{value(most)} {worse}" if most else "as good"
    if not least:
        return f"at most {value(most)} {worse}, or as good"
    return f"between {value(least)} and {value(most)} {worse}"


def luck_words(explanation: Explanation) -> str:
    """Return in words when it shows which plan is better, or that it does not."""
    case = explanation.case
    if explanation.problem is None:
        return "In a state space of your own, plans have no luck to share in a case."
    if held := features_of(explanation.problem):
        return f"Cases with the same luck are not shown where there are {held[0]}."
    better = f"in which {plan_words(explanation)} ends better"
    if case is not None:
        likeliest = f"With the same luck, the likeliest case {better}"
        return f"{likeliest} has {chance(case.probability)}:"
    if not explanation.is_case_settled:
        words = f"No case was found {better}"
        return f"{words} with the same luck."
    alike, never = "both plans always end alike", "the plan found never ends better"
    return f"With the same luck {alike if _is_proven(explanation) else never}."


def plan_words(explanation: Explanation) -> str:
    """Return what to call the plan that the action is compared with."""
    return "the best plan" if _is_proven(explanation) else "the plan found"


def parting_words(case: LuckyCase, plan: str) -> str:
    """Return in words where two plans part."""
    is_best = case.parting in case.paths[0]
    whose = f"{plan} only" if is_best else "the other one only"
    return f"They part at {label(str(case.parting))}, which happens with {whose}."


def _luck(explanation: Explanation) -> Iterator[str]:
    yield luck_words(explanation)
    case = explanation.case
    if case is None:
        return
    sides = (plan_words(explanation), f"{label(explanation.action)} first")
    wide = max(map(len, sides))
    for side, path, reward in zip(sides, case.paths, case.rewards, strict=True):
        done = history_text(path) or "nothing done"
        ends = amount_words(explanation, reward)
        yield f"  {side:{wide}}  ends with {ends}: {done}"
    yield parting_words(case, plan_words(explanation))


def _is_proven(explanation: Explanation) -> bool:
    return explanation.status is Status.OPTIMAL
