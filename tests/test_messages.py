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
from branchwise.formats.read import check_file, read

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


if __name__ == "__main__" and "--rewrite" in sys.argv:
    for file in FILES:
        file.with_suffix(".txt").write_text(message(file), encoding="utf-8")
