"""``branchwise mcp``: serve assistants, over the Model Context Protocol."""

from __future__ import annotations

import os
import sys
from typing import Final

import click

from branchwise.cli.delivery import missing
from branchwise.cli.options.values import valued
from branchwise.cli.terminal.signals import let_go
from branchwise.cli.terminal.standard_streams import complain

_EXAMPLES: Final = """\b
Examples:
  branchwise mcp
  branchwise mcp --folder ~/plans
"""


@click.command(short_help="Serve an assistant.", epilog=_EXAMPLES)
@valued(
    "--folder",
    click.Path(exists=True, file_okay=False),
    "Where files that are named may be; this folder unless given.",
)
def mcp(*, folder: str | None) -> None:
    """
    Let an assistant check, solve and question problems, as tools.

    It speaks the Model Context Protocol on the standard input and output, so it is a
    program such as an editor that starts this command. Tools read texts that they are
    sent, and files in the folder; they write nothing. Needs the library of the
    protocol: pip install mcp. It ends when its input does.
    """
    try:
        from branchwise.assistant.server import serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing("the server for assistants", error, "mcp") from None
    if folder is not None:
        os.chdir(folder)
    if sys.stdin.isatty():
        complain("waiting for an assistant on the standard input; Ctrl-C ends it")
    # What waits for input cannot be interrupted, and nothing is half done here.
    let_go()
    serve()
