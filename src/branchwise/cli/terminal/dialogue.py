"""The dialogue of ``branchwise follow``: what to do, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import Final, TypeVar

import click

import branchwise
from branchwise import report
from branchwise.cli.terminal.page import show
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.replies import (
    Answer,
    Unclear,
    action_in,
    amounts_in,
    last_word,
    limits_in,
    number_in,
    outcome_in,
    seen,
    understood,
)

__all__ = ["Dialogue", "Progressing"]

_HELP: Final = """\
  ok, 2, o               what came of it: its name, its number, its first letters
  a3=fail                what came of another action that you took instead
  surprise a3=odd        ... although the problem says that this cannot happen
  impossible a3          an action is no longer possible
  probability a3=ok 0.2  an outcome is more or less likely from now on
  cost a3 2              an action costs more or less from now on
  budget 4, budget +2    so much is left, or so much more
  reward a5=ok 80        a reward is worth more or less
  undo                   take back what was said last
  status, history        where we stand; what was said so far
  quit                   leave; the same command goes on from here
A command is known by its first letters, too; /undo is never an outcome."""


Result = TypeVar("Result")


class Progressing:
    """Hands progress on to what shows it just now."""

    def __init__(self) -> None:
        self.shown: TerminalProgress | None = None

    def __call__(self, progress: branchwise.Progress) -> None:
        """Take note."""
        if self.shown is not None:
            self.shown(progress)


class Dialogue:
    """
    Leads through a plan.

    Parameters
    ----------
    follower
        Who follows the plan.
    progress
        What the follower reports to while it plans.
    """

    def __init__(self, follower: branchwise.Follower, progress: Progressing) -> None:
        self._follower = follower
        self._progress = progress
        self._advice: branchwise.Advice
        self._said = ""
        self._reported = follower.told
        self._is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._commands: dict[str, Callable[[str], object]] = {
            "surprise": self._surprise,
            "impossible": self._impossible,
            "probability": self._probability,
            "cost": self._cost,
            "budget": self._budget,
            "reward": self._reward,
            "undo": self._undo,
            "status": self._status,
            "history": self._history,
            "help": lambda _: click.echo(_HELP),
        }

    def lead(self) -> None:
        """Show what to do and read what came of it, until the user leaves."""
        _prepare_input(is_terminal=self._is_terminal)
        self._advise()
        while True:
            line = self._line(
                "> " if self._advice.action is None else "What came of it? "
            )
            if line is None:
                return
            if not line.strip():
                continue
            self._said, self._reported = line, self._follower.told
            try:
                answer = understood(line, self._advice, self._follower.problem)
                if answer.command == "quit":
                    return
                self._obey(answer)
            except Unclear as error:
                click.echo(str(error))
            except (branchwise.JournalError, branchwise.LimitError):
                raise  # There is no going on without a journal, or without a plan.
            except (branchwise.BranchwiseError, ValueError) as error:
                click.echo(str(error))
            self._said = ""

    @property
    def unsure(self) -> str:
        """What was said last, if it was interrupted before it was surely kept."""
        is_kept = self._follower.told != self._reported
        return "" if is_kept else seen(self._said.strip())

    def _obey(self, answer: Answer) -> None:
        if answer.outcome is None:
            self._commands[answer.command](answer.text)
            return
        event = answer.outcome
        try:
            change = self._planned(lambda: self._follower.happened(event))
        except branchwise.HistoryError as error:
            click.echo(str(error))
            if any(a.name == event.action for a in self._follower.problem.actions):
                again = seen(f"surprise {event}")
                click.echo(f"    if it happened all the same: `{again}`")
            return
        if change.is_surprise:
            click.echo("That was not the plan; there is a new one from here.")
            self._report(change)
        else:
            self._advise()

    def _surprise(self, text: str) -> None:
        event = outcome_in(text, self._follower.problem)
        known = event in self._follower.problem.events()
        change = self._planned(lambda: self._follower.happened(event, force=True))
        if not known:
            action, outcome = seen(event.action), seen(event.outcome)
            click.echo(f"So far `{action}` had no outcome `{outcome}`.")
        self._report(change)

    def _impossible(self, text: str) -> None:
        action = action_in(text, self._follower.problem)
        self._changed(lambda: self._follower.rule_out(action))

    def _probability(self, text: str) -> None:
        name, number = last_word(text, "probability a3=ok 0.2")
        event = outcome_in(name, self._follower.problem)
        self._changed(lambda: self._follower.change_probability(event, number))

    def _cost(self, text: str) -> None:
        name, cost = last_word(text, "cost a3 2")
        action = action_in(name, self._follower.problem)
        amounts = amounts_in(cost)
        self._changed(lambda: self._follower.change_cost(action, amounts))

    def _budget(self, text: str) -> None:
        if not text:
            raise Unclear("write `budget 4` for what is left, or `budget +2`")
        limits = limits_in(text, self._follower.state.left)
        self._changed(lambda: self._follower.change_budget(limits))

    def _reward(self, text: str) -> None:
        name, value = last_word(text, "reward a5=ok 80")
        number = number_in(name)
        which = name if number is None else number
        self._changed(lambda: self._follower.change_reward(which, value))

    def _undo(self, _: str) -> None:
        reported = self._follower.told
        self._planned(self._follower.undo)
        click.echo("Taken back:")
        click.echo(list(report.reported_lines(reported))[-1])
        self._advise()

    def _status(self, text: str) -> None:
        self._history(text)
        self._advise()

    def _history(self, _: str) -> None:
        for line in report.reported_lines(self._follower.told):
            click.echo(line)
        if not self._follower.told:
            click.echo("  nothing yet")

    def _changed(self, change: Callable[[], branchwise.Change]) -> None:
        self._report(self._planned(change))

    def _report(self, change: branchwise.Change) -> None:
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
            click.echo(seen(line.strip()) if line else "(end of input)")
        return line or None


def _prepare_input(*, is_terminal: bool) -> None:
    """Take any bytes for text, and let lines be edited where they are typed."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if is_terminal and os.environ.get("TERM", "dumb") != "dumb":
        with suppress(ImportError):
            import readline  # noqa: F401, PLC0415  # `input` uses it once it is there
