"""``branchwise solve``: the best plan for a problem."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal, TypedDict, Unpack

import click

import branchwise
from branchwise.cli.clock import Clock
from branchwise.cli.delivery import deliver, json_option, usage_errors
from branchwise.cli.options.aims import aim_option, refuse_engine_options
from branchwise.cli.options.output_file import PICTURE_FILE, RENDERED_FILE, keep
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.robust_options import robust_options
from branchwise.cli.options.solving_options import (
    engine_option,
    exact_option,
    gap_option,
    memory_limit_option,
    prefer_option,
    threads_option,
    time_limit_option,
)
from branchwise.cli.options.text import TEXT
from branchwise.cli.options.whole_number import WholeNumber
from branchwise.cli.terminal.interruption import cancelled_by_interruption
from branchwise.cli.terminal.page import detail, show_solution
from branchwise.cli.terminal.progress import TerminalProgress

__all__ = ["solve"]

_EXAMPLES: Final = """\b
Examples:
  branchwise solve oil.yaml --budget 4 --exact
  branchwise solve oil.yaml --html plan.html --json plan.json --quiet
  branchwise solve oil.yaml --render plan.svg --render plan.mmd
  branchwise solve oil.yaml --gap 1% --time-limit 60
  branchwise solve oil.yaml --after test=good
  branchwise solve oil.yaml --robust --gamma 2 --distance 5%
  branchwise solve oil.yaml --aim cvar=10%
"""


class _How(TypedDict):
    """The options that the solver takes as they are."""

    after: str
    engine: str
    prefer: str
    search: Literal["auto", "exhaustive", "best-first"]
    gap: float
    time_limit_seconds: float | None
    memory_limit_bytes: int | None
    num_threads: int | None
    naive: bool
    exact: bool
    rewarding_sets: int | None
    adversary: branchwise.Adversary | None
    verify: bool | None


@click.command(short_help="Find the best plan for a problem.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option(
    "--after",
    type=TEXT,
    metavar="HISTORY",
    default="",
    help="Plan from where this leads: `a1=ok, a3=fail`.",
)
@aim_option
@engine_option
@click.option(
    "--search",
    type=click.Choice(branchwise.SEARCHES),
    default=branchwise.SEARCHES[0],
    show_default=True,
    help="How the canonical engine goes about it.",
)
@gap_option
@time_limit_option
@memory_limit_option
@threads_option
@prefer_option
@click.option("--naive", is_flag=True, help="Explore every state, without pruning.")
@click.option(
    "--sets",
    "rewarding_sets",
    type=WholeNumber(1),
    metavar="N",
    help="Go only by the N strongest rewarding sets: a valid plan, and a lower bound.",
)
@exact_option
@robust_options
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Let the independent checker confirm the answer by a certificate, however "
    "long that takes, or not at all; unless said, where it takes less than 0.1 s.",
)
@json_option
@click.option("--html", "html_file", type=PICTURE_FILE, help="Also write a picture.")
@click.option(
    "--render",
    "rendered_files",
    type=RENDERED_FILE,
    multiple=True,
    help="Also write what the name ends in: .html, .svg, .dot, .gv, .mmd, .txt or "
    ".json (may be repeated).",
)
@click.option("--full", is_flag=True, help="Show every node of a large tree.")
@click.option("--quiet", "-q", is_flag=True, help="Show the answer in words only.")
# Every argument is an option with a name, so many do no harm.
def solve(  # noqa: PLR0913
    *,
    file: str,
    budget: tuple[str, ...],
    aim: branchwise.Aim | None,
    quiet: bool,
    json_file: str | None,
    html_file: str | None,
    rendered_files: tuple[str, ...],
    full: bool,
    **how: Unpack[_How],
) -> None:
    """
    Find the plan with the highest expected reward for the problem in FILE.

    Shows the decision tree: what to do first, and what to do next whatever happens.
    Of a large tree the likely part is shown; - as FILE reads from the standard input.
    """
    pictures = [*([html_file] if html_file else []), *rendered_files]
    clock = Clock(how["time_limit_seconds"])
    has_files = bool(pictures or json_file)
    how["time_limit_seconds"] = clock.seconds_to_solve(has_files)
    keep(file, json_file, *pictures)
    problem = with_budget(read_problem(file, quiet=quiet), budget)
    with TerminalProgress(is_on=not quiet) as progress:
        solution = _solved(problem, aim, progress, how)
    with branchwise.deadline(clock.seconds_to_show(has_files)):
        deliver(
            solution,
            pictures=pictures,
            json_file=json_file,
            as_json=branchwise.solution_json,
            show=partial(show_solution, detail=detail(quiet=quiet, full=full)),
        )


def _solved(
    problem: branchwise.Problem,
    aim: branchwise.Aim | None,
    progress: TerminalProgress,
    how: _How,
) -> branchwise.Solution:
    """Solve; options that contradict each other are wrong usage."""
    is_robust = how["adversary"] is not None
    with usage_errors():
        if aim is not None:
            refuse_engine_options(how)
            return branchwise.solve(problem, aim=aim, progress=progress, **how)
        with cancelled_by_interruption() as cancel:
            solution = branchwise.solve(
                problem, robustness=is_robust, progress=progress, cancel=cancel, **how
            )
    is_proven = solution.status is branchwise.Status.OPTIMAL
    is_left_out = is_robust and is_proven and solution.robustness is None
    if is_left_out and not cancel.is_set():
        message = "what robustness costs is left out, as the time limit was met"
        click.echo(message, err=True)
    return solution
