"""``branchwise graph``: what depends on what in a problem."""

from __future__ import annotations

import click

import branchwise
from branchwise.cli.options.output_file import GRAPH_FILE, keep
from branchwise.cli.options.problem_file import problem_argument, read_problem, tell
from branchwise.cli.terminal.standard_streams import say

__all__ = ["graph"]


@click.command(short_help="Draw what depends on what in a problem.")
@problem_argument
@click.option(
    "--output",
    "-o",
    type=GRAPH_FILE,
    help="Where to draw it; the name ends in .svg, .dot, .gv or .mmd.",
)
def graph(file: str, output: str | None) -> None:
    """
    Draw the dependency graph of the problem in FILE.

    Actions stand with their costs and outcomes. Solid lines lead from an outcome to
    what needs it, dashed lines to what it rules out; gates say whether all conditions
    must hold or any; stars are rewards. Without -o it is printed in DOT, the language
    of Graphviz; - as FILE reads from the standard input.
    """
    keep(file, output)
    problem = read_problem(file)
    if output is None:
        click.echo(branchwise.dependency_dot(problem), nl=False)
        return
    branchwise.render(problem, output)
    say(f"wrote {output}: {tell(problem)}")
