"""Reading expressions: ``max(1, 2 * (visit + "per call") / 60)``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from branchwise.model.numbers.expression import (
    FUNCTIONS,
    Constant,
    Expression,
    Extreme,
)
from branchwise.model.numbers.number import exact
from branchwise.records import dataclass

_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?(?:\s*%)?)
      | (?P<name>[^\W\d][\w.]*)
      | (?P<double>"(?:[^"\\]|\\.)*")
      | (?P<single>'(?:[^']|'')*')
      | (?P<mark>[-+*/(),])
      | (?P<wrong>\S)
    )""",
    re.VERBOSE | re.DOTALL,
)
_DEEPEST: Final = 100
LONGEST_EXPRESSION: Final = 2_000
"""How many characters an expression may have."""

_EXAMPLE: Final = "write for example `2 * visit / 60` or `min(0.9, sens)`"
_NEAR_MISSES: Final = {
    "^": "write `x * x` for a square",
    "=": "a number has no `=`",
    "[": "write an interval behind the number: `sens [0.8, 0.95]`",
    '"': "close the quotes",
    "'": "close the quotes",
}


class ExpressionSyntaxError(ValueError):
    """The text is no expression; ``offset`` says where it stops being one."""

    def __init__(self, what: str, fix: str, offset: int) -> None:
        super().__init__(what, fix, offset)
        self.what, self.fix, self.offset = what, fix, offset

    def __str__(self) -> str:
        return f"{self.what} (at character {self.offset + 1}); {self.fix}"


Look = Callable[[str, int], Expression]
"""Finds the parameter of a name that stands at an offset, or raises."""


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    offset: int


def parse_expression(text: str, look: Look) -> Expression:
    """
    Read an expression whose names are looked up.

    >>> from branchwise.model.numbers.expression import NamedParameter
    >>> print(parse_expression("2*(x+1)/3", lambda name, _: NamedParameter(name, 5)))
    2 * (x + 1) / 3
    """
    return _Parser(text, look).expression()


def names_in(text: str) -> list[str]:
    """Return what a text names, as far as it can be read."""
    try:
        tokens = _tokens(text)
    except ExpressionSyntaxError:
        return []
    return [token.text for token in tokens if token.kind == "name"]


def is_expression(text: str) -> bool:
    """
    Whether a text is meant to be computed: more than a name or a number stands in it.

    >>> [is_expression(text) for text in ("2 * x", "min(x)", "x", "0,5", "1 000")]
    [True, True, False, False, False]
    """
    if re.search(r"[\w)\"'%.]\s*[-+*/]\s*[\w(\"'.]", text):
        return True
    starts = r"^\s*[-+]?\s*[(\"']|^\s*-\s*[^\W\d]|^\s*[*/]\s*\w"
    return bool(re.search(rf"\w\s*\(|{starts}|[\w)]\s*[-+*/(]\s*$", text))


class _Parser:
    """Recursive descent: sum := [-] product ([+-] product)*."""

    def __init__(self, text: str, look: Look) -> None:
        self._text, self._look, self._tokens = text, look, _tokens(text)
        self._next = self._depth = 0

    def expression(self) -> Expression:
        found = self._sum()
        if self._peek() is not None:
            raise self._unexpected("expected `+`, `-`, `*`, `/` or the end")
        return found

    def _sum(self) -> Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._unexpected(f"nested more than {_DEEPEST} levels deep")
        is_negative = self._takes("-") is not None
        found = self._product()
        found = -found if is_negative else found
        while symbol := self._takes("+", "-"):
            product = self._product()
            found = found + product if symbol == "+" else found - product
        self._depth -= 1
        return found

    def _product(self) -> Expression:
        found = self._one()
        while symbol := self._takes("*", "/"):
            other = self._one()
            found = found * other if symbol == "*" else found / other
        return found

    def _one(self) -> Expression:
        if self._takes("("):
            found = self._sum()
            self._close()
            return found
        if self._takes("-"):
            return -self._one()
        token = self._peek()
        if token is None or token.kind == "mark":
            raise self._unexpected("expected a number or a parameter")
        self._next += 1
        if token.kind == "number":
            return _constant(token)
        if token.text in FUNCTIONS and self._takes("("):
            parts = [self._sum()]
            while self._takes(","):
                parts.append(self._sum())
            self._close()
            return Extreme("min" if token.text == "min" else "max", tuple(parts))
        if self._is("("):
            what = f"there is no function `{token.text}`"
            fix = f"use {' or '.join(f'`{each}(...)`' for each in FUNCTIONS)}"
            raise ExpressionSyntaxError(what, fix, token.offset)
        return self._look(token.text, token.offset)

    def _close(self) -> None:
        if not self._takes(")"):
            raise self._unexpected("expected `)`")

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _is(self, mark: str) -> bool:
        token = self._peek()
        return token is not None and token.kind == "mark" and token.text == mark

    def _takes(self, *marks: str) -> str | None:
        for mark in marks:
            if self._is(mark):
                self._next += 1
                return mark
        return None

    def _unexpected(self, wanted: str) -> ExpressionSyntaxError:
        token = self._peek()
        if token is None:
            what = f"the expression ends too early: {wanted}"
            fix = "add `)`" if "`)`" in wanted else self._ending()
            return ExpressionSyntaxError(what, fix, len(self._text.rstrip()))
        what = f"`{token.text}` is out of place: {wanted}"
        return ExpressionSyntaxError(what, _EXAMPLE, token.offset)

    def _ending(self) -> str:
        """Return how to complete what ends too early, or where it could have ended."""
        *before, last = self._tokens or [_Token("mark", "", 0)]
        if before and last.text in {"+", "-", "*", "/"}:
            return f"complete it, or write `{self._text[: last.offset].strip()}`"
        return "complete it"


def _constant(token: _Token) -> Constant:
    try:
        return Constant(exact(re.sub(r"\s", "", token.text)))
    except ValueError as error:
        fix = "write a number that is meant"
        raise ExpressionSyntaxError(str(error), fix, token.offset) from None


def _tokens(text: str) -> list[_Token]:
    if len(text) > LONGEST_EXPRESSION:
        what = f"an expression of {len(text):,} characters is too long"
        raise ExpressionSyntaxError(what, "give parts of it names of their own", 0)
    return [_token(match) for match in _TOKEN.finditer(text.rstrip())]


def _token(match: re.Match[str]) -> _Token:
    kind = match.lastgroup
    assert kind is not None
    text, offset = match[kind], match.start(kind)
    if kind == "wrong":
        fix = _NEAR_MISSES.get(text, _EXAMPLE)
        raise ExpressionSyntaxError(f"`{text}` is out of place", fix, offset)
    if kind == "single":
        return _Token("name", text[1:-1].replace("''", "'"), offset)
    if kind == "double":
        try:
            return _Token("name", str(json.loads(text, strict=False)), offset)
        except ValueError:
            fix = (
                r"inside double quotes write `\\` for a backslash and `\"` for a quote"
            )
            raise ExpressionSyntaxError(f"{text} is misquoted", fix, offset) from None
    return _Token(kind, text, offset)
