"""Entries of a journal as plain data, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final

from branchwise.follow.entries import (
    Entry,
    NewBudget,
    NewCost,
    NewProbability,
    NewReward,
    Outcame,
    RuledOut,
    Undone,
)
from branchwise.model.budget import Amounts, Budget, limit_text
from branchwise.model.number import exact, number_text

Document = dict[str, Any]

_KINDS: Final[dict[str, type[Entry]]] = {
    kind.kind: kind
    for kind in (
        Outcame,
        RuledOut,
        NewProbability,
        NewCost,
        NewBudget,
        NewReward,
        Undone,
    )
}


def document_of(entry: Entry) -> Document:
    """
    Return an entry as plain data.

    Examples
    --------
    >>> document_of(NewProbability("a3", "ok", Fraction(1, 3)))
    {'kind': 'probability', 'action': 'a3', 'outcome': 'ok', 'probability': '1/3'}
    """
    names = [field.name for field in fields(entry)]  # type: ignore[arg-type]
    values = {name: _plain(getattr(entry, name)) for name in names}
    return {"kind": entry.kind, **values}


def entry_of(document: Mapping[str, Any]) -> Entry:
    """
    Read an entry back; raise `ValueError` if it is none.

    Examples
    --------
    >>> entry_of({"kind": "ruled out", "action": "a3"})
    RuledOut(action='a3')
    """
    kind = document.get("kind")
    if kind not in _KINDS:
        raise ValueError(f"there is no entry of the kind {kind!r}")
    values = {}
    for field in fields(_KINDS[kind]):  # type: ignore[arg-type]
        if field.name not in document:
            raise ValueError(f"{field.name!r} is missing")
        values[field.name] = _READERS[field.name](document[field.name])
    return _KINDS[kind](**values)


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, Amounts | Budget):
        return {resource: limit_text(number) for resource, number in value.items()}
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not text")
    return value


def _number(value: object) -> Fraction:
    return exact(_text(value))


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no map")
    return {_text(key): _text(number) for key, number in value.items()}


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


_READERS: Final[dict[str, Callable[[Any], object]]] = {
    "action": _text,
    "outcome": _text,
    "advised": lambda value: None if value is None else _text(value),
    "is_forced": _truth,
    "probability": _number,
    "value": _number,
    "cost": lambda value: Amounts(_texts(value)),
    "left": lambda value: Budget(_texts(value)),
    "number": _whole,
}
