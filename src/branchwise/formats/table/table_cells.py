"""What one cell of a table says: names, amounts and conditions, read and written.

Whatever is written here reads the same after a spreadsheet program has opened and
saved the file, and none of it can be taken for a formula.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Final

from branchwise.model.conditions.condition import BARE_NAME, KEYWORDS, Condition
from branchwise.model.numbers.expression import written
from branchwise.model.numbers.formula import Formula
from branchwise.model.numbers.number import exact, number_text

_NONE_MARKS: Final = frozenset({"-", "--", "---", "–", "—"})  # noqa: RUF001

# A spreadsheet takes a cell that starts like this for a formula or an error; the
# wide forms are the ones that East Asian keyboards give.
_FORMULA_START: Final = re.compile(r"[=+\-@#\t＝＋－＠]")  # noqa: RUF001

# Control characters, halves of characters, line separators, marks of byte order; and
# the semicolon, at which half of the world's spreadsheets would break a line of CSV, so
# that what comes after it could start a formula.
_UNSAFE: Final = re.compile(
    "[;\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)

# What a spreadsheet makes a number, a date or a truth value of. A plain whole
# number comes back unharmed.
_ALTERED: Final = re.compile(
    r"""true | false
      | (?! (?:0|[1-9][0-9]{0,14})\Z ) [\d.,:/%($€£¥] .*
      | (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s./,-]*\d.*
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_HEADER_WORD: Final = re.compile(
    r"""action | prerequisites? | requires | preclusions? | precluded[\s_]+by | cost
      | attempts | outcome | probability | reward | reward[\s_]+when | setting | value
      | given | when | distance | sample[\s_]+size | defen[sc]e | excludes | effect
      | amount | parameter | effects | outcome[\s_]+(?:effects|cost) | ends | per
      | hidden | counter | start | range""",
    re.VERBOSE | re.IGNORECASE,
)
_QUOTED: Final = r'"(?:[^"\\]|\\.)*+"'
_CONDITION_NAME: Final = re.compile(rf"{_QUOTED}|{BARE_NAME}", re.DOTALL)
_AMOUNT: Final = re.compile(
    rf"""\s*+ (?: (?P<double>{_QUOTED}) | '(?P<single>[^']*+)'
           | (?P<bare>[^:,;{{}}"'\n]++) )
         \s*+ : (?P<amount> \s*+ {_QUOTED} \s*+
           | [^:,;{{}}\[\]\n]++ (?: \[[^:;{{}}\[\]\n]*+\] \s*+ )?+ )
         (?: [,;\n] | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_LISTED: Final = re.compile(
    rf"""\s*+ (?: (?P<quoted>{_QUOTED}) | (?P<bare>[^,;"\n]++) )
         \s*+ (?: [,;\n] | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_BARE_RESOURCE: Final = re.compile(r"[^\W\d]\w*(?: \w+)*")
_MOST_DIGITS: Final = 15


def is_none(text: str) -> bool:
    """Return whether a cell says that there is nothing: blank, or the paper's dash."""
    return not text or text in _NONE_MARKS


def unquoted(text: str) -> str | None:
    r"""
    Take the double quotes off a text that has them; None where they are wrong.

    >>> unquoted("a1"), unquoted('"-"'), unquoted(r'"\""'), unquoted('"a" or "b"')
    ('a1', '-', '"', None)
    """
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text, strict=False))
    except (ValueError, RecursionError):
        return None


def name_text(name: str) -> str:
    """
    Write a name, in quotes where a table would misread it.

    >>> print(name_text("a1"), name_text("=1+1"), name_text("1"), name_text("1/2"))
    a1 "=1+1" 1 "1/2"
    """
    return _quoted(name) if _is_misread(name) else name


def condition_text(condition: Condition) -> str:
    """Write a condition so that no spreadsheet takes it for anything else."""
    text = str(condition)
    # Numbers have signs, too, which are no names; only the first could do harm.
    compares = next(condition.comparisons(), None) is not None

    def protected(match: re.Match[str]) -> str:
        token = match[0]
        if token.startswith('"'):
            return _escaped(token)
        is_alone = token == text and token.casefold() not in KEYWORDS
        is_start = match.start() == 0 or not compares
        is_formula = is_start and _FORMULA_START.match(token)
        if is_formula or _UNSAFE.search(token) or (is_alone and _is_misread(token)):
            return _quoted(token)
        return token

    return _CONDITION_NAME.sub(protected, text)


def named_amounts(text: str) -> list[tuple[str, str]] | None:
    """
    Read ``money: 3, days: 1``; None where the text is not of that kind.

    >>> named_amounts('{money: 3 [2, 5], "man days": 1/2}')
    [('money', '3 [2, 5]'), ('man days', '1/2')]
    >>> named_amounts("3") is None
    True
    """
    inside = re.fullmatch(r"\{(.*)\}", text, re.DOTALL)
    text = (inside[1] if inside else text).strip()
    amounts, place = [], 0
    while place < len(text):
        match = _AMOUNT.match(text, place)
        if match is None:
            return None
        quoted = unquoted(match["double"]) if match["double"] else match["single"]
        name = match["bare"].strip() if match["bare"] else quoted
        if name is None:
            return None
        written = match["amount"].strip()
        amounts.append((name, unquoted(written) or written))
        place = match.end()
    return amounts if amounts or inside else None


def amounts_text(amounts: Iterable[tuple[str, str]]) -> str:
    """
    Write an amount of each resource.

    >>> print(amounts_text([("money", "3"), ("a: b", "1/2")]))
    money: 3, "a: b": 1/2
    """
    bare = _BARE_RESOURCE.fullmatch
    texts = (
        # What is computed may have marks of its own.
        f"{name if bare(name) else _quoted(name)}: {_quoted(n) if _is_text(n) else n}"
        for name, n in amounts
    )
    return ", ".join(texts) or "{}"


def _is_text(amount: str) -> bool:
    return amount != "unlimited" and re.search(r"[^\W\d]{2}|[(\"*]", amount) is not None


def names_text(names: Iterable[str]) -> str:
    """
    Write several names in one cell.

    >>> print(names_text(["patch", "a, b"]))
    patch, "a, b"
    """
    bare = _BARE_RESOURCE.fullmatch
    return ", ".join(
        name if bare(name) and not _is_misread(name) else _quoted(name)
        for name in names
    )


def listed_names(text: str) -> list[str] | None:
    """Read ``patch, "a, b"``; None where the text is not of that kind."""
    names, place = [], 0
    while place < len(text):
        match = _LISTED.match(text, place)
        name = match and (unquoted(match["quoted"] or "") or (match["bare"] or ""))
        if match is None or not name:
            return None
        names.append(name.strip() if match["bare"] else name)
        place = match.end()
    return names


@lru_cache(maxsize=4096)
def is_spreadsheet_number(number: Fraction) -> bool:
    """Return whether a spreadsheet keeps this number to the last digit."""
    text = number_text(number)
    digits = re.sub(r"\D", "", text).strip("0")
    if "/" in text or len(digits) > _MOST_DIGITS or len(text) > 2 * _MOST_DIGITS:
        return False
    return exact(float(number)) == number


def quoted_number(number: Fraction) -> str:
    """Write a number, in quotes where a spreadsheet would round it or see a date."""
    if isinstance(number, Formula):
        return name_text(written(number))
    text = number_text(number)
    return text if is_spreadsheet_number(number) else _quoted(text)


def _is_misread(name: str) -> bool:
    return bool(
        is_none(name)
        or name != name.strip()
        or name[0] in "\"'"
        or _HEADER_WORD.fullmatch(name)
        or _FORMULA_START.match(name)
        or _ALTERED.fullmatch(name)
        or _UNSAFE.search(name)
    )


def _quoted(text: str) -> str:
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(text: str) -> str:
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
