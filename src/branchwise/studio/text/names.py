"""Names: changing what something is called wherever a document says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from branchwise.errors import FormatError, Path
from branchwise.formats.document.conditions import CONDITION_KEYS
from branchwise.studio.text.aliases import let_go, parts_of, written_out
from branchwise.studio.text.edits import Splice, missing, put, refused, remove
from branchwise.studio.text.mentions import Thing, renamed_in_condition
from branchwise.studio.text.mentions import renamed_in_number as in_number
from branchwise.studio.text.moves import move
from branchwise.studio.text.spans import Span, spans_of
from branchwise.studio.text.spelling import Spelling

Pattern = tuple[str, ...]
"""A path in which `*` is any step, `@` the thing renamed, `^` what it belongs to."""

_COST: Final = ("actions.*.cost", "actions.*.outcomes.*.cost", "actions.*.given.*.cost")
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "action": tuple(f"defenses.*.{key}.@" for key in ("raises", "changes", "scales")),
    "counter": ("actions.*.effects.@", "actions.*.outcomes.*.effects.@"),
    "outcome": (
        "actions.^.given.*.outcomes.@",
        "defenses.*.changes.^.@",
        "defenses.*.scales.^.@",
    ),
    "value": ("hidden.^.given.*.outcomes.@",),
    "resource": (
        *(f"{cost}.@" for cost in _COST), "cost_weight.@", "defenses.*.raises.*.@",
    ),
}  # fmt: skip
"""Which keys elsewhere stand for the same thing, by what it is."""

_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "action": ("defenses.*.forbids", "defenses.*.forbids.*"),
    "counter": ("rewards.*.per",),
    "defense": ("defenses.*.excludes", "defenses.*.excludes.*"),
}
"""Which texts elsewhere are its name."""

_WORDS: Final = (
    "name", "combine", "objective", "rewards.*.per", "actions.*.outcomes.*.ends",
    "defenses.*.excludes", "defenses.*.excludes.*", "defenses.*.forbids",
    "defenses.*.forbids.*",
)  # fmt: skip
"""Which texts are neither numbers nor conditions."""


_CONDITIONS: Final = tuple(
    tuple(each.split("."))
    for each in (
        "actions.*.*", "actions.*.given.*.*", "hidden.*.given.*.*", "rewards.*.*", "*",
    )
)  # fmt: skip
"""Where a key may stand whose value is a condition."""


class _Change(NamedTuple):
    """A part whose text is another one now; a key or a value."""

    span: Span
    text: str


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
        return _freed(
            text, path, lambda t: [put(t, path, edit["put"], is_json=is_json)]
        )
    if "rename" in edit:
        return _freed(
            text, path, lambda t: renamed(t, path, edit["rename"], is_json=is_json)
        )
    if "move" in edit:
        return _freed(text, path, lambda t: [move(t, path, edit["move"])])
    return _freed(text, path, lambda t: [remove(t, path, is_json=is_json)])


def _freed(
    text: str, path: Path, change: Callable[[str], Sequence[Splice]]
) -> Sequence[Splice]:
    """Return a change of a part that aliases lead to, or that aliases stand for."""
    splices = [*written_out(text, path)]
    for splice in splices:
        text = splice.apply(text)
    try:
        return [*splices, *change(text)]
    except FormatError:
        more = [*let_go(text, path)]
        if not more:
            raise
    for splice in more:
        text = splice.apply(text)
    return [*splices, *more, *change(text)]


def renamed(
    text: str, path: Path, name: str, *, is_json: bool = False
) -> Sequence[Splice]:
    """
    Return how to rename a part, and all that mentions it.

    Examples
    --------
    >>> text = "{actions: {a: {outcomes: {x: p}}}, parameters: {p: 1}, finish: a=x}"
    >>> for path, name in ((("actions", "a"), "b"), (("parameters", "p"), "q")):
    ...     for splice in renamed(text, path, name):
    ...         text = splice.apply(text)
    >>> text
    '{actions: {b: {outcomes: {x: q}}}, parameters: {q: 1}, finish: b=x}'
    """
    root = spans_of(text)
    parent = root.at(path[:-1]) if root and path else None
    entry = parent.entry(path[-1]) if parent else None
    if root is None or entry is None:
        raise missing(path)
    changes = [_Change(entry[0], name)]
    thing = _thing(path)
    if thing is not None:
        changes += _mentions(root, thing, name)
    spelling = Spelling(is_json=is_json)
    changes.sort(key=lambda change: -change.span.start)
    keys = {id(key) for _, part in parts_of(root) for key, _ in part.entries}
    splices = [
        Splice(
            span.start,
            span.end,
            spelling.key(new) if id(span) in keys else spelling.text(new),
        )
        for span, new in changes
    ]
    _check(text, root, changes, splices)
    return splices


def _thing(path: Path) -> Thing | None:
    """Return what a key of a document names; None where nothing can mention it."""
    steps = [str(step) for step in path]
    match steps:
        case ["actions" | "hidden", name]:
            return Thing("action" if steps[0] == "actions" else "fact", name)
        case ["counters", name]:
            return Thing("counter", name)
        case ["parameters", name]:
            return Thing("parameter", name)
        case ["budget", name]:
            return Thing("resource", name)
        case ["defenses", name]:
            return Thing("defense", name)
        case ["actions", owner, "outcomes", label]:
            return Thing("outcome", label, owner)
        case ["hidden", owner, label] if label != "outcomes":
            return Thing("value", label, owner)
        case ["hidden", owner, "outcomes", label]:
            return Thing("value", label, owner)
    return None


def _mentions(root: Span, thing: Thing, new: str) -> Iterator[_Change]:
    """Return what else says a name, with what it is to say."""
    keys = [_pattern(each, thing) for each in _KEYS.get(thing.kind, ())]
    texts = [_pattern(each, thing) for each in _TEXTS.get(thing.kind, ())]
    words = [_pattern(each, thing) for each in _WORDS]
    for path, part in parts_of(root):
        for key, _ in part.entries:
            if key.text == thing.name and _fits((*path, key.text), keys):
                yield _Change(key, new)
        if part.kind != "text":
            continue
        if _fits(path, texts):
            after = new if part.text == thing.name else part.text
        elif is_condition(path):
            after = renamed_in_condition(part.text, thing, new)
        elif thing.kind == "parameter" and not _fits(path, words):
            after = in_number(part.text, thing.name, new)
        else:
            continue
        if after != part.text:
            yield _Change(part, after)


def is_condition(path: Path) -> bool:
    """Return whether a text at a path is a condition, or part of one."""
    return any(
        step in CONDITION_KEYS and _fits(path[: place + 1], _CONDITIONS)
        for place, step in enumerate(path)
    )


def _pattern(pattern: str, thing: Thing) -> Pattern:
    known = {"@": thing.name, "^": thing.owner}
    return tuple(known.get(step, step) for step in pattern.split("."))


def _fits(path: Path, patterns: Sequence[Pattern]) -> bool:
    return any(
        len(path) == len(pattern)
        and all(b in ("*", str(a)) for a, b in zip(path, pattern, strict=True))
        for pattern in patterns
    )


def _check(
    text: str, root: Span, changes: Sequence[_Change], splices: Sequence[Splice]
) -> None:
    """Refuse a renaming that would change anything but what is meant."""
    meant = {id(change.span): change.text for change in changes}
    for splice in splices:
        text = splice.apply(text)
    try:
        after = spans_of(text)
    except FormatError:
        raise refused() from None
    wanted = [*_words_of(root, meant)]
    if after is None or [*_words_of(after, {})] != wanted:
        raise refused()


def _words_of(span: Span, meant: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """Return all that is in a document, one after the other, as it is meant to be."""
    yield span.kind, meant.get(id(span), span.text)
    for key, value in span.entries:
        yield from _words_of(key, meant)
        yield from _words_of(value, meant)
    for item in span.items:
        yield from _words_of(item, meant)
