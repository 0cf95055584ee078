"""``branchwise solve``: the best plan for a problem."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NotRequired, TypedDict, Unpack

import click

import branchwise
from branchwise.cli.clock import Clock
from branchwise.cli.delivery import (
    Outputs,
    Writing,
    answer_options,
    deliver,
    usage_errors,
    written_first,
)
from branchwise.cli.options import files, solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import WholeNumber, choice_option, valued
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.signals import cancelled_by_interruption
from branchwise.errors import Issue

if TYPE_CHECKING:
    from branchwise.executors.executor import Executor

_SECONDS_FOR_THRESHOLDS: Final = 2.0

_EXAMPLES: Final = """\b
Examples:
  branchwise solve oil.yaml --budget 4 --exact
  branchwise solve oil.yaml --html plan.html --json plan.json --quiet
  branchwise solve oil.yaml --svg plan.svg --render plan.mmd
  branchwise solve oil.yaml --gap 1% --time-limit 60
  branchwise solve oil.yaml --after test=good
  branchwise solve oil.yaml --robust --gamma 2 --distance 5%
  branchwise solve oil.yaml --aim cvar=10%
  branchwise solve oil.yaml --spill states --memory-limit 2GB
  branchwise solve oil.yaml --spill states --cluster local:2
"""


class NumberOfSets(WholeNumber):
    """How many rewarding sets; or `auto`."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Return the number, or the word."""
        return value if value == "auto" else super().convert(value, param, ctx)


class _How(TypedDict):
    """The options that the solver takes as they are."""

    after: str
    engine: str
    prefer: str
    search: Literal["auto", "exhaustive", "best-first", "deepening"]
    gap: float
    time_limit_seconds: float | None
    memory_limit_bytes: int | None
    spill: str | None
    executor: NotRequired[Executor | None]
    num_threads: int | None
    naive: bool
    exact: bool
    rewarding_sets: int | Literal["auto"] | None
    adversary: branchwise.Adversary | None
    verify: bool | None


@click.command(short_help="Find the best plan for a problem.", epilog=_EXAMPLES)
@problem_options(after="passed on")
@solving.aim_with()
@solving.engine_option
@choice_option(
    "--search", branchwise.engine.SEARCHES, "How the canonical engine goes about it."
)
@solving.naive_option
@solving.gap_option
@solving.time_limit_option
@solving.memory_limit_option
@solving.spill_option
@solving.threads_option
@solving.cluster_option
@solving.prefer_option
@valued(
    "--sets rewarding_sets N",
    NumberOfSets(1),
    "Go only by the N strongest rewarding sets: a valid plan, and a lower bound; "
    "`auto` adds sets until --gap is met or --time-limit is over.",
)
@solving.exact_option
@solving.robust_options
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Let the independent checker confirm the answer by a certificate, however "
    "long that takes, or not at all; unless given, where it takes less than 0.04 s.",
)
@valued(
    "--all-plans plans_file",
    files.SVG_FILE,
    "Also draw all optimal plans at once: the reduced graph, of up to 200 states.",
)
@answer_options("all", "html", "csv", "svg", "render")
def solve(
    *,
    problem: branchwise.Problem,
    aim: branchwise.risk.Aim | None,
    plans_file: str | None,
    cluster: str | None,
    outputs: Outputs,
    **how: Unpack[_How],
) -> None:
    """
    Find the plan with the highest expected reward for the problem in FILE.

    Shows the decision tree: what to do first, and what to do next whatever happens.
    Of a large tree the likely part is shown, unless --all asks for every node. - as
    FILE reads from the standard input.
    """
    if plans_file and (aim or how["adversary"]):
        other = "--aim" if aim else "--robust"
        raise click.UsageError(f"--all-plans does not go with {other}")
    if cluster is not None and how["spill"] is None:
        raise click.UsageError(
            "--cluster takes a folder for states: add --spill states"
        )
    clock = Clock(how["time_limit_seconds"])
    how["time_limit_seconds"] = clock.seconds_to_solve(outputs.has_files)
    suggests_gap = not (how["gap"] or aim)
    show = TerminalProgress(suggests_gap=suggests_gap)
    with show as progress, solving.executor_at(cluster) as how["executor"]:
        solution = _solved(problem, aim, progress, how)
    if outputs.has_page:
        solution = _with_thresholds(solution, clock)
    drawn: list[Writing] = []
    if plans_file:
        drawn = [(plans_file, partial(_draw_plans, solution, plans_file))]
    seconds = clock.seconds_to_show(outputs.has_files or bool(drawn))
    with branchwise.deadline(seconds), written_first(drawn):
        deliver(solution, outputs)


def _draw_plans(solution: branchwise.Solution, path: str) -> None:
    """Draw all optimal plans of the problem that was solved."""
    assert solution.problem is not None
    try:
        plans = branchwise.program.optimal_plans(solution.problem)
    except (branchwise.LimitError, branchwise.errors.UnsupportedError) as error:
        fix = "draw one plan with --svg; the page of --html has a graph of it"
        raise branchwise.FormatError([Issue(path, str(error), fix)]) from None
    branchwise.render(plans, path)


def _with_thresholds(
    solution: branchwise.Solution, clock: Clock
) -> branchwise.Solution:
    """Add what would change the first action, for the page to say; a moment's work."""
    left = clock.seconds_left()
    seconds = _SECONDS_FOR_THRESHOLDS if left is None else left / 2
    try:
        found = branchwise.analysis.nearest_thresholds(
            solution, time_limit_seconds=min(seconds, _SECONDS_FOR_THRESHOLDS)
        )
    except (KeyboardInterrupt, branchwise.LimitError):
        return solution  # The plan in hand is what was asked for.
    return replace(solution, thresholds=found)


def _solved(
    problem: branchwise.Problem,
    aim: branchwise.risk.Aim | None,
    progress: TerminalProgress,
    how: _How,
) -> branchwise.Solution:
    """Solve; options that contradict each other are wrong usage."""
    is_robust = how["adversary"] is not None
    with usage_errors():
        if aim is not None:
            return branchwise.solve(problem, aim=aim, progress=progress, **how)
        with cancelled_by_interruption() as cancel:
            solution = branchwise.solve(
                problem, robustness=is_robust, progress=progress, cancel=cancel, **how
            )
    is_proven = solution.status is branchwise.Status.OPTIMAL
    is_left_out = is_robust and is_proven and solution.robustness is None
    if is_left_out and not cancel.is_set():
        what = "what robustness costs is left out, as the time limit was met"
        click.echo(what, err=True)
    return solution
