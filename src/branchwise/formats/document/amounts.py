"""Numbers, costs and budgets, as documents write them."""

import re
from fractions import Fraction

from branchwise.errors import Path, did_you_mean
from branchwise.formats.document.nodes import MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Limit
from branchwise.model.checks.issue import shown
from branchwise.model.numbers.expression import Expression, ExpressionError
from branchwise.model.numbers.expression_text import (
    ExpressionSyntaxError,
    Look,
    is_expression,
    parse_expression,
)
from branchwise.model.numbers.formula import Formula, WholeFormula
from branchwise.model.numbers.number import Number, exact

_PLAIN_FIX = "write a number such as `2`, `0.5`, `1/3` or `30%`"
_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+)")
_MEASURED = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)) *([^\W\d_][\w ]*)")
_LONGEST_MEASURED = 60  # What is shown in a message stays short.
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
        is_no_number = what.endswith("is not a number")
        if is_no_number and _is_computed(notes, node.text):
            return _computed(notes, node, path)
        if not node.text.strip():
            what = "an empty text is not a number"
        fix = _fix(node.text, path)
        if notes.parameters and _is_name(node.text):
            what, fix = _unknown(notes, node.text.strip())
        notes.add(node.place, path, _shortened(what, node.text), fix)
        return None


def or_zero(number: Fraction | None) -> Fraction:
    """Return zero for what stayed unread."""
    return Fraction(0) if number is None else number


class UnreadError(Exception):
    """A parameter has no value, of which its own place tells."""


def look_in(notes: Notes) -> Look:
    """Return how the parameters of a document are looked up."""

    def look(name: str, offset: int) -> Expression:
        if name not in notes.parameters:
            raise ExpressionSyntaxError(*_unknown(notes, name), offset)
        found = notes.parameters[name]
        if found is None:
            raise UnreadError
        return found

    return look


def _computed(notes: Notes, node: TextNode, path: Path) -> Formula | None:
    """Compute an expression; None, and a note, where that cannot be done."""
    try:
        return Formula(parse_expression(node.text, look_in(notes)))
    except UnreadError:
        notes.unreadable.add(path)
    except ExpressionSyntaxError as error:
        what = f"{error.what}, in {excerpt(node.text)}"
        notes.add(node.place_at(error.offset), path, what, error.fix)
    except ExpressionError as error:
        fix = "change the expression, or the parameters in it"
        notes.add(node.place, path, str(error), fix)
    return None


def _is_computed(notes: Notes, text: str) -> bool:
    """Whether a text is meant to be an expression, right or wrong."""
    words = re.findall(r"[^\W\d][\w.]*", text) if notes.parameters else ()
    names = any(word in notes.parameters for word in (text.strip(), *words))
    return names or is_expression(text)


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[^\W\d][\w.]*", text.strip()) is not None


def _unknown(notes: Notes, name: str) -> tuple[str, str]:
    """Say that there is no parameter of a name, and what to do."""
    near = did_you_mean(name, list(notes.parameters))
    meant = re.search("`(.*)`", near)
    what = f"there is no parameter {excerpt(name)}{near}"
    if meant:
        return what, f"write `{meant[1]}`"
    example = excerpt(f"parameters: {{{name}: 0.5}}")
    return what, f"write a number, or say what it is: {example}"


def _shortened(what: str, text: str) -> str:
    return what.replace(f"`{text.strip()}`", excerpt(text), 1)


def _fix(text: str, path: Path) -> str:
    comma = _DECIMAL_COMMA.fullmatch(text.strip())
    if comma:
        return f"write `{comma[1]}.{comma[2]}` with a point"
    if _SEPARATED.fullmatch(text.strip()):
        return f"write `{re.sub('[_ ]', '', text).replace(chr(39), '')}`"
    if measured := _measured(text):
        return _without_units(measured, path)
    if path[:1] in {("budget",), ("defense_budget",)}:
        is_endless = "inf" in text.casefold()
        return "write `unlimited`" if is_endless else f"{_PLAIN_FIX}, or `unlimited`"
    return _PLAIN_FIX


def _measured(text: str) -> list[tuple[str, str]]:
    """
    Return the numbers and units of a text, or nothing where it is something else.

    >>> _measured("2 days, 300 euro"), _measured("2 + two")
    ([('2', 'days'), ('300', 'euro')], [])
    """
    if len(text) > _LONGEST_MEASURED:
        return []
    found = [_MEASURED.fullmatch(part.strip()) for part in text.split(",")]
    return [(each[1], each[2]) for each in found if each and all(found)]


def _without_units(measured: list[tuple[str, str]], path: Path) -> str:
    """
    Say how to write numbers that came with units.

    >>> _without_units([("2", "days")], ("actions", "drill", "cost"))
    'write `2`, or `{days: 2}` if the budget has `days`, too'
    >>> _without_units([("25", "years")], ("rewards", 0, "value"))
    'write `25` without `years`'
    """
    (number, unit), *others = measured
    by_unit = f"`{{{', '.join(f'{unit}: {number}' for number, unit in measured)}}}`"
    if path in {("budget",), ("defense_budget",)}:
        return f"write {by_unit}" if others else f"write `{number}`, or {by_unit}"
    if path[-1:] != ("cost",):
        return f"write `{number}` without `{unit}`"
    if others:
        units = " and ".join(f"`{unit}`" for _, unit in measured)
        return f"write {by_unit}, with {units} in the budget"
    return f"write `{number}`, or {by_unit} if the budget has `{unit}`, too"


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
        return or_zero(read_number(notes, node, path))
    return {
        key.text: or_zero(read_number(notes, value, (*path, key.text)))
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
    return _whole(number)


def read_whole(notes: Notes, node: Node, path: Path, noun: str) -> int:
    """Read a whole number; 0, and a note, where it is none."""
    number = read_number(notes, node, path)
    if number is None:
        return 0
    if number.denominator != 1:
        what = f"{noun} is a whole number, not {shown(number)}"
        notes.add(node.place, path, what, "write a whole number, such as `1` or `-2`")
        return 0
    return _whole(number)


def _whole(number: Fraction) -> int:
    return (
        WholeFormula(number.expression) if isinstance(number, Formula) else int(number)
    )
