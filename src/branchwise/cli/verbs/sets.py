"""``branchwise sets``: which outcomes lead to a reward."""

from __future__ import annotations

import time
from typing import Final

import click

import branchwise
from branchwise.cli.delivery import print_json
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.solving_options import time_limit_with
from branchwise.cli.options.whole_number import WholeNumber
from branchwise.cli.terminal.page import show_sets
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain

__all__ = ["sets"]

_SHOWN: Final = 20
_WRITTEN: Final = 10_000

_EXAMPLES: Final = """\b
Examples:
  branchwise sets oil.yaml --budget 2
  branchwise sets oil.yaml --limit 0 --json
"""


@click.command(short_help="List what leads to a reward.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option(
    "--limit",
    type=WholeNumber(0),
    metavar="N",
    help=f"How many sets to list; 0 lists all. Otherwise {_SHOWN}, and {_WRITTEN:,} "
    "with --json.",
)
@time_limit_with(help="Stop after so many seconds, or 5m, with what was found by then.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON instead of a table.")
def sets(
    *,
    file: str,
    budget: tuple[str, ...],
    limit: int | None,
    time_limit_seconds: float | None,
    is_json: bool,
) -> None:
    """
    List the rewarding sets of the problem in FILE, the strongest first.

    A rewarding set is a set of outcomes that together reach a reward, with none to
    spare; its strength is that reward times its probability. Below them stand the
    actions that no set needs, the rewards that no set reaches, and what perfect
    information would be worth. - as FILE reads from the standard input.
    """
    start = time.monotonic()
    problem = with_budget(read_problem(file), budget)
    found = _found(problem, time_limit_seconds)
    left = time_limit_seconds
    if left is not None:
        left = max(0, start + left - time.monotonic())
    if limit is None:
        limit = _WRITTEN if is_json else _SHOWN
    listing = branchwise.SetsListing(
        found, limit=limit or None, time_limit_seconds=left
    )
    if is_json:
        print_json(listing)
    elif found is not None:
        show_sets(listing)


def _found(
    problem: branchwise.Problem, time_limit_seconds: float | None
) -> branchwise.RewardingSets | None:
    """Put the sets together; None, and why, where a limit does not let us."""
    with TerminalProgress() as progress:
        progress(branchwise.Progress(branchwise.Stage.REWARDING_SETS, 0))
        try:
            return branchwise.RewardingSets(
                problem, time_limit_seconds=time_limit_seconds
            )
        except branchwise.LimitError as error:
            why = str(error)
    complain(f"the rewarding sets are not known: {why}")
    return None
