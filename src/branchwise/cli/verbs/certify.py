"""``branchwise certify``: an answer with a proof that anybody can check."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Final

import click

import branchwise
from branchwise import report
from branchwise.cli.delivery import written_first
from branchwise.cli.options.output_file import OUTPUT_FILE, keep
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.solving_options import (
    gap_option,
    memory_limit_option,
    time_limit_option,
)
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import say

__all__ = ["certify"]

_EXAMPLES: Final = """\b
Examples:
  branchwise certify oil.yaml
  branchwise certify oil.yaml --gap 1% --time-limit 60 -o oil.proof.json
"""


@click.command(short_help="Prove how good the best plan is.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option(
    "--output",
    "-o",
    type=OUTPUT_FILE,
    help="Where to write the certificate; FILE.certificate.json unless said.",
)
@gap_option
@time_limit_option
@memory_limit_option
@click.option("--quiet", "-q", is_flag=True, help="Say what is proven, and no more.")
# Every argument is an option with a name, so many do no harm.
def certify(
    *,
    file: str,
    budget: tuple[str, ...],
    output: str | None,
    gap: float,
    time_limit_seconds: float | None,
    memory_limit_bytes: int | None,
    quiet: bool,
) -> None:
    """
    Solve the problem in FILE and write a certificate: the plan, its worth, and a proof.

    `branchwise verify` checks a certificate, and so does the checker alone, a single
    file of Python that knows nothing of branchwise.
    """
    source = "problem" if file == "-" else file
    path = output or f"{source}.certificate.json"
    keep(file, path)
    problem = with_budget(read_problem(file, quiet=quiet), budget)
    with TerminalProgress(is_on=not quiet) as progress:
        certificate = branchwise.certify(
            problem,
            gap=gap,
            time_limit_seconds=time_limit_seconds,
            memory_limit_bytes=memory_limit_bytes,
            progress=progress,
        )
    if path == "-":
        click.echo(certificate.text().encode(), nl=False)
        return
    with written_first([(path, partial(certificate.write, path))]) as is_written:
        for line in report.lines(certificate, detail="answer" if quiet else "likely"):
            click.echo(line)
        if is_written and not quiet:
            named = [path] if file == "-" else [path, file]
            command = shlex.join(["branchwise", "verify", *named])
            say(f"written to {path}; check it: {command}")
