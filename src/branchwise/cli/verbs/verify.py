"""``branchwise verify``: let the checker judge a certificate."""

from __future__ import annotations

from typing import Final

import click

import branchwise
from branchwise.cli.options.input_file import INPUT_FILE
from branchwise.cli.options.problem_file import budget_option, read_problem, with_budget

__all__ = ["verify"]

_REJECTED: Final = 1
_EXAMPLES: Final = """\b
Examples:
  branchwise verify oil.yaml.certificate.json
  branchwise verify oil.yaml.certificate.json oil.yaml
"""


@click.command(short_help="Check a certificate.", epilog=_EXAMPLES)
@click.argument("certificate", type=INPUT_FILE, metavar="CERTIFICATE")
@click.argument("file", type=INPUT_FILE, required=False, metavar="[FILE]")
@budget_option
@click.pass_context
def verify(
    ctx: click.Context, certificate: str, file: str | None, budget: tuple[str, ...]
) -> None:
    """
    Check the proof in CERTIFICATE in exact arithmetic, without any engine.

    With FILE, also check that the certificate is about the problem in that file. The
    exit status is 0 if it is accepted and 1 if it is rejected.
    """
    if budget and file is None:
        raise click.UsageError("--budget changes the problem in FILE; name a FILE", ctx)
    problem = None
    if file is not None:
        problem = with_budget(read_problem(file, quiet=True), budget)
    verdict = branchwise.verify(certificate, problem)
    click.echo(verdict.text)
    ctx.exit(0 if verdict.is_accepted else _REJECTED)
