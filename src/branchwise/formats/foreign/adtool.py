"""Attack-defence trees of ADTool to nodes of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final

from branchwise.errors import Issue
from branchwise.formats.document.nodes import MapNode
from branchwise.formats.foreign.draft import Draft, Part
from branchwise.formats.foreign.xml_tree import Element, xml_tree
from branchwise.formats.source_text import excerpt, refuse
from branchwise.model.conditions.condition import (
    ALWAYS,
    Condition,
    Happened,
    all_of,
    any_of,
)
from branchwise.model.numbers.number import exact, number_text

_ROOTS: Final = ("adtree", "sandtree")
_REFINEMENTS: Final = ("disjunctive", "conjunctive", "sequential")
_PROBABILITY: Final = "ProbSucc"
_COST: Final = "MinCost"
_LIKELY: Final = "0.5"
_DONE: Final = "done"
_FAILS: Final = "fails"


def document_nodes(data: bytes, source: str) -> tuple[MapNode, list[Issue]]:
    """Read an attack-defence tree as a document; the issues say what was assumed."""
    root = xml_tree(data, source)
    if root.name not in _ROOTS:
        what = f"{excerpt(f'<{root.name}>')} is not the root of an attack-defence tree"
        fix = "give a file that ADTool wrote: `<adtree>` or `<sandtree>`"
        raise refuse(root.place, what, fix)
    nodes = root.inside("node")
    if len(nodes) != 1:
        what = f"the tree has {len(nodes)} root nodes, not one"
        raise refuse(root.place, what, "keep one `<node>` directly inside it")
    return _Reading(root, nodes[0]).document()


@dataclass(slots=True)
class _Named:
    """Basic actions of one side by their labels: names, nodes, what comes before."""

    names: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, Element] = field(default_factory=dict)
    requires: dict[str, list[Condition]] = field(default_factory=dict)


class _Reading:
    """
    Puts the nodes of a tree together.

    Steps of the one who owns the root are actions. So is meeting a countermeasure,
    which costs nothing: whether it works shows where what it counters is done.
    """

    def __init__(self, root: Element, goal: Element) -> None:
        self._root, self._goal = root, goal
        self._draft = Draft(goal.place, _label(goal))
        self._steps = _Named()
        self._counters = _Named()
        self._missing: Counter[str] = Counter()

    def document(self) -> tuple[MapNode, list[Issue]]:
        """Return the document, and what was assumed."""
        reached = self._reached(self._goal, ALWAYS)
        for key in self._steps.names:
            self._add_step(key)
        for key in self._counters.names:
            self._add_counter(key)
        self._draft.reward(reached, 1, self._goal.place)
        self._assume()
        return self._draft.node(), self._draft.issues

    # The tree.

    def _reached(self, node: Element, before: Condition) -> Condition:
        """Return the condition that a node of the planner is reached, not countered."""
        own, against = _children(node)
        refinement = _refinement(node)
        if not own:
            reached: Condition = self._happened(self._steps, node, before, _DONE)
        elif refinement == "disjunctive":
            reached = any_of(*(self._reached(child, before) for child in own))
        else:
            reached = ALWAYS
            for child in own:
                is_waiting = refinement == "sequential"
                start = all_of(before, reached) if is_waiting else before
                reached = all_of(reached, self._reached(child, start))
        stopped = [self._stopped(each, reached) for each in against]
        return all_of(reached, *stopped)

    def _stopped(self, node: Element, before: Condition) -> Condition:
        """Return the condition that a countermeasure fails, or is countered."""
        own, against = _children(node)
        if not own or self._is_as_one(node):
            fails = self._happened(self._counters, node, before, _FAILS)
        else:
            join = all_of if _refinement(node) == "disjunctive" else any_of
            fails = join(*(self._stopped(child, before) for child in own))
        return any_of(fails, *(self._reached(each, ALWAYS) for each in against))

    def _happened(
        self, known: _Named, node: Element, before: Condition, outcome: str
    ) -> Condition:
        label = _label(node)
        if label not in known.names:
            known.names[label] = self._draft.free_name(label)
            known.nodes[label] = node
        known.requires.setdefault(label, []).append(before)
        return Happened(known.names[label], outcome)

    def _is_as_one(self, node: Element) -> bool:
        """Whether all countermeasures below one stand nowhere else: they are as one."""
        inside = list(_below(node))
        is_alone = all(self._counts[_label(each)] == 1 for each in inside)
        return is_alone and not any(map(_is_switched, inside[1:]))

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(map(_label, _below(self._goal)))

    # Its numbers.

    @cached_property
    def _domains(self) -> dict[str, str]:
        """The kind of each domain, by what values call it."""
        kinds = {}
        for domain in self._root.inside("domain"):
            classes = domain.inside("class")
            kind = classes[0].text.strip().rpartition(".")[2] if classes else ""
            kinds[domain.attributes.get("id", "")] = kind
        return kinds

    def _value(self, node: Element, kind: str) -> Fraction | None:
        for each in node.inside("parameter"):
            domain = each.attributes.get("domainId", "")
            known = self._domains.get(domain, domain.rstrip("0123456789"))
            if known != kind or each.attributes.get("category") == "derived":
                continue
            try:
                number = exact(each.text.strip())
            except ValueError:
                what = f"{excerpt(each.text)} is not a number"
                raise refuse(each.place, what, "write a number such as `0.5`") from None
            is_wrong = number < 0 or (kind == _PROBABILITY and number > 1)
            if is_wrong:
                what = f"{excerpt(each.text)} is no {_NOUNS[kind]}"
                raise refuse(each.place, what, f"write {_RANGES[kind]}")
            return number
        return None

    def _chance_of(self, node: Element) -> str:
        """Return an expression: how likely a step or countermeasure works."""
        own, _ = _children(node)
        if own:
            parts = [f"({self._chance_of(child)})" for child in own]
            if _refinement(node) != "disjunctive":
                return " * ".join(parts)
            return f"1 - {' * '.join(f'(1 - {part})' for part in parts)}"
        label = _label(node)
        value = self._value(node, _PROBABILITY)
        if value is None:
            self._missing["probability"] += 1
        number = _LIKELY if value is None else number_text(value)
        return self._draft.parameter(f"chance of {label}", number, node.place)

    @cached_property
    def _usual_cost(self) -> str:
        return self._draft.parameter("cost of a step", 1, self._goal.place)

    def _add_step(self, label: str) -> None:
        node = self._steps.nodes[label]
        cost = self._value(node, _COST)
        if cost is None:
            self._missing["cost"] += 1
        said: dict[str, Part] = {
            "cost": self._usual_cost if cost is None else cost,
            "outcomes": {_DONE: self._chance_of(node), "failed": "rest"},
        }
        self._add(self._steps, label, said)

    def _add_counter(self, label: str) -> None:
        chance = self._chance_of(self._counters.nodes[label])
        said: dict[str, Part] = {
            "cost": 0,
            "outcomes": {"works": chance, _FAILS: "rest"},
        }
        self._add(self._counters, label, said)

    def _add(self, known: _Named, label: str, said: dict[str, Part]) -> None:
        requires = any_of(*known.requires[label])
        if requires != ALWAYS:
            said["requires"] = requires
        self._draft.action(known.names[label], said, known.nodes[label].place)

    def _assume(self) -> None:
        draft, place = self._draft, self._goal.place
        if count := self._missing["probability"]:
            what = (
                f"no probability (domain `{_PROBABILITY}`) is given for {count} of the "
            )
            what += (
                "steps and countermeasures; each is a parameter, `chance of ...`, of "
            )
            what += _LIKELY
            draft.assume(place, what, 'say better: `--set "chance of ..."=0.2`')
        if count := self._missing["cost"]:
            what = f"no cost (domain `{_COST}`) is given for {count} of the steps; "
            what += "each costs what the parameter `cost of a step` says, 1"
            draft.assume(place, what, 'say better: `--set "cost of a step"=2`')
        if count := len(self._counters.names):
            what = f"every countermeasure is in place ({count}), and shows whether it "
            what += "works when what it counters is done; the choice among them cannot "
            what += "be expressed"
            draft.assume(place, what, 'leave one out: `--set "chance of ..."=0`')
        labels = [*self._steps.names, *self._counters.names]
        repeated = [label for label in labels if self._counts[label] > 1]
        if repeated:
            what = f"{excerpt(repeated[0])} stands in several places, and is one step; "
            what += "ADTool's own sums take each place by itself"
            draft.assume(place, what, "give steps that are different different labels")
        others = sorted({*self._domains.values()} - {_PROBABILITY, _COST, ""})
        if others:
            names = ", ".join(f"`{name}`" for name in others)
            what = f"values of the domains {names} are left out"
            draft.assume(place, what, f"say costs in a domain `{_COST}`")


_NOUNS: Final = {_PROBABILITY: "probability", _COST: "cost"}
_RANGES: Final = {
    _PROBABILITY: "a number from 0 to 1",
    _COST: "a number of at least 0",
}


def _children(node: Element) -> tuple[list[Element], list[Element]]:
    """Return what refines a node, and what counters it."""
    nodes = node.inside("node")
    own = [child for child in nodes if not _is_switched(child)]
    return own, [child for child in nodes if _is_switched(child)]


def _refinement(node: Element) -> str:
    refinement = node.attributes.get("refinement", _REFINEMENTS[0])
    if refinement not in _REFINEMENTS:
        what = f"there is no refinement {excerpt(refinement)}"
        names = ", ".join(f"`{name}`" for name in _REFINEMENTS)
        raise refuse(node.place, what, f"use one of these: {names}")
    return refinement


def _is_switched(node: Element) -> bool:
    return node.attributes.get("switchRole", "no") == "yes"


def _label(node: Element) -> str:
    labels = node.inside("label")
    return (" ".join(labels[0].text.split()) if labels else "") or "unnamed"


def _below(node: Element) -> Iterator[Element]:
    yield node
    for child in node.inside("node"):
        yield from _below(child)
