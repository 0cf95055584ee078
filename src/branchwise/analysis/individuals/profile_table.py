"""Tables of profiles: which number of which individual is another one."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from branchwise.analysis.individuals.profile_numbers import (
    ProfileNumbers,
    ProfileParameter,
    moves_attempts,
    profile_parameters,
)
from branchwise.errors import FormatError, Issue, did_you_mean
from branchwise.formats.document.amounts import read_limit, read_number
from branchwise.formats.document.nodes import TextNode
from branchwise.formats.document.notes import Notes
from branchwise.formats.table.profile_sheet import (
    NAME_COLUMN,
    ProfileSheet,
    profile_sheet,
)
from branchwise.model.budget import Limit
from branchwise.model.checks.issue import shown
from branchwise.model.numbers.number import number_text
from branchwise.model.problem import Problem

# Cells of these kinds that are equal hold the same number.
_ALIKE_IF_EQUAL: Final = frozenset({str, int, float})


class Profile(NamedTuple):
    """One individual, by what is different about it."""

    name: str  # unique in the table
    # Its numbers, one for each column; None where it is the problem's own.
    overrides: tuple[Limit | None, ...]
    kept: tuple[str, ...]  # what stands in the columns that are only kept


class ProfileTable(NamedTuple):
    """The individuals of a table."""

    columns: tuple[ProfileParameter, ...]  # the numbers that they differ in
    kept_columns: tuple[str, ...]  # the titles of the columns that are only kept
    profiles: tuple[Profile, ...]  # the individuals, in the order of the table
    sheet: ProfileSheet  # what it was read from


def read_profiles(
    problem: Problem, table: object, *, keep: Iterable[str] = ()
) -> ProfileTable:
    """Read a table of individuals."""
    reader = _Reader(problem, profile_sheet(table), list(keep))
    issues = reader.notes.issues
    found = reader.table() if not issues else None
    if found is None or issues:
        raise FormatError(issues)
    return found


class _Reader:
    """Makes sense of the columns of a sheet, then of its cells."""

    def __init__(
        self, problem: Problem, sheet: ProfileSheet, keep: Sequence[str]
    ) -> None:
        self._problem = problem
        self._sheet = sheet
        self.notes = Notes()
        self._kept = self._find_kept(keep)
        # Of two clauses with the same condition, the first is the one that counts.
        numbers = reversed(list(profile_parameters(problem)))
        known = dict(reversed({each.name: each for each in numbers}.items()))
        self._name = self._find_name(known)
        self._columns: dict[int, ProfileParameter] = {}
        # Cells that were found in order, as many individuals have the same numbers.
        self._read: dict[tuple[int, type, Any], Limit | None] = {}
        for at, title in enumerate(sheet.columns):
            if title and sheet.columns.index(title) != at:
                what = f"there are two columns `{title[:60]}`"
                self._note(None, at, what, "delete one of them")
            if at == self._name or at in self._kept or not title:
                continue
            if title in known:
                self._columns[at] = known[title]
                self._note_attempts(at, title, known[title])
            else:
                self._note_unknown(at, title, list(known))
        if not sheet.rows:
            what, fix = "the table has no individuals", "write a row for each of them"
            self._note(None, 0, what, fix)

    def table(self) -> ProfileTable:
        columns = tuple(self._columns.values())
        numbers = ProfileNumbers(self._problem, columns)
        names: dict[str, int] = {}
        profiles = tuple(
            Profile(
                self._named(row, cells, names),
                self._overrides(row, cells, numbers),
                tuple(str(cells[at]) for at in self._kept),
            )
            for row, cells in enumerate(self._sheet.rows)
        )
        kept = tuple(self._sheet.columns[at] for at in self._kept)
        return ProfileTable(columns, kept, profiles, self._sheet)

    def _find_kept(self, keep: Sequence[str]) -> list[int]:
        found = []
        for title in keep:
            if title in self._sheet.columns:
                found.append(self._sheet.columns.index(title))
                continue
            near = did_you_mean(title, self._sheet.columns)
            what = f"there is no column `{title}` to keep{near}"
            fix = f"keep some of {', '.join(filter(None, self._sheet.columns))}"
            where = self._sheet.source or "keep"
            self.notes.issues.append(Issue(where, what, fix))
        return found

    def _find_name(self, known: Iterable[str]) -> int | None:
        """Find the column of names: `profile`, or a first one that is no number."""
        titles = self._sheet.columns
        if NAME_COLUMN in titles:
            return titles.index(NAME_COLUMN)
        is_named = bool(titles) and titles[0] not in known and 0 not in self._kept
        # What looks like a number was meant as one, and is misspelled.
        looks_so = is_named and did_you_mean(titles[0], list(known)) != ""
        return 0 if is_named and not looks_so else None

    def _named(self, row: int, cells: Sequence[Any], names: dict[str, int]) -> str:
        """Return the name of a row; its number where there is none."""
        text = "" if self._name is None else str(cells[self._name])
        name = text or str(row + 1)
        if name in names:
            at = self._name or 0
            before = str(self._sheet.place(names[name], at)).rpartition(":")[2]
            what = f"the name `{name}` stands at {before} already"
            title = self._sheet.columns[at]
            fix = f"give each row a name of its own, or `--keep {title}` if it is none"
            self._note(row, at, what, fix)
        names.setdefault(name, row)
        return name

    def _overrides(
        self, row: int, cells: Sequence[Any], numbers: ProfileNumbers
    ) -> tuple[Limit | None, ...]:
        columns, num_issues = self._columns, len(self.notes.issues)
        found = tuple(self._number(row, at, cells[at], columns[at]) for at in columns)
        if len(self.notes.issues) == num_issues:
            for column, what, fix in numbers.contradictions(found):
                self._note(row, list(columns)[column], what, fix)
        return found

    def _number(
        self, row: int, at: int, cell: Any, column: ProfileParameter
    ) -> Limit | None:
        if cell == "":
            return None
        if type(cell) not in _ALIKE_IF_EQUAL:
            return self._afresh(row, at, cell, column)
        key = at, type(cell), cell
        if key not in self._read:
            num_issues = len(self.notes.issues)
            number = self._afresh(row, at, cell, column)
            if len(self.notes.issues) > num_issues:
                return number
            self._read[key] = number
        return self._read[key]

    def _afresh(
        self, row: int, at: int, cell: Any, column: ProfileParameter
    ) -> Limit | None:
        if isinstance(cell, int | Fraction) and not isinstance(cell, bool):
            number: Limit | None = Fraction(cell)
        else:
            place = self._sheet.place(row, at)
            text = repr(cell) if isinstance(cell, float) else str(cell)
            read = read_limit if column.parameter is None else read_number
            path = ("budget",) if column.parameter is None else ()
            number = read(self.notes, TextNode(text, place), path)
        low, high = column.bounds(self._problem)
        if number is not None and not low <= number <= high:
            assert isinstance(number, Fraction)
            self._note(row, at, *_out_of_bounds(number, is_low=number < low))
        return number

    def _note_attempts(self, at: int, title: str, column: ProfileParameter) -> None:
        """Refuse what changes more than the numbers of a plan."""
        if column.parameter is None or column.parameter.kind != "parameter":
            return
        action = moves_attempts(self._problem, column.parameter.name)
        if action is not None:
            what = f"`{title[:60]}` decides how often `{action}` can be attempted"
            fix = "write these attempts as a number: individuals cannot differ in them"
            self._note(None, at, what, fix)

    def _note_unknown(self, at: int, title: str, known: list[str]) -> None:
        near = did_you_mean(title, known)
        what = f"the problem has no number `{title[:60]}`{near}"
        fix = f"name a number as `analyze` does, such as `{known[0]}`"
        if near:
            fix = f"write `{near.split('`')[1]}`"
        fix += f"; `--keep {title[:60]}` carries it through as it is"
        self._note(None, at, what, fix)

    def _note(self, row: int | None, at: int, what: str, fix: str) -> None:
        self.notes.add(self._sheet.place(row, at), (), what, fix)


def _out_of_bounds(number: Fraction, *, is_low: bool) -> tuple[str, str]:
    """Return what is wrong with a number that cannot be, and a fix."""
    if is_low:
        return f"{shown(number)} is less than 0", "write a number from 0 on"
    fix = "write a number from 0 to 1"
    if 2 <= number <= 100:
        fix = f"write `{number_text(number)}%` if you mean percent, or {fix[6:]}"
    return f"the probability {shown(number)} is more than 1", fix
