"""What stands in a file of another tool, looked at with its place in mind."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

from branchwise.errors import FormatError, did_you_mean
from branchwise.formats.document.nodes import ListNode, MapNode, Node, TextNode
from branchwise.formats.document.notes import kind_of
from branchwise.formats.source_text import excerpt, refuse
from branchwise.model.numbers.number import exact

LONGEST_NAME: Final = 120
"""Characters of a name that are taken over; of longer ones the beginning is."""

_DEFINITION: Final = "see the format's own documentation, or the guide on other tools"


def wrong_kind(node: Node, what: str, wanted: str) -> FormatError:
    """Make the error that says something else stands where this belongs."""
    said = f"{kind_of(node)} stands where {what} belongs"
    return refuse(node.place, said, f"write {wanted}")


def fields_of(node: Node, what: str) -> dict[str, Node]:
    """Return what a map says, by its keys; a key that repeats is an error."""
    if not isinstance(node, MapNode):
        raise wrong_kind(node, what, "a map")
    found: dict[str, Node] = {}
    for key, value in node:
        if key.text in found:
            said = f"the key {excerpt(key.text)} stands twice in {what}"
            raise refuse(key.place, said, "remove one of the two")
        found[key.text] = value
    return found


def field(fields: dict[str, Node], node: Node, key: str, what: str) -> Node:
    """Return what a map says of a key that it must have."""
    if key not in fields:
        raise refuse(node.place, f"{what} has no `{key}`", f"add `{key}`")
    return fields[key]


def items_of(node: Node, what: str) -> Sequence[Node]:
    """Return the items of a list."""
    if not isinstance(node, ListNode):
        raise wrong_kind(node, what, "a list")
    return node.items


def text_of(node: Node, what: str) -> str:
    """Return a text."""
    if not isinstance(node, TextNode):
        raise wrong_kind(node, what, "text")
    return node.text


def number_of(node: Node, what: str) -> Fraction:
    """Return a number, exactly as written."""
    text = text_of(node, what)
    try:
        return exact(text)
    except ValueError:
        raise wrong_kind(node, what, "a number such as `0.8`") from None


def probability_of(node: Node, what: str) -> Fraction:
    """Return a number from 0 to 1."""
    number = number_of(node, what)
    if not 0 <= number <= 1:
        said = f"{what} is {excerpt(text_of(node, what))}, and no probability"
        raise refuse(node.place, said, "write a number from 0 to 1")
    return number


def amount_of(node: Node, what: str) -> Fraction:
    """Return a number that is not below zero."""
    number = number_of(node, what)
    if number < 0:
        said = f"{what} is {excerpt(text_of(node, what))}, below zero"
        raise refuse(node.place, said, "write a number of at least 0")
    return number


def whole_of(node: Node, what: str) -> int:
    """Return a whole number that is not below zero."""
    number = amount_of(node, what)
    if number.denominator != 1:
        raise wrong_kind(node, what, "a whole number")
    return int(number)


def one_of(node: Node, what: str, known: Collection[str]) -> str:
    """Return a text that is one of those that are known."""
    text = text_of(node, what)
    if text not in known:
        near = did_you_mean(text, list(known))
        said = f"there is no {what} {excerpt(text)}{near}"
        names = ", ".join(excerpt(name) for name in list(known)[:10])
        raise refuse(
            node.place, said, f"use one of these: {names}" if names else _DEFINITION
        )
    return text
