"""What a verb does with its answer: files first, then the standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import click

import branchwise
from branchwise import report
from branchwise.cli.options.output_file import OUTPUT_FILE, PAGE_FILE

__all__ = [
    "deliver",
    "json_option",
    "page_option",
    "print_json",
    "usage_errors",
    "written_first",
]

# In quotes, as what one verb does not need is not to be loaded.
Answer = TypeVar(
    "Answer",
    "branchwise.Solution",
    "branchwise.Interdiction",
    "branchwise.Analysis",
    "branchwise.Explanation",
    "branchwise.Profiles",
)

Writing = tuple[str, Callable[[], object]]
"""A file, or a folder, and what writes it."""

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
    show: Callable[[Answer], None],
    writings: Sequence[Writing] = (),
) -> None:
    """
    Write the files that are asked for, and show the answer, or print it as JSON.

    An answer is shown whatever became of its files; what could not be written is told
    after it. An answer that was interrupted is delivered, too, and then the
    interruption goes on.

    Parameters
    ----------
    answer
        What to deliver.
    pictures
        Files to render it to, by their names; None asks for nothing.
    json_file
        Where its JSON goes; ``-`` prints that instead of showing the answer.
    show
        How the answer is shown.
    writings
        What else is to be written.
    """
    render = partial(branchwise.render, answer)
    rendered: list[Writing] = [
        (path, partial(render, path)) for path in pictures if path
    ]
    if json_file and json_file != "-":
        rendered.append((json_file, partial(render, json_file, format="json")))
    with written_first([*writings, *rendered]):
        if json_file == "-":
            print_json(answer)
        else:
            show(answer)
    if answer.status is branchwise.Status.INTERRUPTED:
        raise KeyboardInterrupt


def print_json(answer: object) -> None:
    """Write an answer as JSON to the standard output, piece by piece."""
    for text in report.answer_to(answer).json():
        click.echo(text.encode(), nl=False)


@contextmanager
def written_first(writings: Iterable[Writing]) -> Iterator[bool]:
    """
    Write files; let the caller show the answer; then raise what could not be written.

    Yields whether all were written. Ctrl-C leaves the rest of them out, and goes on
    after the answer.
    """
    issues: list[branchwise.Issue] = []
    is_interrupted = False
    for path, write in writings:
        try:
            write()
        except branchwise.IssuesError as error:
            issues.extend(error.issues)
        except branchwise.LimitError as error:
            what = f"the file is not written: {error}"
            issues.append(branchwise.Issue(path, what, "allow more time or memory"))
        except MemoryError:
            what = "the file cannot be written: there is not enough memory to make it"
            issues.append(branchwise.Issue(path, what, "ask for less in it"))
        except KeyboardInterrupt:
            is_interrupted = True
            break
    try:
        yield not issues and not is_interrupted
    finally:
        # What does not reach the standard output either is no reason to hide this.
        if issues:
            raise branchwise.FormatError(issues)
        if is_interrupted:
            raise KeyboardInterrupt


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn options that contradict each other, or what is not installed, into usage."""
    try:
        yield
    except branchwise.BranchwiseError:
        raise
    except (ImportError, ValueError) as error:
        raise click.UsageError(str(error)) from None
