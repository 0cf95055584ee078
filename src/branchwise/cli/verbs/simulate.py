"""``branchwise simulate``: what comes of plans when chance decides."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import WholeNumber, valued
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain

_EXAMPLES: Final = """\b
Examples:
  branchwise simulate oil.yaml -n 1000000 --seed 7
  branchwise simulate oil.yaml --policy optimal --policy greedy-reward --quiet
"""


@click.command(short_help="Try plans out, many times.", epilog=_EXAMPLES)
@problem_options()
@valued(
    "--runs -n num_runs N",
    WholeNumber(2),
    "How often to play the problem through.",
    usual=100_000,
)
@solving.seed_option
@valued(
    "--policy policies",
    click.Choice(branchwise.analysis.POLICY_NAMES),
    "What decides on the actions (may be repeated).",
    usual=branchwise.analysis.POLICY_NAMES[:1],
    multiple=True,
)
@valued(
    "--paths num_paths N",
    WholeNumber(0),
    "How many of the likeliest paths to show.",
    usual=5,
)
@solving.gap_option
@solving.time_limit_option
@solving.cluster_option
@answer_options("html", "csv")
def simulate(  # noqa: PLR0913
    *,
    problem: branchwise.Problem,
    num_runs: int,
    seed: str,
    policies: tuple[str, ...],
    num_paths: int,
    gap: float,
    time_limit_seconds: float | None,
    cluster: str | None,
    outputs: Outputs,
) -> None:
    """
    Play the problem in FILE through many times, and show what came of it.

    Shows the mean beside the exact value, and how likely each reward, each cost and
    each number of actions is. The same seed gives the same answer on every machine.
    With --gap or --time-limit, what is called optimal is the best plan by then. - as
    FILE reads from the standard input.
    """
    names = tuple(dict.fromkeys(policies))
    show = TerminalProgress(suggests_gap=not gap)
    with show as progress, solving.executor_at(cluster) as executor:
        source: branchwise.Problem | branchwise.Solution = problem
        if branchwise.analysis.POLICY_NAMES[0] in names:
            source = _solved(problem, progress, gap, time_limit_seconds)
        simulations = [
            branchwise.simulate(
                source,
                num_runs=num_runs,
                seed=seed,
                policy=name,
                num_paths=num_paths,
                progress=progress,
                executor=executor,
            )
            for name in names
        ]
    deliver(simulations, outputs)


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
        bound = f"no plan is worth more than {float(solution.upper_bound):.6g}"
        complain(f"the plan is not proven optimal: {bound}")
    return solution
