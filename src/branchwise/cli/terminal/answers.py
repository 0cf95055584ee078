"""What people type: names, numbers, first letters and commands, understood."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import branchwise

__all__ = [
    "COMMANDS",
    "Answer",
    "Unclear",
    "action_in",
    "amounts_in",
    "last_word",
    "limits_in",
    "number_in",
    "outcome_in",
    "seen",
    "understood",
]

COMMANDS: Final = (
    "surprise",
    "impossible",
    "probability",
    "cost",
    "budget",
    "reward",
    "undo",
    "status",
    "history",
    "help",
    "quit",
)

_MOST_DIGITS: Final = 9
_QUOTES: Final = "\"'"


class Unclear(Exception):  # noqa: N818  # it is an answer that is unclear
    """What was typed may mean several things, or nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What was typed.

    Parameters
    ----------
    command
        One of `COMMANDS`; empty where an outcome was told.
    text
        What follows the command.
    outcome
        The outcome that was told.
    """

    command: str = ""
    text: str = ""
    outcome: branchwise.Happened | None = None


def understood(
    line: str, advice: branchwise.Advice, problem: branchwise.Problem
) -> Answer:
    """
    Understand a line.

    Outcomes of the action that was advised come before commands; a slash in front
    makes it a command in any case.
    """
    text = line.strip()
    labels = [label for label, _ in advice.probabilities]
    if not text.startswith("/") and advice.action is not None:
        if advice.is_numbered and text.isdecimal():
            return Answer(outcome=_numbered(text, advice.action, labels))
        label = _name_in(text, labels)
        if label is not None:
            return Answer(outcome=branchwise.Happened(advice.action, label))
    word, _, rest = text.removeprefix("/").partition(" ")
    command = _name_in(word, COMMANDS)
    if command is not None:
        return Answer(command, rest.strip())
    if "=" in text:
        return Answer(outcome=outcome_in(text, problem))
    raise Unclear(_unknown(text, labels, problem))


def outcome_in(text: str, problem: branchwise.Problem) -> branchwise.Happened:
    """Find the outcome that is meant by ``a1=ok``, or by the first letters of both."""
    for event in problem.events():
        if text in {str(event), f"{event.action}={event.outcome}"}:
            return event
    name, equals, label = text.partition("=")
    if not equals:
        raise Unclear(f"`{seen(text)}` names no outcome; write `action=outcome`")
    name, label = _bare(name), _bare(label)
    action = _name_in(name, [action.name for action in problem.actions])
    if action is not None:
        label = _name_in(label, problem.action(action).labels) or label
    # A name that is not known goes on as it is: whoever reads it says so best.
    return branchwise.Happened(action or name, label)


def action_in(text: str, problem: branchwise.Problem) -> str:
    """Find the action that is meant by a name or its first letters."""
    return _name_in(_bare(text), [a.name for a in problem.actions]) or _bare(text)


def last_word(text: str, example: str) -> tuple[str, str]:
    """Split off the last word: what something is to be from now on."""
    before, _, word = text.rpartition(" ")
    if not before.strip():
        raise Unclear(f"write `{example}`")
    return before.strip(), word


def amounts_in(text: str) -> str | dict[str, str]:
    """Read ``4``, or ``money=4,days=2``."""
    if "=" not in text:
        return text.strip()
    parts = (part.rpartition("=") for part in text.split(","))
    return {_bare(resource): amount.strip() for resource, _, amount in parts}


def limits_in(text: str, left: branchwise.Budget) -> dict[str, str | Fraction | float]:
    """Read what is left from now on, or how much more or less that is: ``+2``."""
    amounts = amounts_in(text)
    if isinstance(amounts, str):
        if len(left) > 1:
            raise Unclear(f"say of what: `budget {next(iter(left))}={seen(amounts)}`")
        amounts = dict.fromkeys(left, amounts)
    return {r: _limit(amount, left.get(r, 0)) for r, amount in amounts.items()}


def _limit(amount: str, have: Fraction | float) -> str | Fraction | float:
    """Read a number; with a sign in front it is added to what there is."""
    if amount[:1] not in {"+", "-"}:
        return amount
    try:
        return have + branchwise.Amounts(amount).total()
    except ValueError:
        raise Unclear(f"`{seen(amount)}` is not a number") from None


def _name_in(text: str, names: Iterable[str]) -> str | None:
    """Find the name that is meant; None if there is none, `Unclear` if several."""
    known = list(names)
    if text in known:
        return text
    folded = _bare(text).casefold()
    same = [name for name in known if name.casefold() == folded]
    found = same or [n for n in known if folded and n.casefold().startswith(folded)]
    if len(found) > 1:
        several = " or ".join(f"`{seen(name)}`" for name in found[:6])
        raise Unclear(f"`{seen(text)}` may be {several}; write more of it")
    return found[0] if found else None


def number_in(text: str) -> int | None:
    """Read the number of something in a list; None if it is none, or too long."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _numbered(text: str, action: str, labels: Sequence[str]) -> branchwise.Happened:
    number = number_in(text)
    if number is None or not 1 <= number <= len(labels):
        told = f"write a number from 1 to {len(labels)}"
        raise Unclear(f"there is no {seen(text)}; {told}")
    return branchwise.Happened(action, labels[number - 1])


def _unknown(text: str, labels: Sequence[str], problem: branchwise.Problem) -> str:
    name = _name_in(text, [action.name for action in problem.actions])
    if name is not None:
        label = problem.action(name).labels[0]
        event = branchwise.Happened(name, label)
        return f"say what came of `{seen(name)}`, such as `{seen(str(event))}`"
    known = ", ".join(f"`{seen(label)}`" for label in labels[:6])
    wanted = f"say {known} or" if labels else "say"
    return f"`{seen(text)}` is not understood; {wanted} `help`"


def _bare(text: str) -> str:
    """Take off quotes."""
    stripped = text.strip()
    is_quoted = len(stripped) > 1 and stripped[0] in _QUOTES
    return stripped[1:-1] if is_quoted and stripped[-1] == stripped[0] else stripped


def seen(text: str) -> str:
    """Let no typed character do more than be seen."""
    return "".join(c if c.isprintable() else "?" for c in text[:60])
