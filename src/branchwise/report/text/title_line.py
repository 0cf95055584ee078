"""The first line of every answer in text: the name of a problem, and its budget."""

from __future__ import annotations

from branchwise.model.problem import Problem
from branchwise.report.text.ink import Look
from branchwise.report.text.label import label

__all__ = ["title_line"]


def title_line(
    problem: Problem, look: Look, *, more: str = "", share: float = 0.6
) -> str:
    """
    Name a problem and its budget.

    Parameters
    ----------
    problem
        What the answer is about.
    look
        What the page can show.
    more
        What stands behind the budget.
    share
        How much of the width the name may take: it is cut so that the budget keeps its
        place.
    """
    name = " ".join(problem.name.split())
    budget = f"budget {label(str(problem.budget))}{more}"
    title = f"{look.name(name, share)} ({budget})" if name else budget
    return look.line([(title, "title")])
