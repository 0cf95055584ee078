"""A file of lines belongs to one process at a time, whatever it is called meanwhile."""

import pytest

from branchwise.formats.line_file import LineFile, locked_file


def test_lines_are_added_and_the_file_is_let_go(tmp_path):
    path = tmp_path / "lines"
    file = LineFile(path, locked_file(path))
    file.append("one é")
    file.append("two")
    assert path.read_bytes() == "one é\ntwo\n".encode()
    assert file.size == len(path.read_bytes())
    with pytest.raises(BlockingIOError):
        locked_file(path)
    file.close()
    locked_file(path).close()
