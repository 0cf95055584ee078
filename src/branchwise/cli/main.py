"""The command line's entrance: its verbs, and what an error looks like."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Final, NoReturn

import click

import branchwise
from branchwise.cli.manual import MANUAL
from branchwise.cli.terminal import standard_streams as streams
from branchwise.cli.terminal.signals import end_in_order, exit_code, let_go
from branchwise.errors import did_you_mean

BAD_INPUT: Final = 2
INTERNAL_ERROR: Final = 70

_NO_MEMORY: Final = "there is not enough memory for this"
_LONGEST_LINE: Final = 2_000

_VERBS: Final = (
    "solve", "follow", "evaluate", "compare", "simulate", "defend", "certify", "verify",
    "analyze", "profiles", "batch", "explain", "sets", "program", "graph", "check",
    "convert", "generate", "schema", "studio", "mcp",
)  # fmt: skip

# What people may know from elsewhere, or from an earlier release.
_HINTS: Final = {
    "--full": "Write --all.",
    "--json": "Write --json - to print it.",
    "--solution": "Write `branchwise schema solution`.",
}


# Verbs that others would use for what ours do.
_MEANT: Final = {
    **dict.fromkeys(("run", "plan", "optimize", "tree", "report", "html"), "solve"),
    **dict.fromkeys(("validate", "lint"), "check"),
    **dict.fromkeys(("draw", "picture", "dependencies", "svg"), "graph"),
    **dict.fromkeys(("diff", "difference"), "compare"),
    **dict.fromkeys(("value", "score", "rollback"), "evaluate"),
    **dict.fromkeys(("sensitivity", "tornado", "icer"), "analyze"),
    **dict.fromkeys(("why", "whynot"), "explain"),
    **dict.fromkeys(("play", "montecarlo"), "simulate"),
    **dict.fromkeys(("export", "import"), "convert"),
    **dict.fromkeys(("random", "new"), "generate"),
    **dict.fromkeys(("all", "folder", "sweep"), "batch"),
    **dict.fromkeys(("walk", "step"), "follow"),
    **dict.fromkeys(("proof", "prove"), "certify"),
    **dict.fromkeys(("edit", "serve", "web", "gui"), "studio"),
    **dict.fromkeys(("assistant", "server", "tools"), "mcp"),
}


class _Ended(Exception):  # noqa: N818  # an end need not be an error
    """How a verb has ended, where click would say it in other words, or not at all."""

    def __init__(self, exit_code: int, message: str = "") -> None:
        super().__init__(message)
        self.exit_code = exit_code


@contextmanager
def _endings() -> Iterator[None]:
    """Turn everything that may end a verb early into an exit code and a message."""
    try:
        yield
    except BrokenPipeError:
        # The reader has seen enough, as `head` does; that is no error.
        streams.discard(sys.stdout)
        raise _Ended(0) from None
    except KeyboardInterrupt:
        raise _Ended(exit_code(), "interrupted") from None
    except branchwise.errors.VerificationError as error:
        raise _Ended(INTERNAL_ERROR, str(error)) from None
    except branchwise.BranchwiseError as error:
        raise _Ended(BAD_INPUT, str(error)) from None
    except OSError as error:
        raise _Ended(BAD_INPUT, streams.trouble(error)) from None
    except MemoryError:
        raise _Ended(BAD_INPUT, _NO_MEMORY) from None
    except click.ClickException as error:
        shown = StringIO()
        _hinted(error).show(shown)
        lines = (line[:_LONGEST_LINE] for line in shown.getvalue().splitlines())
        raise _Ended(error.exit_code, "\n".join(lines)) from None


def _hinted(error: click.ClickException) -> click.ClickException:
    """Return the error with how to write what has another spelling now."""
    if not isinstance(error, click.NoSuchOption | click.BadOptionUsage):
        return error
    hint = _HINTS.get(error.option_name)
    if hint is None:
        return error
    return click.UsageError(f"{error.message.rstrip('.')}. {hint}", error.ctx)


def _exit_after(run: Callable[[], int | None]) -> NoReturn:
    """Exit with the code that says how a run has ended."""
    try:
        code = run() or 0
    except _Ended as end:
        # What was shown before comes first, where both go to the same place.
        streams.flush(sys.stdout)
        if message := str(end):
            streams.complain(message)
        code = end.exit_code
    except MemoryError:  # There was not even enough to say what went wrong.
        streams.complain(_NO_MEMORY)
        code = BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        code = exit_code()
    sys.exit(code)


def end_with(error: BaseException) -> NoReturn:
    """Print what has ended a verb, and exit with the code for that."""

    def raise_again() -> NoReturn:
        with _endings():
            raise error

    _exit_after(raise_again)


class _Program(click.Group):
    """Loads a verb when it is called, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"branchwise.cli.verbs.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _endings():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> None:
        with _endings():
            super().invoke(ctx)
            sys.stdout.flush()

    def main(self, *arguments: Any, **options: Any) -> NoReturn:
        """Run a verb, and exit with the code that says how that went."""
        options["standalone_mode"] = False
        _exit_after(partial(super().main, *arguments, **options))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            meant = _MEANT.get(args[0].casefold())
            hint = did_you_mean(args[0], _VERBS)
            if meant is not None:
                hint = f"; did you mean `{meant}`?"
            if Path(args[0]).is_file():
                hint = f"\nDid you mean `branchwise solve {args[0]}`?"
            message = f"{error.message.removesuffix('.')}{hint or '.'}"
            raise click.UsageError(message, ctx) from None


@click.group(
    cls=_Program,
    help=MANUAL,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(branchwise.__version__, message="branchwise %(version)s")
def program() -> None:
    """Find the best contingent plan when every step may fail."""


def main() -> None:
    """Run the command line, whatever is asked for."""
    try:
        streams.open_standard_streams()
        end_in_order()
        program(prog_name="branchwise")
    except KeyboardInterrupt:  # A second one, while the first was reported.
        sys.exit(exit_code())
    finally:
        let_go()
