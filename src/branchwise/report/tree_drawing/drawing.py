"""A drawing of a tree: what stands where, before it is written in any language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from branchwise.model.execution.state import State
from branchwise.report.text.outline import Hidden, ShownNode, ShownPart
from branchwise.report.text.wording import chance, plural, short, value
from branchwise.report.tree_drawing.branch_costs import cost_text, costs_at
from branchwise.report.tree_drawing.layout import depths, tidy
from branchwise.report.tree_drawing.lettering import cropped, legible, text_width
from branchwise.report.tree_drawing.svg_pieces import (
    COST_SIZE,
    LABEL_SIZE,
    NODE_SIZE,
    WORTH_SIZE,
)
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import as_it_is
from branchwise.tree.solution import Solution


def title_of(solution: Solution) -> str:
    """Return the name of the problem; nothing where there is none."""
    return solution.problem.name if solution.problem else ""


_MARGIN = 20.0
_GAP = 18.0  # between two nodes of a column, with an edge's label there
_BEND = 40.0  # the width in which edges bend
_PADDING = 7.0  # around an edge's label
_SPACE = 8.0  # between outcome and probability
_MAX_CENTERED = 80  # nodes of a tree whose root is in view wherever it stands


class Kind(Enum):
    """What a mark stands for, and so what it looks like."""

    FIRST = "first"
    DECISION = "decision"
    REWARD = "reward"
    NOTHING = "nothing"
    STUB = "stub"


_HEIGHTS = {Kind.REWARD: 30.0, Kind.NOTHING: 26.0, Kind.STUB: 28.0}
_SIDES = {Kind.REWARD: 14.0, Kind.NOTHING: 8.0, Kind.STUB: 12.0}


@dataclass(slots=True, eq=False)
class Mark:
    """A node or a stub, with the edge that leads to it."""

    kind: Kind
    text: str
    tooltip: str
    outcome: str  # what its edge says; nothing at the root
    chance: str
    probability: float  # how likely the plan comes here
    worth: str = ""  # the expected reward from a decision on; nothing of other marks
    cost: str = ""  # what its edge costs, in words; nothing where that is free
    is_likeliest: bool = False  # whether the likeliest at every step leads here
    width: float = field(init=False)
    height: float = field(init=False)
    x: float = 0.0  # its left end
    y: float = 0.0  # its middle
    bend_start: float = 0.0  # of the edge that leads here
    bend_end: float = 0.0
    label_start: float = 0.0  # of that edge
    label_end: float = 0.0
    parent: Mark | None = None

    def __post_init__(self) -> None:
        self.height = _HEIGHTS.get(self.kind, 34.0)
        sides = 2 * _SIDES.get(self.kind, 15.0)
        letters = text_width(self.text, NODE_SIZE), text_width(self.worth, WORTH_SIZE)
        self.width = max(max(letters) + sides, self.height)

    @property
    def words(self) -> str:
        """What is done here, so that no shape need be known."""
        is_leaf = self.kind in {Kind.REWARD, Kind.NOTHING}
        return f"stop with {self.text}" if is_leaf else self.text

    @property
    def edge_words(self) -> str:
        """Which outcome the edge stands for, and how likely it is."""
        return f"{self.outcome}, {self.chance}"

    @property
    def label_width(self) -> float:
        """How wide the label of its edge is."""
        # What is bold is wider.
        size = LABEL_SIZE * (1.1 if self.is_likeliest else 1.0)
        outcome = text_width(self.outcome, size)
        label = outcome + _SPACE + text_width(self.chance, size)
        return max(label, text_width(self.cost, COST_SIZE))


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything to be drawn, and how large it is."""

    marks: tuple[Mark, ...]
    width: float
    height: float


def draw(tree: DecisionTree, part: ShownPart) -> Drawing:
    """
    Lay out a part of a tree, from left to right.

    Outcomes keep the order of the problem; what is left out comes last. Of a small
    tree, parents stand in the middle of their children. Of a large one, only a corner
    is in view at first: it starts with the root.
    """
    marks, children = _marks(tree, part)
    is_small = len(marks) <= _MAX_CENTERED
    heights = [mark.height for mark in marks]
    places = tidy(children, heights, _GAP, 0.5 if is_small else 0.0)
    for mark, place in zip(marks, places, strict=True):
        mark.y = place + _MARGIN
    _place_columns(marks, depths(children))
    return Drawing(
        marks=tuple(marks),
        width=max(mark.x + mark.width for mark in marks) + _MARGIN,
        height=max(mark.y + mark.height / 2 for mark in marks) + _MARGIN,
    )


def _marks(tree: DecisionTree, part: ShownPart) -> tuple[list[Mark], list[list[int]]]:
    marks: list[Mark] = []
    children: list[list[int]] = []
    numbers: dict[ShownNode, int] = {}

    def add(mark: Mark, parent: ShownNode | None) -> None:
        if parent is not None:
            mark.parent = marks[numbers[parent]]
            children[numbers[parent]].append(len(marks))
        marks.append(mark)
        children.append([])

    for node in part.nodes:
        numbers[node] = len(marks)
        add(_node_mark(tree, node), node.parent)
    _embolden(part, marks, numbers)
    _charge(tree, part, marks, numbers)
    for node in part.nodes:
        if node.hidden:
            add(_stub_mark(node, node.hidden), node)
    return marks, children


def _embolden(
    part: ShownPart, marks: list[Mark], numbers: dict[ShownNode, int]
) -> None:
    """Mark the way on which the likeliest happens at every step, as far as shown."""
    node = part.nodes[0]
    while node.children:
        node = max(node.children, key=lambda child: child.place.chance)
        marks[numbers[node]].is_likeliest = True


def _charge(
    tree: DecisionTree,
    part: ShownPart,
    marks: list[Mark],
    numbers: dict[ShownNode, int],
) -> None:
    """Say at every edge what it costs, where that is known."""
    if tree.problem is None:
        return
    for node in part.nodes:
        action = node.decision.action
        state = _state_at(tree, node) if action is not None else None
        if action is None or not isinstance(state, State):
            continue
        costs = costs_at(tree.problem, action, state)
        for child in node.children:
            marks[numbers[child]].cost = cost_text(costs[child.place.outcome])


def _node_mark(tree: DecisionTree, node: ShownNode) -> Mark:
    decision, place = node.decision, node.place
    if decision.action is None:
        kind = Kind.REWARD if decision.reward > 0 else Kind.NOTHING
        text = short(_shown(tree, decision.reward))
    else:
        kind = Kind.DECISION if node.parent else Kind.FIRST
        text = cropped(legible(decision.action))
    return Mark(
        kind=kind,
        text=text,
        tooltip="\n".join(_tooltip(tree, node)),
        outcome=cropped(legible(place.outcome)),
        chance=chance(place.chance) if node.parent else "",
        probability=place.probability,
        worth=""
        if decision.action is None
        else f"{_worth_word(tree)} {short(_shown(tree, decision.value))}",
    )


def _tooltip(tree: DecisionTree, node: ShownNode) -> Iterator[str]:
    decision = node.decision
    for event in node.path(1):
        yield f"{legible(event.action)} = {legible(event.outcome)}"
    what = "cost" if _is_cost(tree) else "reward"
    if decision.action is None:
        yield f"stop with {value(_shown(tree, decision.reward))}"
    else:
        yield f"do {legible(decision.action)}"
        worth = value(_shown(tree, decision.value))
        yield f"expected {what} from here on: {worth}"
    yield f"probability of coming here: {chance(node.place.probability)}"
    if left := budget_text(tree, node):
        yield f"budget left: {left}"


def _worth_word(tree: DecisionTree) -> str:
    return "costs" if _is_cost(tree) else "worth"


def _is_cost(tree: DecisionTree) -> bool:
    """Whether what counts is the cost of finishing."""
    return tree.problem is not None and tree.problem.is_least_cost


def _shown(tree: DecisionTree, number: Real) -> Real:
    """Return a value as it is shown: a cost is above zero."""
    return -number if _is_cost(tree) else number


def budget_text(tree: DecisionTree, node: ShownNode) -> str:
    """Return what is left of the budget at a node; empty in a space of your own."""
    state = _state_at(tree, node)
    return legible(str(state.left)) if isinstance(state, State) else ""


def _state_at(tree: DecisionTree, node: ShownNode) -> object:
    # Where states speak for themselves, a long tree need not be climbed from each node.
    length = 0 if tree.describe is as_it_is else node.depth
    return tree.describe(node.place.key, tuple(node.path(length)))


def _stub_mark(node: ShownNode, hidden: Hidden) -> Mark:
    many = len(hidden.outcomes) > 1
    outcomes = ", ".join(legible(outcome) for outcome in hidden.outcomes[:20])
    text = f"{plural(hidden.num_nodes, 'more node')}"
    after = f"after {legible(str(node.decision.action))} = {outcomes}"
    here = f"probability of coming here: {chance(hidden.probability)}"
    return Mark(
        kind=Kind.STUB,
        text=f"\N{HORIZONTAL ELLIPSIS} {text}",
        tooltip=f"{text} {after}\n{here}",
        outcome=f"{len(hidden.outcomes)} outcomes" if many else cropped(outcomes),
        chance=chance(hidden.chance),
        probability=hidden.probability,
    )


def _place_columns(marks: list[Mark], columns: list[int]) -> None:
    """Place every depth in a column as wide as its widest mark and label."""
    last = max(columns)
    widths, labels = [0.0] * (last + 1), [0.0] * (last + 1)
    for mark, column in zip(marks, columns, strict=True):
        widths[column] = max(widths[column], mark.width)
        labels[column] = max(labels[column], mark.label_width)
    starts = [_MARGIN]
    for column in range(1, last + 1):
        room = _BEND + labels[column] + 2 * _PADDING
        starts.append(starts[-1] + widths[column - 1] + room)
    for mark, column in zip(marks, columns, strict=True):
        mark.x = starts[column]
        mark.label_end = mark.x - _PADDING
        mark.label_start = mark.label_end - labels[column]
        mark.bend_end = mark.label_start - _PADDING / 2
        mark.bend_start = mark.bend_end - _BEND
