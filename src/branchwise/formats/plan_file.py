"""Plan files: a solution that was saved, or decision rules written by hand."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from branchwise.errors import FormatError, Issue, Path, did_you_mean
from branchwise.formats.document.build import Places
from branchwise.formats.document.conditions import read_condition
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import EnoughIssuesError, Notes
from branchwise.formats.file_limits import LARGEST_CERTIFICATE
from branchwise.formats.place import Place, issue_at
from branchwise.formats.read import document_nodes
from branchwise.formats.source_file import file_bytes
from branchwise.formats.source_text import decode, excerpt, refuse
from branchwise.formats.suffix import format_of
from branchwise.model.checks.naming import Mentions
from branchwise.model.conditions.condition import ALWAYS, Happened
from branchwise.model.problem import Problem
from branchwise.tree.choices.decision_rules import DecisionRule, DecisionRules
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree

_SOLUTION: Final = "branchwise-solution"
_RULE: Final = "{when: test=good, do: drill}"
_RULES: Final = f"write `rules:` and below it a list such as `- {_RULE}`"
_SAVE: Final = "save it anew with `branchwise solve FILE --json plan.json`"
_STOP: Final = "stop"


@dataclass(frozen=True, slots=True)
class SavedPlan:
    """
    A plan as a solution was saved: what to do at each state, and where that leads.

    Parameters
    ----------
    tree
        What is done; nothing but the actions is to be relied on.
    history
        What had happened where the plan begins.
    """

    tree: DecisionTree
    history: tuple[Happened, ...]


def read_plan(
    path: str | os.PathLike[str], problem: Problem
) -> DecisionRules | SavedPlan:
    """
    Read a plan for a problem.

    Parameters
    ----------
    path
        A solution as ``branchwise solve --json`` writes it, or decision rules: a YAML
        or JSON file with a list ``rules``, each with ``when`` and ``do``.
    problem
        What the plan is for: the names in its rules are those of the problem.

    Raises
    ------
    FormatError
        The file is no plan; the error lists everything wrong with it.
    """
    source = os.fspath(path)
    data = file_bytes(path, LARGEST_CERTIFICATE)
    if source.lower().endswith(".json"):
        document = _json(decode(data, source))
        if isinstance(document, dict) and "format" in document:
            return _saved(document, source)
    root, issues = document_nodes(data, source, _format(source))
    return _rules(root, source, issues, problem)


def _format(source: str) -> str:
    return "yaml" if source == "-" else format_of(source)


def _json(text: str) -> Any:
    """Return what a JSON text holds; None where it is none, which is said later."""
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def _saved(document: dict[str, Any], source: str) -> SavedPlan:
    if document["format"] != _SOLUTION:
        what = f"this is a {excerpt(str(document['format']))}, not a solution"
        raise refuse(Place(source), what, _SAVE)
    try:
        policy = {each["id"]: _decision(each) for each in document["policy"]}
        history = [Happened(e["action"], e["outcome"]) for e in document["after"]]
    except (KeyError, TypeError, AttributeError) as error:
        what = f"this is no whole solution: {type(error).__name__} {error}"
        raise refuse(Place(source), what, _SAVE) from None
    targets = [b.state for decision in policy.values() for b in decision.branches]
    if lost := {0, *targets} - policy.keys():
        what = f"the plan leads to state {min(map(str, lost))}, which is not there"
        raise refuse(Place(source), what, _SAVE)
    return SavedPlan(DecisionTree(policy, 0), tuple(history))


def _decision(state: dict[str, Any]) -> Decision:
    """Return what is done at a state; a branch that was not written is left out."""
    branches = tuple(
        Branch(str(each["outcome"]), float(each["probability"]), int(each["to"]))
        for each in state["outcomes"]
        if each["to"] is not None
    )
    action, value = state["action"], float(state["value"])
    name = None if action is None else str(action)
    return Decision(name, branches, value, float(state["reward"]))


def _rules(
    root: Node, source: str, found: Sequence[Issue], problem: Problem
) -> DecisionRules:
    notes = Notes([issue for issue in found if issue.severity == "error"])
    notes.parameters = dict(problem.parameters)
    rules = DecisionRules(())
    with suppress(EnoughIssuesError):
        rules = _read_rules(notes, root, problem)
    _check_names(notes, rules, root, problem)
    if notes.issues:
        raise FormatError(notes.sorted_issues(source))
    return rules


def _read_rules(notes: Notes, root: Node, problem: Problem) -> DecisionRules:
    if not isinstance(root, MapNode):
        notes.add_wrong_kind(root, (), "a plan (a map with `rules`)", _RULES)
        return DecisionRules(())
    if any(key.text == "actions" for key, _ in root):
        notes.add(root.place, (), "this is a problem, not a plan", _RULES)
        return DecisionRules(())
    fields = notes.fields(root, (), ("rules", "unavailable"), "a plan")
    listed = fields.get("rules")
    if not isinstance(listed, ListNode):
        if listed is None and ("rules",) not in notes.unreadable:
            notes.add(root.place, ("rules",), "the plan has no `rules`", _RULES)
        elif listed is not None:
            notes.add_wrong_kind(listed, ("rules",), "a list of rules", _RULES)
        return DecisionRules(())
    names = [action.name for action in problem.actions]
    rules = [
        _rule(notes, item, ("rules", number), names)
        for number, item in enumerate(listed.items)
    ]
    skips = _skips(notes, fields.get("unavailable"))
    return DecisionRules(tuple(rules), skips)


def _skips(notes: Notes, node: Node | None) -> bool:
    """Read what becomes of a rule whose action cannot be taken."""
    if node is None:
        return False
    if isinstance(node, TextNode) and node.text in {"skip", "error"}:
        return node.text == "skip"
    fix = "write `skip` to pass such rules over, or `error`, which is usual"
    notes.add_wrong_kind(node, ("unavailable",), "`skip` or `error`", fix)
    return False


def _rule(notes: Notes, node: Node, path: Path, names: Sequence[str]) -> DecisionRule:
    place = issue_at(node.place, path, "", "").where
    if not isinstance(node, MapNode):
        notes.add_wrong_kind(node, path, "a rule (a map)", f"write `{_RULE}`")
        return DecisionRule()
    fields = notes.fields(node, path, ("when", "do"), "a rule")
    when = fields.get("when")
    condition = None if when is None else read_condition(notes, when, (*path, "when"))
    if "do" not in fields and not any(key.text == "do" for key, _ in node):
        fix = "add `do: drill`, say, or `do: stop`"
        notes.add(node.place, (*path, "do"), "the rule has no `do`", fix)
    action = _action(notes, fields.get("do"), (*path, "do"), names)
    return DecisionRule(ALWAYS if condition is None else condition, action, place)


def _action(
    notes: Notes, node: Node | None, path: Path, names: Sequence[str]
) -> str | None:
    """Read the name of an action; ``stop`` stops, unless an action is called so."""
    if node is None:
        return None
    if not isinstance(node, TextNode):
        notes.add_wrong_kind(node, path, "the name of an action", "write `do: drill`")
        return None
    if node.text in names:
        return node.text
    if node.text == _STOP:
        return None
    near = did_you_mean(node.text, [*names, _STOP])
    known = ", ".join(f"`{name}`" for name in names[:6])
    fix = f"write `{near.split('`')[1]}`" if near else f"write {known} or `{_STOP}`"
    what = f"there is no action {excerpt(node.text)}{near}"
    notes.add(node.place, path, what, fix)
    return None


def _check_names(
    notes: Notes, rules: DecisionRules, root: Node, problem: Problem
) -> None:
    """Note names in conditions that the problem does not have, or that are hidden."""
    known = Mentions(
        problem.actions,
        hidden=problem.hidden,
        counters=problem.counters,
        resources=problem.budget,
    )
    places = Places(root)
    for number, rule in enumerate(rules.rules):
        path = ("rules", number, "when")
        if path in notes.unreadable:
            continue
        for issue in known.condition_issues(path, rule.when, is_seen=True):
            notes.issues.append(places.located(issue))
