"""``branchwise verify``: let the checker judge a certificate."""

from typing import Final

import click

import branchwise
from branchwise.cli.options.files import INPUT_FILE
from branchwise.cli.options.problem import (
    after_option,
    budget_option,
    set_option,
    stated_problem,
)

_REJECTED: Final = 1
_EXAMPLES: Final = """\b
Examples:
  branchwise verify oil.yaml.certificate.json
  branchwise verify oil.yaml.certificate.json oil.yaml
"""


@click.command(short_help="Check a certificate.", epilog=_EXAMPLES)
@click.argument("certificate", type=INPUT_FILE, metavar="CERTIFICATE")
@click.argument("file", type=INPUT_FILE, required=False, metavar="[FILE]")
@set_option
@budget_option
@after_option
@click.pass_context
def verify(
    ctx: click.Context,
    *,
    certificate: str,
    file: str | None,
    changes: tuple[str, ...],
    budget: tuple[str, ...],
    after: str,
) -> None:
    """
    Check the proof in CERTIFICATE in exact arithmetic, without any engine.

    With FILE, also check that the certificate is about the problem in that file. The
    exit code is 0 if it is accepted and 1 if it is rejected. - as CERTIFICATE reads
    from the standard input.
    """
    asked = {"--set": changes, "--budget": budget, "--after": after}
    option = next((name for name, said in asked.items() if said), None)
    if file is None and option is not None:
        raise click.UsageError(f"{option} changes the problem in FILE; name a FILE")
    problem = None
    if file is not None:
        problem = stated_problem(
            file, budget=budget, changes=changes, after=after, quiet=True
        )
    verdict = branchwise.verify(certificate, problem)
    click.echo(verdict.text)
    if problem is not None and problem.is_least_cost:
        _say_cost(verdict)
    ctx.exit(0 if verdict.is_accepted else _REJECTED)


def _say_cost(verdict: branchwise.certificate.Verdict) -> None:
    """Say as a cost what the certificate proves as a worth, below zero."""
    if verdict.lower_bound is None or verdict.upper_bound is None:
        return
    least, most = -verdict.upper_bound, -verdict.lower_bound
    proven = f"{least}" if least == most else f"at least {least}, at most {most}"
    click.echo(f"the least expected cost is {proven}")
