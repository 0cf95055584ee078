"""``branchwise compare``: what differs between two problems and their plans."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import files, solving
from branchwise.cli.options.files import keep_inputs
from branchwise.cli.options.problem import (
    budget_option,
    changed_problem,
    problem_argument,
    read_with,
    set_option,
)
from branchwise.cli.terminal.progress import TerminalProgress

_EXAMPLES: Final = """\b
Examples:
  branchwise compare oil.yaml oil-dearer.yaml
  branchwise compare oil.yaml --budget 5
  branchwise compare oil.yaml --set test_cost=20 --html difference.html
"""


@click.command(short_help="Show what differs between two problems.", epilog=_EXAMPLES)
@problem_argument
@click.argument("other", type=files.INPUT_FILE, required=False)
@set_option
@budget_option
@solving.limits_options
@answer_options("all", "html", "csv")
def compare(
    *,
    file: str,
    other: str | None,
    changes: tuple[str, ...],
    budget: tuple[str, ...],
    limits: solving.Limits,
    outputs: Outputs,
) -> None:
    """
    Show what differs between the problems in FILE and OTHER.

    Compares what the problems say, what is best to do in each, what that is worth, and
    what keeping the first plan would lose in the second. --set and --budget change the
    second problem; without OTHER, that is FILE with these changes. - as FILE reads from
    the standard input.
    """
    if other is None and not (changes or budget):
        raise click.UsageError(
            "there is nothing to compare with: name a second file, or change "
            "something with --set or --budget"
        )
    keep_inputs()
    first, _, left = read_with(file, changes, quiet=outputs.quiet)
    second = first
    if other is not None:
        second, _, unused = read_with(other, changes, quiet=outputs.quiet)
        left = unused if left else ()  # Constants of either are not parameters.
    second = changed_problem(second, budget=budget, changes=left)
    show = TerminalProgress(suggests_gap=not limits["gap"])
    with show as progress:
        found = branchwise.compare(
            first,
            second,
            progress=progress,
            **limits,
        )
    deliver(found, outputs)
