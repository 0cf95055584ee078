"""Mentions: what conditions and numbers say of things by their name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from branchwise.model.conditions.condition import COMPARISONS, KEYWORDS, quoted
from branchwise.model.numbers.expression import FUNCTIONS

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)|(?P<double>"(?:[^"\\]|\\.)*")|(?P<single>'(?:[^']|'')*')"""
    r"""|(?P<mark>>=|<=|==|[()=,<>])|(?P<name>[^\s()=,"'&|!<>]+)|(?P<other>.)""",
    re.DOTALL,
)
_PIECE: Final = re.compile(
    r"""(?P<double>"(?:[^"\\]|\\.)*")|(?P<single>'(?:[^']|'')*')"""
    r"""|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"""
    r"""|(?P<name>[^\W\d](?:\w|\.(?!\.))*)|(?P<other>.)""",
    re.DOTALL,
)
_PLAIN: Final = re.compile(r"[^\W\d]\w*(?:\.\w+)*")

Kind = Literal[
    "action", "fact", "counter", "parameter", "resource", "defense", "outcome", "value"
]


class Thing(NamedTuple):
    """Something with a name; `owner` is whose outcome it is."""

    kind: Kind
    name: str
    owner: str = ""


class _Token(NamedTuple):
    kind: str
    text: str

    @property
    def meaning(self) -> str | None:
        """The name that this stands for; None where it is none."""
        if self.kind == "double":
            try:
                return str(json.loads(self.text, strict=False))
            except ValueError:
                return None
        if self.kind == "single":
            return self.text[1:-1].replace("''", "'")
        return self.text if self.kind == "name" else None

    @property
    def is_keyword(self) -> bool:
        return self.kind == "name" and self.text.casefold() in KEYWORDS


def renamed_in_number(text: str, old: str, new: str) -> str:
    """
    Return a number or an expression with another name for a parameter.

    >>> renamed_in_number('2 * max(rate, "per day") [1e3, rate.b]', "rate", "a rate")
    '2 * max("a rate", "per day") [1e3, rate.b]'
    """
    pieces = [_Token(m.lastgroup or "", m[0]) for m in _PIECE.finditer(text)]
    ends = [text[m.end() :].lstrip()[:1] for m in _PIECE.finditer(text)]
    return "".join(
        _spelled(new) if piece.meaning == old and end != "(" else piece.text
        for piece, end in zip(pieces, ends, strict=True)
    )


def _spelled(name: str) -> str:
    """Spell a name as expressions do."""
    is_plain = _PLAIN.fullmatch(name) and name not in FUNCTIONS
    return name if is_plain else json.dumps(name, ensure_ascii=False)


def renamed_in_condition(text: str, thing: Thing, new: str) -> str:
    """
    Return a condition with another name for something.

    >>> text = "a=b and (b, a) or count(b=a) >= a and left(a) < (a - 1)"
    >>> renamed_in_condition(text, Thing("action", "a"), "x y")
    '"x y"=b and (b, a) or count(b=a) >= a and left(a) < (a - 1)'
    >>> renamed_in_condition(text, Thing("parameter", "a"), "x")
    'a=b and (b, a) or count(b=a) >= x and left(a) < (x - 1)'
    >>> renamed_in_condition(text, Thing("resource", "a"), "x")
    'a=b and (b, a) or count(b=a) >= a and left(x) < (a - 1)'
    >>> renamed_in_condition(text, Thing("outcome", "a", "b"), "x")
    'a=b and (b, x) or count(b=x) >= a and left(a) < (a - 1)'
    """
    tokens = [_Token(m.lastgroup or "", m[0]) for m in _TOKEN.finditer(text)]
    shown = [token.text for token in tokens]
    for number, role, owner in _roles(tokens):
        if role == "number":
            if thing.kind == "parameter":
                shown[number] = renamed_in_number(shown[number], thing.name, new)
        elif (role, owner) == (_ROLES.get(thing.kind), thing.owner):
            is_it = tokens[number].meaning == thing.name
            shown[number] = quoted(new) if is_it else shown[number]
    return "".join(shown)


_ROLES: Final = {
    "action": "name", "fact": "name", "counter": "name", "outcome": "outcome",
    "value": "outcome", "resource": "resource",
}  # fmt: skip


def _roles(tokens: list[_Token]) -> Iterator[tuple[int, str, str]]:
    """Return which tokens are names, outcomes of whom, resources, or in numbers."""
    solid = [n for n, token in enumerate(tokens) if token.kind != "space"]
    texts = [tokens[n].text for n in solid] + [""] * 3
    place = 0
    while place < len(solid):
        token, number = tokens[solid[place]], solid[place]
        place += 1
        if token.text in COMPARISONS:
            start, place = place, _end_of_number(texts, place)
            for n in solid[start:place]:
                yield n, "number", ""
            continue
        if token.meaning is None or token.is_keyword:
            continue
        after = texts[place]
        if after == "(" and token.kind == "name":
            if token.text == "left" and place + 1 < len(solid):
                yield solid[place + 1], "resource", ""
                place += 2
            continue
        yield number, "name", ""
        is_pair = after == "," and texts[place + 2] == ")"
        is_listed = place < 2 or texts[place - 2] != "(" or _is_list(texts, place - 2)
        if (after == "=" or (is_pair and not is_listed)) and place + 1 < len(solid):
            yield solid[place + 1], "outcome", token.meaning
            place += 2


def _is_list(texts: list[str], place: int) -> bool:
    """Return whether a parenthesis opens the list of `at least 2 of (a, b)`."""
    return place > 0 and texts[place - 1].casefold() == "of"


def _end_of_number(texts: list[str], place: int) -> int:
    """Return where the number ends that something is compared with."""
    depth = 0
    while place < len(texts):
        depth += (texts[place] == "(") - (texts[place] == ")")
        place += 1
        if depth <= 0:
            break
    return place
