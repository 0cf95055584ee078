"""``branchwise explain``: why the best plan does not take an action."""

from __future__ import annotations

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import deliver, json_option, page_option
from branchwise.cli.options.output_file import keep
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.solving_options import (
    exact_option,
    memory_limit_option,
    time_limit_option,
)
from branchwise.cli.options.text import TEXT
from branchwise.cli.terminal.page import show_explanation
from branchwise.cli.terminal.progress import TerminalProgress

__all__ = ["explain"]

_EXAMPLES: Final = """\b
Examples:
  branchwise explain oil.yaml --action drill
  branchwise explain oil.yaml --after test=good --action drill --html why.html
"""


@click.command(short_help="Say why not to take an action.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option("--action", type=TEXT, required=True, help="The action asked about.")
@click.option(
    "--after",
    type=TEXT,
    metavar="HISTORY",
    default="",
    help="What has happened by then: `a1=ok, a3=fail`.",
)
@time_limit_option
@memory_limit_option
@exact_option
@json_option
@page_option
# Every argument is an option with a name, so many do no harm.
def explain(  # noqa: PLR0913
    *,
    file: str,
    budget: tuple[str, ...],
    action: str,
    after: str,
    time_limit_seconds: float | None,
    memory_limit_bytes: int | None,
    exact: bool,
    json_file: str | None,
    html_file: str | None,
) -> None:
    """
    Say why the best plan for the problem in FILE does not take an action.

    Shows what taking it would lose, what would come after each of its outcomes, and
    the likeliest case in which the best plan ends better with the same luck. If it
    cannot be taken, says why. - as FILE reads from the standard input.
    """
    keep(file, json_file, html_file)
    problem = with_budget(read_problem(file), budget)
    with TerminalProgress() as progress:
        try:
            found = branchwise.explain(
                problem,
                action,
                after=after,
                exact=exact,
                time_limit_seconds=time_limit_seconds,
                memory_limit_bytes=memory_limit_bytes,
                progress=progress,
            )
        except KeyError as error:
            raise click.BadParameter(error.args[0], param_hint="'--action'") from None
    deliver(
        found,
        pictures=[html_file],
        json_file=json_file,
        show=show_explanation,
    )
