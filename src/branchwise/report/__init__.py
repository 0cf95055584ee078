"""
Pictures and words: every answer as text, data, tables, pages and drawings.

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from branchwise.report.answer import (
        DOCUMENTS,
        answer_to,
        document,
        html,
        json,
        lines,
        render,
        schema,
        tables,
        write_tables,
    )
    from branchwise.report.answers.advice import reported_lines
    from branchwise.report.answers.program import ProgramAnswer
    from branchwise.report.dependency_graph.picture import dependency_svg
    from branchwise.report.dependency_graph.text import dependency_dot
    from branchwise.report.text.tree_text import tree_text

__all__ = [
    "DOCUMENTS",
    "ProgramAnswer",
    "answer_to",
    "dependency_dot",
    "dependency_svg",
    "document",
    "html",
    "json",
    "lines",
    "render",
    "reported_lines",
    "schema",
    "tables",
    "tree_text",
    "write_tables",
]

_HOMES = {
    "ProgramAnswer": "answers.program",
    "dependency_dot": "dependency_graph.text",
    "dependency_svg": "dependency_graph.picture",
    "reported_lines": "answers.advice",
    "tree_text": "text.tree_text",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOMES.get(name, 'answer')}")
    value: object = getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
