"""Issues that are there only because another part could not be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Set
from dataclasses import replace

from branchwise.errors import Issue, Path
from branchwise.formats.document.actions import ACTION_KEYS
from branchwise.formats.document.conditions import CONDITION_KEYS
from branchwise.model.action import Action, Outcome
from branchwise.model.condition import Condition, Happened
from branchwise.model.problem import Problem

__all__ = ["Consequences", "with_open_outcomes"]

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
        # Whether a reward may be negative depends on how rewards combine.
        return not (path[-1:] == ("value",) and "combine" in self._tops)


def with_open_outcomes(problem: Problem, unreadable: Set[Path]) -> Problem:
    """Let actions whose outcomes stayed unread have all that conditions mention."""
    names = {path[1] for path in unreadable if path[:1] == ("actions",) and path[1:]}
    unread = {
        n for n in names if {("actions", n), ("actions", n, "outcomes")} & unreadable
    }
    if not unread:
        return problem
    labels: dict[str, dict[str, None]] = defaultdict(dict)
    for action, label in _mentioned(problem):
        labels[action][label] = None
    actions = [
        _opened(action, labels[action.name]) if action.name in unread else action
        for action in problem.actions
    ]
    return replace(problem, actions=tuple(actions))


def _opened(action: Action, labels: Collection[str]) -> Action:
    missing = [label for label in labels if label not in action.labels]
    extra = (Outcome(label, 0) for label in missing)
    return replace(action, outcomes=(*action.outcomes, *extra))


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
