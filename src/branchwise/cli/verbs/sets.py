"""``branchwise sets``: which outcomes lead to a reward."""

from __future__ import annotations

from typing import Final

import click

import branchwise
from branchwise.cli.clock import Clock
from branchwise.cli.delivery import Outputs, answer_options, deliver
from branchwise.cli.options import solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain

_SHOWN: Final = 20
_WRITTEN: Final = 10_000

_EXAMPLES: Final = """\b
Examples:
  branchwise sets oil.yaml --budget 2
  branchwise sets oil.yaml --all --json sets.json
"""


@click.command(short_help="List what leads to a reward.", epilog=_EXAMPLES)
@problem_options()
@solving.time_limit_option
@answer_options("limit", "all", "html", "csv")
def sets(
    *, problem: branchwise.Problem, time_limit_seconds: float | None, outputs: Outputs
) -> None:
    """
    List the rewarding sets of the problem in FILE, the strongest first.

    A rewarding set is a set of outcomes that together reach a reward, with none to
    spare; its strength is that reward times its probability. Below them stand the
    actions that no set needs, the rewards that no set reaches, and what perfect
    information would be worth. Unless --limit or --all asks for others, 20 are shown,
    and 10,000 written to files. - as FILE reads from the standard input.
    """
    clock = Clock(time_limit_seconds)
    with TerminalProgress() as progress:
        known = _sets(
            problem, time_limit_seconds, progress, has_page=bool(outputs.html_file)
        )

    def listed(usual: int) -> branchwise.rewarding.SetsListing:
        return branchwise.rewarding.SetsListing(
            known, limit=outputs.most(usual), time_limit_seconds=clock.seconds_left()
        )

    shown = None if known is None else listed(_SHOWN)
    deliver(shown, outputs, written=lambda: listed(_WRITTEN))


def _sets(
    problem: branchwise.Problem,
    time_limit_seconds: float | None,
    progress: TerminalProgress,
    *,
    has_page: bool,
) -> branchwise.rewarding.RewardingSets | None:
    """Put the sets together; None, and why, where a limit does not let us."""
    progress(branchwise.tree.Progress(branchwise.tree.Stage.REWARDING_SETS, 0))
    try:
        return branchwise.rewarding.RewardingSets(
            problem, time_limit_seconds=time_limit_seconds
        )
    except branchwise.LimitError as error:
        if has_page:  # There is nothing to put on it.
            raise
        complain(f"the rewarding sets are not known: {error}")
        return None
