"""Names: changing what something is called wherever a document says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from branchwise.errors import FormatError, Path
from branchwise.formats.document.conditions import CONDITION_KEYS
from branchwise.model.conditions.condition import quoted
from branchwise.studio.edits import Splice, put, remove, rename
from branchwise.studio.spans import Span, spans_of

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)|(?P<double>"(?:[^"\\]|\\.)*")|(?P<single>'(?:[^']|'')*')"""
    r"""|(?P<mark>>=|<=|==|[()=,<>])|(?P<name>[^\s()=,"'&|!<>]+)|(?P<other>.)""",
    re.DOTALL,
)
_TOPS: Final = frozenset({"actions", "hidden", "counters"})


def renamed(
    text: str, path: Path, name: str, *, is_json: bool = False
) -> tuple[Splice, ...]:
    """
    Return how to rename a part, and whatever conditions say of it.

    Examples
    --------
    >>> text = "{actions: {a: {outcomes: {x: 1}}}, finish: a=x}"
    >>> for splice in renamed(text, ("actions", "a"), "b"):
    ...     text = splice.apply(text)
    >>> text
    '{actions: {b: {outcomes: {x: 1}}}, finish: b=x}'
    """
    splices = [rename(text, path, name, is_json=is_json)]
    after = splices[0].apply(text)
    is_named = len(path) == 2 and path[0] in _TOPS
    is_outcome = len(path) == 4 and path[2] == "outcomes"
    is_outcome |= len(path) == 3 and path[0] == "hidden" and path[2] != "outcomes"
    if not (is_named or is_outcome) or path[1:] == ("",):
        return tuple(splices)
    old = (str(path[1]), str(path[-1]) if is_outcome else None)
    for place, condition in [*_conditions(spans_of(after))]:
        changed = _changed(condition, old, name)
        if changed != condition:
            splices.append(put(after, place, changed, is_json=is_json))
            after = splices[-1].apply(after)
    for place in [*_elsewhere(spans_of(after), path)]:
        try:
            splices.append(rename(after, place, name, is_json=is_json))
        except FormatError:
            continue
        after = splices[-1].apply(after)
    return tuple(splices)


def splices_of(
    text: str, edit: Mapping[str, Any], *, is_json: bool
) -> Sequence[Splice]:
    """Return what an edit of the page replaces; see `Desk.edit`."""
    if "splice" in edit:
        start, end, new = edit["splice"]
        if not 0 <= start <= end <= len(text):
            raise ValueError("the splice lies outside of the text")
        return (Splice(start, end, new),)
    path: Path = tuple(edit["path"])
    if "put" in edit:
        return (put(text, path, edit["put"], is_json=is_json),)
    if "rename" in edit:
        return renamed(text, path, edit["rename"], is_json=is_json)
    return (remove(text, path, is_json=is_json),)


def _conditions(
    span: Span | None, path: Path = (), *, inside: bool = False
) -> Iterator[tuple[Path, str]]:
    """Return every text that is a condition, or part of one."""
    if span is None:
        return
    if span.kind == "text" and inside:
        yield path, span.text
    for key, value in span.entries:
        is_inside = inside or (key.text in CONDITION_KEYS and len(path) != 1)
        yield from _conditions(value, (*path, key.text), inside=is_inside)
    for number, item in enumerate(span.items):
        yield from _conditions(item, (*path, number), inside=inside)


def _changed(condition: str, old: tuple[str, str | None], new: str) -> str:
    """Return a condition with another name for an action, a fact or an outcome."""
    tokens = [(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(condition)]
    solid = [n for n, (kind, _) in enumerate(tokens) if kind != "space"]
    action, outcome = old
    for place, number in enumerate(solid):
        kind, text = tokens[number]
        if _meaning(kind, text) != action or _follows_sign(tokens, solid, place):
            continue
        if outcome is None:
            tokens[number] = (kind, quoted(new))
        elif place + 2 < len(solid) and tokens[solid[place + 1]][1] == "=":
            after = solid[place + 2]
            if _meaning(*tokens[after]) == outcome:
                tokens[after] = (kind, quoted(new))
    return "".join(text for _, text in tokens)


def _follows_sign(tokens: list[tuple[str, str]], solid: list[int], place: int) -> bool:
    return place > 0 and tokens[solid[place - 1]][1] == "="


def _meaning(kind: str, text: str) -> str | None:
    """Return the name that a token stands for; None where it is none."""
    if kind == "double":
        try:
            return str(json.loads(text))
        except ValueError:
            return None
    if kind == "single":
        return text[1:-1].replace("''", "'")
    return text if kind == "name" else None


def _elsewhere(root: Span | None, path: Path) -> Iterator[Path]:
    """Return the keys elsewhere that stand for the same thing."""
    if root is None:
        return
    old = path[-1]
    for top in root.entries:
        if top[0].text not in _TOPS:
            continue
        for key, value in top[1].entries:
            here: Path = (top[0].text, key.text)
            if path[0] == "counters" and len(path) == 2:
                yield from _effects(value, here, str(old))
            elif here == path[:2] and len(path) > 2:
                clauses = value.child("given")
                for number, clause in enumerate(clauses.items if clauses else ()):
                    outcomes = clause.child("outcomes")
                    if outcomes and outcomes.child(old):
                        yield (*here, "given", number, "outcomes", old)


def _effects(action: Span, path: Path, counter: str) -> Iterator[Path]:
    """Return where an action and its outcomes change a counter."""
    effects = action.child("effects")
    if effects and effects.child(counter):
        yield (*path, "effects", counter)
    outcomes = action.child("outcomes")
    for key, value in outcomes.entries if outcomes else ():
        inside = value.child("effects")
        if inside and inside.child(counter):
            yield (*path, "outcomes", key.text, "effects", counter)
