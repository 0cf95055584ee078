"""Nodes to a problem: what a document means, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.formats.document.actions import EXAMPLE, read_actions
from branchwise.formats.document.amounts import read_limit, read_limits
from branchwise.formats.document.conditions import read_condition
from branchwise.formats.document.consequences import Consequences, with_open_outcomes
from branchwise.formats.document.defenses import read_defenses
from branchwise.formats.document.intervals import read_measured, read_weight
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import MOST_ISSUES, Notes
from branchwise.formats.document.places import Places
from branchwise.formats.source_text import excerpt
from branchwise.model.checks.validate import contradictions, validate
from branchwise.model.condition import ALWAYS
from branchwise.model.problem import Combine, Problem, Reward

__all__ = ["Reading", "build"]

_PROBLEM_KEYS = (
    "name",
    "budget",
    "actions",
    "rewards",
    "combine",
    "cost_weight",
    "defense_budget",
    "defenses",
)
_REWARD_KEYS = ("when", "value")


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
    problem = _problem(notes, root)
    is_readable = not notes.issues
    if problem is not None and not notes.unreadable & {(), ("actions",)}:
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
    budget = dict(read_limits(notes, fields.get("budget"), ("budget",)))
    weight = fields.get("cost_weight")
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
    if node is None:
        return "max"
    if isinstance(node, TextNode) and node.text in {"max", "sum"}:
        return cast("Combine", node.text)
    fix = "write `max` (the best one counts) or `sum` (all of them do)"
    if isinstance(node, TextNode):
        near = did_you_mean(node.text, ["max", "sum"])
        what = f"{excerpt(node.text)} is no way to combine rewards{near}"
        notes.add(node.place, ("combine",), what, fix)
    else:
        notes.add_wrong_kind(node, ("combine",), "`max` or `sum`", fix)
    return "max"


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


def _reward(notes: Notes, node: Node, path: Path) -> Reward:
    if not isinstance(node, MapNode):
        fix = "write `{when: a1=ok, value: 50}`"
        notes.add_wrong_kind(node, path, "a reward (a map)", fix)
        return Reward(ALWAYS, 0)
    fields = notes.fields(node, path, _REWARD_KEYS, "a reward")
    examples = {"when": "add `when: a1=ok`, say", "value": "add `value: 50`, say"}
    for key, fix in examples.items():
        if key not in fields and (*path, key) not in notes.unreadable:
            notes.add(node.place, (*path, key), f"the reward has no `{key}`", fix)
    when = fields.get("when")
    condition = when and read_condition(notes, when, (*path, "when"))
    if "value" not in fields:
        return Reward(condition or ALWAYS, 0)
    number, ends = read_measured(notes, fields["value"], (*path, "value"))
    low, high = ends or (None, None)
    return Reward(condition or ALWAYS, number, low=low, high=high)
