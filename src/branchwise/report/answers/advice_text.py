"""Advice in words: what to do now, and what a surprise has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from branchwise.follow.advice import Advice, Change
from branchwise.follow.entries import Entry
from branchwise.model.budget import UNLIMITED, Budget
from branchwise.report.text.ink import Look, Paint, Piece, uncolored
from branchwise.report.text.label import display_width, label
from branchwise.report.text.wording import chance, value

__all__ = ["advice_lines", "change_lines", "told_lines"]


def advice_lines(
    advice: Advice,
    *,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    r"""
    Say what to do now, and how it may come out.

    Parameters
    ----------
    advice
        What to say.
    width
        Cut lines that are longer; None lets them be.
    is_ascii
        Write without characters that only Unicode has.
    paint
        Colors a piece of text, given what it is.

    Examples
    --------
    >>> from branchwise.model.budget import Amounts
    >>> odds = (("oil", 0.2), ("dry", 0.8))
    >>> advice = Advice("drill", odds, Amounts(2), 40.0, 0.0, Budget(3), True)
    >>> print(*advice_lines(advice), sep="\n")
    Do drill (costs 2, 3 left), worth 40 from here.
      1  oil  20 %
      2  dry  80 %
    """
    look = Look(width, is_ascii, paint)
    if advice.action is None:
        yield look.line(_stop(advice))
        return
    name: Piece = (look.name(advice.action, 0.4), "action")
    worth: Piece = (value(advice.value), "reward")
    proof = "" if advice.is_proven else ", not proven to be the best"
    terms: Piece = (f" ({_price(advice)}), worth ", "plain")
    end: Piece = (f" from here{proof}.", "plain")
    # Better two rows than half a number.
    yield Look(paint=paint).line([("Do ", "plain"), name, terms, worth, end])
    names = [look.name(outcome, 0.6) for outcome, _ in advice.probabilities]
    room = max(map(display_width, names))
    for number, ((_, odds), shown) in enumerate(
        zip(advice.probabilities, names, strict=True), 1
    ):
        mark = f"{number}  " if advice.is_numbered else ""
        gap = " " * (room - display_width(shown))
        yield look.line([(f"  {mark}{shown}{gap}  ", "plain"), (chance(odds), "faint")])


def change_lines(
    change: Change,
    *,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Say what a surprise has changed: the next action, and what it is all worth.

    Parameters
    ----------
    change
        What was, and what is.
    width, is_ascii, paint
        As for `advice_lines`.
    """
    look = Look(width, is_ascii, paint)
    before, after = change.before, change.after
    does, did = _deed(after, look), _deed(before, look)
    if after.action == before.action:
        plan: list[Piece] = [("Still ", "plain"), does]
    else:
        plan = [("Now ", "plain"), does, (" instead of ", "plain"), did]
    now: Piece = (value(after.value), "reward")
    if value(after.value) == value(before.value):
        worth: list[Piece] = [(", worth ", "plain"), now, (" as before.", "plain")]
    else:
        difference = float(after.value) - float(before.value)
        sign = "+" if difference > 0 else "-"
        was = f" instead of {value(before.value)} ({sign}{value(abs(difference))})."
        worth = [(", worth ", "plain"), now, (was, "plain")]
    yield Look(paint=paint).line([*plan, *worth])


def told_lines(told: Iterable[Entry]) -> Iterator[str]:
    """Say what was told so far, each in a line with its number."""
    for number, entry in enumerate(told, 1):
        yield f"  {number}  {label(str(entry))}"


def _stop(advice: Advice) -> list[Piece]:
    if not advice.reward:
        return [("Stop here: there is nothing more to gain.", "nothing")]
    pays: Piece = (value(advice.reward), "reward")
    return [("Stop here: this pays ", "plain"), pays, (".", "plain")]


def _price(advice: Advice) -> str:
    costs = label(str(Budget(advice.cost))) if advice.cost else "nothing"
    if all(limit == UNLIMITED for limit in advice.left.values()):
        return f"costs {costs}"
    mark = "," if advice.left.is_plain else ";"
    return f"costs {costs}{mark} {label(str(advice.left))} left"


def _deed(advice: Advice, look: Look) -> Piece:
    if advice.action is None:
        return "stop", "plain"
    return look.name(advice.action, 0.4), "action"
