"""Where a table begins: its header rows, and the blocks of rows below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from branchwise.errors import Issue, did_you_mean
from branchwise.formats.document.nodes import TextNode
from branchwise.formats.place import issue_at
from branchwise.formats.table.grid import Grid, Row, layout_issue

_LONGEST_WORD: Final = 200
_FEWEST_WORDS: Final = 2  # a header has at least so many columns
_ROWS_LOOKED_AT: Final = 100  # for words that are nearly right, which takes long


@dataclass(frozen=True, slots=True)
class BlockKind:
    """A kind of table: its columns, those that must be there, and other words."""

    title: str
    columns: tuple[str, ...]  # The first one tells this kind from the others.
    obligatory: tuple[str, ...]
    synonyms: Mapping[str, str] = field(default_factory=dict)

    def column(self, text: str) -> str | None:
        """Return the column of this name, in whatever case."""
        word = _word(text)
        word = self.synonyms.get(word, word)
        return word if word in self.columns else None


ACTIONS: Final = BlockKind(
    "actions",
    ("action", "prerequisite", "preclusion", "cost", "attempts", "distance",
     "sample size", "effects", "outcome", "probability", "outcome effects",
     "outcome cost", "ends", "reward"),
    ("action", "outcome", "probability"),
    {"requires": "prerequisite", "prerequisites": "prerequisite",
     "precluded by": "preclusion", "preclusions": "preclusion"},
)  # fmt: skip
SETTINGS: Final = BlockKind("settings", ("setting", "value"), ("setting", "value"))
GIVEN: Final = BlockKind(
    "given",
    ("given", "when", "cost", "distance", "sample size", "outcome", "probability"),
    ("given", "when"),
)
REWARDS: Final = BlockKind(
    "rewards",
    ("reward when", "per", "value"),
    ("reward when", "value"),
    {"reward": "value"},
)
HIDDEN: Final = BlockKind(
    "hidden",
    ("hidden", "when", "outcome", "probability"),
    ("hidden", "outcome", "probability"),
)
COUNTERS: Final = BlockKind(
    "counters", ("counter", "start", "range"), ("counter", "range")
)
PARAMETERS: Final = BlockKind(
    "parameters", ("parameter", "value"), ("parameter", "value")
)
DEFENSES: Final = BlockKind(
    "defenses",
    ("defense", "cost", "excludes", "effect", "action", "outcome", "amount"),
    ("defense", "effect", "action"),
    {"defence": "defense"},
)
# Defenses have columns of actions too, so that they must be looked for first.
_KINDS: Final = (
    DEFENSES, ACTIONS, SETTINGS, GIVEN, REWARDS, PARAMETERS, HIDDEN, COUNTERS
)  # fmt: skip
_COLUMN_NAMES: Final = {
    name for kind in _KINDS for name in (*kind.columns, *kind.synonyms)
}


@dataclass(slots=True)
class Block:
    """A header row and the rows that belong to it."""

    kind: BlockKind
    header: Row
    columns: dict[str, int]
    rows: list[Row] = field(default_factory=list)

    def cell(self, row: Row, column: str) -> TextNode:
        """Return a cell of a row; blank where the table has no such column."""
        number = self.columns.get(column)
        if number is None:
            return TextNode("", row.position(0))
        return TextNode(row.text(number), row.position(number))

    def stray_row(self, row: Row, kind: str, column: str) -> Issue:
        """Say that a row above the first action, or the like, belongs to none."""
        what = f"this row belongs to no {kind}"
        fix = f"write the name of its {kind} in the column `{column}`"
        return layout_issue(self.cell(row, column).place, what, fix)

    def has_text(self, row: Row, column: str) -> bool:
        """Whether a cell of a row says anything."""
        return column in self.columns and row.text(self.columns[column]) != ""


def blocks_of(grid: Grid, issues: list[Issue]) -> list[Block]:
    """Divide a sheet into its tables."""
    blocks: list[Block] = []
    last = -1
    for row in grid.rows:
        is_fresh = not blocks or row.number > last + 1
        is_first, last = last < 0, row.number
        if kind := _kind_of_header(row, is_fresh=is_fresh):
            blocks.append(_block(kind, row, issues))
        elif blocks:
            blocks[-1].rows.append(row)
        elif is_first:
            column = row.filled[0]
            what = f"`{row.text(column)[:40]}` stands above any header row"
            fix = f"start the table with the header `{', '.join(ACTIONS.columns)}`, "
            fix += "and delete what stands above it"
            issues.append(layout_issue(row.place(column), what, fix))
    for block in blocks:
        issues.extend(_strays(block))
    return blocks


def may_hold_table(grid: Grid) -> bool:
    """
    Tell whether a sheet can be meant to have a table, if a misspelled one.

    It can if it is called like one, if any row is a header, or if a row near its top
    has the word that begins one, rightly spelled or nearly, beside other words.
    """
    return (
        any(_is_titled(grid.sheet, kind.title) for kind in _KINDS)
        or any(_kind_of_header(row, is_fresh=False) for row in grid.rows)
        or any(_is_like_header(row) for row in grid.rows[:_ROWS_LOOKED_AT])
    )


def _is_like_header(row: Row) -> bool:
    words = [row.text(column) for column in row.filled]
    firsts = [kind.columns[0] for kind in _KINDS]
    return len(words) >= _FEWEST_WORDS and (
        _kind_of_header(row, is_fresh=True) is not None
        or any(_is_like(word, first) for word in words for first in firsts)
    )


def _is_titled(sheet: str, title: str) -> bool:
    """Whether a sheet is called like a table; `Notes` is not `counters` misspelled."""
    return sheet[:1].casefold() == title[0] and _is_like(sheet, title)


def _is_like(text: str, word: str) -> bool:
    return _word(text) == word or did_you_mean(_word(text), [word]) != ""


def _kind_of_header(row: Row, *, is_fresh: bool) -> BlockKind | None:
    """
    Tell which table this row is the header of, if it is one.

    Only words stand in a header, and all of them are columns of one kind. In a row
    with nothing above it, some of them may be wrong: then that is the mistake.
    """
    words = [text for text in row.texts if text]
    if any(word[0].isdecimal() or word[0] in ".+-" for word in words):
        return None
    is_known = any(_word(word) in _COLUMN_NAMES for word in words)
    for kind in _KINDS if is_known else ():
        known = [column for word in words if (column := kind.column(word))]
        is_enough = is_fresh and len(known) >= _FEWEST_WORDS
        if kind.columns[0] in known and (is_enough or len(known) == len(words)):
            return kind
    if len(words) < _FEWEST_WORDS:
        return None
    if all(ACTIONS.column(word) for word in words):
        return ACTIONS
    return _nearest_kind(words) if is_fresh else None


def _nearest_kind(words: list[str]) -> BlockKind | None:
    def nearness(kind: BlockKind) -> int:
        return sum(_nearest_column(kind, word) is not None for word in words)

    kind = max(_KINDS, key=nearness)
    return kind if nearness(kind) >= _FEWEST_WORDS else None


def _nearest_column(kind: BlockKind, text: str) -> str | None:
    hint = did_you_mean(_word(text), [*kind.columns, *kind.synonyms])
    meant = re.search(r"`(.+)`", hint)
    return kind.column(meant[1]) if meant else None


def _block(kind: BlockKind, header: Row, issues: list[Issue]) -> Block:
    block = Block(kind, header, {})
    for number in header.filled:
        text, place = header.text(number), header.place(number)
        column = kind.column(text)
        if column is None:
            hint = did_you_mean(_word(text), kind.columns)
            what = f"there is no column `{text[:40]}` in a table of {kind.title}{hint}"
            fix = f"use the columns {', '.join(kind.columns)}; delete any other"
            issues.append(layout_issue(place, what, fix))
            # What was meant is read on, so that only one mistake is reported.
            column = _nearest_column(kind, text)
        elif column in block.columns:
            what = f"the column `{column}` stands here a second time"
            issues.append(layout_issue(place, what, "delete or rename one of the two"))
        if column is not None:
            block.columns.setdefault(column, number)
    issues.extend(_missing(block))
    return block


def _missing(block: Block) -> Iterator[Issue]:
    for column in block.kind.obligatory:
        if column not in block.columns:
            what = f"the table of {block.kind.title} has no column `{column}`"
            fix = f"add a column `{column}` to this row"
            place = block.header.place(block.header.filled[0])
            # Without it the rows mean nothing, so nothing more is said about them.
            yield issue_at(place, (block.kind.title,), what, fix)


def _strays(block: Block) -> Iterator[Issue]:
    """Report the first cell of each column that has no name."""
    named = set(block.header.filled)
    for row in block.rows:
        for column in row.filled:
            if column not in named:
                named.add(column)
                what = f"`{row.text(column)[:40]}` stands in a column without a name"
                fix = f"name the column in row {block.header.number}, "
                fix += "or delete the cell"
                yield layout_issue(row.place(column), what, fix)


@lru_cache(maxsize=1_000)
def _word(text: str) -> str:
    if len(text) > _LONGEST_WORD:
        return text  # Whatever it is, it is no name of a column.
    return re.sub(r"[\s_]+", " ", text.strip()).casefold()
