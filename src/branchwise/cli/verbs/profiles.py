"""``branchwise profiles``: one problem, many individuals, and who gets which plan."""

import re
from functools import partial
from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import solving
from branchwise.cli.options.files import INPUT_FILE
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import TEXT, valued, words
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain
from branchwise.errors import printable

_OTHER: Final = "the problem has no number `(.+)`"

_EXAMPLES: Final = """\b
Examples:
  branchwise profiles knee_pain.yaml patients.csv
  branchwise profiles knee_pain.yaml patients.csv --csv plans.csv --keep age
  branchwise profiles knee_pain.yaml patients.xlsx --html plans.html
"""


@click.command(short_help="Plan for many individuals.", epilog=_EXAMPLES)
@problem_options(after="refused")
@click.argument("table", type=INPUT_FILE)
@valued(
    "--keep COLUMN,...",
    TEXT,
    "Columns that are no numbers of the problem, to be carried through.",
    multiple=True,
    callback=words,
)
@solving.time_limit_option
@solving.threads_option
@solving.cluster_option
@answer_options("html", "csv")
def profiles(
    *,
    problem: branchwise.Problem,
    table: str,
    keep: tuple[str, ...],
    num_threads: int | None,
    time_limit_seconds: float | None,
    cluster: str | None,
    outputs: Outputs,
) -> None:
    """
    Plan for each individual in TABLE, by the problem in FILE and its own numbers.

    TABLE is a CSV or xlsx file with a row for each individual. Its columns are titled
    by the numbers they replace, as `analyze` names them: `P(a1=ok)`, `cost of a1`,
    `reward of a5=ok`, `cost weight`, `budget`. An empty cell leaves a number as it is.
    The first of the CSV tables has a row for each individual. - as FILE reads from the
    standard input.
    """
    with TerminalProgress() as progress, solving.executor_at(cluster) as executor:
        plan = partial(
            branchwise.profiles,
            problem,
            table,
            num_threads=num_threads,
            time_limit_seconds=time_limit_seconds,
            progress=progress,
            executor=executor,
        )
        try:
            plans = plan(keep=keep)
        except branchwise.FormatError as error:
            others = _other_columns(error)
            if not others:
                raise
            plans = plan(keep=(*keep, *others))
            if not outputs.quiet:
                names = ", ".join(f"`{printable(each)}`" for each in others)
                complain(f"carried through, as the problem has no such number: {names}")
    deliver(plans, outputs)


def _other_columns(error: branchwise.FormatError) -> list[str]:
    """Return columns that are about something else, if nothing else is wrong."""
    # What is nearly the name of a number was meant to be one, and has a hint after it.
    found = [re.fullmatch(_OTHER, issue.what) for issue in error.issues]
    return [match[1] for match in found if match] if all(found) else []
