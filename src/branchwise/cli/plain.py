"""``branchwise solve FILE`` and nothing else, without loading what reads options."""

# What reads options and knows the other verbs takes a while to load, far longer than
# solving a small problem. Who only wants a plan does not wait for it.

from __future__ import annotations

import os
import sys
from typing import Final, NamedTuple, NoReturn

import branchwise
from branchwise.cli.terminal import standard_streams as streams
from branchwise.cli.terminal.page import show
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.signals import (
    cancelled_by_interruption,
    end_in_order,
    exit_code,
    let_go,
)
from branchwise.errors import printable

_CHECKS: Final = {"--verify": True, "--no-verify": False}


class PlainRequest(NamedTuple):
    """A file with a problem to solve, and whether the answer is to be checked."""

    file: str
    verify: bool | None = None


def plain_request(arguments: list[str]) -> PlainRequest | None:
    """
    Return what is asked for, if no more than that; else None.

    Examples
    --------
    >>> plain_request(["solve", "oil.yaml", "--budget", "4"]) is None
    True
    """
    if arguments[:1] != ["solve"] or "_BRANCHWISE_COMPLETE" in os.environ:
        return None
    checks = [each for each in arguments[1:] if each in _CHECKS]
    files = [each for each in arguments[1:] if each not in _CHECKS]
    is_plain = len(checks) <= 1 and len(files) == 1 and not files[0].startswith("-")
    if not is_plain or not os.path.isfile(files[0]):  # noqa: PTH113 -- start-up
        return None
    return PlainRequest(files[0], _CHECKS[checks[0]] if checks else None)


def main() -> None:
    """Run the command line; called by ``branchwise`` and ``python -m branchwise``."""
    request = plain_request(sys.argv[1:])
    if request is None:
        from branchwise.cli.main import main as run  # noqa: PLC0415

        run()
        return
    try:
        streams.open_standard_streams()
        end_in_order()
        _show_plan(request)
    except KeyboardInterrupt:  # A second one, while the first was reported.
        sys.exit(exit_code())
    finally:
        let_go()


def _show_plan(request: PlainRequest) -> None:
    try:
        show_plan(request)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 -- any end at all
        _end_with(error)


def _end_with(error: BaseException) -> NoReturn:
    # What ends well never needs it.
    from branchwise.cli.main import end_with  # noqa: PLC0415

    end_with(error)


def show_plan(request: PlainRequest) -> None:
    """Read the problem, solve it and show the plan, as the verb does."""
    with TerminalProgress(at_first=f"reading {printable(request.file)}"):
        problem, issues = branchwise.formats.check_file(request.file)
    if problem is None:
        raise branchwise.FormatError(issues)
    if issues:
        streams.complain(str(branchwise.FormatError(issues)))
    with (
        TerminalProgress(suggests_gap=True) as progress,
        cancelled_by_interruption() as cancel,
    ):
        solution = branchwise.solve(
            problem, verify=request.verify, progress=progress, cancel=cancel
        )
    show(solution)
    if solution.status is branchwise.Status.INTERRUPTED:
        raise KeyboardInterrupt
