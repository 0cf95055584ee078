"""Comparisons, shown: what differs in two problems, in their plans, in the worth."""

from collections.abc import Iterator
from typing import ClassVar, Final

from branchwise.analysis.comparison.compare import Comparison
from branchwise.report.answer import Answer, Detail
from branchwise.report.column import MOST, Column, table_lines
from branchwise.report.fields import (
    BOOLEAN,
    COUNT,
    EVENTS,
    NUMBER,
    PROBABILITY,
    STATUS,
    TEXT,
    Field,
    array,
    document,
    nullable,
    record,
)
from branchwise.report.markup import happened
from branchwise.report.text.ink import Look
from branchwise.report.text.label import history_text, label
from branchwise.report.text.wording import change, plural, problem_name, rounded, value
from branchwise.tree.solution import Solution

_SIDE: Final = record(
    Field("problem", TEXT, lambda side: problem_name(side.problem), "Its name."),
    Field("status", STATUS),
    Field("expected_reward", NUMBER),
    Field("upper_bound", NUMBER),
    Field("first_action", nullable(TEXT), note="Null: do nothing."),
    Field("nodes", COUNT, "tree.num_nodes", "The size of its tree."),
    Field("depth", COUNT, "tree.depth"),
)
_DIFFERENCE: Final = record(
    Field("where", TEXT, note="What it is about: `actions.drill.cost`."),
    Field("first", nullable(TEXT), note="Null where the first says nothing of it."),
    Field("second", nullable(TEXT)),
)
_PARTING: Final = record(
    Field("after", EVENTS, "history"),
    Field("first_action", nullable(TEXT), note="Null: stop."),
    Field("second_action", nullable(TEXT)),
    Field("first_probability", PROBABILITY),
    Field("second_probability", PROBABILITY),
)

DIFFERENCES: Final = (
    Column("where", "what", "name", share=0.5),
    Column("first", "first", "name", share=0.25),
    Column("second", "second", "name", share=0.25),
)
PARTINGS: Final = (
    Column(
        "after",
        "after",
        "name",
        lambda parting: history_text(parting.history) or "the start",
        html=lambda parting: happened(parting.history, "the start"),
        share=0.4,
    ),
    Column("first_probability", "first", "chance"),
    Column("first_action", "does", "action", lambda each: each.first_action or "stop"),
    Column("second_probability", "second", "chance"),
    Column(
        "second_action", "does", "action", lambda each: each.second_action or "stop"
    ),
)


class ComparisonAnswer(Answer[Comparison]):
    """What differs between two problems, their best plans, and what these are worth."""

    page = "page.comparison.comparison_page"
    layout: ClassVar = document(
        "branchwise-comparison",
        "What differs between two problems, their best plans, and their worth.",
        Field("first", _SIDE),
        Field("second", _SIDE),
        Field("change", NUMBER, note="How much more the second is worth."),
        Field("differences", array(_DIFFERENCE), note="What the problems say."),
        Field("same_plan", BOOLEAN, "is_same_plan"),
        Field("partings", array(_PARTING)).about(
            "Where the plans part: the same has happened, and they go on differently."
        ),
        Field("partings_complete", BOOLEAN, "are_partings_complete"),
        Field("kept", nullable(NUMBER)).about(
            "What the first plan is worth in the second problem; null if it is not "
            "allowed there."
        ),
        Field("loss_of_keeping", nullable(NUMBER)),
        Field("objection", TEXT, note="Why it is not allowed; nothing where it is."),
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return what differs in words, and unless short all of it in tables."""
        found = self.result
        most = None if detail == "full" else MOST
        for which, side in (("first", found.first), ("second", found.second)):
            yield look.line((f"{which}: {side_words(side)}", "title"))
        for sentence in sentences(found):
            yield look.uncut.line(sentence)
        if detail == "answer":
            return
        if found.differences:
            yield ""
            yield look.line(("What the problems say", "title"))
            others = "difference"
            yield from table_lines(
                DIFFERENCES, found.differences, look, most=most, others=others
            )
        if found.partings:
            yield ""
            yield look.line(("Where the plans part", "title"))
            yield from table_lines(
                PARTINGS, found.partings, look, most=most, others="place"
            )


def side_words(side: Solution) -> str:
    """Return in words what one problem is, what to do first and what that is worth."""
    assert side.problem is not None
    name = " ".join(side.problem.name.split()) or "no name"
    first = side.first_action
    does = "do nothing" if first is None else f"begin with {label(first)}"
    return f"{label(name)}, budget {side.problem.budget}: {does}, {_worth(side)}"


def _worth(side: Solution) -> str:
    if side.expected_cost is not None:
        return f"expected cost {value(side.expected_cost)}"
    return f"worth {value(side.expected_reward)}"


def sentences(found: Comparison) -> Iterator[str]:
    """Return in words what differs: in the worth, the plans and the problems."""
    yield _change_words(found)
    yield _plan_words(found)
    yield _kept_words(found)
    num = len(found.differences)
    said = f"in {plural(num, 'thing')}" if num else "in nothing: they are the same"
    yield f"the problems differ {said}"


def _change_words(found: Comparison) -> str:
    if not rounded_change(found):
        return "both are worth the same"
    more = "more" if found.change > 0 else "less"
    return f"the second is worth {rounded(abs(float(found.change)))} {more}"


def rounded_change(found: Comparison) -> float:
    """Return the change in worth; nothing where that is only rounding."""
    worths = found.first.expected_reward, found.second.expected_reward
    scale = max(abs(float(each)) for each in worths)
    change_ = float(found.change)
    return 0.0 if abs(change_) <= 1e-12 * scale else change_


def _plan_words(found: Comparison) -> str:
    if found.is_same_plan:
        return "both plans do the same, whatever happens"
    if not found.partings:
        return "the plans were too large to be compared to the end"
    first = min(found.partings, key=lambda each: len(each.history))
    place = history_text(first.history)
    does = f"the first {_does(first.first_action)}, the second "
    does += _does(first.second_action)
    where = f"first after {place}" if place else "at the start"
    times = plural(len(found.partings), "place")
    least = "" if found.are_partings_complete else "at least "
    return f"the plans part at {least}{times}, {where}: {does}"


def _does(action: str | None) -> str:
    return "stops" if action is None else f"does {label(action)}"


def _kept_words(found: Comparison) -> str:
    if found.kept is None:
        return f"the first plan cannot be kept in the second problem: {found.objection}"
    kept = f"the first plan is worth {value(found.kept)} in the second problem"
    loss = float(found.loss_of_keeping or 0)
    scale = abs(float(found.second.expected_reward))
    if abs(loss) <= 1e-12 * scale:
        return f"{kept}: nothing is lost by keeping it"
    return f"{kept}: keeping it would lose {change(loss).removeprefix('+')}"
