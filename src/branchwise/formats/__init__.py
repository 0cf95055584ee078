"""Files to problems and back: the only room that knows lines, cells and shorthands."""

from typing import TYPE_CHECKING

from branchwise._lazy import lazy

if TYPE_CHECKING:
    from branchwise.formats.read import check_file as check_file
    from branchwise.formats.read import read_text as read_text
    from branchwise.formats.write import write_text as write_text

__all__, __getattr__, __dir__ = lazy(
    __name__, {"read": "check_file read_text", "write": "write_text"}
)
