"""Constants that a model leaves open, and the values that are given for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple

from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, position_at, refuse
from branchwise.model.numbers.number import Number, exact, ratio_text

Constants = Mapping[str, Number | str | bool]
"""Values of constants: numbers or their text; of conditions `true` or `false`."""

COMMENT: Final = re.compile(r"//[^\n]*")

_KINDS: Final = {"int": "2", "double": "0.5", "bool": "true"}
"""The kinds of constants, each with a value as an example."""

_DEFINED: Final = re.compile(
    r"\bconst\b\s*(?:\b(int|double|bool)\b\s*)?\b([A-Za-z_]\w*)\s*(;|=([^;]*);)"
)


class Constant(NamedTuple):
    """A constant: what the file says it is, if it does, and where."""

    name: str
    kind: str
    value: str | None
    place: Place


def without_comments(text: str) -> str:
    """Return a text with blanks for comments, so that places stay what they are."""
    return COMMENT.sub(lambda found: " " * len(found[0]), text)


def constants_of(text: str, source: str) -> Iterator[Constant]:
    """Yield the constants that a model, or a file of properties, names."""
    bare = without_comments(text)
    for found in _DEFINED.finditer(bare):
        place = Place(source, *position_at(bare, found.start()))
        value = None if found[4] is None else found[4].strip()
        yield Constant(found[2], found[1] or "int", value, place)


def given_values(
    known: list[Constant], constants: Constants, source: str
) -> dict[str, str]:
    """Return the values that are given, as models write them; each has to fit."""
    named = {each.name: each for each in known}
    issues: list[Issue] = []
    values: dict[str, str] = {}
    for name, value in constants.items():
        try:
            values[name] = _fitting(name, value, named, source)
        except FormatError as error:
            issues += error.issues
    if issues:
        raise FormatError(issues)
    return values


def filled(text: str, values: Mapping[str, str]) -> str:
    """
    Return a model in which constants have the values that are given.

    >>> filled("const int N; // of machines", {"N": "3"})
    'const int N=3; // of machines'
    """

    def said(found: re.Match[str]) -> str:
        if found[3] != ";" or found[2] not in values:
            return found[0]
        return f"{found[0].removesuffix(';').rstrip()}={values[found[2]]};"

    return _DEFINED.sub(said, text)


def in_order(text: str) -> str:
    """
    Return a model in which constants are defined before others refer to them.

    PRISM does not ask for that, and Storm does. They all move to the first line then.

    >>> in_order("mdp const int a=2*b; const int b=1;").split(";")[0]
    'mdp const int b=1'
    """
    known = list(constants_of(text, ""))
    after = {c.name: set(re.findall(r"[A-Za-z_]\w*", c.value or "")) for c in known}
    seen: set[str] = set()
    is_sorted = True
    for each in known:
        seen.add(each.name)
        is_sorted = is_sorted and not after[each.name] & (after.keys() - seen)
    if is_sorted:
        return text
    try:
        order = list(TopologicalSorter(after).static_order())
    except CycleError:
        return text  # Storm says what is wrong.
    named = {each.name: each for each in known}
    first = " ".join(
        f"const {named[name].kind} {name}={named[name].value};"
        for name in order
        if name in named
    )
    kind, blank, rest = without_comments(text).partition(" ")
    return f"{kind} {first}{blank}{_DEFINED.sub(_blank, rest)}"


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"\S", " ", found[0])


def open_error(still_open: list[Constant]) -> FormatError:
    """Make the error that names the constants without a value, and what to type."""
    names = ", ".join(f"`{each.name}`" for each in still_open)
    are = "constant has" if len(still_open) == 1 else "constants have"
    typed = " ".join(f"--set {e.name}={_KINDS[e.kind]}" for e in still_open)
    first = still_open[0]
    line = f"const {first.kind} {first.name} = {_KINDS[first.kind]};"
    fix = f"give each a value, such as `{typed}`; or in the file: `{line}`"
    return refuse(first.place, f"the {are} no value: {names}", fix)


def _fitting(
    name: str, value: object, named: Mapping[str, Constant], source: str
) -> str:
    constant = named.get(name)
    if constant is None:
        open_names = [each.name for each in named.values() if each.value is None]
        near = did_you_mean(name, open_names)
        names = ", ".join(f"`{each}`" for each in open_names)
        fix = f"set one that is open: {names}" if names else "leave it out"
        what = f"there is no constant {excerpt(name)}{near}"
        raise refuse(Place(source), what, fix)
    if constant.value is not None:
        what = f"the constant {excerpt(name)} is {excerpt(constant.value)} in the file"
        fix = f"leave it open there: `const {constant.kind} {name};`"
        raise refuse(constant.place, what, fix)
    text = _text(constant.kind, value)
    if text is None:
        wanted = {"int": "a whole number", "double": "a number"}
        what = f"`{name}` is {wanted.get(constant.kind, '`true` or `false`')}, and "
        fix = f"write `--set {name}={_KINDS[constant.kind]}`, say"
        raise refuse(constant.place, f"{what}not {excerpt(str(value))}", fix)
    return text


def _text(kind: str, value: object) -> str | None:
    """Return a value as models write it; None if it is of another kind."""
    if kind == "bool":
        text = str(value).strip().casefold()
        return text if text in ("true", "false") else None
    try:
        number = Fraction(exact(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    if number.denominator == 1:
        return str(number)
    return None if kind == "int" else f"({ratio_text(number)})"
