"""
Pictures and words: every answer as text, data, tables, pages and drawings.

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

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

__getattr__, __dir__ = lazy(
    __name__,
    {
        "answer": "DOCUMENTS answer_to document html json lines render schema tables"
        " write_tables",
        "answers.advice": "reported_lines",
        "answers.program": "ProgramAnswer",
        "dependency_graph.picture": "dependency_svg",
        "dependency_graph.text": "dependency_dot",
        "text.tree_text": "tree_text",
    },
)
