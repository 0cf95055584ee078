"""``branchwise profiles``: one problem, many individuals, and who gets which plan."""

from __future__ import annotations

from typing import Any, Final

import click

import branchwise
from branchwise.cli.delivery import deliver, json_option, page_option
from branchwise.cli.options.input_file import INPUT_FILE
from branchwise.cli.options.output_file import TABLE_FILE, keep
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.solving_options import threads_option, time_limit_with
from branchwise.cli.options.text import TEXT
from branchwise.cli.terminal.page import show_profiles
from branchwise.cli.terminal.progress import TerminalProgress

__all__ = ["profiles"]

_EXAMPLES: Final = """\b
Examples:
  branchwise profiles knee_pain.yaml patients.csv
  branchwise profiles knee_pain.yaml patients.csv --keep age,sex --csv plans.csv
  branchwise profiles knee_pain.yaml patients.xlsx --html plans.html
"""


def _titles(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Read ``--keep age,sex --keep ward``."""
    return tuple(title.strip() for text in texts for title in text.split(","))


@click.command(short_help="Plan for many individuals.", epilog=_EXAMPLES)
@problem_argument
@click.argument("table", type=INPUT_FILE)
@budget_option
@click.option(
    "--keep",
    "kept",
    type=TEXT,
    multiple=True,
    callback=_titles,
    metavar="COLUMN,...",
    help="Columns that are no numbers of the problem, to be carried through.",
)
@threads_option
@time_limit_with(
    help="Stop after so many seconds, or 5m, with those who have a plan by then."
)
@click.option(
    "--csv",
    "csv_file",
    type=TABLE_FILE,
    help="Also write a row for each individual.",
)
@json_option
@page_option
@click.option("--quiet", "-q", is_flag=True, help="Show nothing but what went wrong.")
# Every argument is an option with a name, so many do no harm.
def profiles(  # noqa: PLR0913
    *,
    file: str,
    table: str,
    budget: tuple[str, ...],
    kept: tuple[str, ...],
    csv_file: str | None,
    json_file: str | None,
    html_file: str | None,
    quiet: bool,
    **how: Any,
) -> None:
    """
    Plan for each individual in TABLE, by the problem in FILE and its own numbers.

    TABLE is a CSV or xlsx file with a row for each individual. Its columns are titled
    by the numbers they replace, as `analyze` names them: `P(a1=ok)`, `cost of a1`,
    `reward of a5=ok`, `cost weight`, `budget`. An empty cell leaves a number as it is.
    """
    for source, what in ((file, "problem"), (table, "table")):
        keep(source, csv_file, json_file, html_file, what=what)
    problem = with_budget(read_problem(file, quiet=quiet), budget)
    with TerminalProgress(is_on=not quiet) as progress:
        found = branchwise.profiles(problem, table, keep=kept, progress=progress, **how)
    deliver(
        found,
        pictures=[html_file, csv_file],
        json_file=json_file,
        show=(lambda _: None) if quiet else show_profiles,
    )
