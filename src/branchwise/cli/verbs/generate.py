"""``branchwise generate``: random problems of the paper's kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

import branchwise
from branchwise.cli.delivery import quiet_option
from branchwise.cli.options import files, solving
from branchwise.cli.options.problem import write_problem
from branchwise.cli.options.values import TEXT, WholeNumber, valued
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import say

if TYPE_CHECKING:
    from branchwise.executors.executor import Executor

_MOST_PROBLEMS: Final = 10_000_000

_EXAMPLES: Final = """\b
Examples:
  branchwise generate random.yaml --actions 25 --budget 15 --seed 7
  branchwise generate --outcomes 2-3 --preclusions 20% --repeats 0.1
  branchwise generate models --number 1000 --actions 30 --cluster local:4
"""

_KNOBS: Final = {
    "actions": ("N", "How many actions.", "20"),
    "budget": ("LIMIT", "How much may be spent, of each resource.", "10"),
    "seed": ("TEXT", "What decides all that is left to chance.", "0"),
    "layers": ("N", "How many layers of actions: what a plan takes at least.", ""),
    "prerequisites": ("SPAN", "How many outcomes an action needs.", "1-3"),
    "or_share": ("SHARE", "Actions that need just one of these outcomes.", "0.5"),
    "outcomes": ("SPAN", "How many outcomes an action has.", "2"),
    "success": ("SPAN", "How likely an action does not fail.", "0.2-0.8"),
    "cost": ("SPAN", "What an action costs.", "1"),
    "rewards": ("N", "How many rewards.", "1"),
    "value": ("NUMBER", "What the last reward is worth.", "100"),
    "preclusions": ("SHARE", "Actions that another one rules out.", "0"),
    "repeats": ("SHARE", "Actions that can be taken two or three times.", "0"),
    "conditioning": ("SHARE", "Actions whose probabilities an outcome changes.", "0"),
    "resources": ("N", "How many resources, up to 5.", "1"),
    "cost_weight": ("NUMBER", "What one unit spent takes off the reward.", "0"),
    "combine": ("WORD", "How rewards add up: `max` or `sum`.", "max"),
    "hidden": ("N", "How many hidden facts, each with a test that tells of it.", "0"),
    "counters": ("N", "How many counters of failures, which stop an action.", "0"),
    "endings": ("SHARE", "Actions that end the plan by failing.", "0"),
    "outcome_costs": ("SHARE", "Actions that cost half until they fail.", "0"),
    "defenses": ("N", "How many defenses to choose from, for one unit each.", "0"),
    "defense_budget": ("LIMIT", "How much may be spent on them.", ""),
}

_NOT_GIVEN: Final = {
    "layers": "about the root of the actions",
    "defense_budget": "a quarter of their number",
}

F = TypeVar("F", bound=Callable[..., Any])


def _knobs(command: F) -> F:
    for name, (metavar, text, usual) in reversed(_KNOBS.items()):
        usually = usual or _NOT_GIVEN[name]
        option = click.option(
            f"--{name.replace('_', '-')}",
            type=TEXT,
            metavar=metavar,
            help=f"{text}  [default: {usually}]",
        )
        command = option(command)
    return command


@click.command(short_help="Make a random problem.", epilog=_EXAMPLES)
@click.argument("target", type=files.FILE_OR_FOLDER, required=False)
@_knobs
@valued(
    "--number N",
    WholeNumber(1, _MOST_PROBLEMS),
    "Make so many, of the seeds SEED-1, SEED-2 and so on, in the folder TARGET.",
)
@solving.cluster_option
@files.output_with(type=files.OUTPUT_FILE)
@files.schema_option
@files.force_option
@quiet_option
def generate(
    *,
    target: str | None,
    output: str | None,
    with_schema: bool,
    force: bool,
    quiet: bool,
    number: int | None,
    cluster: str | None,
    **knobs: str | None,
) -> None:
    """
    Make a random problem and write it to TARGET, or print it as YAML.

    The same options make the same problem, on every machine; its name is the command
    that makes it again. It can be solved within its budget, and there is something to
    decide. A SPAN is a number or two, such as 2-3; a SHARE is a number from 0 to 1.
    With --number, makes a folder of problems that differ in their seed; what is there
    already is not made again. `branchwise batch` solves them.
    """
    given: Any = {name: value for name, value in knobs.items() if value is not None}
    if number is not None:
        folder = _folder(target, output, with_schema=with_schema)
        with solving.executor_at(cluster) as executor:
            _sweep(folder, number, executor, given, quiet=quiet)
        return
    if cluster is not None:
        raise click.UsageError("--cluster is for many problems; add `--number 1000`")
    path = files.one_target(target, output, force=force)
    if with_schema and path in (None, "-"):
        raise click.UsageError("--with-schema is about a file; name a TARGET")
    problem = branchwise.generate(**given)
    if path is None or path == "-":
        click.echo(branchwise.write_text(problem), nl=False)
    else:
        write_problem(path, problem, with_schema=with_schema, quiet=quiet)


def _folder(target: str | None, output: str | None, *, with_schema: bool) -> str:
    """Return the folder for many problems."""
    if target in (None, "-") or output is not None:
        raise click.UsageError("--number makes a folder of problems; name it as TARGET")
    if Path(str(target)).is_file():
        raise click.UsageError(f"'{target}' is a file; name a folder")
    if with_schema:
        raise click.UsageError("--with-schema is about one file; leave out --number")
    return str(target)


def _sweep(
    folder: str, number: int, executor: Executor | None, given: Any, *, quiet: bool
) -> None:
    with TerminalProgress() as progress:
        made = branchwise.batches.sweep(
            folder, number, progress=progress, executor=executor, **given
        )
    if not quiet:
        count = len(made.paths)
        say(f"{folder} has {count:,} problem{'' if count == 1 else 's'}")
    if made.issues:
        raise branchwise.ProblemError(made.issues)
