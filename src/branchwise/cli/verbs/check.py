"""``branchwise check``: what is wrong with a problem."""

from __future__ import annotations

import click

from branchwise.cli.options.problem_file import problem_argument, read_problem, tell

__all__ = ["check"]


@click.command(short_help="Find what is wrong with a problem.")
@problem_argument
def check(file: str) -> None:
    """
    Find everything that is wrong with the problem in FILE.

    Errors and warnings name the line and an edit that puts it right. The exit code
    is 2 if there are errors.
    """
    problem = read_problem(file)
    click.echo(f"ok: {tell(problem)}")
