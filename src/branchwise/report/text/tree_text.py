"""The tree as text: what to do, how likely each outcome is, and what it pays."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, TypeVar

from branchwise.errors import LimitError
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.features import features_of
from branchwise.records import dataclass
from branchwise.report.text.ink import Ink, Look, Piece
from branchwise.report.text.knowledge import state_notes
from branchwise.report.text.label import display_width
from branchwise.report.text.outline import Outline, Place, sizes
from branchwise.report.text.wording import chance, plural, value
from branchwise.tree.choices.policy import Decision
from branchwise.tree.deadline import LEFT_OUT, in_time
from branchwise.tree.decision_tree import DecisionTree

Counted = TypeVar("Counted")

MAX_NODES: Final = 150  # how many nodes are shown of a large tree

FOLDED: Final = "only the likely part is shown; --all shows every node"

# As many as the likely part of a large tree has, so that it is shown in any case.
_LEAST_LINES: Final = 2 * MAX_NODES


def tree_text(
    tree: DecisionTree,
    *,
    width: int | None = None,
    is_ascii: bool = False,
    full: bool = False,
) -> str:
    """
    Draw a tree as text.

    Parameters
    ----------
    tree
        The tree of a solution.
    width
        Cut lines that are longer; None lets them be.
    is_ascii
        Draw without the lines and corners that only Unicode has.
    full
        Draw every node, not only the likely part of a large tree.

    Examples
    --------
    >>> from branchwise.tree.choices.policy import Branch, Decision
    >>> outcomes = (Branch("heads", 0.5, "won"), Branch("tails", 0.5, "lost"))
    >>> policy = {
    ...     "start": Decision("toss", outcomes, value=5, reward=0),
    ...     "won": Decision(None, (), value=10, reward=10),
    ...     "lost": Decision(None, (), value=0, reward=0),
    ... }
    >>> print(tree_text(DecisionTree(policy, "start"), is_ascii=True))
    toss
    |-- heads 50 % -- stop with 10
    `-- tails 50 % -- stop with 0
    """
    look = Look(width, is_ascii)
    return "\n".join(tree_lines(tree, look, max_nodes=None if full else MAX_NODES))


def tree_lines(
    tree: DecisionTree, look: Look, *, max_nodes: int | None = MAX_NODES
) -> Iterator[str]:
    """
    Draw a tree line by line, each as soon as it is known.

    Outcomes stand in the order of the problem. A tree too deep for the page is
    continued below itself, as often as it takes.
    """
    root = Place(tree.root.key)
    counted = None
    if max_nodes is not None:
        # A small tree is counted in no time.
        num_nodes = _known(lambda: tree.num_nodes)
        if num_nodes is not None and num_nodes <= max_nodes:
            max_nodes = None
        else:
            counted = _known(lambda: sizes(tree.policy, tree.root.key))
    outline = Outline(tree.policy, root, max_nodes, counted)
    return _in_time(_Drawing(tree, look, outline).lines(root))


def _known(count: Callable[[], Counted]) -> Counted | None:
    try:
        return count()
    except LimitError:
        return None


def _in_time(lines: Iterator[str]) -> Iterator[str]:
    """Pass lines on; the likely part fits any deadline, a whole tree may not."""
    yield from islice(lines, _LEAST_LINES)
    try:
        yield from in_time(lines)
    except LimitError:
        yield f"... the rest is {LEFT_OUT}"


@dataclass(frozen=True, slots=True)
class _Row:
    """A line to come: its place, what stands before it and before those below."""

    place: Place
    start: str
    below: str
    level: int
    widths: tuple[int, int] = (0, 0)  # of the outcomes and chances of all siblings


@dataclass(frozen=True, slots=True)
class _Rest:
    """A line to come that stands for children left out."""

    start: str
    hidden: list[Place]


class _Drawing:
    """
    Lays out the rows of one tree.

    Not by rich: its trees must be there as a whole, while ours may have more nodes than
    any memory holds; it takes 110 microseconds for a node instead of 13; and loading it
    would add a third to the time that a small `solve` takes.
    """

    def __init__(self, tree: DecisionTree, look: Look, outline: Outline) -> None:
        self._tree, self._look, self._outline = tree, look, outline
        self._is_wide = tree.problem is not None and bool(features_of(tree.problem))
        self._num_parts = 0
        self._later: deque[tuple[int, Place]] = deque()

    def lines(self, root: Place) -> Iterator[str]:
        yield self._look.line(*self._decision(root))
        yield from self._below(root)
        while self._later:
            number, place = self._later.popleft()
            head: Piece = (f"[{number}] ", "title")
            reached = f", reached with {chance(place.probability)}"
            yield ""
            yield self._look.line(head, *self._decision(place), (reached, "faint"))
            yield from self._below(place)

    def _below(self, top: Place) -> Iterator[str]:
        shown, hidden = self._outline.parts(top)
        pending = self._rows(_Row(top, "", "", 0), shown, hidden)
        while pending:
            row = pending.pop()
            if isinstance(row, _Rest):
                yield self._look.line((row.start, "faint"), self._rest(row.hidden))
                continue
            shown, hidden = self._outline.parts(row.place)
            tail: list[Piece] = []
            if shown and row.level >= self._look.max_levels:
                tail = [(f", see [{self._postponed(row.place)}]", "title")]
            elif shown:
                pending.extend(self._rows(row, shown, hidden))
            elif hidden:
                left_out = self._left_out(hidden, row.place.probability)
                tail = [(f" {left_out}", "faint")]
            yield self._line(row, tail)

    def _line(self, row: _Row, tail: list[Piece]) -> str:
        """Put a row together; its worth gives way where the tail needs the room."""
        branch, decision = self._branch(row), self._decision(row.place)
        pieces = [*branch, *decision, *tail]
        if tail and not self._look.fits(*pieces):
            pieces = [*branch, decision[0], *tail]
        return self._look.line(*pieces)

    def _rows(
        self, above: _Row, shown: list[Place], hidden: list[Place]
    ) -> list[_Row | _Rest]:
        """Prepare the rows of the children, the first one last."""
        signs = self._look.signs
        labels = [display_width(self._label(place)) for place in shown]
        widths = (
            max(labels, default=0),
            max((len(chance(place.chance)) for place in shown), default=0),
        )
        rows: list[_Row | _Rest] = []
        for position, place in enumerate(shown, start=1):
            is_last = position == len(shown) and not hidden
            start = above.below + (signs.last_branch if is_last else signs.branch)
            below = above.below + (" " * len(signs.trunk) if is_last else signs.trunk)
            rows.append(_Row(place, start, below, above.level + 1, widths))
        if hidden:
            rows.append(_Rest(above.below + signs.last_branch, hidden))
        return rows[::-1]

    def _label(self, place: Place) -> str:
        return self._look.name(place.outcome, 0.25)

    def _branch(self, row: _Row) -> list[Piece]:
        name, (label_width, chance_width) = self._label(row.place), row.widths
        padding = " " * (label_width - display_width(name))
        likely = chance(row.place.chance).rjust(chance_width)
        dash = f" {self._look.signs.dash} "
        return [(row.start, "faint"), f"{name}{padding} {likely}", (dash, "faint")]

    def _decision(self, place: Place) -> list[Piece]:
        decision = self._tree.policy[place.key]
        known = self._known(place)
        if decision.action is None:
            noted: list[Piece] = [(f" ({'; '.join(known)})", "faint")] if known else []
            return [*self._stop(decision), *noted]
        name: Piece = (self._look.name(decision.action, 0.4), "action")
        notes = ["deviates"] if decision.has_deviation else []
        if place.key != self._tree.root.key:
            notes = [f"{self._worth(decision)}", *notes, *known]
        return [name, (f" ({', '.join(notes)})", "faint")] if notes else [name]

    def _stop(self, decision: Decision) -> list[Piece]:
        """Return that the plan stops, and with what."""
        problem = self._tree.problem
        if problem is not None and problem.is_least_cost:
            unfinished = f" unfinished, at {value(-decision.reward)}"
            return [(f"stop{unfinished if decision.reward else ''}", "nothing")]
        ink: Ink = "reward" if decision.reward > 0 else "nothing"
        return [(f"stop with {value(decision.reward)}", ink)]

    def _worth(self, decision: Decision) -> str:
        problem = self._tree.problem
        if problem is not None and problem.is_least_cost:
            return f"costs {value(-decision.value)}"
        return f"worth {value(decision.value)}"

    def _known(self, place: Place) -> list[str]:
        """Return what is known there, if states hold more than outcomes."""
        problem = self._tree.problem
        if problem is None or not self._is_wide or place.parent is None:
            return []
        path: list[Happened] = []
        at = place
        while at.parent is not None:
            action = self._tree.policy[at.parent.key].action
            path.append(Happened(str(action), at.outcome))
            at = at.parent
        state = self._tree.describe(place.key, tuple(reversed(path)))
        return list(state_notes(problem, state)) if isinstance(state, State) else []

    def _rest(self, hidden: list[Place]) -> Piece:
        outcomes = plural(len(hidden), "other outcome")
        likely = chance(sum(place.chance for place in hidden))
        left_out = self._left_out(hidden, sum(place.probability for place in hidden))
        return f"{outcomes} {likely} {left_out}", "faint"

    def _left_out(self, hidden: list[Place], probability: float) -> str:
        number = self._outline.num_hidden(hidden)
        nodes = "more nodes" if number is None else plural(number, "more node")
        reached = f"(reached with {chance(probability)})"
        return f"{self._look.signs.ellipsis} {nodes} {reached}"

    def _postponed(self, place: Place) -> int:
        self._num_parts += 1
        self._later.append((self._num_parts, place))
        return self._num_parts
