"""``branchwise certify``: an answer with a proof that anyone can check."""

import shlex
from functools import partial
from typing import Final

import click

import branchwise
from branchwise.cli.delivery import quiet_option, written_first
from branchwise.cli.options import solving
from branchwise.cli.options.files import OUTPUT_FILE, output_with
from branchwise.cli.options.problem import problem_options
from branchwise.cli.terminal.page import show
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import say

_EXAMPLES: Final = """\b
Examples:
  branchwise certify oil.yaml
  branchwise certify oil.yaml --gap 1% --time-limit 60 -o oil.proof.json
"""


@click.command(short_help="Prove how good the best plan is.", epilog=_EXAMPLES)
@problem_options()
@solving.gap_option
@solving.time_limit_option
@solving.memory_limit_option
@output_with(type=OUTPUT_FILE)
@quiet_option
@click.pass_context
def certify(
    ctx: click.Context,
    /,
    *,
    problem: branchwise.Problem,
    gap: float,
    time_limit_seconds: float | None,
    memory_limit_bytes: int | None,
    output: str | None,
    quiet: bool,
) -> None:
    """
    Solve the problem in FILE and write a certificate: the plan, its worth, and a proof.

    `branchwise verify` checks a certificate, and so does the checker alone, a single
    file of Python that knows nothing of branchwise. Without -o the certificate goes to
    FILE.certificate.json; -o - prints it. - as FILE reads from the standard input.
    """
    with TerminalProgress() as progress:
        certificate = branchwise.certify(
            problem,
            gap=gap,
            time_limit_seconds=time_limit_seconds,
            memory_limit_bytes=memory_limit_bytes,
            progress=progress,
        )
    if output == "-":
        click.echo(certificate.text().encode(), nl=False)
        return
    file = ctx.params["file"]
    path = output or f"{'problem' if file == '-' else file}.certificate.json"
    with written_first([(path, partial(certificate.write, path))]) as is_written:
        show(certificate, "answer" if quiet else "likely")
        if is_written and not quiet:
            say(f"written to {path}; check it: {_check(ctx, path)}")


def _check(ctx: click.Context, path: str) -> str:
    """Return the command that verifies the certificate and compares the problem."""
    command = ["branchwise", "verify", path]
    if ctx.params["file"] == "-":
        return shlex.join(command)
    for limit in ctx.params["budget"]:
        command += ["--budget", limit]
    if ctx.params["after"]:
        command += ["--after", ctx.params["after"]]
    return shlex.join([*command, ctx.params["file"]])
