"""What all charts share: places for numbers, round marks, lines, dots and texts."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from branchwise.report.charts.pen import coordinate
from branchwise.report.markup import minus, words
from branchwise.report.text.wording import change, value
from branchwise.report.tree_drawing.lettering import legible, shortened

Span = tuple[float, float]

WIDE: Final = 760.0
"""How wide a chart is drawn on a page."""

NARROW: Final = 350.0
"""The same on a phone, where it fits without being made smaller."""

HALF: Final = 510.0
"""The same where two stand side by side."""

_NOTE: Final = re.compile(r"<title>[^<]*</title>")
_STEPS: Final = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Plot:
    """The area of a chart in which numbers have their places."""

    left: float
    right: float
    top: float
    bottom: float
    across: Span = (0.0, 1.0)  # the lowest and the highest number
    upward: Span = (0.0, 1.0)
    inset: Span = (0.0, 0.0)  # how far from the edges these two stand, sideways and up

    def x(self, number: float) -> float:
        """Return where a number stands from left to right."""
        aside, _ = self.inset
        length = self.right - self.left - 2 * aside
        return self.left + aside + _share(number, self.across) * length

    def y(self, number: float) -> float:
        """Return where a number stands from top to bottom."""
        _, aside = self.inset
        length = self.bottom - self.top - 2 * aside
        return self.bottom - aside - _share(number, self.upward) * length

    def levels(self, marks: Iterable[tuple[float, str]]) -> Iterator[str]:
        """Draw lines from left to right, with a text at the left of each."""
        listed = [(self.y(mark), text) for mark, text in marks]
        left, right = coordinate(self.left), coordinate(self.right)
        yield _grid(f"M{left} {coordinate(y)}H{right}" for y, _ in listed)
        for y, text in listed:
            yield letters(self.left - 8, y + 4, text, "end")

    def uprights(
        self, marks: Iterable[tuple[float, str]], *, is_lined: bool = True
    ) -> Iterator[str]:
        """Draw lines from top to bottom, if wanted, with a text below each."""
        listed = list(marks)
        if is_lined:
            yield _grid(self._upright(mark, self.top) for mark, _ in listed)
        for mark, text in listed:
            yield letters(self.x(mark), self.bottom + 18, text, "middle")

    def places(self, points: Iterable[Span]) -> list[Span]:
        """Return where points stand."""
        return [(self.x(x), self.y(y)) for x, y in points]

    def base(self, number: float) -> str:
        """Draw the dashed line that all else is compared with."""
        return f'<path class="bw-mean" d="{self._upright(number, self.top - 8)}"/>'

    def _upright(self, number: float, top: float) -> str:
        return (
            f"M{coordinate(self.x(number))} {coordinate(top)}V{coordinate(self.bottom)}"
        )


def _grid(lines: Iterable[str]) -> str:
    return f'<path class="bw-grid" d="{"".join(lines)}"/>'


def _share(number: float, ends: Span) -> float:
    low, high = ends
    return (number - low) / (high - low)


def span(numbers: Iterable[float]) -> Span:
    """Return the least and the greatest number, apart even where they are the same."""
    known = list(numbers)
    low, high = min(known), max(known)
    aside = 0.0 if low < high else abs(low) / 10 or 1.0
    return low - aside, high + aside


def rounded_ends(numbers: Iterable[float], about: int = 4) -> Span:
    """Return round numbers below and above the given ones and zero."""
    low, high = span([0.0, *numbers])
    step = round_step((high - low) / about)
    return step * (low // step), step * -(-high // step)


def written_marks(
    ends: Span, about: int, word: Callable[[float], str] = value
) -> list[tuple[float, str]]:
    """Return round numbers between two ends, each with its text."""
    return [(mark, word(mark)) for mark in marks(*ends, about)]


def for_screens(draw: Callable[[float], str], label: str, *, wide: float = WIDE) -> str:
    """
    Return a chart twice: drawn for a page, as wide as said, and for a phone.

    The style sheet shows one of the two; a chart made smaller could not be read.
    """
    # A finger cannot point at a bar to read its note.
    drawn = {"wide": draw(wide), "narrow": _NOTE.sub("", draw(NARROW))}
    shown = "\n".join(
        f'<div class="{screen}-chart">\n{chart}\n</div>'
        for screen, chart in drawn.items()
    )
    about = f'role="group" aria-label="{words(label)}"'
    return f'<div class="plot" {about}>\n{shown}\n</div>'


def side_by_side(charts: Iterable[tuple[str, str]]) -> str:
    """Return charts with their headings, two in a row where there is room for them."""
    each = (f"<div>\n<h3>{head}</h3>\n{chart}\n</div>" for head, chart in charts)
    return '<div class="charts">\n' + "\n".join(each) + "\n</div>"


def elided(labels: Sequence[str], length: int) -> list[str]:
    """
    Shorten labels so that no two of them that differ become the same.

    >>> elided(["scan the port of host 17", "scan the card of host 17"], 9)
    ['scan the p…of host 17', 'scan the c…of host 17']
    """
    known = [legible(label) for label in labels]
    longest = max(map(len, known), default=0)
    while length < longest:
        shown = [shortened(label, length) for label in known]
        if len(set(shown)) == len(set(known)):
            return shown
        length += 4
    return known


def svg(
    width: float, height: float, title: str, parts: Iterable[str], style: str = "chart"
) -> str:
    """Put a chart together; the title is for those who cannot see it."""
    content = "\n".join(parts)
    return (
        f'<svg class="{style}" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{words(title)}">\n{content}\n</svg>'
    )


def bar(corner: Span, size: Span, style: str, note: str = "") -> str:
    """Draw a bar from its upper left corner on, with a note for who points at it."""
    (x, y), (width, height) = corner, size
    about = f"<title>{words(note)}</title>" if note else ""
    return (
        f'<rect class="{style}" x="{coordinate(x)}" y="{coordinate(y)}" '
        f'width="{coordinate(width)}" height="{coordinate(height)}"'
        + (f">{about}</rect>" if about else "/>")
    )


def dot(
    x: float, y: float, note: str, style: str = "bw-dot", radius: float = 4.5
) -> str:
    """Draw a dot, with a note for who points at it."""
    return (
        f'<circle class="{style}" cx="{coordinate(x)}" cy="{coordinate(y)}" '
        f'r="{radius:g}">'
        f"<title>{words(note)}</title></circle>"
    )


def marks(low: float, high: float, about: int = 4) -> list[float]:
    """Return round numbers within a range, about so many steps apart."""
    step = round_step((high - low) / about)
    slack = 1e-9
    first, last = math.ceil(low / step - slack), math.floor(high / step + slack)
    return [clean(number * step) + 0.0 for number in range(first, last + 1)]


class Scale(NamedTuple):
    """Marks with what is written at them."""

    marks: list[tuple[float, str]]  # where they stand, and their text
    is_relative: bool  # whether the text is the change instead of the value


def scale(low: float, high: float, about: int, base: float) -> Scale:
    """Write values at marks, or changes from a base where values would read alike."""
    plain = [(mark, value(mark)) for mark in marks(low, high, about)]
    if len({text for _, text in plain}) == len(plain):
        return Scale(plain, is_relative=False)
    moved = marks(low - base, high - base, about)
    return Scale([(base + mark, change(mark, 4)) for mark in moved], is_relative=True)


def round_step(rough: float) -> float:
    """Return a step that reads well, and is not below a rough one."""
    power = 10.0 ** int(f"{rough:e}".split("e")[1])
    return next(step * power for step in _STEPS if step * power >= rough * 0.999)


def clean(number: float) -> float:
    """Return a number without what adding up floats has left behind its digits."""
    return float(f"{number:.9g}")


def letters(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    """
    Write a text into a chart; what is no name has a printed minus.

    How large and how dark it is without a style says the style sheet.
    """
    shown = text if style == "bw-outcome" else minus(text)
    named = f' class="{style}"' if style else ""
    start = "" if anchor == "start" else f' text-anchor="{anchor}"'
    place = f'x="{coordinate(x)}" y="{coordinate(y)}"'
    return f"<text{named} {place}{start}>{words(shown)}</text>"
