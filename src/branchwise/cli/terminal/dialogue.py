"""The dialogue of ``branchwise follow``: what to do, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from io import TextIOWrapper
from typing import Final, NamedTuple, TypeVar

import click

import branchwise
from branchwise import report
from branchwise.cli.terminal.page import show
from branchwise.cli.terminal.progress import TerminalProgress

_MOST_DIGITS: Final = 9
_QUOTES: Final = "\"'"


_HELP: Final = """\
  ok, 2, o               what came of it: its name, its number, its first letters
  a3=fail                what came of another action that you took instead
  surprise a3=odd        ... although the problem says that this cannot happen
  impossible a3          an action is no longer possible
  probability a3=ok 0.2  an outcome is more or less likely from now on
  cost a3 2              an action costs more or less from now on
  budget 4, budget +2    so much is left, or so much more
  reward a5=ok 80        a reward is worth more or less
  requires a3 a1=ok      an action requires something else; `requires a3 always`
  precluded a3 a1=fail   an action is ruled out by something else, or `never`
  disease=present        what a hidden fact is: it has become known
  action a9 {outcomes: {ok: 0.5, fail: rest}}   there is a new action
  undo                   take back what was said last
  status, history        where we stand; what was said so far
  quit                   leave; the same command goes on from here
A command is known by its first letters, too; /undo is never an outcome."""


Result = TypeVar("Result")


def show_reported(follower: branchwise.Follower) -> None:
    """Show what was said so far."""
    for line in report.reported_lines(follower.reported):
        click.echo(line)
    if not follower.reported:
        click.echo("  nothing yet")


class Progressing:
    """Hands progress on to what shows it just now."""

    def __init__(self) -> None:
        self.shown: TerminalProgress | None = None

    def __call__(self, progress: branchwise.tree.Progress) -> None:
        """Take note."""
        if self.shown is not None:
            self.shown(progress)


class Dialogue:
    """Leads through the plan of a follower, who reports progress while it plans."""

    def __init__(self, follower: branchwise.Follower, progress: Progressing) -> None:
        self._follower = follower
        self._progress = progress
        self._advice: branchwise.follow.Advice
        self._said = ""
        self._reported = follower.reported
        self._is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._commands: dict[str, Callable[[str], object]] = {
            "surprise": self._surprise,
            "impossible": self._impossible,
            "probability": self._probability,
            "cost": self._cost,
            "budget": self._budget,
            "reward": self._reward,
            "requires": self._requires,
            "precluded": self._precluded,
            "action": self._action,
            "undo": self._undo,
            "status": self._status,
            "history": lambda _: show_reported(follower),
            "help": lambda _: click.echo(_HELP),
            "quit": lambda _: None,
        }

    def lead(self) -> None:
        """Show what to do and read what came of it, until the user leaves."""
        _prepare_input(is_terminal=self._is_terminal)
        self._advise()
        while True:
            has_action = self._advice.action is not None
            line = self._line("What came of it? " if has_action else "> ")
            if line is None:
                return
            if not line.strip():
                continue
            self._said, self._reported = line, self._follower.reported
            try:
                answer = self._understood(line)
                if answer.command == "quit":
                    return
                self._obey(answer)
            except (branchwise.errors.JournalError, branchwise.LimitError):
                raise  # There is no going on without a journal, or without a plan.
            except (branchwise.BranchwiseError, ValueError) as error:
                click.echo(str(error))
            self._said = ""

    @property
    def unsure(self) -> str:
        """What was said last, if it was interrupted before it was surely kept."""
        is_kept = self._follower.reported != self._reported
        return "" if is_kept else _seen(self._said.strip())

    def _understood(self, line: str) -> _Reply:
        """
        Understand a line.

        Outcomes of the action that was advised come before commands; a slash in front
        makes it a command in any case.
        """
        text, advice, problem = line.strip(), self._advice, self._follower.problem
        labels = [label for label, _ in advice.probabilities]
        if not text.startswith("/") and advice.action is not None:
            if advice.is_numbered and text.isdecimal():
                return _Reply(outcome=_numbered(text, advice.action, labels))
            label = _name_in(text, labels)
            if label is not None:
                return _Reply(outcome=branchwise.model.Happened(advice.action, label))
        word, _, rest = text.removeprefix("/").partition(" ")
        command = _name_in(word, self._commands)
        if command is not None:
            return _Reply(command, rest.strip())
        if "=" in text:
            return _Reply(outcome=_outcome_in(text, problem))
        raise _Unclear(_unknown(text, labels, problem))

    def _obey(self, answer: _Reply) -> None:
        if answer.outcome is None:
            self._commands[answer.command](answer.text)
            return
        event = answer.outcome
        try:
            change = self._planned(lambda: self._follower.happened(event))
        except branchwise.errors.HistoryError as error:
            click.echo(str(error))
            if any(a.name == event.action for a in self._follower.problem.actions):
                again = _seen(f"surprise {event}")
                click.echo(f"    if it happened all the same: `{again}`")
            return
        if change.is_surprise:
            is_action = event in self._follower.problem.events()
            if is_action:
                click.echo("That was not the plan; there is a new one from here.")
            else:
                click.echo("That is known now; there is a new plan from here.")
            self._report(change)
        else:
            self._advise()

    def _surprise(self, text: str) -> None:
        event = _outcome_in(text, self._follower.problem)
        known = event in self._follower.problem.events()
        change = self._planned(lambda: self._follower.happened(event, force=True))
        if not known:
            action, outcome = _seen(event.action), _seen(event.outcome)
            click.echo(f"So far `{action}` had no outcome `{outcome}`.")
        self._report(change)

    def _impossible(self, text: str) -> None:
        action = _action_in(text, self._follower.problem)
        self._changed(lambda: self._follower.rule_out(action))

    def _probability(self, text: str) -> None:
        name, number = _last_word(text, "probability a3=ok 0.2")
        event = _outcome_in(name, self._follower.problem)
        self._changed(lambda: self._follower.change_probability(event, number))

    def _cost(self, text: str) -> None:
        name, cost = _last_word(text, "cost a3 2")
        action = _action_in(name, self._follower.problem)
        amounts = _amounts_in(cost)
        self._changed(lambda: self._follower.change_cost(action, amounts))

    def _budget(self, text: str) -> None:
        if not text:
            raise _Unclear("write `budget 4` for what is left, or `budget +2`")
        limits = _limits_in(text, self._follower.state.left)
        self._changed(lambda: self._follower.change_budget(limits))

    def _reward(self, text: str) -> None:
        name, value = _last_word(text, "reward a5=ok 80")
        number = _number_in(name)
        which = name if number is None else number
        self._changed(lambda: self._follower.change_reward(which, value))

    def _requires(self, text: str) -> None:
        action, condition = self._action_first(text, "requires a3 a1=ok")
        self._changed(lambda: self._follower.change_requirement(action, condition))

    def _precluded(self, text: str) -> None:
        action, condition = self._action_first(text, "precluded a3 a1=fail")
        self._changed(lambda: self._follower.change_preclusion(action, condition))

    def _action(self, text: str) -> None:
        name, brace, rest = text.partition("{")
        if not name.strip() or not brace:
            raise _Unclear("write `action a9 {outcomes: {ok: 0.5, fail: rest}}`")
        name = _bare(name)
        self._changed(lambda: self._follower.add_action(name, brace + rest))

    def _action_first(self, text: str, example: str) -> tuple[str, str]:
        """Split an action and a condition; the name may have spaces in it."""
        known = [action.name for action in self._follower.problem.actions]
        words = text.split(" ")
        for count in range(1, len(words)):
            name = " ".join(words[:count])
            if (action := _name_in(name, known)) is not None:
                return action, text[len(name) :].strip()
        raise _Unclear(f"write `{example}`")

    def _undo(self, _: str) -> None:
        reported = self._follower.reported
        self._planned(self._follower.undo)
        click.echo("Taken back:")
        click.echo(list(report.reported_lines(reported))[-1])
        self._advise()

    def _status(self, _: str) -> None:
        show_reported(self._follower)
        self._advise()

    def _changed(self, change: Callable[[], branchwise.follow.Change]) -> None:
        self._report(self._planned(change))

    def _report(self, change: branchwise.follow.Change) -> None:
        show(change)
        self._advise()

    def _advise(self) -> None:
        self._advice = self._planned(lambda: self._follower.advice)
        click.echo()
        show(self._advice)
        if self._advice.action is None:
            click.echo("Say `quit` to leave, or what has changed.")

    def _planned(self, ask: Callable[[], Result]) -> Result:
        """Ask the follower, who may have to plan; show how far that has come."""
        with TerminalProgress() as self._progress.shown:
            result = ask()
            solution = self._follower.solution
        if solution.status is branchwise.Status.INTERRUPTED:
            raise KeyboardInterrupt
        return result

    def _line(self, prompt: str) -> str | None:
        """Ask for a line; None once there are no more."""
        if self._is_terminal:
            try:
                return input(prompt)
            except EOFError:
                click.echo()
                return None
        click.echo(prompt, nl=False)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            # Where no one types, the answers would be missing from what is read.
            click.echo(_seen(line.strip()) if line else "(end of input)")
        return line or None


def _prepare_input(*, is_terminal: bool) -> None:
    """Take any bytes for text, and let lines be edited where they are typed."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if is_terminal and os.environ.get("TERM", "dumb") != "dumb":
        with suppress(ImportError):
            import readline  # noqa: F401, PLC0415  # `input` uses it once it is there


class _Unclear(ValueError):  # noqa: N818  # it is an answer that is unclear
    """What was typed may mean several things, or nothing."""


class _Reply(NamedTuple):
    """What was typed: a command and what follows it, or the outcome reported."""

    command: str = ""
    text: str = ""
    outcome: branchwise.model.Happened | None = None


def _outcome_in(text: str, problem: branchwise.Problem) -> branchwise.model.Happened:
    """Find the outcome that is meant by ``a1=ok``, or by the first letters of both."""
    for event in problem.events():
        if text in {str(event), f"{event.action}={event.outcome}"}:
            return event
    name, equals, label = text.partition("=")
    if not equals:
        raise _Unclear(f"`{_seen(text)}` names no outcome; write `action=outcome`")
    name, label = _bare(name), _bare(label)
    action = _name_in(name, [action.name for action in problem.actions])
    if action is not None:
        label = _name_in(label, problem.action(action).labels) or label
    # A name that is not known goes on as it is: what reads it says so best.
    return branchwise.model.Happened(action or name, label)


def _action_in(text: str, problem: branchwise.Problem) -> str:
    return _name_in(_bare(text), [a.name for a in problem.actions]) or _bare(text)


def _last_word(text: str, example: str) -> tuple[str, str]:
    """Split off the last word: what something is to be from now on."""
    before, _, word = text.rpartition(" ")
    if not before.strip():
        raise _Unclear(f"write `{example}`")
    return before.strip(), word


def _amounts_in(text: str) -> str | dict[str, str]:
    """Read ``4``, or ``money=4,days=2``."""
    if "=" not in text:
        return text.strip()
    parts = (part.rpartition("=") for part in text.split(","))
    return {_bare(resource): amount.strip() for resource, _, amount in parts}


def _limits_in(
    text: str, left: branchwise.model.Budget
) -> dict[str, str | Fraction | float]:
    """Read what is left from now on, or how much more or less that is: ``+2``."""
    amounts = _amounts_in(text)
    if isinstance(amounts, str):
        if len(left) > 1:
            raise _Unclear(f"say of what: `budget {next(iter(left))}={_seen(amounts)}`")
        amounts = dict.fromkeys(left, amounts)
    return {r: _limit(amount, left.get(r, 0)) for r, amount in amounts.items()}


def _limit(amount: str, have: Fraction | float) -> str | Fraction | float:
    """Read a number; with a sign in front it is added to what there is."""
    if amount[:1] not in {"+", "-"}:
        return amount
    try:
        return have + branchwise.model.Amounts(amount).total()
    except ValueError:
        raise _Unclear(f"`{_seen(amount)}` is not a number") from None


def _name_in(text: str, names: Iterable[str]) -> str | None:
    """Find the name that is meant; None if there is none, `_Unclear` if several."""
    known = list(names)
    if text in known:
        return text
    folded = _bare(text).casefold()
    same = [name for name in known if name.casefold() == folded]
    meant = same or [n for n in known if folded and n.casefold().startswith(folded)]
    if len(meant) > 1:
        several = " or ".join(f"`{_seen(name)}`" for name in meant[:6])
        raise _Unclear(f"`{_seen(text)}` may be {several}; write more of it")
    return meant[0] if meant else None


def _number_in(text: str) -> int | None:
    """Read the number of something in a list; None if it is none, or too long."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _numbered(
    text: str, action: str, labels: Sequence[str]
) -> branchwise.model.Happened:
    number = _number_in(text)
    if number is None or not 1 <= number <= len(labels):
        span = f"from 1 to {len(labels)}"
        raise _Unclear(f"there is no {_seen(text)}; write a number {span}")
    return branchwise.model.Happened(action, labels[number - 1])


def _unknown(text: str, labels: Sequence[str], problem: branchwise.Problem) -> str:
    name = _name_in(text, [action.name for action in problem.actions])
    if name is not None:
        label = problem.action(name).labels[0]
        event = branchwise.model.Happened(name, label)
        return f"say what came of `{_seen(name)}`, such as `{_seen(str(event))}`"
    known = ", ".join(f"`{_seen(label)}`" for label in labels[:6])
    wanted = f"say {known} or" if labels else "say"
    return f"`{_seen(text)}` is not understood; {wanted} `help`"


def _bare(text: str) -> str:
    stripped = text.strip()
    is_quoted = len(stripped) > 1 and stripped[0] in _QUOTES
    return stripped[1:-1] if is_quoted and stripped[-1] == stripped[0] else stripped


def _seen(text: str) -> str:
    """Let no typed character do more than be seen."""
    return "".join(c if c.isprintable() else "?" for c in text[:60])
