"""A problem as YAML: the way a person would write it."""

import json
import re
from collections.abc import Iterator

from branchwise.formats.document.document import (
    Figure,
    Leaf,
    OneLine,
    OneRow,
    Shape,
    document_of,
)
from branchwise.model.problem import Problem

# What surely stays text in every YAML: it starts with a letter, has no sign that
# YAML gives a meaning, and is not one of the words that mean true, false or null.
_PLAIN = re.compile(r"[(\w][\w()=.+*/^~$<>'\"-]*(?: [\w()=.+*/^~$<>'\"-]+)*")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def yaml_text(problem: Problem) -> str:
    """
    Write a problem as YAML.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> drill = Action("drill", outcomes={"yes": "1/3", "no": "rest"})
    >>> print(yaml_text(Problem([drill], budget=6)), end="")
    budget: 6
    actions:
      drill:
        outcomes: {'yes': 1/3, 'no': 2/3}
    """
    return "\n".join(_lines(document_of(problem), "")) + "\n"


def _lines(shape: Shape, indent: str) -> Iterator[str]:
    """Write a map or a list, one line after the other."""
    if isinstance(shape, dict):
        for key, value in shape.items():
            yield from _entry(f"{indent}{_scalar(key)}:", value, indent)
    elif not isinstance(shape, str | Figure):
        for item in shape:
            # A map's first key stands behind the dash, the others under it.
            first, *others = _nested(item, f"{indent}  ")
            yield f"{indent}- {first.lstrip(' ')}"
            yield from others


def _nested(shape: Shape, indent: str) -> Iterator[str]:
    return iter([_flow(shape)]) if _is_flat(shape) else _lines(shape, indent)


def _entry(start: str, value: Shape, indent: str) -> Iterator[str]:
    if _is_flat(value):
        yield f"{start} {_flow(value)}"
        return
    yield start
    yield from _lines(value, f"{indent}  ")


def _is_flat(shape: Shape) -> bool:
    return isinstance(shape, str | Figure | OneLine | OneRow) or not shape


def _flow(shape: Shape) -> str:
    if isinstance(shape, str | Figure):
        return _scalar(shape)
    if isinstance(shape, dict):
        entries = (f"{_scalar(key)}: {_flow(value)}" for key, value in shape.items())
        return f"{{{', '.join(entries)}}}"
    return f"[{', '.join(map(_flow, shape))}]"


def _scalar(leaf: Leaf) -> str:
    if isinstance(leaf, Figure):
        return leaf.text
    if is_plain(leaf):
        return leaf
    if "\\" in leaf or _UNSEEN.search(leaf) or not leaf.isprintable():
        return _double_quoted(leaf)
    return "'" + leaf.replace("'", "''") + "'"


def is_plain(text: str) -> bool:
    """Return whether every reader of YAML takes this for text without quotes."""
    is_like_number = text[:1].isdigit() or text[:1] == "_"
    is_word = text.casefold() in _WORDS
    return not (is_like_number or is_word) and _PLAIN.fullmatch(text) is not None


def _double_quoted(text: str) -> str:
    """Quote as JSON does, and escape what YAML would not take as it is."""
    return _UNSEEN.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
