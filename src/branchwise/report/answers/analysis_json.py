"""An analysis as a JSON document that other programs can rely on."""

from __future__ import annotations

import math
from typing import Final

from branchwise.analysis.analyze import SECTIONS, Analysis
from branchwise.analysis.table import Cell, Table
from branchwise.report.page.json_layout import (
    Object,
    document_schema,
    json_number,
    json_text,
)

__all__ = [
    "analysis_document",
    "analysis_json",
    "analysis_schema",
    "plain_cell",
    "plain_records",
]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-analysis"


def analysis_document(analysis: Analysis) -> Object:
    """Give an analysis as plain data, laid out as `analysis_schema` says."""
    solution = analysis.solution
    return {
        "format": _FORMAT,
        "version": VERSION,
        "problem": analysis.problem.name,
        "expected_reward": json_number(solution.expected_reward),
        "upper_bound": json_number(solution.upper_bound),
        "first_action": solution.first_action,
        "status": str(analysis.status),
        "unreached": dict(analysis.unreached),
        "sections": {
            name: {table.name: plain_records(table) for table in section.tables()}
            for name, section in analysis.sections.items()
        },
    }


def analysis_json(analysis: Analysis) -> str:
    """Give the document as text."""
    document = analysis_document(analysis)
    return f"{json_text(document)}\n"


def analysis_schema() -> Object:
    """
    Give the JSON Schema of what `analysis_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    cell = {"type": ["string", "number", "boolean", "null"]}
    rows = {"type": "array", "items": {"type": "object", "additionalProperties": cell}}
    section = {"type": "object", "additionalProperties": rows}
    return document_schema(
        _FORMAT,
        VERSION,
        "What matters in a problem, in tables: rows by column.",
        {
            "problem": {"type": "string", "description": "Its name."},
            "expected_reward": {"type": "number"},
            "upper_bound": {
                "type": "number",
                "description": "What no plan can exceed; the same where proven.",
            },
            "first_action": {"type": ["string", "null"]},
            "status": {
                "enum": ["optimal", "time limit", "memory limit", "interrupted"],
                "description": "`optimal` where all that was asked for is there.",
            },
            "unreached": {
                "type": "object",
                "description": "Why sections that were asked for are not there.",
                "additionalProperties": {"type": "string"},
            },
            "sections": {
                "type": "object",
                "properties": dict.fromkeys(SECTIONS, section),
            },
        },
    )


def plain_cell(cell: Cell) -> str | bool | float | None:
    """Give a cell as JSON holds it; a number without limit as `unlimited`."""
    if cell is None or isinstance(cell, str | bool):
        return cell
    if cell == math.inf:
        return "unlimited"
    return json_number(cell)


def plain_records(table: Table) -> list[Object]:
    """Give the rows of a table as JSON holds them."""
    return [
        {column: plain_cell(cell) for column, cell in record.items()}
        for record in table.records()
    ]
