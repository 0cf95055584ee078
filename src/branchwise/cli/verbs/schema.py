"""``branchwise schema``: JSON Schemas for editors and other programs."""

from __future__ import annotations

import json

import click

import branchwise

__all__ = ["schema"]


@click.command(short_help="Print the JSON Schema of problem files.")
@click.option("--solution", is_flag=True, help="... of what `solve --json` writes.")
def schema(*, solution: bool) -> None:
    """Print the JSON Schema of problem files, for editors to check and complete."""
    layout = branchwise.schema("solution" if solution else "problem")
    click.echo(json.dumps(layout, indent=2))
