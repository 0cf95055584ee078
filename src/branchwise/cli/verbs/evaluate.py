"""``branchwise evaluate``: what a plan of one's own is worth."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import files, solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import valued
from branchwise.cli.terminal.progress import TerminalProgress

_EXAMPLES: Final = """\b
Examples:
  branchwise evaluate oil.yaml --plan mine.yaml
  branchwise solve oil.yaml --json plan.json
  branchwise evaluate oil.yaml --plan plan.json --set test_cost=20
"""


@click.command(short_help="Say what a plan of yours is worth.", epilog=_EXAMPLES)
@problem_options(after="passed on")
@valued(
    "--plan PLAN",
    files.INPUT_FILE,
    "The plan: what `solve --json` has written, or rules in YAML: a list `rules` of "
    "`{when: CONDITION, do: ACTION}`; the first that holds decides, else stop.",
    required=True,
)
@solving.limits_options
@answer_options("all", "html", "csv")
def evaluate(
    *,
    problem: branchwise.Problem,
    after: str,
    plan: str,
    limits: solving.Limits,
    outputs: Outputs,
) -> None:
    """
    Say what a plan of yours is worth for the problem in FILE.

    Shows what it loses against the best plan, and where: the places at which it does
    something else than would be best, the first ones first. A plan that does what is
    not available is an error that says where. - as FILE reads from the standard input.
    """
    show = TerminalProgress(suggests_gap=not limits["gap"])
    with show as progress:
        found = branchwise.evaluation(
            plan,
            problem,
            after=after,
            progress=progress,
            **limits,
        )
    deliver(found, outputs)
