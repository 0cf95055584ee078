"""Rewarding sets, shown: a table, and what the sets say about the problem."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice
from typing import Any, ClassVar, Final

from branchwise.model.budget import DEFAULT_RESOURCE, Amounts, counted
from branchwise.report.answer import Answer, Detail
from branchwise.report.fields import (
    BOOLEAN,
    COUNT,
    EVENTS,
    FLOAT,
    NAMES,
    NUMBER,
    PROBABILITY,
    TEXT,
    Field,
    Kind,
    array,
    document,
    mapping,
    nullable,
    record,
)
from branchwise.report.json_text import Object, json_lines, json_number, json_text
from branchwise.report.text.ink import Ink, Look, title_line
from branchwise.report.text.label import cropped, display_width, label
from branchwise.report.text.wording import chance, count, plural, value
from branchwise.rewarding.listing import SetsListing
from branchwise.rewarding.sets import RewardingSet, RewardingSets

# How many sets are shown, and written for other programs, unless a listing says it.
_SHOWN, _WRITTEN = 20, 10_000

_COLUMNS: Final = ("rank", "reward", "probability", "strength", "cost")
_INKS: Final[tuple[Ink, ...]] = ("faint", "reward", "plain", "plain", "plain")
_GAP: Final = "  "
_INDENT: Final = 4

# Outcomes stand beside the numbers where they have this much room, and else below.
_NARROWEST: Final = 24
# So many rows are looked at before the first is written, to line up the columns.
_LINED_UP: Final = 20


def _plain_cost(row: tuple[Amounts, Sequence[str]]) -> int | float | Object:
    """Return one number, or one for each resource where these have names."""
    cost, resources = row
    if not resources:
        return json_number(cost.of(DEFAULT_RESOURCE))
    return {resource: json_number(cost.of(resource)) for resource in resources}


_COST: Final = Kind(
    {"anyOf": [{"type": "number"}, mapping(NUMBER).schema]}, _plain_cost
)


def _of_set(name: str) -> Any:
    return lambda row: getattr(row[0], name)


_SET: Final = record(
    Field("reward", NUMBER, _of_set("reward"), "What reaching it is worth."),
    Field("cost", _COST, lambda row: (row[0].cost, row[1])).about(
        "A number, or one for each resource."
    ),
    Field("probability", PROBABILITY, _of_set("probability")).about(
        "How likely all of it comes true, tried in this order."
    ),
    Field("needs", EVENTS, _of_set("needs")).about(
        "The outcomes, in an order in which they can happen."
    ),
    Field("order", NAMES, _of_set("order"), "The actions, in the same order."),
    Field("avoids", TEXT, _of_set("penalty"), is_optional=True).about(
        "The condition of the penalty that is avoided; left out where a reward is "
        "reached."
    ),
)

_REST: Final = (
    Field("num_sets", nullable(COUNT)).about(
        "How many there are, listed or not; may exceed 2^53. Null where a "
        "limit did not let them be counted."
    ),
    Field("complete", BOOLEAN, "is_complete", "Whether all sets are in the list."),
    Field("unused_actions", nullable(NAMES)).about(
        "Never worth taking at this budget: no derivation of a reward needs "
        "them. Null where not known."
    ),
    Field(
        "perfect_information",
        # As it was computed: a float, even where whole.
        nullable(FLOAT),
        lambda listing: listing.perfect_information(),
        "What could be expected at most if all outcomes were known beforehand; no "
        "plan is worth more. Null where not known.",
    ),
)


class SetsAnswer(Answer[RewardingSets | SetsListing]):
    """Outcomes that together reach a reward, none to spare: each as it is found."""

    page = "page.sets.sets_page"
    layout: ClassVar = document(
        "branchwise-rewarding-sets",
        "Outcomes that together reach a reward, none to spare.",
        Field(
            "rewarding_sets",
            array(_SET),
            lambda listing: ((each, listing.resources) for each in listing),
        ).about("By falling reward times probability."),
        *_REST,
    )

    def document(self) -> Object:
        """Return the sets as plain data, as many as their listing has."""
        written: Object = self.layout.plain(self._listing(_WRITTEN))
        return written

    def json(self) -> Iterator[str]:
        """Return the document as text, each set as soon as it is found."""
        listing = self._listing(_WRITTEN)
        head = dict(islice(self.layout.plain(SetsListing(None)).items(), 2))
        yield json_text(head).removesuffix("\n}") + ",\n"
        yield '  "rewarding_sets": ['
        separator = "\n    "
        for each in listing:
            [line] = json_lines([_SET.plain((each, listing.resources))])
            yield separator + line
            separator = ",\n    "
        yield "\n  ],\n" if listing.num_listed else "],\n"
        yield json_text(record(*_REST).plain(listing)).removeprefix("{\n") + "\n"

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return how many there are, the strongest, and what they say otherwise."""
        listing = self._listing(None if detail == "full" else _SHOWN)
        if listing.problem is not None:
            yield title_line(listing.problem, look)
        if listing.num_sets == 0:
            nothing = "no rewarding sets: this budget reaches no reward"
            yield from _sentence(nothing, look)
        elif listing.num_sets is not None:
            yield plural(listing.num_sets, "rewarding set")
        if detail == "answer":
            return
        yield from _Table(listing, look).lines()
        yield from remarks(listing, look)

    def _listing(self, usual: int | None) -> SetsListing:
        return listing_of(self.result, usual)


def listing_of(known: RewardingSets | SetsListing, usual: int | None) -> SetsListing:
    """Return sets as a listing, of as many as usual unless it says how many."""
    return known if isinstance(known, SetsListing) else SetsListing(known, limit=usual)


def remarks(listing: SetsListing, look: Look) -> Iterator[str]:
    """Return what the sets say besides, once they are listed."""
    for part in (_left_out, _unused, _dead_ends, _bound):
        yield from part(listing, look)


class _Table:
    """
    The sets as rows; columns get wider as they must, never narrower.

    Not a table of rich, which is laid out once its last row is known: these are shown
    as they are found, and there may be millions.
    """

    def __init__(self, listing: SetsListing, look: Look) -> None:
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
            _probability(found.probability),
            value(found.strength),
            self._cost(found.cost),
        )
        outcomes = [self._look.name(str(event)) for event in found.needs]
        if found.penalty is not None:
            avoided = f"avoids the penalty for {found.penalty}"
            return cells, [*outcomes, self._look.name(avoided)]
        return cells, outcomes or ["nothing at all"]

    def _cost(self, cost: Amounts) -> str:
        resources = self._listing.resources
        if not resources:
            return value(cost.of(DEFAULT_RESOURCE))
        named = [(counted(r, cost.of(r)), cost.of(r)) for r in resources if cost.of(r)]
        paid = [f"{value(n)} {self._look.name(resource, 0.2)}" for resource, n in named]
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
        pieces = [(cell + _GAP, ink) for cell, ink in zip(aligned, inks, strict=True)]
        numbers = self._look.uncut.line(*pieces)
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


def _probability(probability: Fraction) -> str:
    """Write a probability; small ones too, as it is by them that sets differ."""
    percent = 100 * float(probability)
    return f"{percent:.3g} %" if 0 < percent < 0.01 else chance(probability)


def _left_out(listing: SetsListing, look: Look) -> Iterator[str]:
    """Return in words what is missing from the table, and why."""
    if listing.is_complete:
        return
    yield ""
    total = plural(listing.num_sets, "set") if listing.num_sets else "the sets"
    shown = f"{count(listing.num_listed)} of {total}"
    why = listing.why_stopped
    more = f"stopped: {why}" if why else "--all lists all"
    yield from _sentence(f"{shown}; {more}", look, "title")


def _unused(listing: SetsListing, look: Look) -> Iterator[str]:
    yield ""
    unused = listing.unused_actions
    if unused is None:
        return
    if not unused:
        yield from _sentence("every action may be worth taking", look)
    elif listing.problem and len(unused) == len(listing.problem.actions):
        yield from _sentence("no action is worth taking at this budget", look)
    else:
        yield from _sentence("never worth taking at this budget:", look)
        for line in _filled([*map(look.name, unused)], _INDENT, look):
            yield " " * _INDENT + look.paint(line, "action")


def _dead_ends(listing: SetsListing, look: Look) -> Iterator[str]:
    issues = listing.dead_ends()
    if issues is None:
        yield from _sentence("dead ends: not known within these limits", look)
    for issue in issues or ():
        yield from _sentence(f"dead end: {issue.where}: {issue.what}", look)
        yield from _sentence(f"    fix: {issue.fix}", look, "faint")


def _bound(listing: SetsListing, look: Look) -> Iterator[str]:
    bound = listing.perfect_information()
    words = "not known within these limits"
    if bound is not None:
        words = f"no plan is worth more than {value(bound)}"
    yield from _sentence(f"perfect information: {words}", look)


def _sentence(text: str, look: Look, ink: Ink = "plain") -> Iterator[str]:
    """Return a sentence as lines, broken between words."""
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
        piece = cropped(part, room - len(separator.rstrip()), look.signs.ellipsis)
        piece += separator if number < len(parts) else ""
        size = display_width(piece.rstrip())
        if line and used + size > room:
            yield line.rstrip()
            line, used = "", 0
        line += piece
        used += display_width(piece)
    yield line
