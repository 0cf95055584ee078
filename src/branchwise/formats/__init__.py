"""Files to problems and back: the only room that knows lines, cells and shorthands."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.formats.read import check_file, read_text
    from branchwise.formats.write import write_text

__all__ = ["check_file", "read_text", "write_text"]

__getattr__, __dir__ = lazy(
    __name__, {"read": "check_file read_text", "write": "write_text"}
)
