"""``branchwise analyze``: what matters, and what would change the plan."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import click

import branchwise
from branchwise.cli.delivery import deliver, json_option, page_option, usage_errors
from branchwise.cli.options.aims import aims_option
from branchwise.cli.options.output_file import OUTPUT_FOLDER, keep
from branchwise.cli.options.problem_file import (
    budget_option,
    problem_argument,
    read_problem,
    with_budget,
)
from branchwise.cli.options.quantities import share
from branchwise.cli.options.solving_options import seed_option, time_limit_with
from branchwise.cli.options.text import TEXT
from branchwise.cli.options.whole_number import WholeNumber
from branchwise.cli.terminal.page import show_analysis
from branchwise.cli.terminal.progress import TerminalProgress

__all__ = ["analyze"]

_MOST_DRAWS: Final = 1_000_000

_EXAMPLES: Final = """\b
Examples:
  branchwise analyze oil.yaml
  branchwise analyze oil.yaml --only criticality --html oil-analysis.html
  branchwise analyze oil.yaml --csv tables/
"""


def _sections(
    _: click.Context, __: click.Parameter, names: tuple[str, ...]
) -> list[str] | None:
    """Read ``--only a,b --only c``."""
    return [name.strip() for text in names for name in text.split(",")] or None


def _ranges(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> dict[str, tuple[str, str]]:
    """Read ``P(a1=ok)=0.4..0.7``."""
    found = {}
    for text in texts:
        name, equals, ends = text.rpartition("=")
        low, dots, high = ends.partition("..")
        if not equals or not dots:
            raise click.BadParameter(f"`{text}` is no range; write `P(a1=ok)=0.4..0.7`")
        found[name.strip()] = low, high
    return found


@click.command(short_help="See what matters, and why.", epilog=_EXAMPLES)
@problem_argument
@budget_option
@click.option(
    "--only",
    type=TEXT,
    multiple=True,
    callback=_sections,
    metavar="SECTION,...",
    help=f"The sections wanted: {', '.join(branchwise.SECTIONS)}.",
)
@aims_option
@click.option(
    "--test",
    "tests",
    type=TEXT,
    multiple=True,
    metavar="TEST",
    help="What is it worth to test first how an action would come out? "
    "`drill=oil:90%:80%`: sensitivity and specificity, and maybe `:5` for its cost "
    "(may be repeated).",
)
@click.option(
    "--share",
    type=share,
    metavar="SHARE",
    default="10%",
    show_default=True,
    help="How far numbers may be off, for the tornado, unless the file says it.",
)
@click.option(
    "--range",
    "ranges",
    type=TEXT,
    multiple=True,
    callback=_ranges,
    metavar="NUMBER=LOW..HIGH",
    help="The range of one number, such as `P(a1=ok)=0.4..0.7`, whatever the file says "
    "(may be repeated; then only these are varied).",
)
@click.option(
    "--sample-size",
    "sample_sizes",
    type=TEXT,
    multiple=True,
    metavar="N",
    default=("20",),
    show_default=True,
    help="How many trials the odds rest on, for uncertainty: N for all actions of "
    "which the file does not say it, `drill=N` for one (may be repeated).",
)
@click.option(
    "--draws",
    "num_draws",
    type=WholeNumber(1, _MOST_DRAWS),
    metavar="N",
    default=200,
    show_default=True,
    help="How often to draw the odds, for uncertainty.",
)
@seed_option
@time_limit_with(help="Stop after so many seconds, or 5m, with what is done by then.")
@click.option(
    "--most-states",
    type=WholeNumber(1),
    metavar="N",
    default=branchwise.AnalysisOptions().most_states,
    show_default=True,
    help="How many states to explore afresh to tell what conditions are worth; what "
    "needs more is told between bounds.",
)
@json_option
@page_option
@click.option(
    "--csv",
    "csv_folder",
    type=OUTPUT_FOLDER,
    metavar="FOLDER",
    help="Also write each table into this folder.",
)
@click.option("--quiet", "-q", is_flag=True, help="Show nothing but what went wrong.")
# Every argument is an option with a name, so many do no harm.
def analyze(  # noqa: PLR0913
    *,
    file: str,
    budget: tuple[str, ...],
    only: list[str] | None,
    share: float,
    ranges: dict[str, tuple[str, str]],
    sample_sizes: tuple[str, ...],
    num_draws: int,
    seed: str,
    aims: tuple[branchwise.Aim, ...],
    tests: tuple[str, ...],
    time_limit_seconds: float | None,
    most_states: int,
    json_file: str | None,
    html_file: str | None,
    csv_folder: str | None,
    quiet: bool,
) -> None:
    """
    Look into the problem in FILE: what matters, and what would change the plan.

    Every number compares optimal plans: after each change one plans anew. - as FILE
    reads from the standard input.
    """
    keep(file, json_file, html_file)
    folders = [csv_folder] if csv_folder else []
    problem = with_budget(read_problem(file, quiet=quiet), budget)
    options = branchwise.AnalysisOptions(
        share=share,
        ranges=ranges,
        num_draws=num_draws,
        seed=seed,
        aims=aims,
        most_states=most_states,
        tests=_tests(tests, problem),
        **_trials(sample_sizes),
    )
    with TerminalProgress(is_on=not quiet) as progress, usage_errors():
        found = branchwise.analyze(
            problem,
            only=only,
            options=options,
            time_limit_seconds=time_limit_seconds,
            progress=progress,
        )
    deliver(
        found,
        writings=[(f, partial(branchwise.write_tables, found, f)) for f in folders],
        pictures=[html_file],
        json_file=json_file,
        show=(lambda _: None) if quiet else show_analysis,
    )


def _trials(texts: tuple[str, ...]) -> dict[str, Any]:
    """Read ``20`` for all actions, and ``drill=50`` for one."""
    found: dict[str, Any] = {"sample_sizes": {}}
    for text in texts:
        name, equals, size = text.rpartition("=")
        if equals:
            found["sample_sizes"][name.strip()] = size
        else:
            found["sample_size"] = size
    return found


def _tests(
    texts: tuple[str, ...], problem: branchwise.Problem
) -> tuple[branchwise.OutcomeTest, ...]:
    """Read tests, which speak of the actions of a problem."""
    try:
        tests = [branchwise.parse_outcome_test(text, problem) for text in texts]
        for test in tests:
            list(test.results(problem))
    except (KeyError, ValueError) as error:
        raise click.BadParameter(str(error.args[0]), param_hint="'--test'") from None
    return tuple(tests)
