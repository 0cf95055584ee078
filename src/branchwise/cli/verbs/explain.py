"""``branchwise explain``: why the best plan does not take an action."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import TEXT, valued
from branchwise.cli.terminal.progress import TerminalProgress

_EXAMPLES: Final = """\b
Examples:
  branchwise explain oil.yaml --action drill
  branchwise explain oil.yaml --after test=good --action drill --html why.html
"""


@click.command(short_help="Say why not to take an action.", epilog=_EXAMPLES)
@problem_options(after="passed on")
@valued("--action", TEXT, "The action asked about.", required=True)
@solving.gap_option
@solving.time_limit_option
@solving.memory_limit_option
@solving.exact_option
@answer_options("html", "csv")
def explain(  # noqa: PLR0913
    *,
    problem: branchwise.Problem,
    after: str,
    action: str,
    gap: float,
    time_limit_seconds: float | None,
    memory_limit_bytes: int | None,
    exact: bool,
    outputs: Outputs,
) -> None:
    """
    Say why the best plan for the problem in FILE does not take an action.

    Shows what taking it would lose, what would come after each of its outcomes, and
    the likeliest case in which the best plan ends better with the same luck. If it
    cannot be taken, says why. With --gap or a limit, the best plans by then are
    compared, between bounds. - as FILE reads from the standard input.
    """
    show = TerminalProgress(is_on=not outputs.quiet, suggests_gap=not gap)
    with show as progress:
        try:
            explanation = branchwise.explain(
                problem,
                action,
                after=after,
                gap=gap,
                time_limit_seconds=time_limit_seconds,
                memory_limit_bytes=memory_limit_bytes,
                exact=exact,
                progress=progress,
            )
        except KeyError as error:
            raise click.BadParameter(error.args[0], param_hint="'--action'") from None
    deliver(explanation, outputs)
