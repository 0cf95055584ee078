"""Numbers that may have an interval, as documents write them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from branchwise.errors import Path
from branchwise.formats.document.amounts import or_zero, read_number
from branchwise.formats.document.nodes import MapNode, Node, TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.source_text import excerpt
from branchwise.model.budget import DEFAULT_RESOURCE, Amounts, ByName
from branchwise.model.numbers.interval import Interval, as_interval, written_interval
from branchwise.model.numbers.number import exact
from branchwise.records import dataclass

_VALUE: Final = "value"
_ENDS: Final = ("low", "high")
_EXAMPLES: Final = {"value": "value: 70", "probability": "probability: 0.6"}


@dataclass(frozen=True, slots=True)
class Parts:
    """What is written about a number, part by part."""

    number: Node | None
    low: Node | None = None
    high: Node | None = None
    more: ByName[Node] = ByName()  # never changes


class Measured(NamedTuple):
    """A number, and between what it lies; None where nothing is said."""

    number: Fraction
    interval: Interval | None


def taken_apart(
    notes: Notes,
    node: Node,
    path: Path,
    key: str,
    noun: str,
    others: tuple[str, ...] = (),
) -> Parts:
    """
    Take `0.6 [0.5, 0.7]`, or the same as a map with `low` and `high`, apart.

    The map may have other keys besides, whose values are passed on as they are.
    """
    more: ByName[Node] = ByName()
    if isinstance(node, MapNode):
        fields = notes.fields(node, path, (key, *_ENDS, *others), noun)
        if key not in fields and (*path, key) not in notes.unreadable:
            *_, kind = noun.split()
            what = f"the {kind} {excerpt(str(path[-1]))} has no {key}"
            fix = f"add `{_EXAMPLES[key]}`, say: what it is if nothing goes wrong"
            notes.add(node.place, path, what, fix)
        more = ByName((k, value) for k, value in fields.items() if k in others)
        if len(fields) - len(more) != 1 or key not in fields:
            low, high = (fields.get(end) for end in _ENDS)
            return Parts(fields.get(key), low, high, more)
        node = fields[key]
    written = written_interval(node.text) if isinstance(node, TextNode) else None
    if written is None:
        return Parts(node, more=more)
    number, low, high = (TextNode(part, node.place) for part in written)
    return Parts(number, low, high, more)


def read_measured(notes: Notes, node: Node, path: Path) -> Measured:
    """Read a number and its interval, if it has one; zero where it is unreadable."""
    if isinstance(node, TextNode):
        try:
            return Measured(exact(node.text), None)
        except ValueError:
            pass  # It may have an interval; if not, it is noted what is wrong.
    parts = taken_apart(notes, node, path, _VALUE, "a number")
    found = None if parts.number is None else read_number(notes, parts.number, path)
    number = or_zero(found)
    low, high = (
        None if end is None else read_number(notes, end, path)
        for end in (parts.low, parts.high)
    )
    return Measured(number, as_interval(number, low, high))


def read_cost(notes: Notes, node: Node, path: Path) -> Amounts:
    """Read a cost: a number, or one for each resource, any with an interval."""
    texts: Sequence[str] | None = None
    if isinstance(node, TextNode):
        texts = DEFAULT_RESOURCE, node.text
    elif isinstance(node, MapNode):
        texts = node.texts()
    known = None if texts is None else _known(*texts)
    if known is not None:
        return known
    return _amounts(_by_resource(notes, node, path, (DEFAULT_RESOURCE,)))


# A large file has few costs that it does not repeat.
@lru_cache(maxsize=10_000)
def _known(*texts: str) -> Amounts | None:
    """Read resources and amounts, in turn; None where something is wrong."""
    amounts = dict(zip(texts[::2], texts[1::2], strict=True))
    if 2 * len(amounts) < len(texts) or "<<" in amounts or _is_measured(amounts):
        return None
    try:
        return Amounts(amounts)
    except ValueError:
        return None


def read_weight(
    notes: Notes, node: Node | None, path: Path, resources: tuple[str, ...]
) -> Amounts:
    """Read a weight: a number that counts for all resources, or one for each."""
    if node is None:
        return Amounts({})
    return _amounts(_by_resource(notes, node, path, resources))


def _by_resource(
    notes: Notes, node: Node, path: Path, plain: tuple[str, ...]
) -> dict[str, Measured]:
    """Read a map from resources to numbers, or a number that counts these."""
    if not isinstance(node, MapNode) or _is_measured({k.text: v for k, v in node}):
        return dict.fromkeys(plain, read_measured(notes, node, path))
    return {
        key.text: read_measured(notes, value, (*path, key.text))
        for key, value in notes.entries(node, path)
    }


def _is_measured(found: Mapping[str, object]) -> bool:
    """
    Tell `{value: 70, low: 60}` from amounts of resources.

    A resource may be called `value`: then its amount is itself a map.
    """
    if _VALUE not in found or isinstance(found[_VALUE], MapNode):
        return False
    return any(end in found for end in _ENDS)


def _amounts(found: dict[str, Measured]) -> Amounts:
    return Amounts(
        {resource: each.number for resource, each in found.items()},
        {resource: each.interval for resource, each in found.items() if each.interval},
    )
