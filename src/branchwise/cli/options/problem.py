"""The problem that a verb is about: its file, its budget and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import Any, Final, Literal

import click

import branchwise
from branchwise.cli.options.files import INPUT_FILE, keep_inputs
from branchwise.cli.options.values import TEXT, Command, valued, with_options
from branchwise.cli.terminal.progress import TerminalProgress
from branchwise.cli.terminal.standard_streams import complain, say
from branchwise.errors import Issue, printable

_LEAST_SECONDS: Final = 1e-3

problem_argument = click.argument("file", type=INPUT_FILE)

budget_option = valued(
    "--budget LIMIT",
    TEXT,
    "Instead of the file's: a number, `unlimited`, or `money=10` for one resource "
    "(may be repeated).",
    multiple=True,
)

set_option = valued(
    "--set changes NAME=VALUE",
    TEXT,
    "Another value of a named parameter: `prevalence=0.4`, or the value of a constant "
    "that a model for PRISM leaves open (may be repeated).",
    multiple=True,
)

after_option = valued(
    "--after HISTORY", TEXT, "Begin where this leads: `a1=ok, a3=fail`.", default=""
)


def problem_options(
    *,
    has_budget: bool = True,
    after: Literal["applied", "passed on", "refused"] = "applied",
) -> Callable[[Command], Command]:
    """
    Let a command be about the problem in FILE: it is given ``problem``.

    What was read is not written over, warnings are shown unless the command is quiet,
    and reading counts towards a time limit. The problem is what is left after
    ``--after``, or the command is given ``after`` to see to that itself.
    """
    options: list[Callable[[Command], Command]] = [problem_argument, set_option]
    options += [budget_option] * has_budget
    options += [after_option] * (after != "refused")

    def decorate(command: Command) -> Command:
        @wraps(command)
        def asked(
            *,
            file: str,
            changes: tuple[str, ...],
            budget: tuple[str, ...] = (),
            **how: Any,
        ) -> None:
            start = monotonic()
            keep_inputs()
            left = how.pop("after") if after == "applied" else ""
            is_quiet = how.get("quiet", False)
            problem = stated_problem(
                file, budget=budget, changes=changes, after=left, quiet=is_quiet
            )
            if how.get("time_limit_seconds") is not None:
                seconds = how["time_limit_seconds"] + start - monotonic()
                how["time_limit_seconds"] = max(seconds, _LEAST_SECONDS)
            command(problem=problem, **how)

        return with_options(asked, options)

    return decorate


def stated_problem(
    file: str,
    *,
    budget: tuple[str, ...] = (),
    changes: tuple[str, ...] = (),
    after: str = "",
    quiet: bool = False,
) -> branchwise.Problem:
    """Read the problem, change what is asked for, and return what is left of it."""
    problem, _, changes = read_with(file, changes, quiet=quiet)
    problem = changed_problem(problem, budget=budget, changes=changes)
    if not after:
        return problem
    left = branchwise.model.problem_after(problem, after)
    name = f"{problem.name}, after {after}" if problem.name else f"after {after}"
    return replace(left, name=name)


def changed_problem(
    problem: branchwise.Problem,
    *,
    budget: tuple[str, ...] = (),
    changes: tuple[str, ...] = (),
) -> branchwise.Problem:
    """Return a problem with another budget, or other values of named parameters."""
    if changes:
        problem = _with_parameters(problem, changes)
    if budget:
        try:
            problem = problem.with_budget(_limits(budget))
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--budget'") from None
    return problem


def read_with(
    file: str, changes: tuple[str, ...], *, quiet: bool = False
) -> tuple[branchwise.Problem, Sequence[Issue], tuple[str, ...]]:
    """
    Read a problem file: the problem, its warnings, and what is still to be changed.

    Warnings are shown, unless the command is quiet, and errors raised. What is set of a
    model for PRISM are constants, without which it has no states: nothing is left then.
    """
    constants: dict[str, str] = {}
    if changes and branchwise.formats.has_constants(file):
        constants, changes = _settings(changes), ()
    with TerminalProgress(at_first=f"reading {printable(file)}"):
        problem, issues = branchwise.formats.check_file(file, constants)
    if problem is None:
        raise branchwise.FormatError(issues)
    if issues and not quiet:
        complain(str(branchwise.FormatError(issues)))
    return problem, issues, changes


def described(problem: branchwise.Problem) -> str:
    """Return in a few words what a problem consists of."""
    actions = _counted(len(problem.actions), "action")
    rewards = _counted(len(problem.rewards), "reward")
    defenses = f", {_counted(len(problem.defenses), 'defense')}"
    budget = f"budget {problem.budget}{defenses if problem.defenses else ''}"
    return f"{actions}, {rewards}, {budget}"


def write_problem(
    path: str,
    problem: branchwise.Problem,
    comment: Sequence[str] = (),
    *,
    with_schema: bool,
    quiet: bool,
) -> None:
    """Write a problem file, with its schema beside it if that is wanted; name it."""
    if with_schema:
        branchwise.formats.write_with_schema(problem, path, comment)
    else:
        branchwise.write(problem, path, comment)
    report_written(path, problem, quiet=quiet)


def report_written(path: str, problem: branchwise.Problem, *, quiet: bool) -> None:
    """Name the file that was written, unless only the answer is wanted: the file."""
    if not quiet:
        say(f"wrote {path}: {described(problem)}")


def _with_parameters(
    problem: branchwise.Problem, changes: tuple[str, ...]
) -> branchwise.Problem:
    values = _settings(changes)
    try:
        changed = problem.with_parameters(values)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--set'") from None
    errors = [each for each in branchwise.validate(changed) if each.severity == "error"]
    if errors:
        raise branchwise.ProblemError(errors)
    return changed


def _settings(changes: tuple[str, ...]) -> dict[str, str]:
    """Read what is set; raise what is wrong with how it is written."""
    try:
        return _values(changes)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--set'") from None


def _values(changes: tuple[str, ...]) -> dict[str, str]:
    """Read one ``prevalence=0.4`` for each parameter."""
    values: dict[str, str] = {}
    for text in changes:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"`{text}` sets nothing; write `{name}=0.4`, say")
        if name.strip() in values:
            raise ValueError(f"`{name.strip()}` is set twice; set it once")
        values[name.strip()] = value
    return values


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
