"""``branchwise studio``: build a problem on a page and see its plan change."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Final

import click

from branchwise.cli.delivery import missing
from branchwise.cli.options.values import WholeNumber, valued
from branchwise.cli.terminal.standard_streams import say
from branchwise.errors import printable

_LARGEST_PORT: Final = 65_535
_EXAMPLES: Final = """\b
Examples:
  branchwise studio
  branchwise studio oil.yaml
  branchwise studio oil.yaml --port 8000 --no-browser
"""


@click.command(short_help="Build a problem on a page.", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(dir_okay=False), required=False)
@valued(
    "--port N",
    WholeNumber(0, _LARGEST_PORT),
    "Where to listen on this machine; any free port unless given.",
    default=0,
)
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
def studio(*, file: str | None, port: int, no_browser: bool) -> None:
    """
    Build the problem in FILE on a page in the browser, and see its plan change.

    FILE is a YAML or a JSON file, which need not exist yet; without one, problem.yaml
    in this folder. Every change is kept in FILE.studio at once and can be undone, even
    after a restart; FILE itself is written when you save. The page is served to this
    machine only, under an address with a random part. Ctrl-C ends it.
    """
    try:
        from branchwise.studio.server import serve, usual_path  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing("the studio", error, "starlette uvicorn") from None

    def ready(address: str) -> None:
        say(f"{printable(str(path))} is open at {address}")
        if not no_browser:
            webbrowser.open(address)

    path = usual_path(Path()) if file is None else Path(file)
    serve(path, port=port, ready=ready)
