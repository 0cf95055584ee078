"""The standard streams: there even where they were closed, and quiet once they fail."""

import errno
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Final, TextIO

from branchwise.errors import printable

_OUTPUT: Final = 1
_ERRORS: Final = 2

_CLOSED: Final = "the standard output is closed"


def open_standard_streams() -> None:
    """
    Have all three standard streams, also where the caller closed some.

    A file that is opened later must not be taken for one of them. A closed output
    fails when it is written to, as what should have been shown is lost; closed errors
    go nowhere; a closed input is left to those who read it: ``sys.stdin`` is None.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    while nowhere <= _ERRORS:  # The lowest number that is free was taken.
        nowhere = os.dup(nowhere)
    if sys.stdout is None:
        # Open to read only, so that writing is the error that it is.
        unwritable = os.open(os.devnull, os.O_RDONLY)
        os.dup2(unwritable, _OUTPUT)
        os.close(unwritable)
        sys.stdout = _text(_OUTPUT)
    if sys.stderr is None:
        os.dup2(nowhere, _ERRORS)
        sys.stderr = _text(_ERRORS)
    os.close(nowhere)
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show is no reason to show nothing.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(message: str) -> None:
    """Write to the standard error; where that fails there is nowhere left to say so."""
    try:
        _echo(message, is_error=True)
    except OSError:
        discard(sys.stderr)


def say(message: str) -> None:
    """Write a line to the standard output that names files."""
    _echo(message)


def _echo(message: str, *, is_error: bool = False) -> None:
    # Start-up is felt, and a plan is shown without it.
    import click  # noqa: PLC0415

    click.echo(printable(message, keep="\n"), err=is_error)


def flush(stream: TextIO) -> None:
    """Let all that was written arrive; what cannot is let go of."""
    try:
        stream.flush()
    except OSError:
        discard(stream)


def discard(stream: TextIO) -> None:
    """Let Python flush at its end into nowhere, without a second complaint."""
    with suppress(OSError):  # A stream of a test has no number.
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)


def trouble(error: OSError) -> str:
    """Return what is wrong with a file or stream that could not be written."""
    if error.errno == errno.EBADF and error.filename is None:
        return f"cannot write: {_CLOSED}"
    where = f" '{error.filename}'" if error.filename else ""
    return f"cannot write{where}: {error.strerror or error}"


def _text(number: int) -> TextIO:
    return open(number, "w", encoding="utf-8", closefd=False)
