"""Problem files as the command line takes them: with their warnings told."""

from __future__ import annotations

import click

import branchwise
from branchwise.cli.options.input_file import INPUT_FILE
from branchwise.cli.options.text import TEXT
from branchwise.cli.terminal.standard_streams import complain

__all__ = ["budget_option", "problem_argument", "read_problem", "tell", "with_budget"]

problem_argument = click.argument("file", type=INPUT_FILE)

budget_option = click.option(
    "--budget",
    type=TEXT,
    multiple=True,
    metavar="LIMIT",
    help="Instead of the file's: a number, `unlimited`, or `money=10` for one resource "
    "(may be repeated).",
)


def read_problem(file: str, *, quiet: bool = False) -> branchwise.Problem:
    """Read a problem file; tell its warnings, raise its errors."""
    problem, issues = branchwise.check_file(file)
    if problem is None:
        raise branchwise.FormatError(issues)
    if issues and not quiet:
        complain(str(branchwise.FormatError(issues)))
    return problem


def tell(problem: branchwise.Problem) -> str:
    """Say in a few words what a problem consists of."""
    actions = _counted(len(problem.actions), "action")
    rewards = _counted(len(problem.rewards), "reward")
    told = f"{actions}, {rewards}, budget {problem.budget}"
    if problem.defenses:
        told += f", {_counted(len(problem.defenses), 'defense')}"
    return told


def with_budget(
    problem: branchwise.Problem, budget: tuple[str, ...]
) -> branchwise.Problem:
    """Give the problem the budget of ``--budget``, if there was one."""
    if not budget:
        return problem
    try:
        return problem.with_budget(_limits(budget))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--budget'") from None


def _limits(budget: tuple[str, ...]) -> str | dict[str, str]:
    """Read ``6``, or one ``money=10`` for each resource."""
    if len(budget) == 1 and "=" not in budget[0]:
        return budget[0]
    limits: dict[str, str] = {}
    for text in budget:
        resource, equals, limit = text.rpartition("=")
        if not equals:
            raise ValueError(f"`{text}` names no resource; write `money={text}`, say")
        if resource.strip() in limits:
            raise ValueError(f"`{resource.strip()}` has several limits; give it one")
        limits[resource.strip()] = limit
    return limits


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
