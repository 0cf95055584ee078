"""How values are spelled when they are put into a document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from branchwise.errors import Path
from branchwise.formats.document.syntax.yaml_text import is_plain

Value = str | list[Any] | dict[str, Any]
"""What is put into a document: all text, as the format reads it."""

_JSON_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?", re.ASCII)
# Numbers, ranges of counters, and expressions that begin with a number.
_FIGURE: Final = re.compile(r"[+-]?[\d.][\w.+*/%()-]*(?: [\w.+*/%()-]+)*", re.ASCII)


def is_block(path: Path, value: Value) -> bool:
    """Return whether a value stands below its key, over several lines."""
    if not isinstance(value, dict | list) or not value:
        return False
    if len(path) <= 1:
        return path not in {("budget",), ("cost_weight",)}
    if len(path) == 2 and path[0] in {"actions", "defenses"}:
        return True
    if len(path) == 2 and path[0] == "hidden" and isinstance(value, dict):
        return "given" in value
    if path[-1] == "given":
        return True
    return path[-1] == "outcomes" and any(
        isinstance(each, dict)
        for each in (value.values() if isinstance(value, dict) else value)
    )


class Spelling:
    """
    Spells values as YAML or as JSON.

    Examples
    --------
    >>> Spelling(is_json=False).flow({"when": "bid=won", "value": "1/3"})
    '{when: bid=won, value: 1/3}'
    >>> Spelling(is_json=True).flow({"when": "a=ok", "value": "0.5"})
    '{"when": "a=ok", "value": 0.5}'
    """

    def __init__(self, *, is_json: bool, newline: str = "\n") -> None:
        self.is_json, self.newline = is_json, newline

    def key(self, name: str) -> str:
        """Spell a key."""
        return json.dumps(name, ensure_ascii=False) if self.is_json else _yaml(name)

    def text(self, value: str) -> str:
        """Spell a text or a number."""
        if self.is_json:
            is_number = _JSON_NUMBER.fullmatch(value)
            return value if is_number else json.dumps(value, ensure_ascii=False)
        return value if _FIGURE.fullmatch(value) else _yaml(value)

    def flow(self, value: Value) -> str:
        """Spell a value on one line."""
        if isinstance(value, dict):
            inside = (f"{self.key(k)}: {self.flow(v)}" for k, v in value.items())
            return f"{{{', '.join(inside)}}}"
        if isinstance(value, list):
            return f"[{', '.join(map(self.flow, value))}]"
        return self.text(value)

    def entry(self, path: Path, value: Value, indent: str) -> str:
        """Spell a key and its value in a block, without the end of the line."""
        head = f"{self.key(str(path[-1]))}:"
        return head + self.after_key(path, value, indent)

    def after_key(self, path: Path, value: Value, indent: str) -> str:
        """Spell what follows a key and its colon."""
        if not is_block(path, value) or self.is_json:
            return f" {self.flow(value)}"
        lines = self.lines(path, value, f"{indent}  ")
        return "".join(f"{self.newline}{line}" for line in lines)

    def lines(self, path: Path, value: Value, indent: str) -> Iterator[str]:
        """Spell what is in a map or a list, a line or more for each part."""
        if isinstance(value, dict):
            for key, inside in value.items():
                yield indent + self.entry((*path, key), inside, indent)
        else:
            for inside in value:
                yield f"{indent}- {self.flow(inside)}"


def _yaml(text: str) -> str:
    """Spell a text so that any reader of YAML takes it as text."""
    if is_plain(text):
        return text
    if text.isprintable() and "\\" not in text:
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text)
