"""``branchwise batch``: every problem of a folder, and one table at the end."""

from functools import partial
from typing import Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import solving
from branchwise.cli.options.files import OUTPUT_FILE
from branchwise.cli.options.values import valued
from branchwise.cli.terminal.progress import TerminalProgress

_EXAMPLES: Final = """\b
Examples:
  branchwise batch models
  branchwise batch models --journal models.jsonl --csv models.csv
  branchwise batch models --cluster local:4 --time-limit 60
"""


@click.command(short_help="Solve every problem in a folder.", epilog=_EXAMPLES)
@click.argument("folder", type=click.Path(exists=True), nargs=-1, required=True)
@valued(
    "--journal PATH",
    OUTPUT_FILE,
    "Keep what is done, problem by problem, and go on with what is there already.",
)
@solving.gap_option
@solving.time_limit_option
@solving.threads_option
@solving.cluster_option
@answer_options("all", "html", "csv")
def batch(
    *,
    folder: tuple[str, ...],
    journal: str | None,
    gap: float,
    time_limit_seconds: float | None,
    num_threads: int | None,
    cluster: str | None,
    outputs: Outputs,
) -> None:
    """
    Solve every problem in FOLDER, and show one table of what came of them.

    Takes the YAML and JSON files in FOLDER and below; a file by its name may have any
    format. What cannot be read has a line that says why, and the exit code is then 2.
    --gap and --time-limit are for each problem. With --journal a batch that was
    interrupted goes on where it was, and only files that have changed are solved again.
    """
    solved = partial(branchwise.batch, gap=gap, time_limit_seconds=time_limit_seconds)
    with TerminalProgress() as progress, solving.executor_at(cluster) as executor:
        found = solved(
            folder[0] if len(folder) == 1 else folder,
            journal=journal,
            num_threads=num_threads,
            progress=progress,
            executor=executor,
        )
    deliver(found, outputs)
    if found.num_errors:
        raise SystemExit(2)
