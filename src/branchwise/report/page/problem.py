"""What a page shows of a problem: what depends on what, its actions and rewards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from branchwise.model.action import Action
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts
from branchwise.model.condition import ALWAYS, NEVER, Condition
from branchwise.model.interval import interval_text
from branchwise.model.number import number_text
from branchwise.model.problem import Problem
from branchwise.report.dependency_graph.picture import dependency_svg

__all__ = ["charged", "is_trivial", "measured", "problem_values"]

_MAX_ROWS: Final = 500
_MAX_DRAWN: Final = 200


def problem_values(problem: Problem) -> dict[str, Any]:
    """Collect what the section on a problem shows; a large one is not drawn."""
    is_drawn = len(problem.actions) <= _MAX_DRAWN
    return {
        "graph": dependency_svg(problem) if is_drawn else "",
        "most_rows": _MAX_ROWS,
        "action_columns": _columns(problem.actions[:_MAX_ROWS]),
        "unlimited": UNLIMITED,
    }


def _columns(actions: tuple[Action, ...]) -> list[tuple[str, str]]:
    """Return the columns of the table of actions; empty ones are left out."""
    has_content = {
        ("Action", ""): True,
        ("Requires", ""): not all(is_trivial(a.requires) for a in actions),
        ("Precluded by", ""): not all(is_trivial(a.precluded_by) for a in actions),
        ("Cost", "number"): bool(actions),
        ("Outcomes", ""): bool(actions),
        ("Attempts", "number"): any(a.attempts != 1 for a in actions),
        ("Given", ""): any(a.given for a in actions),
    }
    return [column for column, is_shown in has_content.items() if is_shown]


def is_trivial(condition: Condition) -> bool:
    """Whether a condition always holds, or never."""
    return condition in {ALWAYS, NEVER}


def charged(amounts: Amounts) -> list[tuple[str, str]]:
    """Return the resources that are named, with their amounts as text."""
    return [
        ("" if resource == DEFAULT_RESOURCE else resource, amounts.text(resource))
        for resource in amounts.named
    ]


def measured(number: Fraction, low: Fraction | None, high: Fraction | None) -> str:
    """Return a number, with its interval where it has one."""
    if low is None or high is None or low == high:
        return number_text(number)
    return interval_text(number, low, high)
