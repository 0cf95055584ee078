"""
Every message that a person may see, word for word.

``messages/*.yaml`` (or ``.json``, ``.csv``) is a file with something wrong with it,
the ``.txt`` beside it exactly what reading it says. After changing a message, run
this file with ``--rewrite`` and read the difference as a user would:
``python tests/test_messages.py --rewrite``.
"""

import sys
from pathlib import Path

import pytest

from branchwise.errors import IssuesError
from branchwise.formats.read import check_file, check_text, read
from typist import typed

FOLDER = Path(__file__).parent / "messages"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".txt")


def message(path):
    """Give what a user sees, with the folder left out."""
    try:
        read(path)
    except IssuesError as error:
        text = str(error)
    else:
        text = "\n".join(map(str, check_file(path)[1]))
    return text.replace(str(path), path.name) + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_message_is_exactly(path):
    assert message(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_message_has_where_what_and_fix(path):
    for issue in check_file(path)[1]:
        assert issue.where.startswith(str(path))
        assert issue.what
        assert issue.fix
        assert len(issue.what) + len(issue.fix) < 400
        assert not issue.what.endswith(".")


def test_every_file_has_its_message_and_every_message_its_file():
    texts = {path.stem for path in FOLDER.glob("*.txt")}
    assert texts == {path.stem for path in FILES}
    assert len(texts) == len(FILES)


# What these ask for is a decision: which of two, what a condition is to mean.
DECISIONS = frozenset(
    "at_least condition_comparisons condition_syntax counter_uses defenses expressions "
    "duplicate_key hidden_facts hidden_uses names parameters purpose".split()
)


def errors(text, path, format_):
    found = check_text(text, format_, path.name)[1]
    return [issue for issue in found if issue.severity == "error"]


BROKEN = [
    path
    for path in FILES
    if path.suffix != ".csv"
    and path.stem not in DECISIONS
    and errors(path.read_text(encoding="utf-8"), path, path.suffix[1:])
]


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.name)
def test_a_file_is_repaired_by_typing_what_its_messages_say(path):
    """The typist knows nothing of problems: it does what the first message says."""
    text, format_ = path.read_text(encoding="utf-8"), path.suffix[1:]
    num_edits = 0
    while found := errors(text, path, format_):
        text = typed(text, found[0])
        assert text is not None, found[0]
        format_ = "json" if found[0].path else format_
        num_edits += 1
        assert num_edits <= 20, found[0]
    assert num_edits


def test_most_messages_can_be_typed():
    assert len(BROKEN) > 2 * len(DECISIONS)


if __name__ == "__main__" and "--rewrite" in sys.argv:
    for file in FILES:
        file.with_suffix(".txt").write_text(message(file), encoding="utf-8")
