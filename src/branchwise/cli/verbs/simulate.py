"""``branchwise simulate``: what comes of plans when chance decides."""

from __future__ import annotations

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
from branchwise.cli.options.solving_options import (
    gap_with,
    seed_option,
    time_limit_with,
)
from branchwise.cli.options.whole_number import WholeNumber
from branchwise.cli.terminal.page import detail, show_simulations
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain

__all__ = ["simulate"]

_EXAMPLES: Final = """\b
Examples:
  branchwise simulate oil.yaml -n 1000000 --seed 7
  branchwise simulate oil.yaml --policy optimal --policy greedy-reward --quiet
"""


@click.command(short_help="Try plans out, many times.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option(
    "--runs",
    "-n",
    "num_runs",
    type=WholeNumber(2),
    metavar="N",
    default=100_000,
    show_default=True,
    help="How often to play the problem through.",
)
@seed_option
@click.option(
    "--policy",
    "policies",
    type=click.Choice(branchwise.POLICY_NAMES),
    multiple=True,
    default=branchwise.POLICY_NAMES[:1],
    show_default=True,
    help="What decides on the actions (may be repeated).",
)
@click.option(
    "--paths",
    "num_paths",
    type=WholeNumber(0),
    metavar="N",
    default=5,
    show_default=True,
    help="How many of the likeliest paths to show.",
)
@gap_with(help="Let the plan be worse than the best one by up to this, such as 1%.")
@time_limit_with(help="Take the best plan found in so many seconds, or 5m.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--quiet", "-q", is_flag=True, help="Show the comparison only.")
# Every argument is an option with a name, so many do no harm.
def simulate(  # noqa: PLR0913
    *,
    file: str,
    budget: tuple[str, ...],
    num_runs: int,
    seed: str,
    policies: tuple[str, ...],
    num_paths: int,
    gap: float,
    time_limit_seconds: float | None,
    is_json: bool,
    quiet: bool,
) -> None:
    """
    Play the problem in FILE through many times, and show what came of it.

    Shows the mean beside the exact value, and how likely each reward, each cost and
    each number of actions is. The same seed gives the same answer on every machine.
    - as FILE reads from the standard input.
    """
    problem = with_budget(read_problem(file, quiet=quiet), budget)
    names = tuple(dict.fromkeys(policies))
    with TerminalProgress(is_on=not quiet) as progress:
        source = (
            _solved(problem, progress, gap, time_limit_seconds)
            if branchwise.POLICY_NAMES[0] in names
            else problem
        )
        simulations = [
            branchwise.simulate(
                source,
                num_runs=num_runs,
                seed=seed,
                policy=name,
                num_paths=num_paths,
                progress=progress,
            )
            for name in names
        ]
    if is_json:
        print_json(simulations)
    else:
        show_simulations(simulations, detail(quiet=quiet, full=False))


def _solved(
    problem: branchwise.Problem,
    progress: TerminalProgress,
    gap: float,
    time_limit_seconds: float | None,
) -> branchwise.Solution:
    """Find the plan; say so where a better one may exist."""
    solution = branchwise.solve(
        problem, gap=gap, time_limit_seconds=time_limit_seconds, progress=progress
    )
    if solution.status is branchwise.Status.INTERRUPTED:
        raise KeyboardInterrupt
    if solution.status is not branchwise.Status.OPTIMAL:
        bound = float(solution.upper_bound)
        note = f"the plan is not proven optimal: no plan is worth more than {bound:.6g}"
        complain(note)
    return solution
