"""``branchwise check``: what is wrong with a problem."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import quiet_option
from branchwise.cli.options.problem import described, problem_options

_EXAMPLES: Final = """\b
Examples:
  branchwise check oil.yaml
  branchwise generate | branchwise check -
"""


@click.command(short_help="Find what is wrong with a problem.", epilog=_EXAMPLES)
@problem_options(has_budget=False, after="refused")
@quiet_option
def check(*, problem: branchwise.Problem, quiet: bool) -> None:  # noqa: ARG001
    """
    Find everything that is wrong with the problem in FILE.

    Errors and warnings name the line and an edit that puts it right. The exit code
    is 2 if there are errors. - as FILE reads from the standard input.
    """
    click.echo(f"ok: {described(problem)}")
