"""Interdictions, shown: what to choose, and what the attacker does then."""

from collections.abc import Iterator
from typing import ClassVar, Final

from branchwise.adversary.interdiction import Interdiction
from branchwise.model.budget import limit_text
from branchwise.report.answer import Answer, Detail
from branchwise.report.answers.solution import SolutionAnswer
from branchwise.report.answers.solution_layout import SOLUTION_LAYOUT
from branchwise.report.fields import (
    BOOLEAN,
    COST,
    COUNT,
    LIMIT,
    NAMES,
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
from branchwise.report.text.ink import Look, Piece, aligned, title_line
from branchwise.report.text.label import label
from branchwise.report.text.tree_text import FOLDED, MAX_NODES, tree_lines
from branchwise.report.text.wording import chance, count, plural, seconds, value
from branchwise.tree.solution import Status

_COST: Final = Field("cost", COST)
_POINT: Final = record(
    _COST,
    Field("value", NUMBER, note="The attacker's optimum."),
    Field("chosen", NAMES),
)
_WORTH: Final = record(
    Field("name", TEXT),
    Field("is_chosen", BOOLEAN),
    Field("alone", NUMBER, note="The attacker's optimum against it."),
    Field("otherwise", nullable(NUMBER)).about(
        "Against the best defenses without it, if it is chosen; else with it. "
        "Null where there are none such."
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
    SOLUTION_LAYOUT.inside, lambda reply: SolutionAnswer(reply).document()
)


class InterdictionAnswer(Answer[Interdiction]):
    """The defenses that leave an attacker least, and the best reply to them."""

    page = "page.interdiction.page_with_sets"
    layout: ClassVar = document(
        "branchwise-interdiction",
        "The defenses that leave an attacker least.",
        Field("problem", TEXT, "problem.name", "Its name."),
        Field("budget", LIMIT, note="What may be spent on defenses."),
        Field("chosen", NAMES, note="The best defenses."),
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
        definitions=SOLUTION_LAYOUT.schema["$defs"],
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return what to choose, what it is worth, and the attacker's best reply."""
        yield from _answer(self.result, look)
        if detail != "answer":
            yield from _details(self.result, look, detail)


def _details(interdiction: Interdiction, look: Look, detail: Detail) -> Iterator[str]:
    for part in (_frontier(interdiction, look), _worths(interdiction, look)):
        lines = list(part)
        if lines:
            yield ""
            yield from lines
    yield ""
    yield look.line(("the attacker's best reply", "title"))
    max_nodes = None if detail == "full" else MAX_NODES
    yield from tree_lines(interdiction.reply.tree, look, max_nodes=max_nodes)
    yield ""
    if max_nodes is not None and interdiction.reply.tree.num_nodes > max_nodes:
        yield look.line((FOLDED, "title"))
    for words in search_words(interdiction):
        yield look.line((words, "faint"))


def proof_words(interdiction: Interdiction) -> str:
    """Return in words how good the defenses are known to be."""
    if interdiction.status is Status.OPTIMAL:
        return "proven best"
    bound, gap = value(interdiction.lower_bound), chance(interdiction.relative_gap)
    return f"none leave less than {bound} (gap {gap}, {interdiction.status})"


def share_less(interdiction: Interdiction) -> str:
    """Return in words which share of the reward is gone; nothing where none is."""
    before = interdiction.value_before
    lost = before - interdiction.value
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
    words: list[Piece] = ["choose nothing"]
    if interdiction.chosen:
        words = ["choose "]
        for number, each in enumerate(interdiction.chosen):
            words += [", " if number else "", (label(each), "action")]
        words.append(f" for {value(interdiction.cost)}")
    yield look.uncut.line(*words, f", {proof_words(interdiction)}")
    before = f"the attacker expects {value(interdiction.value_before)} before, "
    less = share_less(interdiction)
    after = f" after{f': {less}' if less else ''}"
    yield look.uncut.line(before, (value(interdiction.value), "reward"), after)


def _frontier(interdiction: Interdiction, look: Look) -> Iterator[str]:
    rows = [
        [value(p.cost), value(p.value), ", ".join(map(label, p.chosen)) or "nothing"]
        for p in interdiction.frontier
    ]
    if rows:
        titles = ["defense budget", "attacker expects", "choose"]
        yield from aligned(titles, rows, look, words=2, inks={1: "reward"})


def _worths(interdiction: Interdiction, look: Look) -> Iterator[str]:
    problem = interdiction.problem
    rows = []
    for each in interdiction.worths:
        cost, alone = value(problem.defense(each.name).cost), value(each.alone)
        other = "not possible" if each.otherwise is None else value(each.otherwise)
        chosen, *others = ("yes", other, "") if each.is_chosen else ("", "", other)
        rows.append([look.name(each.name, 0.3), cost, chosen, alone, *others])
    if rows:
        titles = ["defense", "cost", "chosen", "alone", "without it", "with it"]
        yield from aligned(titles, rows, look, words=0)
        note = "what the attacker expects: against it alone, and against the best "
        yield look.line((f"{note}defenses without or with it", "faint"))
