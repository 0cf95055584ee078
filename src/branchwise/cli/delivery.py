"""What a verb does with its answer: files first, then the standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

import branchwise
from branchwise.cli.output_file import OUTPUT_FILE, PAGE_FILE

__all__ = ["deliver", "json_option", "page_option", "usage_errors"]

# In quotes, as what one verb does not need is not to be loaded.
Answer = TypeVar(
    "Answer",
    "branchwise.Solution",
    "branchwise.Interdiction",
    "branchwise.Analysis",
    "branchwise.Explanation",
    "branchwise.Profiles",
)

json_option = click.option(
    "--json",
    "json_file",
    type=OUTPUT_FILE,
    help="Also write JSON; - prints it instead.",
)

page_option = click.option(
    "--html", "html_file", type=PAGE_FILE, help="Also write a page."
)


def deliver(
    answer: Answer,
    *,
    pictures: Sequence[str | None],
    json_file: str | None,
    as_json: Callable[[Answer], str],
    show: Callable[[Answer], None],
) -> None:
    """
    Write the files that are asked for, and show the answer, or print it as JSON.

    An answer that somebody interrupted is delivered, too, and then the interruption
    goes on. So is one with a file that there was no time or memory for.
    """
    failures: list[str] = []
    for picture in filter(None, pictures):
        with _file(picture, failures):
            branchwise.render(answer, picture)
    if json_file == "-":
        click.echo(as_json(answer).encode(), nl=False)
    else:
        if json_file:
            with _file(json_file, failures):
                branchwise.render(answer, json_file, format="json")
        show(answer)
    if failures:
        raise branchwise.LimitError("\n".join(failures))
    if answer.status is branchwise.Status.INTERRUPTED:
        raise KeyboardInterrupt


@contextmanager
def _file(path: str, failures: list[str]) -> Iterator[None]:
    """Note that a file could not be written for want of time or memory."""
    try:
        yield
    except branchwise.LimitError as error:
        failures.append(f"'{path}' is not written: {error}")
    except MemoryError:
        failures.append(f"'{path}' is not written: memory ran out")


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn options that contradict each other, or what is not installed, into usage."""
    try:
        yield
    except branchwise.BranchwiseError:
        raise
    except (ImportError, ValueError) as error:
        raise click.UsageError(str(error)) from None
