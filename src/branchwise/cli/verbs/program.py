"""``branchwise program``: the scores of all states as a linear program."""

from __future__ import annotations

from time import monotonic
from typing import Final, Literal

import click

import branchwise
from branchwise import report
from branchwise.cli.delivery import print_json, usage_errors
from branchwise.cli.options.output_file import PROGRAM_FILE, keep
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.solving_options import patience_option
from branchwise.cli.options.whole_number import WholeNumber
from branchwise.cli.terminal.page import show_program
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import say

__all__ = ["program"]

_SHOWN: Final = 10
_LEAST_SECONDS: Final = 1e-3

_EXAMPLES: Final = """\b
Examples:
  branchwise program oil.yaml
  branchwise program oil.yaml --graph full --all --json
  branchwise program oil.yaml -o oil.mps
"""


@click.command(short_help="State the scores as a linear program.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option(
    "--graph",
    type=click.Choice(branchwise.PROGRAM_GRAPHS),
    default=branchwise.PROGRAM_GRAPHS[0],
    show_default=True,
    help="Which states: the canonical ones, or those of the full graph.",
)
@click.option("--naive", is_flag=True, help="Take the full graph without pruning.")
@click.option(
    "--method",
    type=click.Choice(branchwise.PROGRAM_METHODS),
    default=branchwise.PROGRAM_METHODS[0],
    show_default=True,
    help="How to solve what presolve leaves.",
)
@click.option("--no-presolve", is_flag=True, help="Let HiGHS not simplify it first.")
@patience_option
@click.option(
    "--limit",
    type=WholeNumber(0),
    metavar="N",
    help=f"How many states to list; 0 lists all. Otherwise {_SHOWN}, and all with "
    "--json.",
)
@click.option("--json", "is_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--all", "is_complete", is_flag=True, help="With --json: every state.")
@click.option(
    "--output",
    "-o",
    type=PROGRAM_FILE,
    help="Do not solve it, but write it for another solver: .mps or .lp.",
)
@click.option("--only-root", is_flag=True, help="With -o: minimize the root alone.")
# Every argument is an option with a name, so many do no harm.
def program(  # noqa: PLR0913
    *,
    file: str,
    budget: tuple[str, ...],
    graph: Literal["auto", "canonical", "full"],
    naive: bool,
    method: Literal["simplex", "ipm"],
    no_presolve: bool,
    time_limit_seconds: float | None,
    limit: int | None,
    is_json: bool,
    is_complete: bool,
    output: str | None,
    only_root: bool,
) -> None:
    """
    State the scores of the problem in FILE as a linear program, and solve it.

    A column is the score of a state, a row says that it is no less than what an action
    is worth there. Shows what can be done first, the slack of each action, and the
    states that an optimal plan visits, with their probabilities: the duals. `solve` is
    faster. Needs HiGHS: pip install 'branchwise[program]'. - as FILE reads from the
    standard input.
    """
    _check(is_json=is_json, is_complete=is_complete, output=output, only_root=only_root)
    start = monotonic()
    keep(file, output)
    problem = with_budget(read_problem(file), budget)
    with TerminalProgress() as progress, usage_errors():
        stated = branchwise.score_program(
            problem,
            graph=graph,
            naive=naive,
            time_limit_seconds=time_limit_seconds,
            progress=progress,
        )
        if output is not None:
            stated.write(output, only_root=only_root)
            say(f"wrote {output}: {_size(stated)}")
            return
        solution = stated.solve(
            method=method,
            presolve=not no_presolve,
            time_limit_seconds=_left(start, time_limit_seconds),
            progress=progress,
        )
    if is_json:
        print_json(
            report.ProgramAnswer(solution, limit=limit or None, is_complete=is_complete)
        )
    else:
        show_program(solution, limit=_SHOWN if limit is None else limit or None)


def _check(
    *, is_json: bool, is_complete: bool, output: str | None, only_root: bool
) -> None:
    """Refuse options that would do nothing."""
    if is_complete and not is_json:
        raise click.UsageError("--all lists every state as JSON; add --json")
    if only_root and output is None:
        raise click.UsageError("--only-root is about a written program; add -o FILE")
    if is_json and output is not None:
        raise click.UsageError("-o writes the program and does not solve it; no --json")


def _left(start: float, limit: float | None) -> float | None:
    """Give what is left of a time limit; never nothing, which would be no limit."""
    return None if limit is None else max(start + limit - monotonic(), _LEAST_SECONDS)


def _size(stated: branchwise.ScoreProgram) -> str:
    return f"{stated.num_columns:,} columns, {stated.num_rows:,} rows"
