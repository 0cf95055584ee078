"""``branchwise schema``: JSON Schemas for editors and other programs."""

import json
from typing import Final

import click

from branchwise import report
from branchwise.cli.options.files import OUTPUT_FILE, output_with
from branchwise.formats.atomic import write_atomically

_EXAMPLES: Final = """\b
Examples:
  branchwise schema -o problem.schema.json
  branchwise schema solution
"""


@click.command(short_help="Print the JSON Schema of a kind of file.", epilog=_EXAMPLES)
@click.argument(
    "kind", type=click.Choice(report.DOCUMENTS), metavar="[KIND]", default="problem"
)
@output_with(type=OUTPUT_FILE)
def schema(*, kind: str, output: str | None) -> None:
    """
    Print a JSON Schema, for editors to check and complete, and for other programs.

    KIND is problem, for problem files; certificate; or what --json writes: solution
    (`solve`), evaluation (`evaluate`), comparison (`compare`), simulation, sets,
    program, analysis (`analyze`), batch, explanation (`explain`), interdiction
    (`defend`) or profiles.
    """
    text = json.dumps(report.schema(kind), indent=2) + "\n"
    if output is None or output == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
