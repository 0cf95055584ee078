"""Rewarding sets as text: a table, and what the sets tell about the problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice
from typing import Final

from branchwise.model.budget import DEFAULT_RESOURCE, Amounts
from branchwise.report.answers.sets_listing import LISTED_AS_TEXT, Listing
from branchwise.report.text.ink import Ink, Look, Paint, uncolored
from branchwise.report.text.label import cropped, display_width, label
from branchwise.report.text.title_line import title_line
from branchwise.report.text.wording import chance, count, plural, value
from branchwise.rewarding.sets import RewardingSet, RewardingSets

__all__ = ["sets_lines"]

_COLUMNS: Final = ("rank", "reward", "probability", "strength", "cost")
_INKS: Final[tuple[Ink, ...]] = ("faint", "reward", "plain", "plain", "plain")
_GAP: Final = "  "
_INDENT: Final = 4

# Outcomes stand beside the numbers where they have this much room, and else below.
_NARROWEST: Final = 24

# So many rows are looked at before the first is written, to line up the columns.
_LINED_UP: Final = 20


def sets_lines(
    sets: RewardingSets,
    *,
    limit: int | None = LISTED_AS_TEXT,
    time_limit_seconds: float | None = None,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Tell rewarding sets line by line, each as soon as it is found.

    Parameters
    ----------
    sets
        What to tell.
    limit
        How many sets to list, the strongest first; None for all.
    time_limit_seconds
        How long to go on listing; None for as long as it takes.
    width
        Break lines that are longer; None lets them be.
    is_ascii
        Write without the marks that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    look = Look(width, is_ascii, paint)
    listing = Listing(sets, limit=limit, time_limit_seconds=time_limit_seconds)
    return chain(
        _head(sets, listing, look),
        _Table(listing, look).lines(),
        _left_out(listing, look),
        _unused(sets, listing, look),
        _dead_ends(listing, look),
        _bound(listing, look),
    )


def _head(sets: RewardingSets, listing: Listing, look: Look) -> Iterator[str]:
    yield title_line(sets.problem, look)
    if listing.num_sets == 0:
        yield from _told("no rewarding sets: this budget reaches no reward", look)
    elif listing.num_sets is not None:
        yield plural(listing.num_sets, "rewarding set")


class _Table:
    """The sets as rows; columns get wider as they must, never narrower."""

    def __init__(self, listing: Listing, look: Look) -> None:
        self._listing = listing
        self._look = look
        self._widths = [len(column) for column in _COLUMNS]

    def lines(self) -> Iterator[str]:
        rows = map(self._row, self._listing)
        first = list(islice(rows, _LINED_UP))
        if not first:
            return
        for cells, _ in first:
            self._make_room(cells)
        yield ""
        yield from self._lines(_COLUMNS, ["outcomes, in order"], is_title=True)
        for cells, outcomes in chain(first, rows):
            self._make_room(cells)
            yield from self._lines(cells, outcomes)

    def _row(self, found: RewardingSet) -> tuple[Sequence[str], list[str]]:
        cells = (
            str(self._listing.num_listed),
            value(found.reward),
            _odds(found.probability),
            value(found.strength),
            self._cost(found.cost),
        )
        outcomes = [self._look.name(str(event)) for event in found.needs]
        return cells, outcomes or ["nothing at all"]

    def _cost(self, cost: Amounts) -> str:
        resources = self._listing.resources
        if not resources:
            return value(cost.of(DEFAULT_RESOURCE))
        named = [(self._look.name(r, 0.2), cost.of(r)) for r in resources]
        paid = [f"{value(amount)} {name}" for name, amount in named if amount]
        return ", ".join(paid) or "0"

    def _make_room(self, cells: Sequence[str]) -> None:
        sizes = zip(self._widths, cells, strict=True)
        self._widths = [max(size, display_width(cell)) for size, cell in sizes]

    def _lines(
        self, cells: Sequence[str], outcomes: list[str], *, is_title: bool = False
    ) -> Iterator[str]:
        aligned = [
            " " * (size - display_width(cell)) + cell
            for size, cell in zip(self._widths, cells, strict=True)
        ]
        inks: Sequence[Ink] = ["faint"] * len(cells) if is_title else _INKS
        # Numbers are not cut: better two rows than half a number.
        numbers = Look(paint=self._look.paint).line(
            (cell + _GAP, ink) for cell, ink in zip(aligned, inks, strict=True)
        )
        indent = sum(len(_GAP) + size for size in self._widths)
        width = self._look.width
        if width is not None and width - indent < _NARROWEST:
            yield numbers.rstrip()
            indent, numbers = _INDENT, " " * _INDENT
        ink: Ink = "faint" if is_title else "plain"
        first, *others = _filled(outcomes, indent, self._look)
        yield numbers + self._look.paint(first, ink)
        for line in others:
            yield " " * indent + self._look.paint(line, ink)


def _odds(probability: Fraction) -> str:
    """Write a probability; small ones too, as it is by them that sets differ."""
    percent = 100 * float(probability)
    return f"{percent:.3g} %" if 0 < percent < 0.01 else chance(probability)


def _left_out(listing: Listing, look: Look) -> Iterator[str]:
    """Say what is missing from the table, and why."""
    if listing.is_complete:
        return
    yield ""
    total = plural(listing.num_sets, "set") if listing.num_sets else "the sets"
    shown = f"{count(listing.num_listed)} of {total}"
    if listing.why_stopped:
        words = f"{shown}; stopped: {listing.why_stopped}"
    else:
        words = f"{shown}; --all lists all"
    yield from _told(words, look, "title")


def _unused(sets: RewardingSets, listing: Listing, look: Look) -> Iterator[str]:
    yield ""
    unused = listing.unused_actions
    if unused is None:
        return
    if not unused:
        yield from _told("every action may be worth taking", look)
    elif len(unused) == len(sets.problem.actions):
        yield from _told("no action is worth taking at this budget", look)
    else:
        yield from _told("never worth taking at this budget:", look)
        names = [look.name(name) for name in unused]
        for line in _filled(names, _INDENT, look):
            yield " " * _INDENT + look.paint(line, "action")


def _dead_ends(listing: Listing, look: Look) -> Iterator[str]:
    issues = listing.dead_ends()
    if issues is None:
        yield from _told("dead ends: not known within these limits", look)
    for issue in issues or ():
        yield from _told(f"dead end: {issue.where}: {issue.what}", look)
        yield from _told(f"    fix: {issue.fix}", look, "faint")


def _bound(listing: Listing, look: Look) -> Iterator[str]:
    bound = listing.perfect_information()
    if bound is None:
        words = "perfect information: not known within these limits"
    else:
        words = f"perfect information: no plan is worth more than {value(bound)}"
    yield from _told(words, look)


def _told(text: str, look: Look, ink: Ink = "plain") -> Iterator[str]:
    """Give a sentence as lines, broken between words."""
    start = len(text) - len(text.lstrip())
    words = label(text).split()
    for number, line in enumerate(_filled(words, _INDENT, look, separator=" ")):
        yield look.paint(" " * (start or bool(number) * _INDENT) + line, ink)


def _filled(
    parts: Sequence[str], indent: int, look: Look, separator: str = ", "
) -> Iterator[str]:
    """Put as many parts on a line as have room beside the indent."""
    if look.width is None:
        yield separator.join(parts)
        return
    room = max(look.width - indent, _NARROWEST)
    line, used = "", 0
    for number, part in enumerate(parts, start=1):
        piece = cropped(part, room - len(separator.rstrip()), look.ellipsis)
        piece += separator if number < len(parts) else ""
        size = display_width(piece.rstrip())
        if line and used + size > room:
            yield line.rstrip()
            line, used = "", 0
        line += piece
        used += display_width(piece)
    yield line
