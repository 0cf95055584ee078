"""What all charts share: places for numbers, round marks, lines, dots and texts."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

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
        for mark, text in marks:
            y = self.y(mark)
            yield f'<path class="bw-grid" d="M{self.left:g} {y:.1f}H{self.right:g}"/>'
            yield letters(self.left - 8, y + 4, text, "end")

    def uprights(
        self, marks: Iterable[tuple[float, str]], *, is_lined: bool = True
    ) -> Iterator[str]:
        """Draw lines from top to bottom, if wanted, with a text below each."""
        for mark, text in marks:
            if is_lined:
                yield self._upright(mark, "bw-grid", self.top)
            yield letters(self.x(mark), self.bottom + 18, text, "middle")

    def path(
        self, points: Sequence[tuple[float, float]], *, is_stepped: bool = False
    ) -> str:
        """Return the path through points, straight or in steps."""
        places = [(f"{self.x(x):.1f}", f"{self.y(y):.1f}") for x, y in points]
        start, *others = places
        parts = [f"H{x}V{y}" if is_stepped else f"L{x} {y}" for x, y in others]
        return f"M{' '.join(start)}{''.join(parts)}"

    def base(self, number: float) -> str:
        """Draw the dashed line that all else is compared with."""
        return self._upright(number, "bw-mean", self.top - 8)

    def _upright(self, number: float, style: str, top: float) -> str:
        line = f"M{self.x(number):.1f} {top:g}V{self.bottom:g}"
        return f'<path class="{style}" d="{line}"/>'


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
        f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}">{about}</rect>'
    )


def dot(
    x: float, y: float, note: str, style: str = "bw-dot", radius: float = 4.5
) -> str:
    """Draw a dot, with a note for who points at it."""
    return (
        f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}">'
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


def letters(
    x: float, y: float, text: str, anchor: str, style: str = "bw-probabilities"
) -> str:
    """Write a text into a chart; what is no name has a printed minus."""
    shown = text if style == "bw-outcome" else minus(text)
    return (
        f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" font-size="12" '
        f'text-anchor="{anchor}">{words(shown)}</text>'
    )
