"""Fixes worded for the cells of a table, where a document would have keys."""

import re
from dataclasses import replace
from typing import Final

from branchwise.errors import Issue

_SETTINGS: Final = (
    "budget", "combine", "cost_weight", "defense_budget", "finish", "objective",
    "unfinished",
)  # fmt: skip
_COLUMNS: Final = (
    "attempts", "cost", "distance", "effects", "excludes", "per", "range", "start",
    "when",
)  # fmt: skip
_CONSEQUENCES: Final = frozenset({"cost", "effects", "ends"})
_EFFECTS: Final = ("forbids", "raises", "changes", "scales")
_TABLES: Final = {
    "outcomes": "a label in the column `outcome`, and a number beside it",
    "rewards": "a number in the column `reward`, or a table `reward when, value`",
}

# A condition can be written as text or as maps; in a cell, only as text.
_MAPS: Final = re.compile(r", or `\{(?:all|any|not): [^`]*\}`")
_ENTRY: Final = re.compile(r"`([^`]+?): ([^`]+)`")
_ODDS: Final = re.compile(r"`([^`]+): (rest|1)`")


def worded_for_cells(issue: Issue) -> Issue:
    """Say the same of a table: which cell to fill, not which key to write."""
    fix = _MAPS.sub("", issue.fix)
    if issue.path[:1] == ("rewards",):
        fix = fix.replace("change `when`", "change when it is paid")
    is_consequence = "outcomes" in issue.path and _CONSEQUENCES & {*issue.path[4:6]}
    if "effects" in issue.path:
        fix = fix.replace("`{", "`").replace("}`", "`")
    # Labels are names, and a name may look like an entry.
    elif is_consequence:
        fix = _ENTRY.sub(_in_a_cell, fix).replace(
            "column `cost`", "column `outcome cost`"
        )
    elif "outcomes" in issue.path and _ODDS.search(fix):
        fix = _ODDS.sub(r"`\2` as the probability of `\1`", fix)
    else:
        fix = _ENTRY.sub(_in_a_cell, fix)
    return replace(issue, fix=fix)


def _in_a_cell(entry: re.Match[str]) -> str:
    """Return where the value of a key stands in a table; other keys as they are."""
    key, value = entry.groups()
    if key in _TABLES:
        return _TABLES[key]
    if key in _EFFECTS:
        return f"`{key}`"
    bare = value[1:-1] if value[0] in "{[" else value
    if key in _SETTINGS:
        return f"`{bare}` for the setting `{key}`"
    return f"`{bare}` in the column `{key}`" if key in _COLUMNS else entry[0]
