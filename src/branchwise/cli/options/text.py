"""Text as the command line takes it."""

from __future__ import annotations

from typing import Any, Final

import click

__all__ = ["TEXT", "short"]

_LONGEST: Final = 60


class _Text(click.types.StringParamType):
    """Text that can be written down: a command line may hold bytes that are none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        text = str(value)
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                byte = ord(text[error.start]) & 0xFF
                what = f"`{short(text)}` is not UTF-8 text: byte 0x{byte:02x}"
                self.fail(f"{what}; write it in UTF-8", param, ctx)
        return text


TEXT: Final = _Text()


def short(text: str) -> str:
    """
    Shorten text that is shown in a message.

    Examples
    --------
    >>> short("9" * 26), len(short("9" * 10_000))
    ('99999999999999999999999999', 60)
    """
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
