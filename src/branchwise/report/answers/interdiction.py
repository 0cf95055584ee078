"""Interdictions, shown: what to choose, and what the attacker does then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from branchwise.adversary.interdiction import Interdiction
from branchwise.model.budget import limit_text
from branchwise.report.answer import Answer, Detail, loaded
from branchwise.report.answers.solution import SolutionAnswer
from branchwise.report.fields import (
    BOOLEAN,
    COUNT,
    LIMIT,
    NUMBER,
    SECONDS,
    STATUS,
    TEXT,
    WHOLE,
    Field,
    Kind,
    array,
    document,
    nullable,
    record,
)
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look, Piece, title_line
from branchwise.report.text.label import label
from branchwise.report.text.tree_text import MAX_NODES, tree_lines
from branchwise.report.text.wording import chance, count, plural, seconds, value
from branchwise.space.state_space import Real
from branchwise.tree.solution import Status

__all__ = ["InterdictionAnswer", "proof_words", "search_words", "share_less"]


_NAMES: Final = array(TEXT)
_COST: Final = Field("cost", NUMBER.where(minimum=0))
_POINT: Final = record(
    _COST,
    Field("value", NUMBER, note="The attacker's optimum."),
    Field("chosen", _NAMES),
)
_WORTH: Final = record(
    Field("name", TEXT),
    Field("is_chosen", BOOLEAN),
    Field("alone", NUMBER, note="The attacker's optimum against it."),
    Field(
        "otherwise",
        nullable(NUMBER),
        note="Against the best defenses without it, if it is chosen; else with it. "
        "Null where there are none such.",
    ),
    Field("margin", nullable(NUMBER), note="How much more that is than the value."),
)
_STATISTICS: Final = record(
    Field("nodes", COUNT, "num_nodes"),
    Field("solved", COUNT, "num_solved"),
    Field("solved_in_all", COUNT, "num_solved_in_all"),
    Field("sets", nullable(WHOLE), "num_sets"),
    Field("seconds", SECONDS),
    Field("seconds_in_all", SECONDS),
)


_REPLY: Final = Kind(
    SolutionAnswer.layout.inside, lambda reply: SolutionAnswer(reply).document()
)


class InterdictionAnswer(Answer[Interdiction]):
    """The defenses that leave an attacker least, and the best reply to them."""

    layout: ClassVar = document(
        "branchwise-interdiction",
        1,
        "The defenses that leave an attacker least.",
        Field("problem", TEXT, "problem.name", "Its name."),
        Field("budget", LIMIT, note="What may be spent on defenses."),
        Field("chosen", _NAMES, note="The best defenses."),
        _COST,
        Field("value_before", NUMBER, note="Without defenses."),
        Field("value", NUMBER, note="Against the chosen ones."),
        Field("lower_bound", NUMBER, note="What none can go below."),
        Field("status", STATUS),
        Field("method", TEXT),
        Field("frontier", array(_POINT)),
        Field("defenses", array(_WORTH), "worths"),
        Field("statistics", _STATISTICS),
        Field("reply", _REPLY),
        definitions=SolutionAnswer.layout.schema["$defs"],
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return what to choose, what it is worth, and the attacker's best reply."""
        yield from _answer(self.result, look)
        if detail != "answer":
            yield from _details(self.result, look, detail)

    def html(self) -> str:
        """Return the choice, and the attacker's best reply as a plan to explore."""
        # Only a page shows sets, and start-up is felt.
        from branchwise.rewarding.sets import strongest_sets  # noqa: PLC0415

        sets = strongest_sets(self.result.reply.problem)
        made: str = loaded("page.interdiction.interdiction_page")(
            self.result, sets=sets
        )
        return made


def _details(interdiction: Interdiction, look: Look, detail: Detail) -> Iterator[str]:
    for part in (_frontier(interdiction, look), _worths(interdiction, look)):
        lines = list(part)
        if lines:
            yield ""
            yield from lines
    yield ""
    yield look.line([("the attacker's best reply", "title")])
    max_nodes = None if detail == "full" else MAX_NODES
    yield from tree_lines(interdiction.reply.tree, look, max_nodes=max_nodes)
    yield ""
    if max_nodes is not None and interdiction.reply.tree.num_nodes > max_nodes:
        hint = "only the likely part is shown; --all shows every node"
        yield look.line([(hint, "title")])
    for words in search_words(interdiction):
        yield look.line([(words, "faint")])


def proof_words(interdiction: Interdiction) -> str:
    """Return in words how good the defenses are known to be."""
    if interdiction.status is Status.OPTIMAL:
        return "proven best"
    bound = f"none leave less than {value(interdiction.lower_bound)}"
    gap = chance(interdiction.relative_gap)
    return f"{bound} (gap {gap}, {interdiction.status})"


def share_less(interdiction: Interdiction) -> str:
    """Return in words which share of the reward is gone; nothing where none is."""
    before, after = interdiction.value_before, interdiction.value
    lost = before - after
    return f"{chance(lost / before)} less" if before > 0 and lost > 0 else ""


def search_words(interdiction: Interdiction) -> Iterator[str]:
    """Return in words what it took to find the defenses."""
    found = interdiction.statistics
    problems = plural(found.num_solved, "attacker's problem")
    attacks = f"{problems} solved"
    if found.num_sets is not None:
        attacks += f"; there are {plural(found.num_sets, 'set')} to choose from"
    yield attacks
    more = found.num_solved_in_all - found.num_solved
    time = f"found in {seconds(found.seconds)} by {interdiction.method}"
    if more:
        time += f"; the rest of this report took {count(more)} more, "
        time += f"{seconds(found.seconds_in_all)} in all"
    yield time


def _answer(interdiction: Interdiction, look: Look) -> Iterator[str]:
    more = f", defense budget {limit_text(interdiction.budget)}"
    yield title_line(interdiction.problem, look, more=more, share=0.5)
    # The lines with the answer are not cut: better two rows than half a number.
    whole = Look(paint=look.paint)
    words: list[Piece] = [("choose nothing", "plain")]
    if interdiction.chosen:
        words = [("choose ", "plain")]
        for number, each in enumerate(interdiction.chosen):
            words.append((", " if number else "", "plain"))
            words.append((label(each), "action"))
        words.append((f" for {value(interdiction.cost)}", "plain"))
    yield whole.line([*words, (f", {proof_words(interdiction)}", "plain")])
    less = share_less(interdiction)
    yield whole.line(
        [
            ("the attacker expects ", "plain"),
            (value(interdiction.value_before), "plain"),
            (" before, ", "plain"),
            (value(interdiction.value), "reward"),
            (f" after{f': {less}' if less else ''}", "plain"),
        ]
    )


def _frontier(interdiction: Interdiction, look: Look) -> Iterator[str]:
    rows = [
        [
            value(point.cost),
            value(point.value),
            ", ".join(map(label, point.chosen)) or "nothing",
        ]
        for point in interdiction.frontier
    ]
    if rows:
        titles = ["defense budget", "attacker expects", "choose"]
        yield from aligned(titles, rows, look, words=2, inks={1: "reward"})


def _worths(interdiction: Interdiction, look: Look) -> Iterator[str]:
    problem = interdiction.problem
    rows = []
    for worth in interdiction.worths:
        other = _or_none(worth.otherwise)
        rows.append(
            [
                look.name(worth.name, 0.3),
                value(problem.defense(worth.name).cost),
                "yes" if worth.is_chosen else "",
                value(worth.alone),
                other if worth.is_chosen else "",
                "" if worth.is_chosen else other,
            ]
        )
    if rows:
        titles = ["defense", "cost", "chosen", "alone", "without it", "with it"]
        yield from aligned(titles, rows, look, words=0)
        note = "what the attacker expects: against it alone, and against the best "
        yield look.line([(f"{note}defenses without or with it", "faint")])


def _or_none(number: Real | None) -> str:
    return "not possible" if number is None else value(number)
