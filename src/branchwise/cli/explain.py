"""``branchwise explain``: why the best plan does not take an action."""

from __future__ import annotations

from typing import Final

import click

import branchwise
from branchwise.cli.page import show_explanation
from branchwise.cli.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)

__all__ = ["explain"]

_EXAMPLES: Final = """\b
Examples:
  branchwise explain oil.yaml --action drill
  branchwise explain oil.yaml --after test=good --action drill
"""


@click.command(short_help="Say why not to take an action.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option("--action", required=True, help="The action asked about.")
@click.option(
    "--after",
    metavar="HISTORY",
    default="",
    help="What has happened by then: `a1=ok, a3=fail`.",
)
def explain(*, file: str, budget: tuple[str, ...], action: str, after: str) -> None:
    """
    Say why the best plan for the problem in FILE does not take an action.

    Shows what taking it would lose, what would come after each of its outcomes, and
    the likeliest case in which the best plan ends better with the same luck. If it
    cannot be taken, says why. - as FILE reads from the standard input.
    """
    problem = with_budget(read_problem(file), budget)
    try:
        found = branchwise.explain(problem, action, after=after)
    except KeyError as error:
        raise click.BadParameter(error.args[0], param_hint="'--action'") from None
    show_explanation(found)
