"""Charts as SVG: points and lines on logarithmic axes, for light and dark pages."""

import math
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

COLORS = (("#0b62b8", "#6db3f2"), ("#b4430b", "#f5995c"), ("#1b7a3d", "#5fcf86"))
COLORS += (("#7a3ea8", "#c79bf0"), ("#6b6b6b", "#b5b5b5"))
"""One for light pages and one for dark ones; both can be told apart without red."""

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 74, 150, 24, 56


@dataclass(frozen=True)
class Series:
    """
    What is drawn in one color.

    `points` are marked, `line` is drawn through; `label` stands at the right end.
    """

    label: str
    points: list = field(default_factory=list)
    line: list = field(default_factory=list)
    is_dashed: bool = False


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis, from one power of ten to another."""

    title: str
    low: float
    high: float

    @classmethod
    def of(cls, title, values):
        low = 10.0 ** math.floor(math.log10(min(values)) + 1e-9)
        high = 10.0 ** math.ceil(math.log10(max(values)) - 1e-9)
        return cls(title, low, high if high > low else low * 10)

    def place(self, value):
        """Say where a value is: 0 at the low end, 1 at the high end."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return min(1.0, max(0.0, share))

    def ticks(self):
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        return [10.0**power for power in range(first, last + 1)]


def chart(title, series, *, x, y, y_from=math.inf):
    """Draw series on logarithmic axes with these titles; y begins there, or lower."""
    every = [point for s in series for point in (*s.points, *s.line)]
    x_axis = Axis.of(x, [point[0] for point in every])
    y_axis = Axis.of(y, [min(y_from, every[0][1]), *(point[1] for point in every)])
    drawing = _Drawing(x_axis, y_axis)
    body = [*drawing.frame()]
    for number, each in enumerate(series):
        body += drawing.series(each, number)
    body += drawing.labels(series)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" font-size="13" '
        'font-family="system-ui, sans-serif">'
    )
    lines = [head, f"<title>{escape(title)}</title>", _style(len(series)), *body]
    return "\n".join([*lines, "</svg>", ""])


def number_text(value):
    """
    Write a power of ten the way people do.

    Examples
    --------
    >>> [number_text(10.0**power) for power in (-4, -2, 0, 3, 6)]
    ['0.0001', '0.01', '1', '1,000', '1,000,000']
    """
    return f"{value:,.0f}" if value >= 1 else f"{value:.10f}".rstrip("0")


def _style(num_series):
    """Set colors by name, so that a dark page can have others."""
    light, dark = ["text{fill:#333}.grid{stroke:#ccc}"], []
    dark.append("text{fill:#ddd}.grid{stroke:#555}")
    for number in range(num_series):
        colors = COLORS[number % len(COLORS)]
        for rules, color in zip((light, dark), colors, strict=True):
            rules.append(f".s{number}{{stroke:{color}}}.f{number}{{fill:{color}}}")
    night = f"@media(prefers-color-scheme:dark){{{''.join(dark)}}}"
    return f"<style>{''.join(light)}{night}</style>"


class _Drawing:
    """Where things go."""

    def __init__(self, x_axis, y_axis):
        self.x_axis, self.y_axis = x_axis, y_axis

    def at(self, point):
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        x = LEFT + self.x_axis.place(point[0]) * (right - LEFT)
        y = bottom - self.y_axis.place(point[1]) * (bottom - TOP)
        return round(x, 1), round(y, 1)

    def frame(self):
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        for tick in self.x_axis.ticks():
            x, _ = self.at((tick, self.y_axis.low))
            yield f'<path class="grid" d="M{x} {TOP}V{bottom}"/>'
            yield _text(x, bottom + 18, number_text(tick), "middle")
        for tick in self.y_axis.ticks():
            _, y = self.at((self.x_axis.low, tick))
            yield f'<path class="grid" d="M{LEFT} {y}H{right}"/>'
            yield _text(LEFT - 8, y + 4, number_text(tick), "end")
        yield _text((LEFT + right) / 2, HEIGHT - 12, self.x_axis.title, "middle")
        yield _text(8, 14, self.y_axis.title, "start")

    def series(self, series, number):
        if series.line:
            path = "L".join(f"{x} {y}" for x, y in map(self.at, series.line))
            dashes = ' stroke-dasharray="5 4"' if series.is_dashed else ""
            yield (
                f'<path class="s{number}" fill="none" stroke-width="1.8"'
                f'{dashes} d="M{path}"/>'
            )
        for x, y in map(self.at, series.points):
            yield f'<circle class="f{number}" cx="{x}" cy="{y}" r="4"/>'

    def labels(self, series):
        """Write each label beside the end of its series, none on another."""
        ends = []
        for number, each in enumerate(series):
            last = max(each.line or each.points)
            ends.append([self.at(last)[1] + 4, number, each.label])
        ends.sort()
        for before, end in pairwise(ends):
            end[0] = max(end[0], before[0] + 17)
        # The numbers of the axis stand below.
        too_low = max(0, ends[-1][0] - (HEIGHT - BOTTOM))
        for y, number, label in ends:
            yield _text(WIDTH - RIGHT + 10, y - too_low, label, "start", f"f{number}")


def _text(x, y, text, anchor, name=""):
    kind = f' class="{name}"' if name else ""
    return f'<text{kind} x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
