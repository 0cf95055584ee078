"""Advice, shown in words: what to do now, and what a surprise has changed."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from branchwise.follow.advice import Advice, Change
from branchwise.follow.entries import Entry
from branchwise.model.budget import UNLIMITED, Budget
from branchwise.model.conditions.condition import quoted
from branchwise.report.answer import Answer, Detail
from branchwise.report.text.ink import Look, Piece, aligned
from branchwise.report.text.knowledge import fact_words
from branchwise.report.text.label import label
from branchwise.report.text.wording import chance, value


class AdviceAnswer(Answer[Advice | Change]):
    """What to do now and how it may come out, or what a surprise has changed."""

    formats: ClassVar = ("txt",)

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return it in a sentence, and unless short with every outcome."""
        if isinstance(self.result, Change):
            yield _changed(self.result, look)
        else:
            yield from _advised(self.result, look, detail)


def _advised(advice: Advice, look: Look, detail: Detail) -> Iterator[str]:
    if detail != "answer":
        for note in _notes(advice):
            yield look.line((note, "faint"))
    if advice.action is None:
        yield look.line(*_stop(advice))
        return
    says, number, net = _worth(advice)
    worth: Piece = (number, "reward")
    terms = f" ({_price(advice)}), {says} "
    proof = "" if advice.is_proven else ", not proven to be the best"
    end = f"{net} from here{proof}."
    yield look.uncut.line("Do ", _deed(advice, look), terms, worth, end)
    if detail == "answer":
        return
    rows = [
        [
            f"  {f'{number}  ' if advice.is_numbered else ''}{look.name(name, 0.6)}",
            chance(probability),
        ]
        for number, (name, probability) in enumerate(advice.probabilities, 1)
    ]
    yield from aligned(["", ""], rows, look, words=(0, 1), inks={1: "faint"})


def _worth(advice: Advice) -> tuple[str, str, str]:
    """Return what is said of the value, the number, and whether it is net of cost."""
    if advice.is_least_cost:
        return "expected cost", value(0 - advice.value), ""
    net = " net of weighted cost" if advice.is_net else ""
    return "worth", value(advice.value), net


def _notes(advice: Advice) -> Iterator[str]:
    """Return what is known by now of hidden facts, and where counters stand."""
    for fact, likely in advice.facts.items():
        yield fact_words(fact, likely)
    if advice.counters:
        parts = (f"{quoted(name)} {number}" for name, number in advice.counters.items())
        yield ", ".join(parts)


def _changed(change: Change, look: Look) -> str:
    before, after = change.before, change.after
    does, did = _deed(after, look), _deed(before, look)
    plan: list[Piece] = ["Now ", does, " instead of ", did]
    if after.action == before.action:
        plan = ["Still ", does]
    says, number, net = _worth(after)
    was = f"{net} as before."
    if value(after.value) != value(before.value):
        difference = float(after.value) - float(before.value)
        if after.is_least_cost:
            difference = -difference
        sign = "+" if difference > 0 else "-"
        had = _worth(before)[1]
        was = f"{net} instead of {had} ({sign}{value(abs(difference))})."
    return look.uncut.line(*plan, f", {says} ", (number, "reward"), was)


def reported_lines(reported: Iterable[Entry]) -> Iterator[str]:
    """Return what was reported so far, each entry in a line with its number."""
    for number, entry in enumerate(reported, 1):
        yield f"  {number}  {label(str(entry))}"


def _stop(advice: Advice) -> list[Piece]:
    if advice.is_least_cost:
        if not advice.reward:
            return [("Stop here: it is finished.", "nothing")]
        counted = value(0 - advice.reward)
        return ["Stop here: nothing more can be done, which counts ", counted, "."]
    if not advice.reward:
        return [("Stop here: there is nothing more to gain.", "nothing")]
    return ["Stop here: this pays ", (value(advice.reward), "reward"), "."]


def _price(advice: Advice) -> str:
    costs = label(str(Budget(advice.cost))) if advice.cost else "nothing"
    if all(limit == UNLIMITED for limit in advice.left.values()):
        return f"costs {costs}"
    mark = "," if advice.left.is_plain else ";"
    return f"costs {costs}{mark} {label(str(advice.left))} left"


def _deed(advice: Advice, look: Look) -> Piece:
    if advice.action is None:
        return "stop"
    return look.name(advice.action, 0.4), "action"
