"""Values as the command line takes them: text, whole numbers and quantities."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

Command = Callable[..., None]

_LONGEST: Final = 60
_MOST: Final = 10**9

_SHARES: Final = {"": 1.0, "%": 0.01}
_SECONDS: Final = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES: Final = {
    "": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
    "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30, "tib": 2.0**40,
}  # fmt: skip

# Past these, what computes with them could count no further.
_MOST_SHARE: Final = 1e6
_MOST_SECONDS: Final = 1e9
_MOST_BYTES: Final = 1e18


def short(text: str) -> str:
    """Shorten text that is shown in a message."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


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


class WholeNumber(click.IntRange):
    """
    A whole number that is neither too little nor more than could ever be meant.

    Help shows only what it is at least, as few come near the most.
    """

    def __init__(self, least: int, most: int = _MOST) -> None:
        super().__init__(min=least)
        self._least = least
        self._most = most

    def _describe_range(self) -> str:
        """Describe it for help, in words instead of `x>=1`."""
        return f"{self._least} or more"

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
            self.fail(f"{shown} is too little; write {self._least} or more", param, ctx)
        if number > self._most:
            self.fail(f"{shown} is too much; write {self._most:,} or less", param, ctx)
        return number


def with_options(
    command: Command, options: Sequence[Callable[[Command], Command]]
) -> Command:
    """Return the command with options, in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def choice_option(
    option: str, choices: Sequence[str], help_text: str
) -> Callable[[Command], Command]:
    """Return an option with these choices, of which the first is the default."""
    return valued(option, click.Choice(choices), help_text, usual=choices[0])


def valued(
    spelling: str, kind: Any, help_text: str, *, usual: Any = None, **more: Any
) -> Callable[[Command], Command]:
    """
    Return an option that takes a value, spelled as help does: ``--gap SHARE``.

    Between the two may stand what the command calls it. What is usual is shown.
    """
    names = spelling.split()
    metavar = names.pop() if names[-1][0].isupper() else None
    if usual is not None:
        more |= {"default": usual, "show_default": True}
    return click.option(*names, type=kind, metavar=metavar, help=help_text, **more)


def words(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Read an option with commas that may be repeated: ``--only a,b --only c``."""
    return tuple(word.strip() for text in texts for word in text.split(","))


def share(text: str | float) -> float:
    """Read a share of something, such as ``5%``."""
    return _quantity(text, _SHARES, _MOST_SHARE, "write `1%` or `0.01`")


def time(text: str | float) -> float:
    """Read a time, such as ``1.5 m``, in seconds."""
    return _positive(text, _SECONDS, _MOST_SECONDS, "write seconds, `5m` or `2h`")


def memory(text: str | float) -> int:
    """Read an amount of memory, such as ``2 GiB``, in bytes."""
    return int(_positive(text, _BYTES, _MOST_BYTES, "write `500MB`, say, or `2GB`"))


def _positive(
    text: str | float, units: Mapping[str, float], most: float, fix: str
) -> float:
    quantity = _quantity(text, units, most, fix)
    if quantity <= 0:
        raise click.BadParameter(f"`{short(str(text))}` is nothing at all; {fix}")
    return quantity


def _quantity(
    text: str | float, units: Mapping[str, float], most: float, fix: str
) -> float:
    match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(\D*?)\s*", str(text).casefold())
    shown = f"`{short(str(text))}`"
    if match is None or match[2] not in units:
        raise click.BadParameter(f"{shown} is not understood; {fix}")
    quantity = float(match[1]) * units[match[2]]
    if quantity > most:
        raise click.BadParameter(f"{shown} is too much to be meant; {fix}")
    return quantity
