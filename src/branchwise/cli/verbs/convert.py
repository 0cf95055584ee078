"""``branchwise convert``: a problem in another format."""

from pathlib import Path
from typing import Final

import click

import branchwise
from branchwise.cli.delivery import quiet_option
from branchwise.cli.options import files
from branchwise.cli.options.problem import (
    changed_problem,
    problem_argument,
    read_with,
    set_option,
    write_problem,
)
from branchwise.cli.terminal.standard_streams import say

_EXAMPLES: Final = """\b
Examples:
  branchwise convert oil.yaml oil.xlsx
  branchwise convert oil.xlsx -o oil.yaml --force
  branchwise convert oil.json oil.yaml --with-schema
  branchwise convert tree.xml tree.yaml
"""


@click.command(short_help="Write a problem in another format.", epilog=_EXAMPLES)
@problem_argument
@set_option
@click.argument("target", type=files.OUTPUT_FILE, required=False)
@files.output_with(type=files.OUTPUT_FILE)
@files.schema_option
@files.force_option
@quiet_option
def convert(
    *,
    file: str,
    changes: tuple[str, ...],
    target: str | None,
    output: str | None,
    with_schema: bool,
    force: bool,
    quiet: bool,
) -> None:
    """
    Read the problem in FILE and write it to TARGET, or to the file of -o.

    The end of each name says the format: .yaml, .yml, .json, .csv or .xlsx.
    TARGET may also end in .prism: a model for PRISM and Storm, whose first
    lines say which property gives the expected reward; or in .stix.json: an attack
    flow. FILE may be of another tool, such as a scenario of NASim or an attack tree;
    what is assumed of it is said, and stands at the top of a YAML file or a model as
    a comment. Comments of FILE are not kept. - as FILE reads from the standard input.
    """
    path = files.one_target(target, output, force=force)
    if path is None:
        raise click.UsageError("name a TARGET, the file to write the problem to")
    problem, issues, changes = read_with(file, changes, quiet=quiet)
    problem = changed_problem(problem, changes=changes)
    assumed = branchwise.formats.assumptions(file, issues)
    comment = assumed if branchwise.formats.has_comments(path) else ()
    write_problem(path, problem, comment, with_schema=with_schema, quiet=quiet)
    if assumed and not comment and not quiet:
        ending = Path(path).suffix
        say(f"what was assumed is not in it: `{ending}` has no comments, `.yaml` has")
