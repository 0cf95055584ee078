"""``branchwise follow``: be led through a plan while it is carried out."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict, Unpack

import click

import branchwise
from branchwise.cli.options import solving
from branchwise.cli.options.files import refuse_same
from branchwise.cli.options.problem import (
    budget_option,
    problem_argument,
    set_option,
    stated_problem,
)
from branchwise.cli.terminal.dialogue import Dialogue, Progressing, show_reported
from branchwise.cli.terminal.signals import exit_code
from branchwise.cli.terminal.standard_streams import say

_EXAMPLES: Final = """\b
Examples:
  branchwise follow oil.yaml
  branchwise follow oil.yaml --budget 4 --journal monday.journal
  branchwise follow oil.yaml --restart
"""


_DEFAULT: Final = click.core.ParameterSource.DEFAULT


class _How(TypedDict):
    """The options that say how plans are made."""

    engine: str
    prefer: str
    gap: float
    time_limit_seconds: float | None


class _Asked(NamedTuple):
    """What is to be another than the file says."""

    budget: tuple[str, ...]
    changes: tuple[str, ...]


@click.command(short_help="Be led through the plan step by step.", epilog=_EXAMPLES)
@problem_argument
@set_option
@budget_option
@click.option(
    "--journal",
    type=click.Path(dir_okay=False),
    metavar="PATH",
    help="Where to keep what you report; FILE.journal unless given.",
)
@click.option(
    "--restart",
    is_flag=True,
    help="Begin anew; the old journal is kept under another name.",
)
@solving.engine_option
@solving.gap_option
@solving.time_limit_option
@solving.prefer_option
def follow(
    *,
    file: str,
    changes: tuple[str, ...],
    budget: tuple[str, ...],
    journal: str | None,
    restart: bool,
    **how: Unpack[_How],
) -> None:
    """
    Follow the best plan for the problem in FILE, step by step.

    Says what to do, asks what came of it, and takes surprises: `help` lists what can
    be said. Everything said is in the journal before it counts, so that the same
    command goes on where you left, even after a crash.
    """
    if file == "-":
        raise click.UsageError("answers come from the standard input, so FILE cannot")
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to answer on")
    path = Path(journal or f"{file}.journal")
    refuse_same(file, str(path))
    progress = Progressing()
    is_resumed = branchwise.Follower.is_begun(path) and not restart
    open_plan = _resumed if is_resumed else _begun
    asked = _Asked(budget, changes)
    with open_plan(path, file, asked, progress, how) as follower:
        again = ["branchwise", "follow", file]
        again += ["--journal", journal] if journal else []
        _lead(Dialogue(follower, progress), shlex.join(again))


def _begun(
    path: Path, file: str, asked: _Asked, progress: Progressing, how: _How
) -> branchwise.Follower:
    """Begin a journal; one that is there already keeps what it holds."""
    problem = stated_problem(file, budget=asked.budget, changes=asked.changes)
    if branchwise.Follower.is_begun(path):
        say(f"The journal so far is kept as {branchwise.Follower.archive(path)}")
    follower = branchwise.Follower(problem, journal=path, progress=progress, **how)
    if follower.journal is not None and follower.journal.is_torn:
        say(f"{path} ended in its first line, torn off by a crash: it is empty.")
    say(f"What you say is kept in {path}; `help` says what you can say.")
    return follower


def _resumed(
    path: Path, file: str, asked: _Asked, progress: Progressing, how: _How
) -> branchwise.Follower:
    """Go on with a journal; say what is not as it was when it was left."""
    if asked.changes:
        what = f"the plan in {path} is under way and has its parameters"
        raise click.UsageError(f"{what}; begin anew with --restart")
    if asked.budget:
        what = f"the plan in {path} is under way and has its budget"
        fix = f"say `budget {asked.budget[0]}` when asked what came, "
        raise click.UsageError(f"{what}; {fix}or begin anew with --restart")
    source = click.get_current_context().get_parameter_source
    anew: Any = {n: v for n, v in how.items() if source(n) is not _DEFAULT}
    follower = branchwise.Follower.resume(path, progress=progress, **anew)
    say(f"Going on with {path}, where this was said:")
    show_reported(follower)
    if follower.journal is not None and follower.journal.is_torn:
        torn = "Its last line was torn off by a crash and never counted; it is gone."
        click.echo(torn)
    _compare(file, follower.beginning)
    return follower


def _compare(file: str, begun: branchwise.Problem) -> None:
    """Report if the file is another than the one whose plan is being followed."""
    problem, _ = branchwise.formats.check_file(file)
    if problem is None:
        say(f"{file} cannot be read any more; the journal has the problem.")
    elif replace(problem, budget=begun.budget) != begun:
        say(f"{file} has changed since; this is the plan for what it said then.")
        click.echo("--restart begins anew with what it says now.")


def _lead(dialogue: Dialogue, again: str) -> None:
    """Lead until the user leaves, however that is; show how to go on."""
    try:
        dialogue.lead()
    except KeyboardInterrupt:
        unsure = dialogue.unsure
        lost = f" but `{unsure}`, which came last and may not be" if unsure else ""
        say(f"\nEverything said is kept{lost}. Go on with: {again}")
        click.get_current_context().exit(exit_code())
    say(f"Everything said is kept. Go on with: {again}")
