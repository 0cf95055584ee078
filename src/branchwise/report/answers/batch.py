"""Batches, shown: what came of every file."""

from collections.abc import Iterator
from typing import ClassVar, Final

from branchwise.batches.batch import Batch
from branchwise.batches.batch_row import ERROR
from branchwise.report.answer import Answer, Detail
from branchwise.report.column import MOST, Column, table_lines
from branchwise.report.fields import (
    COUNT,
    NUMBER,
    STATUS,
    TEXT,
    Field,
    Kind,
    array,
    document,
    nullable,
    record,
)
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import plural
from branchwise.tree.solution import Status

_ROW_STATUS: Final = Kind({"enum": [*map(str, Status), ERROR]}, str)

_ROW: Final = record(
    Field("file", TEXT),
    Field("problem", TEXT, note="Its name."),
    Field("status", _ROW_STATUS),
    Field("expected_reward", nullable(NUMBER), note="Null where there is no plan."),
    Field("upper_bound", nullable(NUMBER)),
    Field(
        "first_action", nullable(TEXT), note="Null: do nothing, or there is no plan."
    ),
    Field("num_nodes", nullable(COUNT), note="The size of the tree."),
    Field("num_states", nullable(COUNT), note="How many states it took."),
    Field("error", TEXT, note="What is wrong; nothing where there is a plan."),
)

ROWS: Final = (
    Column("file", "file", "name", share=0.35),
    Column("status", "status"),
    Column("expected_reward", "worth", "value", is_optional=True),
    Column("upper_bound", "at most", "value", is_optional=True),
    Column("first_action", "first", "name", lambda row: row.first_action or ""),
    Column("num_nodes", "nodes", "count", is_optional=True),
    Column(
        "error",
        "what is wrong",
        "name",
        lambda row: "; ".join(map(str.strip, row.error.splitlines())) or None,
        is_optional=True,
        share=0.6,
    ),
)


class BatchAnswer(Answer[Batch]):
    """What came of every file of a batch."""

    page = "page.batch.batch_page"
    layout: ClassVar = document(
        "branchwise-batch",
        "What came of every problem of a folder.",
        Field("status", STATUS, note="`interrupted` where some are missing."),
        Field("num_all", COUNT, note="How many files there are."),
        Field("num_resumed", COUNT, note="Of how many a journal had the answer."),
        Field("rows", array(_ROW), note="In the order of the files' names."),
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return how many were solved, and unless short the table."""
        found = self.result
        yield look.line((_summary(found), "title"))
        if detail == "answer" or not found.rows:
            return
        yield ""
        most = None if detail == "full" else MOST
        yield from table_lines(ROWS, found.rows, look, most=most, others="file")


def _summary(found: Batch) -> str:
    solved = len(found.rows) - found.num_errors
    parts = [f"{plural(solved, 'problem')} solved"]
    if found.num_errors:
        parts.append(f"{plural(found.num_errors, 'file')} with errors")
    if missing := found.num_all - len(found.rows):
        parts.append(f"{plural(missing, 'file')} not looked at")
    if found.num_resumed:
        parts.append(f"{found.num_resumed:,} known from the journal")
    return ", ".join(parts)
