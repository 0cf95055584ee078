"""``branchwise convert``: a problem in another format."""

from __future__ import annotations

import click

import branchwise
from branchwise.cli.options.output_file import OUTPUT_FILE, force_option, spare
from branchwise.cli.options.problem_file import problem_argument, read_problem, tell
from branchwise.cli.terminal.standard_streams import say

__all__ = ["convert"]


@click.command(short_help="Write a problem in another format.")
@problem_argument
@click.argument("target", type=OUTPUT_FILE)
@force_option
def convert(*, file: str, target: str, force: bool) -> None:
    """
    Read the problem in FILE and write it to TARGET.

    The end of each name says the format: .yaml, .yml, .json, .csv or .xlsx.
    TARGET may also end in .prism: a model for PRISM and Storm, whose first
    lines say which property gives the expected reward. Comments are not kept.
    """
    spare(target, force=force)
    problem = read_problem(file)
    branchwise.write(problem, target)
    say(f"wrote {target}: {tell(problem)}")
