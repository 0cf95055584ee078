"""Nodes to a problem: what a document means, and everything that is wrong with it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.formats.document.actions import ACTION_KEYS, EXAMPLE, read_actions
from branchwise.formats.document.amounts import read_limit, read_limits, read_number
from branchwise.formats.document.conditions import (
    CONDITION_KEYS,
    place_of_name,
    read_condition,
)
from branchwise.formats.document.counters import read_counters
from branchwise.formats.document.defenses import read_defenses
from branchwise.formats.document.hidden import read_hidden
from branchwise.formats.document.intervals import read_measured, read_weight
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import MOST_ISSUES, EnoughIssuesError, Notes
from branchwise.formats.document.parameters import read_parameters
from branchwise.formats.place import Place, issue_at
from branchwise.formats.source_text import excerpt
from branchwise.model.action import Action, Outcome
from branchwise.model.checks.validate import contradictions, validate
from branchwise.model.conditions.condition import ALWAYS, Condition, Happened
from branchwise.model.hidden import Hidden
from branchwise.model.problem import Combine, Problem, Purpose, Reward
from branchwise.records import dataclass

T = TypeVar("T", bound=str)
A = TypeVar("A", Action, Hidden)
_Entry = tuple[TextNode | None, Node]


class Places:
    """Finds the place of any part of a document by its path."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._entries: dict[int, dict[str | int, _Entry]] = {}

    def located(self, issue: Issue) -> Issue:
        """Return where in the file an issue is."""
        place = self.place(issue.path, issue.culprit)
        return replace(issue, where=issue_at(place, issue.path, "", "").where)

    def place(self, path: Path, culprit: str = "") -> Place:
        """Return the place of the culprit, or of the nearest part that is there."""
        key, node = self._nearest(path)
        if path and path[-1] in CONDITION_KEYS:
            named = place_of_name(node, culprit)
            if named is not None:
                return named
        if key is None:
            return node.place
        # Where a value spans lines, its key is what the eye looks for.
        is_text = isinstance(node, TextNode) and not node.is_nothing
        return node.place if is_text and key.text != culprit else key.place

    def _nearest(self, path: Path) -> _Entry:
        found: _Entry = None, self._root
        for step in path:
            inside = self._inside(found[1]).get(step)
            if inside is None:
                break
            found = inside
        return found

    def _inside(self, node: Node) -> dict[str | int, _Entry]:
        if id(node) not in self._entries:
            entries: dict[str | int, _Entry] = {}
            if isinstance(node, MapNode):
                for key, value in node:
                    entries.setdefault(key.text, (key, value))
            elif isinstance(node, ListNode):
                entries = {index: (None, item) for index, item in enumerate(node.items)}
            self._entries[id(node)] = entries
        return self._entries[id(node)]


_SPENDING = frozenset({"cost", "attempts", "cost_weight"})


class Consequences:
    """Tells issues of their own from those that follow from what stayed unread."""

    def __init__(self, unreadable: Set[Path]) -> None:
        self._unreadable = unreadable
        self._around = {path[:n] for path in unreadable for n in range(3, len(path))}
        # What a defense does may be what stayed unread of it.
        defenses = (path for path in unreadable if path[:1] == ("defenses",))
        self._around |= {path[:2] for path in defenses if path[2:]}
        self._tops = {path[0] for path in unreadable if path}
        # Where a counter may start depends on its range.
        counters = (path for path in unreadable if path[:1] == ("counters",))
        self._inside_counters = {path[:2] for path in counters}
        inside = [path for path in unreadable if path[:1] == ("actions",) and path[2:]]
        # An unknown key may be what the cost was meant to be.
        self._misnamed = {path[1] for path in inside if path[2] not in ACTION_KEYS}
        self._unpriced = {path[1] for path in inside if "cost" in path[2:]}

    def leave(self, issue: Issue) -> bool:
        """Return whether an issue stays once the unread parts are put right."""
        path = issue.path
        if issue.severity == "warning":
            return False
        if path in self._around and path[-1] not in CONDITION_KEYS:
            return False
        if any(path[:n] in self._unreadable for n in range(len(path) + 1)):
            return False
        if _SPENDING & set(path):
            doubtful = self._misnamed
            if path[-1] == "attempts":  # Whether they run out depends on the cost.
                doubtful = doubtful | self._unpriced
            return not ("budget" in self._tops or doubtful & set(path[1:2]))
        if path[:1] == ("objective",) and "finish" in self._tops:
            return False
        if path[:1] == ("counters",) and path[:2] in self._inside_counters:
            return False
        # Whether a reward may be negative depends on how rewards combine.
        return not (path[-1:] in (("value",), ("per",)) and "combine" in self._tops)


def with_open_outcomes(problem: Problem, unreadable: Set[Path]) -> Problem:
    """Let what has unread outcomes have all outcomes that conditions mention."""
    unread = {
        (path[0], path[1])
        for path in unreadable
        if path[:1] in (("actions",), ("hidden",))
        and (len(path) == 2 or path[2:] == ("outcomes",))
    }
    if not unread:
        return problem
    labels: dict[str, dict[str, None]] = defaultdict(dict)
    for action, label in _mentioned(problem):
        labels[action][label] = None
    actions = [
        _opened(action, labels[action.name])
        if ("actions", action.name) in unread
        else action
        for action in problem.actions
    ]
    hidden = [
        _opened(fact, labels[fact.name]) if ("hidden", fact.name) in unread else fact
        for fact in problem.hidden
    ]
    return replace(problem, actions=tuple(actions), hidden=tuple(hidden))


def _opened(named: A, labels: Collection[str]) -> A:
    missing: list[Outcome] = []
    missing += (Outcome(each, 0) for each in labels if each not in named.labels)
    return replace(named, outcomes=(*named.outcomes, *missing))


def _mentioned(problem: Problem) -> Iterator[tuple[str, str]]:
    for condition in _conditions(problem):
        for mention in condition.mentions():
            if isinstance(mention, Happened):
                yield mention.action, mention.outcome
    for action in problem.actions:
        for clause in action.given:
            for outcome in clause.outcomes or ():
                yield action.name, outcome.label
    for defense in problem.defenses:
        for name, probabilities in defense.changes.items():
            yield from ((name, outcome.label) for outcome in probabilities)
        for name, left in defense.scales.items():
            yield from ((name, label) for label in left)


def _conditions(problem: Problem) -> Iterator[Condition]:
    for action in problem.actions:
        yield action.requires
        yield action.precluded_by
        yield from (clause.when for clause in action.given)
    yield from (reward.when for reward in problem.rewards)
    if problem.finish is not None:
        yield problem.finish


_PROBLEM_KEYS = (
    "name",
    "parameters",
    "budget",
    "hidden",
    "counters",
    "actions",
    "rewards",
    "combine",
    "cost_weight",
    "finish",
    "objective",
    "unfinished",
    "defense_budget",
    "defenses",
)
# What is said of all else cannot be judged without these.
_NEEDED: Set[Path] = {(), ("actions",), ("hidden",), ("counters",)}
_REWARD_KEYS = ("when", "per", "value")


@dataclass(frozen=True, slots=True)
class Reading:
    """
    What came of reading a document.

    Parameters
    ----------
    problem
        What the document means; None where part of it could not be read. It may
        still contradict itself.
    issues
        Everything wrong with it, in the order of the document. Warnings come only
        where there are no errors.
    """

    problem: Problem | None
    issues: tuple[Issue, ...]

    @property
    def has_errors(self) -> bool:
        """Whether anything stands in the way of using the problem."""
        return any(issue.severity == "error" for issue in self.issues)


def build(
    root: Node, source: str, found: Sequence[Issue] = (), *, warn: bool = True
) -> Reading:
    """
    Find out what a document means, after what was found wrong with it so far.

    Without `warn` only errors are looked for, which takes half the time.
    """
    notes = Notes([issue for issue in found if issue.severity == "error"])
    problem = None
    with suppress(EnoughIssuesError):
        problem = _problem(notes, root)
    is_readable = not notes.issues
    if problem is not None and not notes.unreadable & _NEEDED:
        _validate(notes, problem, Places(root), validate if warn else contradictions)
    if not any(issue.severity == "error" for issue in notes.issues):
        notes.issues += [issue for issue in found if issue.severity == "warning"]
    issues = tuple(notes.sorted_issues(source))
    return Reading(problem if is_readable else None, issues)


def _validate(
    notes: Notes,
    problem: Problem,
    places: Places,
    find: Callable[[Problem], tuple[Issue, ...]],
) -> None:
    """Note what contradicts itself, but not what only follows from other issues."""
    stays = Consequences(notes.unreadable).leave if notes.issues else None
    if notes.issues:
        problem = with_open_outcomes(problem, notes.unreadable)
    issues = [issue for issue in find(problem) if stays is None or stays(issue)]
    # To find the place of an issue takes a look through the text it is in.
    notes.issues += [places.located(issue) for issue in issues[:MOST_ISSUES]]
    notes.num_more += len(issues[MOST_ISSUES:])


def _problem(notes: Notes, root: Node) -> Problem | None:
    if not isinstance(root, MapNode):
        _refuse_root(notes, root)
        return None
    fields = notes.fields(root, (), _PROBLEM_KEYS, "a problem")
    # Before all else: any number may be computed from them.
    known = read_parameters(notes, fields.get("parameters"))
    budget = dict(read_limits(notes, fields.get("budget"), ("budget",)))
    weight, finish = fields.get("cost_weight"), fields.get("finish")
    unfinished = fields.get("unfinished")
    return Problem(
        read_actions(notes, fields.get("actions")),
        _rewards(notes, fields.get("rewards")),
        budget=budget,
        name=_name(notes, fields.get("name")),
        combine=_combine(notes, fields.get("combine")),
        cost_weight=read_weight(notes, weight, ("cost_weight",), tuple(budget)),
        defenses=read_defenses(notes, fields.get("defenses")),
        defense_budget=read_limit(
            notes, fields.get("defense_budget"), ("defense_budget",)
        ),
        parameters=known,
        hidden=read_hidden(notes, fields.get("hidden")),
        counters=read_counters(notes, fields.get("counters")),
        finish=None if finish is None else read_condition(notes, finish, ("finish",)),
        objective=_objective(notes, fields.get("objective")),
        unfinished=(
            None
            if unfinished is None
            else read_number(notes, unfinished, ("unfinished",))
        ),
    )


def _refuse_root(notes: Notes, root: Node) -> None:
    fix = f"write for example `{EXAMPLE}`"
    if isinstance(root, TextNode) and not root.text.strip():
        notes.add(root.place, (), "there is nothing in this file", fix)
    else:
        notes.add_wrong_kind(root, (), "a problem (a map)", fix)


def _name(notes: Notes, node: Node | None) -> str:
    if node is None or isinstance(node, TextNode):
        return node.text if node else ""
    notes.add_wrong_kind(node, ("name",), "text", "write one line of text")
    return ""


def _combine(notes: Notes, node: Node | None) -> Combine:
    fix = "write `max` (the best one counts) or `sum` (all of them do)"
    wrong = "is no way to combine rewards"
    return _choice(notes, node, "combine", ("max", "sum"), wrong, fix)


def _objective(notes: Notes, node: Node | None) -> Purpose:
    fix = "write `least-cost`, or leave it out to make the most of the rewards"
    choices: tuple[Purpose, ...] = ("most-reward", "least-cost")
    return _choice(notes, node, "objective", choices, "is no objective", fix)


def _choice(
    notes: Notes,
    node: Node | None,
    key: str,
    choices: Sequence[T],
    wrong: str,
    fix: str,
) -> T:
    """Read one of some words; the first where there is nothing to read."""
    if isinstance(node, TextNode):
        for choice in choices:
            if node.text == choice:
                return choice
        near = did_you_mean(node.text, list(map(str, choices)))
        what = f"{excerpt(node.text)} {wrong}{near}"
        notes.add(node.place, (key,), what, fix)
    elif node is not None:
        wanted = " or ".join(f"`{choice}`" for choice in choices)
        notes.add_wrong_kind(node, (key,), wanted, fix)
    return choices[0]


def _rewards(notes: Notes, node: Node | None) -> list[Reward]:
    if node is None:
        return []
    if not isinstance(node, ListNode):
        fix = "start each reward with `- `: `- {when: a1=ok, value: 50}`"
        notes.add_wrong_kind(node, ("rewards",), "a list of rewards", fix)
        return []
    return [
        _reward(notes, item, ("rewards", index))
        for index, item in enumerate(node.items)
    ]


def _note_missing_fields(
    notes: Notes, node: MapNode, path: Path, fields: Collection[str]
) -> None:
    examples = {"when": "add `when: a1=ok`, say", "value": "add `value: 50`, say"}
    for key, fix in examples.items():
        if key == "when" and ("per" in fields or (*path, "per") in notes.unreadable):
            continue
        if key not in fields and (*path, key) not in notes.unreadable:
            notes.add(node.place, (*path, key), f"the reward has no `{key}`", fix)


def _reward(notes: Notes, node: Node, path: Path) -> Reward:
    if not isinstance(node, MapNode):
        fix = "write `{when: a1=ok, value: 50}`"
        notes.add_wrong_kind(node, path, "a reward (a map)", fix)
        return Reward(ALWAYS, 0)
    fields = notes.fields(node, path, _REWARD_KEYS, "a reward")
    if "when" not in fields or "value" not in fields:
        _note_missing_fields(notes, node, path, fields)
    when, per = fields.get("when"), fields.get("per")
    condition = None if when is None else read_condition(notes, when, (*path, "when"))
    condition = ALWAYS if condition is None else condition
    counter = None if per is None else _counter_name(notes, per, (*path, "per"))
    if "value" not in fields:
        return Reward(condition, 0, per=counter)
    number, ends = read_measured(notes, fields["value"], (*path, "value"))
    low, high = ends or (None, None)
    return Reward(condition, number, low=low, high=high, per=counter)


def _counter_name(notes: Notes, node: Node, path: Path) -> str | None:
    if isinstance(node, TextNode):
        return node.text
    notes.add_wrong_kind(node, path, "the name of a counter", "write `per: harm`, say")
    return None
