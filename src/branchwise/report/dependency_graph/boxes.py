"""The boxes of a dependency graph: what they say, how large they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise.model.action import Action
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts
from branchwise.model.number import number_text
from branchwise.model.problem import Reward
from branchwise.report.dependency_graph.dependencies import Dependencies, Gate, Relation
from branchwise.report.text.wording import chance, plural, value
from branchwise.report.tree_drawing.lettering import (
    ELLIPSIS,
    cropped,
    legible,
    text_width,
)
from branchwise.report.tree_drawing.svg_pieces import LABEL_SIZE, NODE_SIZE

HEAD: Final = 28.0
ROW: Final = 19.0
"""The heights of the head of a box, and of each row below it."""

STAR: Final = 30.0
"""The radius of a star."""

_SIDE: Final = 12.0  # around the text of a box
_SPACE: Final = 18.0  # between what stands left and right in a row
_GATE_HEIGHT: Final = 26.0
_MOST_ROWS: Final = 6
_WIDEST_IN_STAR: Final = 36.0


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
        return HEAD + ROW * len(self.rows) + 5

    def leaves(self, outcome: str | None) -> float:
        """Return how far below its middle a wire from an outcome leaves."""
        shown = [row.outcome for row in self.rows]
        if outcome not in shown or outcome is None:
            return HEAD / 2 - self.height / 2
        return HEAD + ROW * (shown.index(outcome) + 0.5) - self.height / 2

    def enters(self, relation: Relation) -> float:
        """Return how far below its middle a wire arrives."""
        rows = {Relation.NEEDS: 0.0, Relation.RULES_OUT: 1.0, Relation.CHANGES: 2.0}
        down = HEAD / 2 + ROW * rows[relation] * 0.75
        return min(down, self.height - 8) - self.height / 2


@dataclass(frozen=True, slots=True)
class GateBox:
    """A gate, which says how conditions are put together."""

    gate: Gate

    @property
    def width(self) -> float:
        """The width of its word."""
        return text_width(self.gate.value, LABEL_SIZE) + 26

    @property
    def height(self) -> float:
        """Always the same."""
        return _GATE_HEIGHT

    def leaves(self, outcome: str | None) -> float:  # noqa: ARG002
        """Let wires leave in the middle."""
        return 0.0

    def enters(self, relation: Relation) -> float:  # noqa: ARG002
        """Let wires arrive in the middle."""
        return 0.0


@dataclass(frozen=True, slots=True)
class StarBox:
    """A reward."""

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
        return max(2 * STAR, text_width(self.text, NODE_SIZE))

    @property
    def height(self) -> float:
        """The height of the star, and of the text where it stands below."""
        return 2 * STAR if self.is_inside else 2 * STAR + 18

    def leaves(self, outcome: str | None) -> float:
        """No wire ever leaves."""
        raise AssertionError(outcome)

    def enters(self, relation: Relation) -> float:  # noqa: ARG002
        """Let wires arrive in the middle of the star."""
        return STAR - self.height / 2


def boxes(graph: Dependencies) -> list[ActionBox | GateBox | StarBox]:
    """Return the boxes of a graph, with what they contain."""
    used = {(link.source, link.outcome) for link in graph.links}
    result: list[ActionBox | GateBox | StarBox] = []
    for number, item in enumerate(graph.items):
        if isinstance(item, Action):
            labels = {label for label in item.labels if (number, label) in used}
            result.append(_action_box(item, labels, graph.own.get(number, ())))
        elif isinstance(item, Reward):
            is_penalty = item.value < 0
            noun = "penalty" if is_penalty else "reward"
            tooltip = f"{noun} {value(item.value)} when {legible(str(item.when))}"
            result.append(StarBox(value(item.value), tooltip, is_penalty))
        else:
            result.append(GateBox(item))
    return result


def cost_words(cost: Amounts) -> str:
    """
    Return what an action costs.

    >>> cost_words(Amounts(2)), cost_words(Amounts(0))
    ('cost 2', 'free')
    >>> cost_words(Amounts({"money": 3, "days": "1/2"}))
    'cost 3 money, 0.5 days'
    """
    parts = [
        number_text(amount)
        if resource == DEFAULT_RESOURCE
        else f"{number_text(amount)} {legible(resource)}"
        for resource, amount in cost.items()
    ]
    return f"cost {', '.join(parts)}" if parts else "free"


def _action_box(action: Action, used: set[str], own: tuple[str, ...]) -> ActionBox:
    shown = list(action.outcomes)
    if len(shown) > _MOST_ROWS:
        shown = [outcome for outcome in shown if outcome.label in used]
    rows = [
        Row(cropped(legible(o.label)), chance(o.probability), o.label) for o in shown
    ]
    if len(shown) < len(action.outcomes):
        others = plural(len(action.outcomes) - len(shown), "other outcome")
        rest = sum((o.probability for o in shown), Fraction(0))
        rows.append(Row(f"{ELLIPSIS} {others}", chance(1 - rest)))
    remark = _remark(action, own)
    if remark:
        rows.append(Row(remark))
    return ActionBox(
        name=cropped(legible(action.name)),
        cost=cropped(cost_words(action.cost), 30),
        rows=tuple(rows),
        tooltip="\n".join(_tooltip(action)),
    )


def _remark(action: Action, own: tuple[str, ...]) -> str:
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
    if action.requires.parts() or list(action.requires.mentions()):
        lines.append(f"requires {action.requires}")
    if list(action.precluded_by.mentions()):
        lines.append(f"precluded by {action.precluded_by}")
    lines += [
        f"other probabilities or cost when {clause.when}" for clause in action.given
    ]
    return lines


def _joined(left: float, right: str) -> float:
    return left + (_SPACE + text_width(right, LABEL_SIZE) if right else 0.0)
