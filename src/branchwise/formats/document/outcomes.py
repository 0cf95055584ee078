"""Outcomes and their probabilities, as documents write them."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from branchwise.errors import Path, did_you_mean
from branchwise.formats.document.amounts import or_zero, read_number
from branchwise.formats.document.counters import read_effects
from branchwise.formats.document.intervals import Parts, read_cost, taken_apart
from branchwise.formats.document.nodes import MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.checks.issue import shown
from branchwise.model.numbers.expression import remainder_of
from branchwise.model.outcome import (
    ENDINGS,
    Ending,
    Outcome,
    as_outcomes,
    is_rest,
    with_slack,
)

_NOTHING: Final = Fraction(0)
_CONSEQUENCES: Final = ("effects", "cost", "ends")


def read_outcomes(notes: Notes, node: Node, path: Path) -> tuple[Outcome, ...]:
    """Read what may come of an action; what could not be read counts as zero."""
    if not isinstance(node, MapNode):
        fix = "write a map, for example `{ok: 0.6, fail: rest}`"
        notes.add_wrong_kind(node, path, "a map of labels and probabilities", fix)
        return ()
    texts = node.texts()
    known = None if texts is None else _known(*texts)
    if known is not None:
        return known
    found: dict[str, tuple[Fraction, Parts]] = {}
    rest: TextNode | None = None
    for key, value in notes.entries(node, path):
        here = (*path, key.text)
        probabilities = taken_apart(
            notes, value, here, "probability", "an outcome", _CONSEQUENCES
        )
        number = _NOTHING
        if not _is_rest(probabilities.number):
            number = _probability(notes, key, probabilities.number, here)
        elif rest is None:
            rest = key
        else:
            what = f"a second `rest`, after that of {excerpt(rest.text)}"
            fix = "write a number for one of the two"
            notes.add(value.place, here, what, fix)
        found[key.text] = number, probabilities
    if rest is not None:
        others = [n for label, (n, _) in found.items() if label != rest.text]
        number = _remainder(notes, rest, others, path)
        found[rest.text] = number, found[rest.text][1]
    outcomes = [
        _outcome(notes, label, number, probabilities, (*path, label))
        for label, (number, probabilities) in found.items()
    ]
    return with_slack(outcomes, rest.text if rest else None)


# A large file has few probabilities that it does not repeat.
@lru_cache(maxsize=10_000)
def _known(*texts: str) -> tuple[Outcome, ...] | None:
    """Read labels and probabilities, in turn; None where something is wrong."""
    probabilities = dict(zip(texts[::2], texts[1::2], strict=True))
    if 2 * len(probabilities) < len(texts) or "<<" in probabilities:
        return None
    try:
        outcomes = as_outcomes(probabilities)
    except ValueError:
        return None
    is_fine = min([o.probability.numerator for o in outcomes], default=0) >= 0
    return outcomes if is_fine else None


def _is_rest(node: Node | None) -> bool:
    return isinstance(node, TextNode) and is_rest(node.text)


def _outcome(
    notes: Notes, label: str, number: Fraction, probabilities: Parts, path: Path
) -> Outcome:
    low, high = (
        None if end is None else read_number(notes, end, path)
        for end in (probabilities.low, probabilities.high)
    )
    more = {
        key: _CONSEQUENCE_READERS[key](notes, node, (*path, key))
        for key, node in probabilities.more.items()
    }
    return Outcome(label, number, low=low, high=high, **more)


def _ends(notes: Notes, node: Node, path: Path) -> Ending | None:
    """Read whether nothing can be done after an outcome."""
    fix = "write `keep` (what was earned is paid) or `lose` (nothing is)"
    if not isinstance(node, TextNode):
        notes.add_wrong_kind(node, path, "`keep` or `lose`", fix)
    elif node.text in ENDINGS:
        return node.text
    else:
        near = did_you_mean(node.text, ENDINGS)
        notes.add(node.place, path, f"{excerpt(node.text)} is no ending{near}", fix)
    return None


def _probability(
    notes: Notes, key: TextNode, value: Node | None, path: Path
) -> Fraction:
    if value is None:
        return _NOTHING
    if not (isinstance(value, TextNode) and value.is_nothing):
        return or_zero(read_number(notes, value, path))
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
        return remainder_of(numbers)
    what = f"nothing is left for `rest`: the others sum to {shown(total)}"
    surplus = shown(total - 1)
    fix = f"lower the others by {surplus} or more, or remove {excerpt(rest.text)}"
    notes.add(rest.place, (*path, rest.text), what, fix)
    return Fraction(0)


_CONSEQUENCE_READERS: Final[dict[str, Callable[[Notes, Node, Path], Any]]] = {
    "effects": read_effects,
    "cost": read_cost,
    "ends": _ends,
}
