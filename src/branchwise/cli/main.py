"""The command line's entrance: its verbs, and what an error looks like."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

import branchwise
from branchwise.cli.manual import MANUAL
from branchwise.errors import printable

__all__ = ["main", "program"]

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

_VERBS: Final = (
    "solve",
    "follow",
    "simulate",
    "defend",
    "certify",
    "verify",
    "analyze",
    "profiles",
    "explain",
    "sets",
    "program",
    "graph",
    "check",
    "convert",
    "generate",
    "schema",
)


class _Program(click.Group):
    """Loads a verb when it is called, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"branchwise.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        with _visible():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> None:
        try:
            with _visible():
                super().invoke(ctx)
            sys.stdout.flush()
        except branchwise.BranchwiseError as error:
            _complain(str(error))
            ctx.exit(BAD_INPUT)
        except KeyboardInterrupt:
            _complain("interrupted")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            # Whoever reads has seen enough, as `head` does; that is no error.
            _discard_output()
        except OSError as error:
            _discard_output()
            where = f" '{error.filename}'" if error.filename else ""
            _complain(f"cannot write{where}: {error.strerror or error}")
            ctx.exit(BAD_INPUT)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not Path(args[0]).is_file():
                raise
            hint = f"Did you mean `branchwise solve {args[0]}`?"
            raise click.UsageError(f"{error.message}\n{hint}", ctx) from None


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value:
        click.echo(f"branchwise {branchwise.__version__}")
        ctx.exit()


@click.group(
    cls=_Program,
    help=MANUAL,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def program() -> None:
    """Find the best contingent plan when every step may fail."""


def main() -> None:
    """Run the command line; called by ``branchwise`` and ``python -m branchwise``."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show is no reason to show nothing.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    program(prog_name="branchwise")


@contextmanager
def _visible() -> Iterator[None]:
    """Let click complain of what was typed without sending it to the terminal raw."""
    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = printable(error.message, keep="\n")
        raise


def _complain(message: str) -> None:
    click.echo(printable(message, keep="\n"), err=True)


def _discard_output() -> None:
    """Let Python flush at its end into nowhere, without a second complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
