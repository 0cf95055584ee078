"""``branchwise graph``: what depends on what in a problem."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import quiet_option, svg_option
from branchwise.cli.options.files import GRAPH_FILE, output_with
from branchwise.cli.options.problem import problem_options, report_written

_EXAMPLES: Final = """\b
Examples:
  branchwise graph oil.yaml --svg oil.svg
  branchwise graph oil.yaml -o oil.mmd
"""


@click.command(short_help="Draw what depends on what in a problem.", epilog=_EXAMPLES)
@problem_options(has_budget=False, after="refused")
@output_with(type=GRAPH_FILE)
@svg_option
@quiet_option
def graph(
    *,
    problem: branchwise.Problem,
    output: str | None,
    svg_file: str | None,
    quiet: bool,
) -> None:
    """
    Draw the dependency graph of the problem in FILE.

    Actions stand with their costs and outcomes. Solid lines lead from an outcome to
    what needs it, dashed lines to what it rules out; gates say whether all conditions
    must hold or any; stars are rewards. The name of the file of -o ends in .svg, .dot,
    .gv or .mmd. Without one the graph is printed in DOT, the language of Graphviz. - as
    FILE reads from the standard input.
    """
    paths = [path for path in (output, svg_file) if path is not None]
    for path in paths:
        branchwise.render(problem, path)
        report_written(path, problem, quiet=quiet)
    if not paths:
        click.echo(branchwise.report.dependency_dot(problem), nl=False)
