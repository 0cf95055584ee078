"""Edits: changes of one part of a document that leave every other byte alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from branchwise.errors import FormatError, Path
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse
from branchwise.studio.text.spans import Span, spans_of
from branchwise.studio.text.spelling import Spelling, Value, is_block

_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "problem": (
        "name", "parameters", "budget", "hidden", "counters", "actions", "rewards",
        "combine", "cost_weight", "finish", "objective", "unfinished",
        "defense_budget", "defenses",
    ),
    "action": (
        "attempts", "cost", "requires", "precluded_by", "effects", "outcomes",
        "distance", "sample_size", "given",
    ),
    "other": (
        "when", "per", "probability", "outcomes", "start", "range", "value", "given",
        "effects", "cost", "ends",
    ),
}  # fmt: skip
_DROPPED: Final = frozenset(
    {"rewards", "hidden", "counters", "parameters", "given", "effects", "defenses"}
)
"""Maps and lists that go when the last of what is in them goes."""


class Splice(NamedTuple):
    """Characters of a text that give way to others."""

    start: int
    end: int
    text: str

    def apply(self, text: str) -> str:
        """Return the text with this in place."""
        return text[: self.start] + self.text + text[self.end :]

    def inverse(self, text: str) -> Splice:
        """Return what takes this back again, given the text before."""
        end = self.start + len(self.text)
        return Splice(self.start, end, text[self.start : self.end])


def put(text: str, path: Path, value: Value, *, is_json: bool = False) -> Splice:
    """
    Return how to let a part of a document say something, whether it is there or not.

    Examples
    --------
    >>> text = "actions: {a: {outcomes: {ok: 0.60, bad: 0.4}}} # mine"
    >>> put(text, ("actions", "a", "cost"), "2").apply(text)
    'actions: {a: {cost: 2, outcomes: {ok: 0.60, bad: 0.4}}} # mine'
    """
    editor = Editor(text, is_json=is_json)
    path, value = editor.grounded(path, value)
    is_there = editor.root.at(path) is not None
    splice = editor.replaced(path, value) if is_there else editor.added(path, value)
    return _checked(text, splice, lambda data: _with(data, path, _data(value)))


def remove(text: str, path: Path, *, is_json: bool = False) -> Splice:
    """Return how to take a part out of a document."""
    editor = Editor(text, is_json=is_json)
    while len(path) > 1 and path[-2] in _DROPPED and editor.is_last(path):
        path = path[:-1]
    splice = editor.removed(path)
    return _checked(text, splice, lambda data: _without(data, path))


def rename(text: str, path: Path, name: str, *, is_json: bool = False) -> Splice:
    """Return how to give a part of a map another name."""
    editor = Editor(text, is_json=is_json)
    key = editor.entry(path)[0]
    splice = Splice(key.start, key.end, editor.spelling.key(name))
    return _checked(text, splice, lambda data: _renamed(data, path, name))


class Editor:
    """Finds which characters have to give way, in one text."""

    def __init__(self, text: str, *, is_json: bool) -> None:
        newline = "\r\n" if "\r\n" in text else "\n"
        self.text = text
        self.spelling = Spelling(is_json=is_json, newline=newline)
        self.root = spans_of(text) or Span("text", len(text), len(text))

    def entry(self, path: Path) -> tuple[Span, Span]:
        """Return the key and the value at a path."""
        parent = self.root.at(path[:-1])
        entry = parent.entry(path[-1]) if parent and path else None
        if entry is None:
            raise missing(path)
        return entry

    def is_last(self, path: Path) -> bool:
        """Return whether nothing is left of what holds this once it is gone."""
        parent = self.root.at(path[:-1])
        return parent is not None and len(parent.entries) + len(parent.items) == 1

    def grounded(self, path: Path, value: Value) -> tuple[Path, Value]:
        """Return the first part of a path that is missing, with all that follows."""
        for depth in range(len(path) + 1):
            found = self.root.at(path[:depth])
            if found is None:
                return path[:depth], _wrapped(path[depth:], value)
            if depth == len(path):
                break
            if found.is_nothing:
                return path[:depth], _wrapped(path[depth:], value)
            if found.kind == "text" and path[depth - 2 : depth - 1] == ("outcomes",):
                inside = _wrapped(path[depth + 1 :], value)
                return path[:depth], {
                    "probability": found.text,
                    str(path[depth]): inside,
                }
            if found.kind in {"text", "alias"}:
                raise refused()
        return path, value

    def replaced(self, path: Path, value: Value) -> Splice:
        """Return how to put a value in the place of another."""
        if not path:
            return self._whole(value)
        found = self.root.at(path)
        assert found is not None
        parent = self.root.at(path[:-1])
        assert parent is not None
        if parent.kind == "list" or (parent.is_flow and found.end > found.start):
            return Splice(found.start, found.end, self.spelling.flow(value))
        key = self.entry(path)[0]
        if found.is_flow and found.end > found.start and not is_block(path, value):
            return Splice(found.start, found.end, self.spelling.flow(value))
        colon = self.text.index(":", key.end) + 1
        indent = "" if parent.is_flow else self._indent(key)
        return Splice(
            colon,
            max(found.end, colon) if found.end > found.start else colon,
            self.spelling.after_key(path, value, indent),
        )

    def _whole(self, value: Value) -> Splice:
        """Return how to fill a document that has nothing in it."""
        newline = self.spelling.newline
        if self.spelling.is_json:
            return Splice(self.root.start, self.root.end, self.spelling.flow(value))
        lines = [line + newline for line in self.spelling.lines((), value, "")]
        before = self.text[: self.root.start]
        gap = newline if before.strip("\ufeff") and not before.endswith("\n") else ""
        return Splice(self.root.start, self.root.end, gap + "".join(lines))

    def added(self, path: Path, value: Value) -> Splice:
        """Return how to add to a map or a list."""
        parent = self.root.at(path[:-1])
        assert parent is not None
        if parent.kind == "list":
            return self._added_item(parent, path, value)
        rank = _ranks(path[:-1])
        after = [key for key, _ in parent.entries if rank(key.text) > rank(path[-1])]
        if parent.is_flow:
            spelled = f"{self.spelling.key(str(path[-1]))}: {self.spelling.flow(value)}"
            return self._in_braces(parent, after[0] if after else None, spelled)
        indent = self._indent(parent.entries[0][0])
        spelled = self.spelling.entry(path, value, indent)
        if after and after[0] is parent.entries[0][0]:
            start, newline = after[0].start, self.spelling.newline
            return Splice(start, start, f"{spelled}{newline}{indent}")
        values = [value for _, value in parent.entries]
        before = self._number_of(parent, after[0]) if after else len(values)
        key, last = parent.entries[before - 1]
        return self._below(max(key.end, last.end), indent + spelled)

    def _number_of(self, parent: Span, key: Span) -> int:
        return next(n for n, (each, _) in enumerate(parent.entries) if each is key)

    def _added_item(self, parent: Span, path: Path, value: Value) -> Splice:
        if path[-1] != len(parent.items):
            raise missing(path)
        if parent.is_flow:
            return self._in_braces(parent, None, self.spelling.flow(value))
        dash = self.text.rindex("-", 0, parent.items[0].begin)
        indent = " " * (dash - self.text.rfind("\n", 0, dash) - 1)
        spelled = f"{indent}- {self.spelling.flow(value)}"
        return self._below(parent.items[-1].end, spelled)

    def _in_braces(self, parent: Span, following: Span | None, new: str) -> Splice:
        """Return how to add to what stands in braces or brackets."""
        ends = [value.end for _, value in parent.entries]
        ends += [item.end for item in parent.items]
        starts = [key.start for key, _ in parent.entries]
        starts += [item.begin for item in parent.items]
        if following is not None:
            gap = self._gap(starts)
            return Splice(following.start, following.start, f"{new},{gap}")
        if not ends:
            return Splice(parent.end - 1, parent.end - 1, new)
        keys = [key.end + 1 for key, _ in parent.entries]
        end = max(ends[-1], keys[-1] if keys else 0)
        return Splice(end, end, f",{self._gap(starts)}{new}")

    def _gap(self, starts: list[int]) -> str:
        """Return what stands between two parts in braces: mostly a space."""
        before = self.text[: starts[-1]]
        gap = before[len(before.rstrip()) :]
        return gap if "\n" in gap else " "

    def _below(self, end: int, line: str) -> Splice:
        """Return how to add a line below the one where something ends."""
        newline = self.spelling.newline
        stop = self.text.find("\n", end)
        if stop < 0:
            return Splice(len(self.text), len(self.text), newline + line)
        return Splice(stop + 1, stop + 1, line + newline)

    def removed(self, path: Path) -> Splice:
        """Return how to take out a part, with the comma or the line it stands on."""
        parent = self.root.at(path[:-1])
        if parent is None or parent.child(path[-1]) is None:
            raise missing(path)
        if parent.kind == "list":
            parts = [(item.begin, item.end) for item in parent.items]
            number = int(path[-1])
        else:
            parts = [
                (key.start, max(value.end, key.end + 1))
                for key, value in parent.entries
            ]
            number = self._number_of(parent, self.entry(path)[0])
        if len(parts) == 1:
            return self._emptied(path[:-1], parent)
        start, end = parts[number]
        if parent.is_flow:
            if number + 1 < len(parts):
                return Splice(start, parts[number + 1][0], "")
            return Splice(parts[number - 1][1], end, "")
        return self._without_lines(parent, start, end)

    def _emptied(self, path: Path, parent: Span) -> Splice:
        """Return how to leave nothing in a map or a list."""
        if not path:
            return Splice(parent.start, parent.end, "{}")
        if parent.is_flow:
            braces = "{}" if parent.kind == "map" else "[]"
            return Splice(parent.start, parent.end, braces)
        above = self.root.at(path[:-1])
        if above is not None and above.kind == "list":
            return Splice(parent.start, parent.end, "{}")
        colon = self.text.index(":", self.entry(path)[0].end) + 1
        return Splice(colon, parent.end, " {}" if parent.kind == "map" else " []")

    def _without_lines(self, parent: Span, start: int, end: int) -> Splice:
        stop = self.text.find("\n", end) + 1 or len(self.text)
        line = self.text.rfind("\n", 0, start) + 1
        before = self.text[line:start]
        mark = "\ufeff"
        if not before.strip(" -" + mark if parent.kind == "list" else " " + mark):
            # Another dash or mark may stand before it, which has to stay.
            kept = before.rstrip(" ")
            if parent.kind == "list":
                kept = kept.removesuffix("-").rstrip(" ")
            if not kept:
                return Splice(line, stop, "")
        following = [key.start for key, _ in parent.entries if key.start > start]
        following += [item.begin for item in parent.items if item.begin > start]
        return Splice(start, min(following, default=end), "")

    def _indent(self, key: Span) -> str:
        """Return how far a key of a block stands from the left."""
        start = self.text.rfind("\n", 0, key.start) + 1
        if self.text[start : start + 1] == "\ufeff":
            start += 1
        return " " * (key.start - start)


def _wrapped(path: Path, value: Value) -> Value:
    """Return a value inside the maps and lists that lead to it."""
    for step in reversed(path):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def _ranks(path: Path) -> Any:
    """Return what says how early the keys of a map stand in it."""
    kind = "other"
    if not path:
        kind = "problem"
    elif len(path) == 2 and path[0] == "actions":
        kind = "action"
    is_named = len(path) == 1 or path[-1:] in (("outcomes",), ("effects",))
    known = () if is_named else _ORDER[kind]
    return lambda key: known.index(key) if key in known else len(known)


def _checked(text: str, splice: Splice, change: Callable[[Any], Any]) -> Splice:
    """Refuse a splice that would change anything but what is meant."""
    root = spans_of(text)
    wanted = change(_EMPTY if root is None else root.plain())
    try:
        found = spans_of(splice.apply(text))
    except FormatError:
        raise refused() from None
    if _alike(_EMPTY if found is None else found.plain()) != _alike(wanted):
        raise refused()
    return splice


_EMPTY: Final[Mapping[str, Any]] = {"entries": []}


def _alike(data: Any) -> Any:
    """Return data where all that is empty is one, and keys have one order."""
    if isinstance(data, list):
        return [*map(_alike, data)] or ""
    if isinstance(data, dict) and "entries" in data:
        entries = ((key, _alike(each)) for key, each in data["entries"])
        return sorted(entries, key=lambda entry: entry[0]) or ""
    return data


def _data(value: Value) -> Any:
    if isinstance(value, dict):
        return {"entries": [[key, _data(each)] for key, each in value.items()]}
    return [*map(_data, value)] if isinstance(value, list) else value


def _with(data: Any, path: Path, value: Any) -> Any:
    """Return data in which a part says something."""
    if not path:
        return value
    step, *rest = path
    if isinstance(data, list) and isinstance(step, int):
        inside = _with(data[step] if step < len(data) else "", tuple(rest), value)
        return [*data[:step], inside, *data[step + 1 :]]
    entries = data["entries"] if isinstance(data, dict) else []
    known = [key for key, _ in entries]
    if step not in known:
        return {"entries": [*entries, [step, _with("", tuple(rest), value)]]}
    number = known.index(step)
    inside = _with(entries[number][1], tuple(rest), value)
    return {"entries": [*entries[:number], [step, inside], *entries[number + 1 :]]}


def _without(data: Any, path: Path) -> Any:
    step, *rest = path
    if rest:
        inside = _without(_part(data, step), tuple(rest))
        return _with(data, (step,), inside)
    if isinstance(data, list):
        return [each for number, each in enumerate(data) if number != step]
    first = [key for key, _ in data["entries"]].index(step)
    return {"entries": [e for n, e in enumerate(data["entries"]) if n != first]}


def _part(data: Any, step: str | int) -> Any:
    if isinstance(data, list):
        return data[step]  # type: ignore[index]
    return next(value for key, value in data["entries"] if key == step)


def _renamed(data: Any, path: Path, name: str) -> Any:
    parent = data
    for step in path[:-1]:
        parent = _part(parent, step)
    entries = [[name if k == path[-1] else k, v] for k, v in parent["entries"]]
    return _with(data, path[:-1], {"entries": entries})


def missing(path: Path) -> FormatError:
    """Make the error that a part is not there."""
    shown = ".".join(map(str, path))
    what, fix = f"there is no `{shown}` any more", "look at what is there now"
    return refuse(Place("text"), what, fix)


def refused() -> FormatError:
    """Make the error that an edit would change more than it should."""
    what = "this part is written in a way that only the text itself can change"
    return refuse(Place("text"), what, "change it in the tab YAML")
