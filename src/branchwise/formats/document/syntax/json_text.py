"""A problem as JSON: the same document as YAML, one line for what is small."""

import json
import re

from branchwise.formats.document.document import (
    Figure,
    OneLine,
    OneRow,
    Shape,
    document_of,
)
from branchwise.model.problem import Problem

# Every reader of JSON keeps up to 15 digits.
_SHORT_NUMBER = re.compile(r"-?(?=[\d.]{1,16}$)(?:\d{1,15}|\d+\.\d+)")


def json_text(problem: Problem) -> str:
    """
    Write a problem as JSON.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> drill = Action("drill", outcomes={"oil": "1/3", "dry": "rest"})
    >>> print(json_text(Problem([drill], budget=0.5)), end="")
    {
      "budget": 0.5,
      "actions": {
        "drill": {
          "outcomes": {"oil": "1/3", "dry": "2/3"}
        }
      }
    }
    """
    return _text(document_of(problem), "") + "\n"


def _text(shape: Shape, indent: str) -> str:
    if isinstance(shape, Figure):
        is_short = _SHORT_NUMBER.fullmatch(shape.text)
        return shape.text if is_short else json.dumps(shape.text)
    if isinstance(shape, str):
        return json.dumps(shape, ensure_ascii=False)
    if isinstance(shape, OneLine):
        entries = (f"{_key(key)}{_text(leaf, '')}" for key, leaf in shape.items())
        return f"{{{', '.join(entries)}}}"
    if isinstance(shape, OneRow):
        return f"[{', '.join(_text(leaf, '') for leaf in shape)}]"
    inside = f"{indent}  "
    if isinstance(shape, dict):
        parts = [f"{_key(key)}{_text(value, inside)}" for key, value in shape.items()]
        return _block("{", parts, "}", indent)
    return _block("[", [_text(item, inside) for item in shape], "]", indent)


def _key(name: str) -> str:
    return f"{json.dumps(name, ensure_ascii=False)}: "


def _block(opening: str, parts: list[str], closing: str, indent: str) -> str:
    if not parts:
        return opening + closing
    separator = f",\n{indent}  "
    return f"{opening}\n{indent}  {separator.join(parts)}\n{indent}{closing}"
