"""Files to read, as the command line takes them."""

from __future__ import annotations

import os
import sys
from typing import Final

import click

__all__ = ["INPUT_FILE"]


class _InputFile(click.Path):
    """A file to read; ``-`` is the standard input, if there is one."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        path = os.fspath(value)
        if path == "-" and sys.stdin is None:
            self.fail("the standard input is closed; name a file", param, ctx)
        return path


INPUT_FILE: Final = _InputFile()
