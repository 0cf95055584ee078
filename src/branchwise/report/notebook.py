"""A solution in a notebook: the answer and the likely part of its tree, still."""

from __future__ import annotations

import hashlib
from typing import Final

from branchwise.report.page.markup import name, words
from branchwise.report.text.wording import aim_proof, aim_words, chance, plural, value
from branchwise.report.tree_drawing.svg import tree_svg
from branchwise.tree.solution import Solution, Status

__all__ = ["solution_fragment"]

_MAX_NODES: Final = 40

# Styles stand in attributes, so they are for these elements and no others.
_SHEET: Final = "padding:12px;color:#1b2733;background:#ffffff;overflow-wrap:anywhere"
_WINDOW: Final = "max-height:32rem;overflow:auto"


def solution_fragment(solution: Solution) -> str:
    """
    Tell a solution in a piece of HTML that may stand beside others.

    There is no script in it, its styles are for itself alone, and two solutions on one
    page share no ids.
    """
    title = solution.problem.name if solution.problem else ""
    heading = f"<strong>{name(title)}</strong><br>" if title.strip() else ""
    told = f"<p>{heading}{_answer(solution)}</p>"
    own = f"branchwise-{hashlib.sha256(told.encode()).hexdigest()[:12]}"
    picture = tree_svg(solution.tree, title=title, max_nodes=_MAX_NODES, name=own)
    return (
        f'<div style="{_SHEET}">\n{told}\n'
        f'<div style="{_WINDOW}">{picture.rstrip()}</div>\n</div>\n'
    )


def _answer(solution: Solution) -> str:
    first = "best to do nothing"
    if solution.first_action is not None:
        first = f"first action <b>{name(solution.first_action)}</b>"
    proof = "proven optimal"
    if solution.aim is not None:
        proof = f"{aim_words(solution.aim)}, {aim_proof(solution.aim)}"
    elif solution.status is not Status.OPTIMAL:
        bound, gap = value(solution.upper_bound), chance(solution.relative_gap)
        proof = f"no plan is worth more than {bound} (gap {gap}, {solution.status})"
    size = plural(solution.tree.num_nodes, "node")
    worth = f"expected reward <b>{value(solution.expected_reward)}</b>"
    return f"{worth}, {first}, {words(proof)}, {size}"
