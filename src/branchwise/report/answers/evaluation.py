"""Evaluations, shown: what a plan of one's own is worth, and where it loses."""

from collections.abc import Iterator
from typing import ClassVar, Final

from branchwise.analysis.comparison.evaluation import Evaluation, Loss
from branchwise.report.answer import Answer, Detail
from branchwise.report.column import MOST, Column, table_lines
from branchwise.report.fields import (
    BOOLEAN,
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
from branchwise.report.text.ink import Look, title_line
from branchwise.report.text.label import history_text, label
from branchwise.report.text.wording import chance, value
from branchwise.space.state_space import Real
from branchwise.tree.solution import Status

_ACTION: Final = Field("action", nullable(TEXT), note="What it does; null: stop.")
_LOSS: Final = record(
    Field("after", EVENTS, "history", "What has happened, one way to come there."),
    Field("probability", PROBABILITY),
    _ACTION,
    Field("best_action", nullable(TEXT), note="What would be best; null: stop."),
    Field("loss", NUMBER, note="What is lost, once there."),
    Field("share", NUMBER, note="The loss times its probability."),
)

LOSSES: Final = (
    Column(
        "after",
        "after",
        "name",
        lambda loss: history_text(loss.history) or "the start",
        html=lambda loss: happened(loss.history, "the start"),
        share=0.45,
    ),
    Column("probability", "probability", "chance"),
    Column("action", "the plan does", "action", lambda loss: loss.action or "stop"),
    Column("best_action", "best", "action", lambda loss: loss.best_action or "stop"),
    Column("loss", "loses there", "rounded"),
    Column("share", "in all", "rounded", ink="reward"),
)


class EvaluationAnswer(Answer[Evaluation]):
    """What a plan is worth in a problem, and what it loses against the best."""

    page = "page.comparison.evaluation_page"
    layout: ClassVar = document(
        "branchwise-evaluation",
        "What a plan is worth in a problem, and what it loses against the best.",
        Field("problem", TEXT, "problem.name", "Its name."),
        Field("plan", TEXT, note="What the plan is called."),
        Field("after", EVENTS, "history", "What had happened where it begins."),
        Field("status", STATUS, note="Of the best plan."),
        Field("value", NUMBER, note="What the plan is worth."),
        Field("exact", TEXT, lambda found: str(found.value)).about(
            "The same as `value`, as an exact fraction."
        ),
        Field("first_action", nullable(TEXT), note="What it does first; null: stop."),
        Field("best_value", NUMBER, "best.expected_reward"),
        Field("best_first_action", nullable(TEXT), "best.first_action"),
        Field("loss", NUMBER, note="How much less it is worth than the best plan."),
        Field("most_lost", NUMBER).about(
            "How much less it is worth than any plan can be; the loss, once proven."
        ),
        Field("losses", array(_LOSS)).about(
            "Where something is lost, the first places first."
        ),
        Field("losses_complete", BOOLEAN, "are_losses_complete").about(
            "Whether these account for all of the loss."
        ),
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the worth and the loss in words, and unless short where it is lost."""
        found = self.result
        yield title_line(found.problem, look)
        if found.history:
            yield look.line(f"after {history_text(found.history)}")
        for sentence in sentences(found):
            yield look.uncut.line(sentence)
        if detail == "answer" or not found.losses:
            return
        yield ""
        most = None if detail == "full" else MOST
        yield from table_lines(LOSSES, found.losses, look, most=most, others="place")


def sentences(found: Evaluation) -> Iterator[str]:
    """Return in words what the plan is worth, what it loses, and where first."""
    first, name = found.first_action, "the plan"
    if found.plan != "plan":
        name = f"the plan {label(found.plan)}"
    does = "does nothing" if first is None else f"begins with {label(first)}"
    worth = f"is worth {value(found.value)}"
    if found.problem.is_least_cost:
        worth = f"costs {value(-found.value)}"
    yield f"{name} {does} and {worth}"
    yield _against_best(found)
    if found.losses:
        yield first_loss(found.losses[0])
    if not found.are_losses_complete and found.best.status is Status.OPTIMAL:
        yield "there may be further places: not all could be looked at"


def _against_best(found: Evaluation) -> str:
    loss, most = found.loss, found.most_lost
    if not most:
        return "no plan is worth more"
    best = found.best.first_action
    does = "do nothing" if best is None else f"begin with {label(best)}"
    if found.best.status is Status.OPTIMAL:
        of_best = _share(loss, found.best.expected_reward)
        return f"the best is to {does}: this one loses {value(loss)}{of_best}"
    if loss < 0:
        more = f"it is worth {value(-loss)} more than the best plan found in time"
        return f"{more}, and at most {value(most)} less than any"
    least = value(max(loss, 0))
    words = f"the best plan found in time is to {does}"
    return f"{words}: this one loses between {least} and {value(most)}"


def _share(loss: Real, best: Real) -> str:
    whole = abs(float(best))
    return f", {chance(float(loss) / whole)} of it" if whole else ""


def first_loss(loss: Loss) -> str:
    """Return in words where a plan first does not do what would be best."""
    place = history_text(loss.history)
    where = f"after {place} ({chance(loss.probability)})" if place else "at the start"
    does = "stops" if loss.action is None else f"does {label(loss.action)}"
    better = "to stop" if loss.best_action is None else label(loss.best_action)
    return f"first lost {where}: it {does}, where {better} would be best"
