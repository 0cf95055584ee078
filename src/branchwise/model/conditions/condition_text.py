"""Reading conditions: ``a1=ok and not (a3 or "my action"=fail)``."""

import json
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from branchwise.model.conditions.condition import (
    ALWAYS,
    BARE_NAME,
    COMPARISONS,
    KEYWORDS,
    NEVER,
    Attempted,
    Condition,
    Happened,
    Quantity,
    all_of,
    any_of,
    at_least,
    comparison,
    negation,
    quoted,
)
from branchwise.model.conditions.quantity import Count, CounterValue, Left
from branchwise.model.numbers.expression import Expression, ExpressionError
from branchwise.model.numbers.expression_text import (
    ExpressionSyntaxError,
    Look,
    parse_expression,
)
from branchwise.model.numbers.formula import Formula
from branchwise.model.numbers.number import exact
from branchwise.records import dataclass

_TOKEN = re.compile(
    rf"""\s*(?:
        (?P<name>{BARE_NAME})
      | (?P<double>"(?:[^"\\]|\\.)*")
      | (?P<single>'(?:[^']|'')*')
      | (?P<mark>>=|<=|==|[()=,<>])
      | (?P<wrong>&&|\|\||\S)
    )""",
    re.VERBOSE | re.DOTALL,
)
_COMPARES = re.compile("[<>]|==")
# What most conditions are, and large files have many of.
_LITERAL = re.compile(rf"\s*({BARE_NAME})\s*(?:=\s*({BARE_NAME})\s*)?")
_DEEPEST = 100
_MEASURED = "write for example `count(a1=fail) >= 2` or `left(days) >= 1`"
_SOME_OF = "write for example `at least 2 of (a1=ok, a2, a3=fail)`"
_NEAR_MISSES = {
    "!": "write `not a=x` for `a!=x`, and `not doses == 2` for `doses != 2`",
    "&": "write `and`",
    "|": "write `or`",
    '"': "close the quotes",
    "'": "close the quotes",
}


class ConditionSyntaxError(ValueError):
    """The text is not a condition; ``offset`` says where it stops being one."""

    def __init__(self, what: str, fix: str, offset: int) -> None:
        super().__init__(what, fix, offset)
        self.what, self.fix, self.offset = what, fix, offset

    def __str__(self) -> str:
        return f"{self.what} (at character {self.offset + 1}); {self.fix}"


def parse_condition(text: str, look: Look | None = None) -> Condition:
    """
    Read a condition; the paper's way of writing outcomes is understood, too.

    What quantities are compared with may be computed from parameters, if they can be
    looked up.

    >>> print(parse_condition("(a4,2) AND (a2,2) or 'my action'"))
    a4=2 and a2=2 or "my action"
    >>> print(parse_condition("doses>=1 and count(a4)<(1+1)"))
    doses >= 1 and count(a4) < (1 + 1)
    """
    literal = _literal(text)
    if literal is not None:
        return literal
    if look is not None and _COMPARES.search(text):
        # The same text means something else where parameters are different ones.
        return _Parser(text, look).condition()
    return _parsed(text)


@lru_cache(maxsize=200)
def _parsed(text: str) -> Condition:
    # What a YAML file says once it may use in many places.
    joined = _joined(text)
    return _Parser(text).condition() if joined is None else joined


def _literal(text: str) -> Condition | None:
    """Read a name or an outcome without quotes; None where it may be something else."""
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        return None
    action, outcome = literal.groups()
    # Only where neither is a keyword it is certain that nothing is amiss.
    if action.casefold() in KEYWORDS:
        return None
    if outcome is None:
        return Attempted(action)
    return None if outcome.casefold() in KEYWORDS else Happened(action, outcome)


def _joined(text: str) -> Condition | None:
    """Read names and outcomes that only `or` joins, or only `and`; None elsewhere."""
    words = text.split()
    joints = set(words[1::2])
    if len(words) % 2 == 0 or joints not in ({"or"}, {"and"}):
        return None
    parts = [part for part in map(_literal, words[::2]) if part is not None]
    if len(parts) < len(words[::2]):
        return None
    return any_of(*parts) if "or" in joints else all_of(*parts)


def parse_history(text: str) -> tuple[Happened, ...]:
    """
    Read what has happened, in order.

    >>> [str(event) for event in parse_history("a1=ok, a3=fail")]
    ['a1=ok', 'a3=fail']
    """
    return _Parser(text).history()


def parse_names(text: str) -> tuple[str, ...]:
    """
    Read names that are separated by commas.

    >>> parse_names('a3, "drill deep"')
    ('a3', 'drill deep')
    """
    return _Parser(text).names()


def as_condition(value: Condition | str) -> Condition:
    """Accept a condition, or the text of one."""
    return a_condition("what must hold", value)


def a_condition(name: str, value: Any) -> Condition:
    """Return what may be a condition as one; refuse what is none."""
    if isinstance(value, str):
        return parse_condition(value)
    if isinstance(value, Condition):
        return value
    fix = "write it as text, `a1=ok and not a2`, say"
    raise TypeError(f"{name} is a condition, not {value!r}\n    fix: {fix}")


def count_mistake(count: int, num_parts: int) -> tuple[str, str] | None:
    """Say what is wrong with asking for so many of some conditions, and what to do."""
    if 1 <= count <= num_parts:
        return None
    truth = "always" if count < 1 else "never"
    several = "conditions" if num_parts != 1 else "condition"
    what = f"at least {count} of {num_parts} {several} {truth} hold"
    if not num_parts:
        return what, f"list the conditions, or write `{truth}`"
    choices = f"a number from 1 to {num_parts}" if num_parts > 1 else "1"
    return what, f"write {choices}, or `{truth}`"


@dataclass(slots=True)
class _Token:
    text: str
    offset: int
    is_name: bool = False
    is_quoted: bool = False

    @property
    def is_plain_name(self) -> bool:
        return self.is_name and self.text.casefold() not in KEYWORDS

    @property
    def is_bare(self) -> bool:
        """Whether it may be a name, or a part of one, without quotes."""
        return self.is_plain_name and not self.is_quoted

    def is_keyword(self, word: str) -> bool:
        return self.is_name and not self.is_quoted and self.text.casefold() == word


def _unknown(name: str, offset: int) -> Expression:
    what = f"there is no parameter `{name}`"
    fix = "write a number; in Python, compare with the parameter: `doses >= limit`"
    raise ExpressionSyntaxError(what, fix, offset)


class _Parser:
    """Recursive descent: any := all (or all)*; all := single (and single)*."""

    def __init__(self, text: str, look: Look = _unknown) -> None:
        self._text, self._tokens = text, _tokens(text)
        self._look = look
        self._next = self._depth = 0

    def condition(self) -> Condition:
        condition = self._any()
        if self._peek() is not None:
            raise self._unexpected("expected `and`, `or` or the end")
        return condition

    def history(self) -> tuple[Happened, ...]:
        events: list[Happened] = []
        while self._peek() is not None:
            if events and not self._takes_mark(","):
                raise self._unexpected("expected `,` or the end")
            event = self._event()
            if not isinstance(event, Happened):
                raise self._unexpected("expected `=` and an outcome")
            events.append(event)
        return tuple(events)

    def names(self) -> tuple[str, ...]:
        found: list[str] = []
        while self._peek() is not None:
            if found and not self._takes_mark(","):
                raise self._unexpected("expected `,` or the end")
            found.append(self._name("a name"))
        return tuple(found)

    def _any(self) -> Condition:
        parts = [self._all()]
        while self._takes_keyword("or"):
            parts.append(self._all())
        return any_of(*parts)

    def _all(self) -> Condition:
        parts = [self._single()]
        while self._takes_keyword("and"):
            parts.append(self._single())
        return all_of(*parts)

    def _single(self) -> Condition:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._unexpected(f"nested more than {_DEEPEST} levels deep")
        condition = self._one()
        self._depth -= 1
        return condition

    def _one(self) -> Condition:
        if self._takes_keyword("not"):
            return negation(self._single())
        if self._takes_words("at", "least"):
            return self._at_least()
        if not self._takes_mark("("):
            constant = self._constant()
            return self._literal() if constant is None else constant
        inside = self._pair() if self._is_mark(1, ",") else self._any()
        if not self._takes_mark(")"):
            raise self._unexpected("expected `)`")
        return inside

    def _at_least(self) -> Condition:
        """Read ``at least 2 of (a, b, c)``, behind its first two words."""
        token = self._peek()
        if token is None or not re.fullmatch("[0-9]{1,9}", token.text):
            raise self._unexpected("expected how many", _SOME_OF)
        self._next += 1
        if not self._takes_keyword("of"):
            raise self._unexpected("expected `of`", _SOME_OF)
        if not self._takes_mark("("):
            raise self._unexpected("expected `(`", _SOME_OF)
        parts = [self._any()]
        while self._takes_mark(","):
            parts.append(self._any())
        if not self._takes_mark(")"):
            raise self._unexpected("expected `,` or `)`")
        wrong = count_mistake(int(token.text), len(parts))
        if wrong is not None:
            raise ConditionSyntaxError(*wrong, token.offset)
        return at_least(int(token.text), *parts)

    def _pair(self) -> Condition:
        """Read the paper's ``(a4, 2)``, between its parentheses."""
        action = self._name("an action")
        self._takes_mark(",")
        return Happened(action, self._name("an outcome"))

    def _constant(self) -> Condition | None:
        if self._is_mark(1, "="):
            return None  # An action that happens to be called `always`.
        if self._takes_keyword("always"):
            return ALWAYS
        return NEVER if self._takes_keyword("never") else None

    def _literal(self) -> Condition:
        """Read an outcome or an action, or a comparison with a number."""
        quantity = self._quantity()
        if quantity is None:
            event = self._event()
            if self._sign() is None:
                return event
            quantity = self._compared(event)
        sign = self._sign()
        if sign is None:
            raise self._unexpected("expected `>=`, `<=`, `>`, `<` or `==`", _MEASURED)
        self._next += 1
        return comparison(quantity, sign, self._number_after(quantity, sign))

    def _event(self) -> Happened | Attempted:
        action = self._name("an action")
        if not self._takes_mark("="):
            return Attempted(action)
        return Happened(action, self._name("an outcome"))

    def _compared(self, event: Happened | Attempted) -> Quantity:
        if isinstance(event, Attempted):
            return CounterValue(event.action)
        what = f"`{event}` is so or is not: it cannot be compared with a number"
        sign = self._tokens[self._next]
        fix = f"write how often: `count({event}) {sign.text} ...`"
        raise ConditionSyntaxError(what, fix, sign.offset)

    def _quantity(self) -> Quantity | None:
        """Read ``count(...)`` or ``left(...)``; None where neither stands."""
        if not self._is_mark(1, "("):
            return None
        found: Quantity
        if self._takes_keyword("count"):
            self._next += 1
            found = Count(self._event())
        elif self._takes_keyword("left"):
            self._next += 1
            found = Left(self._name("a resource"))
        else:
            return None
        if not self._takes_mark(")"):
            raise self._unexpected("expected `)`", _MEASURED)
        return found

    def _sign(self) -> str | None:
        token = self._peek()
        is_sign = token is not None and not token.is_name and token.text in COMPARISONS
        return token.text if token is not None and is_sign else None

    def _number_after(self, quantity: Quantity, sign: str) -> Fraction:
        token = self._peek()
        try:
            return self._number()
        except ConditionSyntaxError:
            if token is None or not (token.is_plain_name and _is_counter(quantity)):
                raise
            if sign == "==":
                what = f"`==` compares with a number, and `{token.text}` is none"
                fix = f"write one `=`: `{quantity}={quoted(token.text)}`"
                second = self._tokens[self._tokens.index(token) - 1].offset + 1
                raise ConditionSyntaxError(what, fix, second) from None
            if _is_number(str(quantity)):
                what = f"`{quantity} {sign} {token.text}` compares the wrong way round"
                turned = sign.translate(str.maketrans("<>", "><"))
                fix = f"write `{quoted(token.text)} {turned} {quantity}`"
                raise ConditionSyntaxError(what, fix, token.offset) from None
            raise

    def _number(self) -> Fraction:
        """Read a number or the name of one, or what is computed in parentheses."""
        token = self._peek()
        if token is not None and self._is_mark(0, "("):
            start, end = self._parentheses()
            return self._computed(self._text[start:end], start)
        if token is None or not token.is_name:
            raise self._unexpected("expected a number")
        self._next += 1
        if token.is_quoted:
            return self._computed(json.dumps(token.text), token.offset)
        try:
            return exact(token.text)
        except ValueError as error:
            if "divides by zero" in str(error):
                raise self._no_number(str(error), token) from None
        return self._computed(token.text, token.offset)

    def _parentheses(self) -> tuple[int, int]:
        """Take all up to the parenthesis that closes; return what is between."""
        start, depth = self._tokens[self._next].offset + 1, 0
        while (token := self._peek()) is not None:
            depth += self._is_mark(0, "(") - self._is_mark(0, ")")
            self._next += 1
            if depth == 0:
                return start, token.offset
        raise self._unexpected("expected `)`")

    def _computed(self, text: str, offset: int) -> Fraction:
        try:
            return Formula(parse_expression(text, self._look))
        except ExpressionSyntaxError as error:
            place = offset + error.offset
            raise ConditionSyntaxError(error.what, error.fix, place) from None
        except ExpressionError as error:
            fix = "change the expression, or the parameters in it"
            raise ConditionSyntaxError(str(error), fix, offset) from None

    def _no_number(self, what: str, token: _Token) -> ConditionSyntaxError:
        return ConditionSyntaxError(what, "write a number that is meant", token.offset)

    def _name(self, wanted: str) -> str:
        token = self._peek()
        operators = ("and", "or", "not")
        if not (token and token.is_name) or any(map(token.is_keyword, operators)):
            raise self._unexpected(f"expected {wanted}")
        self._next += 1
        return token.text

    def _peek(self, ahead: int = 0) -> _Token | None:
        place = self._next + ahead
        return self._tokens[place] if place < len(self._tokens) else None

    def _is_mark(self, ahead: int, mark: str) -> bool:
        token = self._peek(ahead)
        return token is not None and not token.is_name and token.text == mark

    def _takes_mark(self, mark: str) -> bool:
        found = self._is_mark(0, mark)
        self._next += found
        return found

    def _takes_keyword(self, word: str) -> bool:
        token = self._peek()
        found = token is not None and token.is_keyword(word)
        self._next += found
        return found

    def _takes_words(self, *words: str) -> bool:
        """Take some words that only together are no names."""
        tokens = [self._peek(ahead) for ahead in range(len(words))]
        pairs = zip(tokens, words, strict=True)
        found = all(token and token.is_keyword(word) for token, word in pairs)
        self._next += len(words) if found else 0
        return found

    def _unexpected(self, wanted: str, fix: str = "") -> ConditionSyntaxError:
        token = self._peek()
        if token is None:
            what = f"the condition ends too early: {wanted}"
            fix = fix or ("add `)`" if "`)`" in wanted else self._ending())
            if "`,`" in wanted:
                # In YAML a comma within braces ends a value, which is easily missed.
                fix += "; within braces, put the whole condition in quotes"
            return ConditionSyntaxError(what, fix, len(self._text))
        before = self._peek(-1) if self._next else None
        if token.text in {"<", ">"} and before is not None and before.text == "=":
            what = f"`={token.text}` is out of place: {wanted}"
            return ConditionSyntaxError(what, f"write `{token.text}=`", before.offset)
        what = f"`{token.text}` is out of place: {wanted}"
        return ConditionSyntaxError(what, fix or self._fix(token), token.offset)

    def _ending(self) -> str:
        """Return how to complete what ends too early, or where it could have ended."""
        last = self._tokens[-1] if self._tokens else None
        if last is not None and last.text in COMPARISONS:
            return f"complete it: `{self._text.rstrip()} 1`, say"
        if last is not None and (last.is_keyword("and") or last.is_keyword("or")):
            return f"complete it, or write `{self._text[: last.offset].strip()}`"
        return "complete it"

    def _fix(self, token: _Token) -> str:
        """Guess what was meant where a token is out of place."""
        before = self._peek(-1) if self._next else None
        if token.text == "==":
            return "write one `=`"
        if token.is_name and token.text.startswith(("+", "-", "*", "/")):
            return "put what is computed in parentheses: `doses >= (limit + 1)`"
        if not token.is_name and token.text in COMPARISONS:
            return _MEASURED
        if before is not None and before.is_plain_name and token.is_plain_name:
            return (
                "put names with spaces in quotes, and in YAML the whole in single "
                f"quotes: `{self._with_quotes()}`"
            )
        return "write for example `a1=ok and (a2 or not a3=fail)`"

    def _with_quotes(self) -> str:
        """Return the text with quotes around what would be names with spaces."""
        written, end, at = "", 0, 0
        while at < len(self._tokens):
            run = at
            while run < len(self._tokens) and self._tokens[run].is_bare:
                run += 1
            if run > at + 1:
                start, last = self._tokens[at].offset, self._tokens[run - 1]
                stop = last.offset + len(last.text)
                written += self._text[end:start] + quoted(self._text[start:stop])
                end = stop
            at = max(run, at + 1)
        return written + self._text[end:]


def _is_counter(quantity: Quantity) -> bool:
    return isinstance(quantity, CounterValue)


def _is_number(text: str) -> bool:
    try:
        exact(text)
    except ValueError:
        return False
    return True


def _tokens(text: str) -> list[_Token]:
    tokens = []
    for match in _TOKEN.finditer(text.rstrip()):
        kind = match.lastgroup
        assert kind is not None
        tokens.append(_token(kind, match[kind], match.start(kind)))
    return tokens


def _token(kind: str, text: str, offset: int) -> _Token:
    if kind == "wrong":
        fix = _NEAR_MISSES[text[0]]
        raise ConditionSyntaxError(f"`{text}` is out of place", fix, offset)
    if kind == "mark":
        return _Token(text, offset)
    if kind == "name":
        return _Token(text, offset, is_name=True)
    if kind == "single":
        text = text[1:-1].replace("''", "'")
    else:
        text = _unescaped(text, offset)
    return _Token(text, offset, is_name=True, is_quoted=True)


def _unescaped(text: str, offset: int) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        fix = r"inside double quotes write `\\` for a backslash and `\"` for a quote"
        raise ConditionSyntaxError(f"{text} is misquoted", fix, offset) from None
