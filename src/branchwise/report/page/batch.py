"""A batch as a page: how many problems were solved, and what came of every file."""

from branchwise.batches.batch import Batch
from branchwise.batches.batch_row import ERROR
from branchwise.report.answers.batch import ROWS
from branchwise.report.column import table_html
from branchwise.report.page.templates import page_from
from branchwise.tree.solution import Status


def batch_page(batch: Batch) -> str:
    """Return what came of every file of a batch as one page."""
    solved = [row for row in batch.rows if row.status != ERROR]
    # What is wrong, and how to put it right, takes several lines: it stands below.
    columns = [column for column in ROWS if column.key != "error"]
    values = {
        "batch": batch,
        "num_solved": len(solved),
        "num_proven": sum(row.status == str(Status.OPTIMAL) for row in solved),
        "num_missing": batch.num_all - len(batch.rows),
        "wrong": [(r.file, r.error.splitlines()) for r in batch.rows if r.error],
        "table": table_html(columns, solved, "What came of every file", is_wordy=True),
    }
    return page_from("batch", "", values)
