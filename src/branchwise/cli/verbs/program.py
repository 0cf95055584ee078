"""``branchwise program``: the scores of all states as a linear program."""

from functools import partial
from typing import Final, Literal

import click

import branchwise
from branchwise import report
from branchwise.cli.clock import Clock
from branchwise.cli.delivery import Outputs, answer_options, deliver, usage_errors
from branchwise.cli.options import solving
from branchwise.cli.options.files import PROGRAM_FILE, output_with
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import choice_option
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import say

_EXAMPLES: Final = """\b
Examples:
  branchwise program oil.yaml
  branchwise program oil.yaml --graph full --unvisited --json -
  branchwise program oil.yaml -o oil.mps
"""


@click.command(short_help="State the scores as a linear program.", epilog=_EXAMPLES)
@problem_options()
@choice_option(
    "--graph",
    branchwise.program.PROGRAM_GRAPHS,
    "Which states: the canonical ones, or those of the full graph.",
)
@solving.naive_option
@choice_option(
    "--method", branchwise.program.PROGRAM_METHODS, "How to solve what presolve leaves."
)
@click.option("--no-presolve", is_flag=True, help="Let HiGHS not simplify it first.")
@solving.time_limit_option
@click.option("--only-root", is_flag=True, help="With -o: minimize the root alone.")
@click.option(
    "--unvisited",
    is_flag=True,
    help="With --json or --csv: also list states that the plan does not visit.",
)
@output_with(type=PROGRAM_FILE)
@answer_options("limit", "all", "html", "csv")
# Every argument is an option with a name, so many do no harm.
def program(  # noqa: PLR0913
    *,
    problem: branchwise.Problem,
    graph: Literal["auto", "canonical", "full"],
    naive: bool,
    method: Literal["simplex", "ipm"],
    no_presolve: bool,
    time_limit_seconds: float | None,
    only_root: bool,
    unvisited: bool,
    output: str | None,
    outputs: Outputs,
) -> None:
    """
    State the scores of the problem in FILE as a linear program, and solve it.

    A column is the score of a state, a row says that it is no less than what an action
    is worth there. Shows what can be done first, the slack of each action, and the
    likeliest 10 of the states that an optimal plan visits, with their probabilities:
    the duals. With -o it is written for other solvers instead, as .mps or .lp. `solve`
    is faster. Needs HiGHS: pip install highspy. - as FILE reads from the
    standard input.
    """
    _check(outputs, unvisited=unvisited, output=output, only_root=only_root)
    clock = Clock(time_limit_seconds)
    with TerminalProgress() as progress, usage_errors():
        stated = branchwise.program.score_program(
            problem,
            graph=graph,
            naive=naive,
            time_limit_seconds=time_limit_seconds,
            progress=progress,
        )
        if output is not None:
            stated.write(output, only_root=only_root)
            if not outputs.quiet:
                size = f"{stated.num_columns:,} columns, {stated.num_rows:,} rows"
                say(f"wrote {output}: {size}")
            return
        solution = stated.solve(
            method=method,
            presolve=not no_presolve,
            time_limit_seconds=clock.seconds_left(),
            progress=progress,
        )
    listed = partial(report.ProgramAnswer, solution, limit=outputs.most(None))
    deliver(listed(), outputs, written=partial(listed, is_complete=unvisited))


def _check(
    outputs: Outputs, *, unvisited: bool, output: str | None, only_root: bool
) -> None:
    if unvisited and not (outputs.json_file or outputs.tables):
        raise click.UsageError("--unvisited is about data; add --json - or --csv FILE")
    if only_root and output is None:
        raise click.UsageError("--only-root is about a written program; add -o FILE")
    if outputs.has_files and output is not None:
        raise click.UsageError("-o writes the program and does not solve it; no --json")
