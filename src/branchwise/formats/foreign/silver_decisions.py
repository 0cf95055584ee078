"""Decision trees of SilverDecisions (JSON) to nodes of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.foreign.parts import field, fields_of, items_of, one_of, text_of
from branchwise.formats.source_text import excerpt, refuse
from branchwise.model.conditions.condition import (
    ALWAYS,
    Attempted,
    Condition,
    Happened,
    any_of,
)
from branchwise.model.numbers.number import exact, ratio_text

_KINDS: Final = ("decision", "chance", "terminal")
_MOST_BRANCHES: Final = 500
_MOST_CHANCES: Final = 50
_USUAL_RULE: Final = "expected-value-maximization"
_RULES: Final = {_USUAL_RULE: "", "expected-value-minimization": "-"}
_SHARE: Final = "#"
_TOKEN: Final = re.compile(
    r"\s*([^\W\d]\w*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+|[-+*/()])"
)
_DEFINITION: Final = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)(.*)")
_MIXED: Final = re.compile(r"(-?)(?:(\d+) )?(\d+)(?:/(\d+))?")
_RESERVED: Final = frozenset({"min", "max", "rest", "unlimited"})

Scope = Mapping[str, str]
"""What variables are called in expressions of ours."""


def document_nodes(root: Node, source: str) -> tuple[MapNode, list[Issue]]:
    """Read a decision tree as a document; the issues say what was assumed."""
    return _Reading(root, source).document()


@dataclass(frozen=True, slots=True)
class _Case:
    """What may come of a choice: by chance, up to the next decision or the end."""

    labels: tuple[str, ...]
    chances: tuple[str, ...]
    payoffs: tuple[str, ...]
    end: Node
    scope: Scope


class _Reading:
    """Puts the branches of a tree together: each alternative is an action."""

    def __init__(self, root: Node, source: str) -> None:
        said = fields_of(root, "the file")
        self._title = _optional_text(said, "title") or Path(source).stem
        self._draft = Draft(root.place, self._title)
        self._data = fields_of(said["data"], "`data`") if "data" in said else said
        self._root = said.get("data", root)
        rule = _optional_text(said, "rule") or _USUAL_RULE
        self._sign = _RULES.get(rule, "")
        self._ends: list[Condition] = []
        self._pending: list[tuple[Node, Condition, Scope]] = []
        self._saved: list[Node] = []
        self._seconds: list[Node] = []
        if rule not in _RULES:
            what = (
                f"the rule of the file is {excerpt(rule)}; the expected value is used"
            )
            self._draft.assume(said["rule"].place, what, "compare with that rule there")
        if self._sign:
            what = "the rule of the file makes payoffs least; each counts below zero"
            self._draft.assume(said["rule"].place, what, "read values without the sign")

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
        trees = items_of(field(self._data, self._root, "trees", "the file"), "`trees`")
        if not trees:
            what = "there is no tree in this file"
            raise refuse(self._root.place, what, "draw one, and save it again")
        draft = self._draft
        scope = self._with_code({}, self._data)
        draft.say("combine", "sum")
        self._pending.append((trees[0], ALWAYS, scope))
        while self._pending:  # No recursion: a tree may be deep.
            self._take(*self._pending.pop())
        draft.say("finish", any_of(*self._ends))
        if len(trees) > 1:
            what = f"there are {len(trees)} trees; the first one is read"
            draft.assume(trees[1].place, what, "keep one tree in the file")
        if self._saved:
            what = (
                "functions and powers cannot be expressed here; what is computed with "
            )
            what += f"them is taken as the file has it ({len(self._saved)} times)"
            draft.assume(self._saved[0].place, what, "write them as plain arithmetic")
        if self._seconds:
            what = "there is a second criterion, which is left out"
            draft.assume(self._seconds[0].place, what, "weigh the two into one payoff")
        return draft.node(), draft.issues

    # The tree.

    def _take(self, node: Node, before: Condition, scope: Scope) -> None:
        """Add the alternatives of a decision, or the one choice there is elsewhere."""
        said, kind = self._node(node)
        if kind != "decision":
            name = self._draft.free_name(_optional_text(said, "name") or "start")
            cases = list(self._cases(node, scope))
            self._pending += reversed(self._add(name, cases, before, (), node))
            return
        scope = self._with_code(scope, said)
        edges = self._edges(said, node)
        wishes = [_optional_text(edge, "name") for edge, _ in edges]
        own = _optional_text(said, "name") or self._title
        names = [
            self._draft.free_name(wish or f"{own}, {number}")
            for number, wish in enumerate(wishes, 1)
        ]
        follow = []
        for name, (edge, place) in zip(names, edges, strict=True):
            cases = list(self._cases(_child(edge, place), scope))
            others = tuple(each for each in names if each != name)
            follow += self._add(name, cases, before, others, place)
            self._earn(Attempted(name), self._payoff(edge, scope), place)
        self._pending += reversed(follow)

    def _add(
        self,
        name: str,
        cases: list[_Case],
        before: Condition,
        others: tuple[str, ...],
        node: Node,
    ) -> list[tuple[Node, Condition, Scope]]:
        """Add an action; return the decisions that follow."""
        outcomes: dict[str, Part] = {}
        follow: list[tuple[Condition, _Case]] = []
        for number, case in enumerate(cases, 1):
            wish = ", ".join(" ".join(label.split()) for label in case.labels if label)
            wish = wish or ("done" if len(cases) == 1 else f"case {number}")
            label = wish if wish not in outcomes else f"{wish} ({number})"
            outcomes[label] = " * ".join(f"({each})" for each in case.chances) or 1
            follow.append((Happened(name, label), case))
        said: dict[str, Part] = {"cost": 0, "outcomes": outcomes}
        if before != ALWAYS:
            said["requires"] = before
        if others:
            said["precluded_by"] = any_of(*map(Attempted, others))
        self._draft.action(name, said, node.place)
        for happened, case in follow:
            self._earn(happened, case.payoffs, case.end)
        ends = [each for each, case in follow if not self._is_decision(case.end)]
        self._ends += ends
        return [
            (case.end, happened, case.scope)
            for happened, case in follow
            if self._is_decision(case.end)
        ]

    def _is_decision(self, node: Node) -> bool:
        return self._node(node)[1] == "decision"

    def _earn(self, when: Condition, payoffs: Sequence[str], node: Node) -> None:
        """Add a payoff where it is made: a plan is worth the sum."""
        if payoffs:
            total = " + ".join(f"({each})" for each in payoffs)
            value = f"{self._sign}({total})" if self._sign else total
            self._draft.reward(when, value, node.place)

    def _cases(self, node: Node, scope: Scope, height: int = 0) -> Iterator[_Case]:
        """Yield what may come of chance from here, however often it is asked."""
        said, kind = self._node(node)
        if kind != "chance":
            yield _Case((), (), (), node, scope)
            return
        if height == _MOST_CHANCES:
            what = f"more than {_MOST_CHANCES} nodes of chance stand in a row"
            fix = "draw a decision with one branch between them"
            raise refuse(node.place, what, fix)
        scope = self._with_code(scope, said)
        edges = self._edges(said, node)
        chances = self._chances([edge for edge, _ in edges], node, scope)
        for (edge, place), chance in zip(edges, chances, strict=True):
            for case in self._cases(_child(edge, place), scope, height + 1):
                yield _Case(
                    (_optional_text(edge, "name"), *case.labels),
                    (chance, *case.chances),
                    (*self._payoff(edge, scope), *case.payoffs),
                    case.end,
                    case.scope,
                )

    def _node(self, node: Node) -> tuple[dict[str, Node], str]:
        said = fields_of(node, "a node of the tree")
        kind = one_of(field(said, node, "type", "the node"), "kind of node", _KINDS)
        return said, kind

    def _edges(
        self, said: dict[str, Node], node: Node
    ) -> list[tuple[dict[str, Node], Node]]:
        branches = items_of(field(said, node, "childEdges", "the node"), "`childEdges`")
        if not branches:
            what = "this node has no branch, and is no end"
            raise refuse(node.place, what, "draw what follows, or make it terminal")
        if len(branches) > _MOST_BRANCHES:
            what = (
                f"this node has {len(branches):,} branches; at most {_MOST_BRANCHES} "
            )
            raise refuse(node.place, f"{what}are read", "put some together")
        return [(fields_of(branch, "a branch"), branch) for branch in branches]

    # Its numbers.

    def _chances(
        self, edges: list[dict[str, Node]], node: Node, scope: Scope
    ) -> list[str]:
        """Return probabilities; those written `#` share what the others leave."""
        known: list[str | None] = []
        for edge in edges:
            said = field(edge, node, "probability", "a branch of chance")
            text = _code(text_of(said, "a probability"))
            is_share = text_of(said, "a probability").strip() == _SHARE
            known.append(
                None
                if is_share
                else self._number(text, said, edge, "probability", scope)
            )
        taken = [f"({each})" for each in known if each is not None]
        left = " - ".join(["1", *taken])
        shares = known.count(None)
        share = left if shares == 1 else f"({left}) / {shares}"
        return [share if each is None else each for each in known]

    def _payoff(self, edge: dict[str, Node], scope: Scope) -> list[str]:
        node = edge.get("payoff")
        if node is None:
            return []
        if isinstance(node, ListNode):
            first, *more = node.items or (TextNode("0", node.place),)
            if any(isinstance(m, TextNode) and m.text not in {"0", ""} for m in more):
                self._seconds.append(node)
            node = first
        text = _code(text_of(node, "a payoff"))
        return [] if text == "0" else [self._number(text, node, edge, "payoff", scope)]

    def _number(
        self,
        text: str,
        node: Node,
        edge: dict[str, Node],
        key: str,
        scope: Scope,
    ) -> str:
        """Return an expression of ours, or else the number that the file has for it."""
        found = _expression(text, scope)
        if found is not None:
            return found
        computed = edge.get("computed")
        saved = fields_of(computed, "`computed`").get(key) if computed else None
        if isinstance(saved, ListNode) and saved.items:
            saved = saved.items[0]
        number = _mixed(saved.text) if isinstance(saved, TextNode) else None
        if number is None:
            what = f"{excerpt(text)} is no {key} that can be read"
            raise refuse(node.place, what, "write a number, or plain arithmetic")
        self._saved.append(node)
        return number

    def _with_code(self, scope: Scope, said: dict[str, Node]) -> Scope:
        """Return what variables are called after the definitions of a node."""
        code = said.get("code")
        if not isinstance(code, TextNode) or not code.text.strip():
            return scope
        values = said.get("expressionScope")
        saved = fields_of(values, "`expressionScope`") if values else {}
        known = dict(scope)
        for line in code.text.splitlines():
            definition = _DEFINITION.fullmatch(_code(line))
            if definition is None:
                continue
            name, text = definition.groups()
            value = _expression(text, known)
            node = saved.get(name)
            if value is None and isinstance(node, TextNode):
                value = _mixed(node.text)
                self._saved.append(node)
            if value is None:
                what = f"{excerpt(line)} defines no number that can be read"
                raise refuse(code.place, what, "write a number, or plain arithmetic")
            wish = f"{name}_" if name in _RESERVED else name
            known[name] = self._draft.parameter(wish, value, code.place)
        return known


def _child(edge: dict[str, Node], node: Node) -> Node:
    return field(edge, node, "childNode", "a branch")


def _optional_text(said: dict[str, Node], key: str) -> str:
    node = said.get(key)
    return node.text.strip() if isinstance(node, TextNode) else ""


def _code(text: str) -> str:
    """Return an expression without its comment."""
    return text.partition(_SHARE)[0].strip()


def _expression(text: str, scope: Scope) -> str | None:
    """Return plain arithmetic as an expression of ours; None for anything else."""
    parts: list[str] = []
    position = 0
    text = text.strip()
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            return None
        part = token[1]
        if part[0].isalpha() or part[0] == "_":
            if part not in scope:
                return None
            part = scope[part]
        parts.append(part)
        position = token.end()
    # Two operands beside each other are a product there, and nothing here.
    spaced = " ".join(parts)
    is_product = re.search(r"[\w\"\).] [\w\"\(]", spaced)
    return None if is_product or not parts else spaced


def _mixed(text: str) -> str | None:
    """
    Return a number as the file has it computed: a decimal, `3/4` or `1 3/4`.

    >>> _mixed("-1 3/4"), _mixed("0.25"), _mixed("many")
    ('-7/4', '0.25', None)
    """
    found = _MIXED.fullmatch(text.strip())
    if found is not None and found[4] not in {"0", "00"}:
        sign, whole, top, bottom = found.groups()
        number = exact(whole or 0) + exact(top) / exact(bottom or 1)
        return ratio_text(-number if sign else number)
    try:
        exact(text)
    except ValueError:
        return None
    return text.strip()
