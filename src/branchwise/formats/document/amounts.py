"""Numbers, costs and budgets, as documents write them."""

import re
from fractions import Fraction

from branchwise.errors import Path
from branchwise.formats.document.nodes import MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Limit
from branchwise.model.checks.issue import shown
from branchwise.model.number import Number, exact

_PLAIN_FIX = "write a number such as `2`, `0.5`, `1/3` or `30%`"
_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+)")
_SEPARATED = re.compile(r"[+-]?\d{1,3}(?:[_' ]\d{3})+(?:\.\d+)?")


def read_number(notes: Notes, node: Node, path: Path) -> Fraction | None:
    """Read a number exactly as written; None, and a note, where it is none."""
    if not isinstance(node, TextNode) or node.is_nothing:
        notes.add_wrong_kind(node, path, "a number", _PLAIN_FIX)
        return None
    try:
        return exact(node.text)
    except ValueError as error:
        what = str(error)
        if not node.text.strip():
            what = "an empty text is not a number"
        notes.add(node.place, path, _shortened(what, node.text), _fix(node.text, path))
        return None


def _shortened(what: str, text: str) -> str:
    return what.replace(f"`{text.strip()}`", excerpt(text), 1)


def _fix(text: str, path: Path) -> str:
    comma = _DECIMAL_COMMA.fullmatch(text.strip())
    if comma:
        return f"write `{comma[1]}.{comma[2]}` with a point"
    if _SEPARATED.fullmatch(text.strip()):
        return f"write `{re.sub('[_ ]', '', text).replace(chr(39), '')}`"
    if path[:1] in {("budget",), ("defense_budget",)}:
        is_endless = "inf" in text.casefold()
        return "write `unlimited`" if is_endless else f"{_PLAIN_FIX}, or `unlimited`"
    return _PLAIN_FIX


def read_limits(notes: Notes, node: Node | None, path: Path) -> dict[str, Limit]:
    """Read a budget: a number, `unlimited`, or one of these per resource."""
    if node is None:
        return {DEFAULT_RESOURCE: UNLIMITED}
    if not isinstance(node, MapNode):
        return {DEFAULT_RESOURCE: read_limit(notes, node, path)}
    return {
        key.text: read_limit(notes, value, (*path, key.text))
        for key, value in notes.entries(node, path)
    }


def read_limit(notes: Notes, node: Node | None, path: Path) -> Limit:
    """Read a number or `unlimited`, which counts where there is nothing to read."""
    if node is None or _is_unlimited(node):
        return UNLIMITED
    number = read_number(notes, node, path)
    return UNLIMITED if number is None else number


def _is_unlimited(node: Node) -> bool:
    return isinstance(node, TextNode) and node.text.strip().casefold() == "unlimited"


def read_amounts(
    notes: Notes, node: Node | None, path: Path, default: int
) -> int | Fraction | dict[str, Number]:
    """Read a cost or a weight: a number, or one per resource."""
    if node is None:
        return default
    if not isinstance(node, MapNode):
        return read_number(notes, node, path) or Fraction(0)
    return {
        key.text: read_number(notes, value, (*path, key.text)) or Fraction(0)
        for key, value in notes.entries(node, path)
    }


def read_attempts(notes: Notes, node: Node, path: Path) -> int | float:
    """Read how often an action may be taken."""
    if _is_unlimited(node):
        return UNLIMITED
    number = read_number(notes, node, path)
    if number is None:
        return 1
    if number.denominator != 1 or number < 1:
        what = f"attempts must be a whole number from 1 on, not {shown(number)}"
        fix = "write `1`, `2`, ... or `unlimited`"
        notes.add(node.place, path, what, fix)
        return 1
    return int(number)
