"""Writing problems as tables: CSV, and workbooks that are pleasant to look at."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from branchwise.formats.file_limits import MOST_ROWS
from branchwise.formats.table import table_cells
from branchwise.formats.table.grid import unreadable
from branchwise.formats.table.table_cells import condition_text, name_text
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import (
    UNLIMITED,
    Amounts,
    Budget,
    Limit,
    alike_in_all,
    limit_text,
)
from branchwise.model.conditions.condition import ALWAYS, NEVER, Condition
from branchwise.model.defense import Defense
from branchwise.model.numbers.expression import written
from branchwise.model.numbers.formula import Formula, expression_of
from branchwise.model.numbers.interval import Interval, as_interval, interval_text
from branchwise.model.numbers.number import number_text
from branchwise.model.problem import Problem, Reward

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

SheetCell = str | Fraction
"""Text, protected from being misread, or a number; an empty text is blank."""

_LONGEST_CELL: Final = 32_767  # what a spreadsheet keeps of a text
_WIDEST_COLUMN: Final = 60
_MOST_MERGED: Final = 2_000  # groups of rows; more of them would open slowly


def csv_text(problem: Problem) -> str:
    r"""
    Write a problem as CSV.

    >>> from branchwise.model.action import Action
    >>> drill = Action("drill", outcomes={"oil": 0.2, "dry": 0.8})
    >>> print(csv_text(Problem([drill], budget=2)))
    setting,value
    budget,2
    <BLANKLINE>
    action,prerequisite,preclusion,cost,outcome,probability,reward
    drill,,,1,oil,0.2,
    ,,,,dry,0.8,
    <BLANKLINE>
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    actions, settings, *others = sheets(problem)
    for index, sheet in enumerate([settings, actions, *others]):
        writer.writerows([[]] if index else [])
        writer.writerow(sheet.header)
        writer.writerows([_csv_cell(cell) for cell in row] for row in sheet.rows)
    return text.getvalue()


def xlsx_bytes(problem: Problem) -> bytes:
    """Write a problem as an Excel workbook, one sheet for each table."""
    # Only a workbook needs this, so only a workbook pays for the import.
    from openpyxl import Workbook  # noqa: PLC0415

    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets(problem):
        _write_sheet(sheet, book.create_sheet(sheet.title))
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _csv_cell(cell: SheetCell) -> str:
    return table_cells.quoted_number(cell) if isinstance(cell, Fraction) else cell


def _write_sheet(sheet: Sheet, page: Worksheet) -> None:
    if len(sheet.rows) >= MOST_ROWS:
        what = f"the table would have {len(sheet.rows):,} rows, more than fit a sheet"
        raise unreadable(sheet.title, what, "write YAML or CSV instead")
    for row, cells in enumerate([sheet.header, *sheet.rows], 1):
        for column, cell in enumerate(cells, 1):
            if cell != "":
                _write_cell(page.cell(row, column), cell, sheet.title)
    _merge(sheet, page)
    _decorate(sheet, page)


def _write_cell(target: Cell | MergedCell, cell: SheetCell, title: str) -> None:
    if isinstance(cell, Formula):
        cell = table_cells.quoted_number(cell)
    if isinstance(cell, Fraction) and table_cells.is_spreadsheet_number(cell):
        target.value = int(cell) if cell.denominator == 1 else float(cell)
        return
    text = cell if isinstance(cell, str) else number_text(cell)
    # Workbooks write `_x0041_` for the letter A; where that is meant, it is escaped.
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    if len(text.encode("utf-16-le")) > 2 * _LONGEST_CELL:
        cell_name = f"{title}!{target.coordinate}"
        what = f"a text of {len(text):,} characters does not fit into a cell"
        raise unreadable(f"workbook:{cell_name}", what, "write YAML or CSV instead")
    target.value = text
    target.data_type = "s"  # whatever it looks like, it is no formula
    target.number_format = "@"  # nor will it be one once it is edited


def _merge(sheet: Sheet, page: Worksheet) -> None:
    if len(sheet.groups) > _MOST_MERGED:
        return
    for first, count in sheet.groups:
        for column in range(1, sheet.num_shared + 1 if count > 1 else 1):
            page.merge_cells(None, first + 2, column, first + 1 + count, column)


def _decorate(sheet: Sheet, page: Worksheet) -> None:
    """Make the header bold and keep it in sight; make columns as wide as their text."""
    from openpyxl.styles import Alignment, Font  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    page.freeze_panes = "A2"
    for column, title in enumerate(sheet.header, 1):
        page.cell(1, column).font = Font(bold=True)
        widths = [len(_csv_cell(row[column - 1])) for row in sheet.rows]
        width = min(max([len(title), *widths]) + 2, _WIDEST_COLUMN)
        page.column_dimensions[get_column_letter(column)].width = width
    middle = Alignment(vertical="center", wrap_text=True)
    for first, _ in sheet.groups:
        for column in range(1, sheet.num_shared + 1):
            page.cell(first + 2, column).alignment = middle


@dataclass(slots=True)
class Sheet:
    """
    One table; ``groups`` has the first row and the number of rows that belong together.

    In the rows of a group, ``num_shared`` cells from the left are said only once.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[SheetCell, ...]] = field(default_factory=list)
    groups: list[tuple[int, int]] = field(default_factory=list)
    num_shared: int = 0

    def add_group(
        self, shared: tuple[SheetCell, ...], rows: list[tuple[SheetCell, ...]]
    ) -> None:
        """Add rows that belong together, and what is said once about all of them."""
        self.groups.append((len(self.rows), len(rows)))
        blank: tuple[SheetCell, ...] = ("",) * len(shared)
        self.rows += ((*(blank if i else shared), *row) for i, row in enumerate(rows))


def sheets(problem: Problem) -> list[Sheet]:
    """
    Describe a problem by tables.

    >>> action = Action("drill", outcomes={"oil": 0.2, "dry": 0.8})
    >>> for sheet in sheets(Problem([action], budget=2)):
    ...     print(sheet.title, sheet.rows)
    Actions [('drill', '', '', Fraction(1, 1), 'oil', Fraction(1, 5), ''), ...]
    Settings [('budget', Fraction(2, 1))]
    """
    inline = _rewards_by_outcome(problem)
    made = [_action_sheet(problem, inline), _setting_sheet(problem)]
    if any(action.given for action in problem.actions):
        made.append(_given_sheet(problem))
    if inline is None:
        made.append(_reward_sheet(problem))
    if problem.defenses:
        made.append(_defense_sheet(problem))
    if problem.parameters:
        made.append(_parameter_sheet(problem))
    if problem.hidden:
        made.append(_hidden_sheet(problem))
    if problem.counters:
        made.append(_counter_sheet(problem))
    return made


def _reward_sheet(problem: Problem) -> Sheet:
    if all(reward.per is None for reward in problem.rewards):
        rows = [(condition_text(r.when), _worth(r)) for r in problem.rewards]
        return Sheet("Rewards", ("reward when", "value"), list(rows))
    sheet = Sheet("Rewards", ("reward when", "per", "value"))
    for reward in problem.rewards:
        is_free = reward.per is not None and reward.when == ALWAYS
        when = "" if is_free else condition_text(reward.when)
        per = "" if reward.per is None else name_text(reward.per)
        sheet.rows.append((when, per, _worth(reward)))
    return sheet


def _hidden_sheet(problem: Problem) -> Sheet:
    header = ("hidden", "when", "outcome", "probability")
    sheet = Sheet("Hidden", header, num_shared=2)
    for fact in problem.hidden:
        name = name_text(fact.name)
        sheet.add_group((name, ""), [_probabilities(each) for each in fact.outcomes])
        for clause in fact.given:
            rows = [_probabilities(each) for each in clause.outcomes or ()]
            sheet.add_group((name, condition_text(clause.when)), [*rows] or [("", "")])
    return sheet


def _counter_sheet(problem: Problem) -> Sheet:
    sheet = Sheet("Counters", ("counter", "start", "range"))
    for counter in problem.counters:
        start = "" if counter.starts_as_usual else _whole(counter.start)
        ends = f"{_whole_text(counter.low)}..{_whole_text(counter.high)}"
        # No spreadsheet changes `0..3`; all else may look like a formula.
        is_plain = re.fullmatch(r"\d+\.\.\d+", ends)
        ends = ends if is_plain else name_text(ends)
        sheet.rows.append((name_text(counter.name), start, ends))
    return sheet


def _whole(number: int) -> SheetCell:
    computed = expression_of(number)
    return Fraction(number) if computed is None else Formula(computed)


def _whole_text(number: int) -> str:
    return written(Formula(e) if (e := expression_of(number)) else Fraction(number))


def _changes(effects: Mapping[str, int]) -> str:
    texts = ((name, _whole_text(change)) for name, change in effects.items())
    return table_cells.amounts_text(texts) if effects else ""


def _rewards_by_outcome(problem: Problem) -> dict[Condition, Reward] | None:
    """Return the reward of each outcome; None where that does not say it all."""
    values = {r.when: r for r in problem.rewards}
    found = [values[when] for when in problem.events() if when in values]
    return values if tuple(found) == problem.rewards else None


def _action_sheet(problem: Problem, inline: dict[Condition, Reward] | None) -> Sheet:
    has_attempts = any(
        action.attempts != 1 or expression_of(action.attempts)
        for action in problem.actions
    )
    shared = ["action", "prerequisite", "preclusion", "cost"]
    shared += ["attempts"] if has_attempts else []
    shared += _known_columns(problem.actions)
    shared += ["effects"] if any(action.effects for action in problem.actions) else []
    more = _consequence_columns(problem)
    paid = [] if inline is None else ["reward"]
    columns = (*shared, "outcome", "probability", *more, *paid)
    sheet = Sheet("Actions", columns, num_shared=len(shared))
    for action in problem.actions:
        cells = dict(_action_cells(action, problem.budget))
        rows = [
            (
                *_probabilities(each),
                *_consequences(each, more, problem.budget),
                _worth((inline or {}).get(action[each.label])),
            )
            for each in action.outcomes
        ]
        said_once = tuple(cells[column] for column in shared)
        width = len(columns) - len(shared)
        sheet.add_group(said_once, [row[:width] for row in rows])
    return sheet


def _consequence_columns(problem: Problem) -> list[str]:
    """Name the columns in which something follows from some outcome."""
    shared = {id(action.outcomes): action.outcomes for action in problem.actions}
    outcomes = [each for every in shared.values() for each in every]
    said = {
        "outcome effects": any(each.effects for each in outcomes),
        "outcome cost": any(each.cost.named for each in outcomes),
        "ends": any(each.ends for each in outcomes),
    }
    return [column for column, is_there in said.items() if is_there]


def _consequences(
    outcome: Outcome, columns: Sequence[str], budget: Budget
) -> Iterator[SheetCell]:
    cells: dict[str, SheetCell] = {
        "outcome effects": _changes(outcome.effects),
        "outcome cost": _cost(outcome.cost, budget) if outcome.cost.named else "",
        "ends": outcome.ends or "",
    }
    return (cells[column] for column in columns)


def _action_cells(action: Action, budget: Budget) -> Iterator[tuple[str, SheetCell]]:
    requires, precluded_by = action.requires, action.precluded_by
    yield "action", name_text(action.name)
    yield "prerequisite", "" if requires == ALWAYS else condition_text(requires)
    yield "preclusion", "" if precluded_by == NEVER else condition_text(precluded_by)
    yield "cost", _cost(action.cost, budget)
    # The only float among the attempts is infinity.
    is_finite = action.attempts < float("inf")
    computed = expression_of(action.attempts)
    number = _limit(Fraction(action.attempts) if is_finite else 0.0)
    yield "attempts", number if computed is None else Formula(computed)
    yield "effects", _changes(action.effects)
    yield from _known_cells(action).items()


def _known_cells(probabilities: Action | Given) -> dict[str, SheetCell]:
    distance, size = probabilities.distance, probabilities.sample_size
    said = (("distance", distance), ("sample size", size))
    return {column: "" if n is None else n for column, n in said}


def _known_columns(all_probabilities: Sequence[Action | Given]) -> list[str]:
    """Name the columns in which something is said of some probabilities."""
    cells = [_known_cells(probabilities) for probabilities in all_probabilities]
    columns = list(cells[0]) if cells else []
    return [column for column in columns if any(each[column] != "" for each in cells)]


def _worth(reward: Reward | None) -> SheetCell:
    if reward is None:
        return ""
    return _measured(reward.value, as_interval(reward.value, reward.low, reward.high))


def _probabilities(outcome: Outcome) -> tuple[SheetCell, SheetCell]:
    number = outcome.probability
    low, high = (None, None) if outcome.has_slack else (outcome.low, outcome.high)
    ends = as_interval(number, low, high)
    return name_text(outcome.label), _measured(number, ends)


def _measured(number: Fraction, ends: Interval | None) -> SheetCell:
    if ends is None:
        return number
    text = interval_text(number, *ends)
    is_computed = any(isinstance(each, Formula) for each in (number, *ends))
    return name_text(text) if is_computed else text


def _given_sheet(problem: Problem) -> Sheet:
    clauses = [clause for action in problem.actions for clause in action.given]
    extra = _known_columns(clauses)
    header = ("given", "when", "cost", *extra, "outcome", "probability")
    sheet = Sheet("Given", header, num_shared=3 + len(extra))
    for action in problem.actions:
        for clause in action.given:
            known = _known_cells(clause)
            shared: tuple[SheetCell, ...] = (
                name_text(action.name),
                condition_text(clause.when),
                "" if clause.cost is None else _cost(clause.cost, problem.budget),
                *(known[column] for column in extra),
            )
            rows = [_probabilities(outcome) for outcome in clause.outcomes or ()]
            sheet.add_group(shared, [*rows] or [("", "")])
    return sheet


def _parameter_sheet(problem: Problem) -> Sheet:
    rows: list[tuple[SheetCell, ...]] = []
    for each in problem.parameters.values():
        ends = as_interval(each.value, each.low, each.high)
        rows.append((name_text(each.name), _measured(each.number, ends)))
    return Sheet("Parameters", ("parameter", "value"), rows)


def _defense_sheet(problem: Problem) -> Sheet:
    header = ("defense", "cost", "excludes", "effect", "action", "outcome", "amount")
    sheet = Sheet("Defenses", header, num_shared=3)
    for defense in problem.defenses:
        shared = (
            name_text(defense.name),
            defense.cost,
            table_cells.names_text(defense.excludes),
        )
        sheet.add_group(shared, list(_effects(defense, problem.budget)))
    return sheet


def _effects(defense: Defense, budget: Budget) -> Iterator[tuple[SheetCell, ...]]:
    for name in defense.forbids:
        yield "forbids", name_text(name), "", ""
    for name, more in defense.raises.items():
        yield "raises", name_text(name), "", _cost(more, budget)
    for name, probabilities in defense.changes.items():
        for outcome in probabilities:
            yield "changes", name_text(name), *_probabilities(outcome)
    for name, left in defense.scales.items():
        for label, share in left.items():
            yield "scales", name_text(name), name_text(label), share


def _setting_sheet(problem: Problem) -> Sheet:
    budget, weight = problem.budget, problem.cost_weight
    limits: SheetCell = table_cells.amounts_text(
        (r, written(n) if isinstance(n, Fraction) else limit_text(n))
        for r, n in budget.items()
    )
    if budget.is_plain:
        limits = _limit(next(iter(budget.values())))
    rows: list[tuple[SheetCell, ...]] = [("budget", limits)]
    if problem.name:
        rows.insert(0, ("name", name_text(problem.name)))
    if problem.combine != "max":
        rows.append(("combine", problem.combine))
    if weight.named:
        alike = alike_in_all(weight, budget)
        text = _amounts_text(weight) if alike is None else _measured(*alike)
        rows.append(("cost_weight", text))
    if problem.finish is not None:
        rows.append(("finish", condition_text(problem.finish)))
    if problem.objective != "most-reward":
        rows.append(("objective", problem.objective))
    if problem.unfinished is not None:
        rows.append(("unfinished", problem.unfinished))
    if problem.defense_budget != UNLIMITED:
        rows.append(("defense_budget", _limit(problem.defense_budget)))
    return Sheet("Settings", ("setting", "value"), rows)


def _cost(cost: Amounts, budget: Budget) -> SheetCell:
    """Write a cost as a number where there is no doubt what it counts."""
    if not cost.named:
        return Fraction(0)
    if cost.named == tuple(budget) and len(budget) == 1:
        (resource,) = budget
        return _measured(cost.written(resource), cost.interval(resource))
    return _amounts_text(cost)


def _limit(limit: Limit) -> SheetCell:
    return limit if isinstance(limit, Fraction) else limit_text(limit)


def _amounts_text(amounts: Amounts) -> str:
    return table_cells.amounts_text((r, amounts.text(r)) for r in amounts.named)
