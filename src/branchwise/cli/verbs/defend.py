"""``branchwise defend``: the defenses that leave an attacker least."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal, TypedDict, Unpack

import click

import branchwise
from branchwise.cli.delivery import deliver, json_option, page_option, usage_errors
from branchwise.cli.options.output_file import keep
from branchwise.cli.options.problem_file import problem_argument, read_problem
from branchwise.cli.options.solving_options import (
    exact_option,
    gap_with,
    memory_limit_with,
    time_limit_with,
)
from branchwise.cli.options.text import TEXT
from branchwise.cli.terminal.page import detail, show_interdiction
from branchwise.cli.terminal.progress import TerminalProgress

__all__ = ["defend"]

_EXAMPLES: Final = """\b
Examples:
  branchwise defend network.yaml --budget 3
  branchwise defend network.yaml --html defenses.html
  branchwise defend network.yaml --gap 5% --time-limit 60
"""


class _How(TypedDict):
    """The options that `branchwise.defend` takes as they are."""

    budget: str | None
    method: Literal["search", "program"]
    gap: float
    time_limit_seconds: float | None
    memory_limit_bytes: int | None
    exact: bool
    worths: bool


@click.command(short_help="Choose defenses against a problem.", epilog=_EXAMPLES)
@problem_argument
@click.option(
    "--budget",
    type=TEXT,
    metavar="LIMIT",
    help="What may be spent on defenses, instead of the file's: a number or "
    "`unlimited`.",
)
@click.option(
    "--method",
    type=click.Choice(branchwise.DEFENSE_METHODS),
    default=branchwise.DEFENSE_METHODS[0],
    show_default=True,
    help="How to find them; a program is for small problems, and needs HiGHS.",
)
@gap_with(help="Stop when no defenses can be better by more than this, such as 1%.")
@time_limit_with(
    help="Stop after so many seconds, or 5m, with the best defenses so far."
)
@memory_limit_with(
    help="Stop at so much memory, such as 2GB, with the best defenses so far."
)
@exact_option
@click.option(
    "--worths/--no-worths",
    default=True,
    help="Also work out what each budget achieves and each defense is worth.",
    show_default=True,
)
@json_option
@page_option
@click.option("--full", is_flag=True, help="Show every node of a large reply.")
@click.option("--quiet", "-q", is_flag=True, help="Show the answer in words only.")
def defend(
    *,
    file: str,
    json_file: str | None,
    html_file: str | None,
    full: bool,
    quiet: bool,
    **how: Unpack[_How],
) -> None:
    """
    Find the defenses that leave the attacker in FILE the least.

    The attacker sees them and plans best against them. Shows which to choose, what
    each budget achieves, what each defense is worth, and the attacker's best reply.
    - as FILE reads from the standard input.
    """
    keep(file, json_file, html_file)
    problem = read_problem(file, quiet=quiet)
    with TerminalProgress(is_on=not quiet) as progress, usage_errors():
        answer = branchwise.defend(problem, progress=progress, **how)
    deliver(
        answer,
        pictures=[html_file],
        json_file=json_file,
        show=partial(show_interdiction, detail=detail(quiet=quiet, full=full)),
    )
