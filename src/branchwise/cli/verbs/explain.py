"""``branchwise explain``: why the best plan does not take an action."""

from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import TEXT, valued
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.errors import printable

_EXAMPLES: Final = """\b
Examples:
  branchwise explain oil.yaml --action drill
  branchwise explain oil.yaml --after test=good --action drill --html why.html
"""


@click.command(short_help="Say why not to take an action.", epilog=_EXAMPLES)
@problem_options(after="passed on")
@valued("--action", TEXT, "The action asked about; all are listed unless given.")
@solving.limits_options
@answer_options("html", "csv")
def explain(
    *,
    problem: branchwise.Problem,
    after: str,
    action: str | None,
    limits: solving.Limits,
    outputs: Outputs,
) -> None:
    """
    Say why the best plan for the problem in FILE does not take an action.

    Shows what taking it would lose, what would come after each of its outcomes, and
    the likeliest case in which the best plan ends better with the same luck. If it
    cannot be taken, says why. Without --action, lists those to ask about. With --gap or
    a limit, the best plans by then are compared, between bounds. - as FILE reads from
    the standard input.
    """
    if action is None:
        _list_actions(problem, after, outputs)
        return
    show = TerminalProgress(suggests_gap=not limits["gap"])
    with show as progress:
        try:
            explanation = branchwise.explain(
                problem,
                action,
                after=after,
                progress=progress,
                **limits,
            )
        except KeyError as error:
            raise click.BadParameter(error.args[0], param_hint="'--action'") from None
    deliver(explanation, outputs)


def _list_actions(problem: branchwise.Problem, after: str, outputs: Outputs) -> None:
    """Show which actions can be asked about, and what keeps others from being taken."""
    if outputs.has_files:
        raise click.UsageError("say which action to explain: --action ACTION")
    node = branchwise.solve(problem, after=after, verify=False).tree.root
    against, others = node.objections, [each.action for each in node.alternatives]
    click.echo("name one with --action:")
    for each in problem.actions:
        if each.name == node.action:
            said = "what the best plan does"
        else:
            said = against.get(each.name, "" if each.name in others else "can be taken")
        click.echo(f"  {printable(each.name)}{f': {said}' if said else ''}")
