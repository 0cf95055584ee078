"""``branchwise defend``: the defenses that leave an attacker least."""

from typing import Final, Literal, TypedDict, Unpack

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver, usage_errors
from branchwise.cli.options import solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import TEXT, choice_option, valued
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain

_EXAMPLES: Final = """\b
Examples:
  branchwise defend network.yaml --defense-budget 3
  branchwise defend network.yaml --html defenses.html
  branchwise defend network.yaml --gap 5% --time-limit 60
"""


class _How(TypedDict):
    """The options that `branchwise.defend` takes as they are."""

    method: Literal["search", "program"]
    gap: float
    time_limit_seconds: float | None
    memory_limit_bytes: int | None
    exact: bool
    worths: bool


@click.command(short_help="Choose defenses against a problem.", epilog=_EXAMPLES)
@problem_options()
@valued(
    "--defense-budget LIMIT",
    TEXT,
    "What may be spent on defenses, instead of the file's: a number or `unlimited`.",
)
@choice_option(
    "--method",
    branchwise.adversary.DEFENSE_METHODS,
    "How to find them; a program is for small problems, and needs HiGHS.",
)
@solving.gap_option
@solving.time_limit_option
@solving.memory_limit_option
@solving.cluster_option
@solving.exact_option
@click.option(
    "--worths/--no-worths",
    default=True,
    help="Also work out what each budget achieves and each defense is worth.",
    show_default=True,
)
@answer_options("all", "html", "csv")
@click.pass_context
def defend(
    ctx: click.Context,
    /,
    *,
    problem: branchwise.Problem,
    defense_budget: str | None,
    cluster: str | None,
    outputs: Outputs,
    **how: Unpack[_How],
) -> None:
    """
    Find the defenses that leave the attacker in FILE the least.

    The attacker sees them and plans best against them. Shows which to choose, what
    each budget achieves, what each defense is worth, and the attacker's best reply.
    --budget is what the attacker may spend, --defense-budget what the defender may. -
    as FILE reads from the standard input.
    """
    if ctx.params["budget"] and defense_budget is None and not outputs.quiet:
        complain("--budget is the attacker's; the defender's is --defense-budget")
    at = solving.executor_at(cluster)
    with TerminalProgress() as progress, usage_errors(), at as executor:
        interdiction = branchwise.defend(
            problem,
            budget=defense_budget,
            progress=progress,
            executor=executor,
            **how,
        )
    deliver(interdiction, outputs)
