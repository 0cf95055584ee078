"""The boxes of a dependency graph: what they say, how large they are, in SVG."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED, Amounts
from branchwise.model.conditions.condition import ALWAYS, NEVER
from branchwise.model.numbers.number import number_text
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Reward
from branchwise.report.dependency_graph.dependencies import Dependencies, Gate, Relation
from branchwise.report.text.wording import chance, plural, value
from branchwise.report.tree_drawing.branch_costs import amount_words
from branchwise.report.tree_drawing.lettering import (
    ELLIPSIS,
    cropped,
    legible,
    text_width,
)
from branchwise.report.tree_drawing.svg_pieces import (
    LABEL_SIZE,
    NODE_SIZE,
    Color,
    number,
    tag,
    text,
)

OUTLINE: Final = "#6b7a8a"
"""The color of frames and wires."""

_HEAD: Final = 28.0  # the height of the head of a box
_ROW: Final = 19.0  # ... and of each row below it
_STAR: Final = 30.0  # the radius of a star
_SIDE: Final = 12.0  # around the text of a box
_SPACE: Final = 18.0  # between what stands left and right in a row
_GATE_HEIGHT: Final = 26.0
_MOST_ROWS: Final = 6
_WIDEST_IN_STAR: Final = 36.0
_POINTS: Final = 5
_ENDS: Final = {
    "keep": "\N{BLACK SQUARE} ends",
    "lose": "\N{BLACK SQUARE} ends, all lost",
}
_WAIST: Final = 0.6  # of a star: the radius between its points, as a share


@dataclass(frozen=True, slots=True)
class Row:
    """One row below the head of an action: an outcome, or a remark."""

    text: str
    chance: str = ""
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class ActionBox:
    """An action: its name and cost, and its outcomes below."""

    name: str
    cost: str
    rows: tuple[Row, ...]  # the outcomes, and what else is to be said
    tooltip: str

    @property
    def width(self) -> float:
        """The width of its words."""
        head = _joined(text_width(self.name, NODE_SIZE) * 1.06, self.cost)
        below = [_joined(text_width(r.text, LABEL_SIZE), r.chance) for r in self.rows]
        return max(head, *below) + 2 * _SIDE

    @property
    def height(self) -> float:
        """The height of its head and its rows."""
        return _HEAD + _ROW * len(self.rows) + 5

    def leaves(self, outcome: str | None) -> float:
        """Return how far below its middle a wire from an outcome leaves."""
        shown = [row.outcome for row in self.rows]
        if outcome not in shown or outcome is None:
            return _HEAD / 2 - self.height / 2
        return _HEAD + _ROW * (shown.index(outcome) + 0.5) - self.height / 2

    def enters(self, relation: Relation) -> float:
        """Return how far below its middle a wire arrives."""
        rows = {Relation.NEEDS: 0.0, Relation.RULES_OUT: 1.0, Relation.CHANGES: 2.0}
        down = _HEAD / 2 + _ROW * rows[relation] * 0.75
        return min(down, self.height - 8) - self.height / 2

    def svg(self, width: float) -> Iterator[str]:
        """Draw its name and cost, and a row for each outcome."""
        size = {"width": number(width), "height": number(self.height), "rx": "8"}
        frame = {**size, "fill": Color.PAPER, "stroke": OUTLINE, "stroke-width": "1.5"}
        name = {"x": "12", "y": "19", "fill": Color.INK, "font-weight": "600"}
        yield tag("title", {}, text(self.tooltip))
        yield tag("rect", {**frame, "class": "bw-box"})
        yield tag("text", {**name, "class": "bw-outcome"}, text(self.name))
        yield _at_the_right(width, "19", self.cost)
        rule = {
            "d": f"M0 {_HEAD:g}H{number(width)}",
            "stroke": OUTLINE,
            "class": "bw-rule",
        }
        yield tag("path", {**rule, "stroke-width": "0.75"})
        for place, row in enumerate(self.rows):
            y = number(_HEAD + _ROW * place + 15)
            words = {
                "x": "12",
                "y": y,
                "fill": Color.INK,
                "font-size": f"{LABEL_SIZE:g}",
            }
            if row.outcome is None:
                words |= {"fill": Color.MUTED, "font-style": "italic"}
            style = "bw-probabilities" if row.outcome is None else "bw-outcome"
            yield tag("text", {**words, "class": style}, text(row.text))
            if row.chance:
                yield _at_the_right(width, y, row.chance)


def _joined(left: float, right: str) -> float:
    return left + (_SPACE + text_width(right, LABEL_SIZE) if right else 0.0)


def _at_the_right(width: float, y: str, words: str) -> str:
    look = {"x": number(width - 12), "y": y, "fill": Color.MUTED}
    look |= {"font-size": f"{LABEL_SIZE:g}", "text-anchor": "end"}
    return tag("text", {**look, "class": "bw-probabilities"}, text(words))


@dataclass(frozen=True, slots=True)
class GateBox:
    """A gate, which says how conditions are put together; wires meet its middle."""

    gate: Gate
    height = _GATE_HEIGHT

    @property
    def width(self) -> float:
        """The width of its word."""
        return text_width(legible(self.gate.words), LABEL_SIZE) + 26

    def leaves(self, outcome: str | None) -> float:  # noqa: ARG002
        """Let wires leave in the middle."""
        return 0.0

    def enters(self, relation: Relation) -> float:  # noqa: ARG002
        """Let wires arrive in the middle."""
        return 0.0

    def svg(self, width: float) -> Iterator[str]:
        """Draw it with its word."""
        look = {"fill": "#e9eef3", "stroke": OUTLINE, "stroke-width": "1.5"}
        yield tag("path", {"d": self._outline(), **look, "class": "bw-gate"})
        words = {
            "x": number(width / 2),
            "y": "17",
            "fill": Color.INK,
            "font-weight": "600",
        }
        words |= {"text-anchor": "middle", "font-size": f"{LABEL_SIZE:g}"}
        yield tag(
            "text", {**words, "class": "bw-outcome"}, text(legible(self.gate.words))
        )

    def _outline(self) -> str:
        """Draw AND round on its right, as engineers do, OR pointed; else a box."""
        width, height = self.width, self.height
        middle = height / 2
        if self.gate == Gate.AND:
            flat = number(width - middle)
            return f"M0 0H{flat}A{middle:g} {middle:g} 0 0 1 {flat} {height:g}H0Z"
        if self.gate == Gate.OR:
            start, end, dent = number(width * 0.45), number(width), number(middle * 0.6)
            top = f"M0 0H{start}Q{number(width * 0.8)} 0 {end} {middle:g}"
            bottom = f"Q{number(width * 0.8)} {height:g} {start} {height:g}H0"
            return f"{top}{bottom}Q{dent} {middle:g} 0 0Z"
        return f"M0 0H{number(width)}V{height:g}H0Z"


@dataclass(frozen=True, slots=True)
class StarBox:
    """A reward: what it is worth and what it takes; no wire ever leaves it."""

    text: str
    tooltip: str
    is_penalty: bool  # whether it is below zero

    @property
    def is_inside(self) -> bool:
        """Whether the text fits into the star, or else stands below."""
        return text_width(self.text, NODE_SIZE) <= _WIDEST_IN_STAR

    @property
    def width(self) -> float:
        """The width of star and text."""
        return max(2 * _STAR, text_width(self.text, NODE_SIZE))

    @property
    def height(self) -> float:
        """The height of the star, and of the text where it stands below."""
        return 2 * _STAR if self.is_inside else 2 * _STAR + 18

    def leaves(self, outcome: str | None) -> float:
        """No wire ever leaves."""
        raise AssertionError(outcome)

    def enters(self, relation: Relation) -> float:  # noqa: ARG002
        """Let wires arrive in the middle of the star."""
        return _STAR - self.height / 2

    def svg(self, width: float) -> Iterator[str]:
        """Draw the star; that of a penalty is hollow."""
        look = {"fill": Color.ACCENT, "stroke": Color.ACCENT, "class": "bw-star"}
        letters = {"fill": "#ffffff", "class": "bw-on-star"}
        if self.is_penalty:
            look = {"fill": Color.PAPER, "stroke": Color.ACCENT, "class": "bw-lost"}
        if self.is_penalty or not self.is_inside:
            letters = {"fill": Color.INK, "class": "bw-outcome"}
        outline = star_outline(width / 2, _STAR, _STAR)
        place = {"x": number(width / 2), "text-anchor": "middle", "font-weight": "700"}
        place["y"] = number(_STAR + 6 if self.is_inside else 2 * _STAR + 13)
        yield tag("title", {}, text(self.tooltip))
        yield tag("path", {"d": outline, **look, "stroke-width": "2"})
        yield tag("text", {**place, **letters}, text(self.text))


AnyBox = ActionBox | GateBox | StarBox


def star_outline(x: float, y: float, radius: float) -> str:
    """Draw a star around a point."""
    corners = []
    for step in range(2 * _POINTS):
        angle = math.pi * (step / _POINTS - 0.5)
        reach = radius * (_WAIST if step % 2 else 1.0)
        corner = x + reach * math.cos(angle), y + reach * math.sin(angle)
        corners.append(" ".join(map(number, corner)))
    return f"M{'L'.join(corners)}Z"


def boxes(graph: Dependencies) -> list[AnyBox]:
    """Return the boxes of a graph, with what they contain."""
    used = {(link.source, link.outcome) for link in graph.links}
    result: list[AnyBox] = []
    for place, item in enumerate(graph.items):
        if isinstance(item, Action):
            labels = {label for label in item.labels if (place, label) in used}
            result.append(_action_box(item, labels, graph, place))
        elif isinstance(item, Reward):
            is_penalty = item.value < 0
            noun = "penalty" if is_penalty else "reward"
            words = reward_words(item)
            when = "" if item.per else f" when {legible(str(item.when))}"
            result.append(StarBox(words, f"{noun} {words}{when}", is_penalty))
        else:
            result.append(GateBox(item))
    return result


def reward_words(reward: Reward) -> str:
    """Return what a reward pays."""
    per = "" if reward.per is None else f" per {cropped(legible(reward.per))}"
    return f"{value(reward.value)}{per}"


def cost_words(cost: Amounts) -> str:
    """Return what an action costs."""
    words = amount_words(cost, number_text)
    return f"cost {words}" if words else "free"


def _action_box(
    action: Action, used: set[str], graph: Dependencies, place: int
) -> ActionBox:
    shown = list(action.outcomes)
    if len(shown) > _MOST_ROWS:
        shown = [outcome for outcome in shown if outcome.label in used]
    rows = [Row(outcome_words(o, graph), chance(o.probability), o.label) for o in shown]
    if len(shown) < len(action.outcomes):
        others = plural(len(action.outcomes) - len(shown), "other outcome")
        rest = sum((o.probability for o in shown), Fraction(0))
        rows.append(Row(f"{ELLIPSIS} {others}", chance(1 - rest)))
    rows += map(Row, remarks(action, graph, place))
    return ActionBox(
        name=cropped(legible(action.name)),
        cost=cropped(cost_words(action.cost), 30),
        rows=tuple(rows),
        tooltip="\n".join(_tooltip(action)),
    )


def outcome_words(outcome: Outcome, graph: Dependencies) -> str:
    """Return an outcome, and that it ends everything where no line says so."""
    label = cropped(legible(outcome.label))
    if outcome.ends is None or graph.has_ending_boxes:
        return label
    return f"{label} {_ENDS[outcome.ends]}"


def remarks(action: Action, graph: Dependencies, place: int) -> Iterator[str]:
    """Return how often it can be taken, and what rules it out with many others."""
    if often := _attempts(action, graph.own.get(place, ())):
        yield often
    if letter := graph.shared.get(place):
        yield f"ruled out by {letter}"


def _attempts(action: Action, own: tuple[str, ...]) -> str:
    """Return how often it can be taken, and what of its own ends that."""
    words = []
    if action.attempts == UNLIMITED:
        words.append("any number of times")
    elif action.attempts > 1:
        words.append(f"up to {action.attempts} times")
    if own:
        words.append(f"until {cropped(' or '.join(map(legible, own)))}")
    return ", ".join(words)


def _tooltip(action: Action) -> list[str]:
    lines = [legible(action.name), cost_words(action.cost)]
    if action.requires != ALWAYS:
        lines.append(f"requires {action.requires}")
    if action.precluded_by != NEVER:
        lines.append(f"precluded by {action.precluded_by}")
    lines += [f"other probabilities or cost when {g.when}" for g in action.given]
    return lines
