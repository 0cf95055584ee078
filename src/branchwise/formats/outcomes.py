"""Outcomes and their odds, as documents write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise.errors import Path
from branchwise.formats.amounts import read_number
from branchwise.formats.nodes import MapNode, Node, TextNode
from branchwise.formats.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.interval import written_interval
from branchwise.model.issue import shown
from branchwise.model.outcome import Outcome, is_rest, with_slack

__all__ = ["read_distance", "read_outcomes"]

_ODDS_KEYS: Final = ("probability", "low", "high")


@dataclass(frozen=True, slots=True)
class _Odds:
    """What is written about the odds of one outcome, part by part."""

    probability: Node | None
    low: Node | None = None
    high: Node | None = None

    @property
    def is_rest(self) -> bool:
        node = self.probability
        return isinstance(node, TextNode) and is_rest(node.text)


def read_outcomes(notes: Notes, node: Node | None, path: Path) -> tuple[Outcome, ...]:
    """Read what may come of an action; what could not be read counts as zero."""
    if node is None:
        return ()
    if not isinstance(node, MapNode):
        fix = "write a map, for example `{ok: 0.6, fail: rest}`"
        notes.add_wrong_kind(node, path, "a map of labels and probabilities", fix)
        return ()
    found: dict[str, tuple[Fraction, _Odds]] = {}
    rest: TextNode | None = None
    for key, value in notes.entries(node, path):
        here = (*path, key.text)
        odds = _odds(notes, value, here)
        number = Fraction(0)
        if not odds.is_rest:
            number = _probability(notes, key, odds.probability, here)
        elif rest is None:
            rest = key
        else:
            what = f"a second `rest`, after that of {excerpt(rest.text)}"
            fix = "write a number for one of the two"
            notes.add(value.place, here, what, fix)
        found[key.text] = number, odds
    if rest is not None:
        number = _remainder(notes, rest, [number for number, _ in found.values()], path)
        found[rest.text] = number, found[rest.text][1]
    outcomes = [
        _outcome(notes, label, number, odds, (*path, label))
        for label, (number, odds) in found.items()
    ]
    return with_slack(outcomes, rest.text if rest else None)


def read_distance(notes: Notes, node: Node | None, path: Path) -> Fraction | None:
    """Read how far odds may lie from what they are said to be."""
    return None if node is None else read_number(notes, node, path)


def _odds(notes: Notes, value: Node, path: Path) -> _Odds:
    """Take `0.6 [0.5, 0.7]` or `{probability: 0.6, low: 0.5, high: 0.7}` apart."""
    if isinstance(value, MapNode):
        fields = notes.fields(value, path, _ODDS_KEYS, "an outcome")
        if (
            "probability" not in fields
            and (*path, "probability") not in notes.unreadable
        ):
            what = f"the outcome {excerpt(str(path[-1]))} has no probability"
            fix = "add `probability: 0.6`, say: what it is if nothing goes wrong"
            notes.add(value.place, path, what, fix)
        return _Odds(*(fields.get(key) for key in _ODDS_KEYS))
    written = written_interval(value.text) if isinstance(value, TextNode) else None
    if written is None:
        return _Odds(value)
    return _Odds(*(TextNode(part, value.place) for part in written))


def _outcome(
    notes: Notes, label: str, number: Fraction, odds: _Odds, path: Path
) -> Outcome:
    low, high = (
        None if bound is None else read_number(notes, bound, path)
        for bound in (odds.low, odds.high)
    )
    return Outcome(label, number, low=low, high=high)


def _probability(
    notes: Notes, key: TextNode, value: Node | None, path: Path
) -> Fraction:
    if value is None:
        return Fraction(0)
    if not (isinstance(value, TextNode) and value.is_nothing):
        return read_number(notes, value, path) or Fraction(0)
    # In `{ok:0.5}` and `{ok 0.5}` YAML sees one long label.
    glued = re.fullmatch(r"(.*\S)(?::\s*|\s+)([\d.]+%?)", key.text)
    what = f"the outcome {excerpt(key.text)} has no probability"
    number, rest = excerpt(f"{key.text}: 0.5"), excerpt(f"{key.text}: rest")
    fix = f"write {number}, or {rest} for what the others leave"
    if glued:
        written = excerpt(f"{glued[1]}: {glued[2]}")
        fix = f"write {written}, with a colon and a space"
        notes.unreadable.add(path[:-1])
    notes.add(key.place, path, what, fix)
    return Fraction(0)


def _remainder(
    notes: Notes, rest: TextNode, numbers: list[Fraction], path: Path
) -> Fraction:
    total = sum(numbers, Fraction(0))
    if total <= 1:
        return 1 - total
    what = f"nothing is left for `rest`: the others sum to {shown(total)}"
    surplus = shown(total - 1)
    fix = f"lower the others by {surplus} or more, or remove {excerpt(rest.text)}"
    notes.add(rest.place, (*path, rest.text), what, fix)
    return Fraction(0)
