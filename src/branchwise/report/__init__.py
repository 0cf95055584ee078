"""
Pictures and words: every answer as text, data, tables, pages and drawings.

Start-up is felt on a command line, so a name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.report.answer import DOCUMENTS as DOCUMENTS
    from branchwise.report.answer import answer_to as answer_to
    from branchwise.report.answer import document as document
    from branchwise.report.answer import html as html
    from branchwise.report.answer import json as json
    from branchwise.report.answer import lines as lines
    from branchwise.report.answer import render as render
    from branchwise.report.answer import schema as schema
    from branchwise.report.answer import tables as tables
    from branchwise.report.answer import write_tables as write_tables
    from branchwise.report.answers.advice import reported_lines as reported_lines
    from branchwise.report.answers.program import ProgramAnswer as ProgramAnswer
    from branchwise.report.dependency_graph.picture import (
        dependency_svg as dependency_svg,
    )
    from branchwise.report.dependency_graph.text import dependency_dot as dependency_dot
    from branchwise.report.text.tree_text import tree_text as tree_text

__all__, __getattr__, __dir__ = lazy(
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
