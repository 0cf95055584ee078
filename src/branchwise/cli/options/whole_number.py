"""Whole numbers as the command line takes them."""

from __future__ import annotations

from typing import Any, Final

import click

from branchwise.cli.options.text import short

__all__ = ["WholeNumber"]

_MOST: Final = 10**9


class WholeNumber(click.IntRange):
    """
    A whole number that is neither too little nor more than could ever be meant.

    Parameters
    ----------
    least, most
        What it is at least, and at most; help shows only the former, as few come near
        the latter.
    """

    def __init__(self, least: int, most: int = _MOST) -> None:
        super().__init__(min=least)
        self._least = least
        self._most = most

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number; say what is wrong with anything else."""
        shown = f"`{short(str(value))}`"
        try:
            number = int(value)
        except ValueError:  # Python reads no more than 4,300 digits.
            span = f"write one from {self._least} to {self._most:,}"
            self.fail(f"{shown} is not a whole number; {span}", param, ctx)
        if number < self._least:
            fix = f"write {self._least} or more"
            self.fail(f"{shown} is too little; {fix}", param, ctx)
        if number > self._most:
            self.fail(f"{shown} is too much; write {self._most:,} or less", param, ctx)
        return number
