"""Results in a notebook: solutions, trees and problems as pieces, others as pages."""

import hashlib
import math
from html import escape
from importlib import import_module
from typing import Any, Final

from branchwise.analysis.analyze import SECTIONS
from branchwise.analysis.table import Tabular
from branchwise.model.problem import Problem
from branchwise.report.answer import answer_to
from branchwise.report.answers.analysis import VIEWS
from branchwise.report.page.templates import page_from, rendered
from branchwise.report.text.wording import (
    aim_proof,
    aim_words,
    bound_words,
    chance,
    value,
)
from branchwise.report.tree_drawing.drawing import title_of
from branchwise.report.tree_drawing.svg import tree_svg
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution, Status

_MAX_NODES: Final = 40


def fragment(result: Any) -> str:
    """Return a result as HTML that may stand beside others in a notebook."""
    if isinstance(result, Solution):
        return solution_fragment(result)
    if isinstance(result, DecisionTree):
        return _boxed(_picture(result, repr(result)))
    if isinstance(result, Problem):
        return rendered("notebook_problem", {"problem": result})
    section = _section_of(result)
    if section is None:
        return _framed(answer_to(result).html())
    view = VIEWS[section]
    values = {"section": section, "heading": view.TITLE, "note": view.NOTE}
    shown = {**values, "fragment": view.fragment(result)}
    return _framed(page_from("section", view.TITLE, shown))


def _section_of(result: object) -> str | None:
    """Return which section of an analysis a result is; None if it is none."""
    if not isinstance(result, Tabular):
        return None
    for section in SECTIONS:
        view = import_module(VIEWS[section].__name__)  # type: ignore[attr-defined]
        if type(result).__name__ in vars(view):
            return section
    return None


def _framed(page: str) -> str:
    """Return a whole page in a frame, so that it meets no style of the notebook."""
    style = "width:100%;height:36rem;border:1px solid #e1e6eb;border-radius:8px"
    return (
        '<iframe sandbox="allow-scripts allow-downloads" title="branchwise" '
        f'style="{style}" srcdoc="{escape(page, quote=True)}"></iframe>'
    )


def _boxed(picture: str) -> str:
    style = "padding:12px;color:#1b2733;background:#ffffff"
    return f'<div style="{style};max-height:32rem;overflow:auto">{picture}</div>'


def _picture(tree: DecisionTree, title: str) -> str:
    own = f"branchwise-{hashlib.sha256(title.encode()).hexdigest()[:12]}"
    return tree_svg(tree, title=title, max_nodes=_MAX_NODES, name=own)


def solution_fragment(solution: Solution) -> str:
    """
    Return a solution as a piece of HTML that may stand beside others.

    There is no script in it, its styles are for itself alone, and two solutions on one
    page share no ids.
    """
    title = title_of(solution)
    answer = title, value(solution.expected_reward), solution.tree.num_nodes
    own = f"branchwise-{hashlib.sha256(repr(answer).encode()).hexdigest()[:12]}"
    picture = tree_svg(solution.tree, title=title, max_nodes=_MAX_NODES, name=own)
    values = {"title": title, "solution": solution, "picture": picture}
    return rendered("notebook", {**values, "proof": _proof(solution)})


def _proof(solution: Solution) -> str:
    if solution.aim is not None:
        return f"{aim_words(solution.aim)}, {aim_proof(solution.aim)}"
    if solution.status is Status.OPTIMAL:
        return "proven optimal"
    if solution.upper_bound == math.inf:
        return f"{bound_words(solution)} ({solution.status})"
    bound, gap = value(solution.upper_bound), chance(solution.relative_gap)
    return f"no plan is worth more than {bound} (gap {gap}, {solution.status})"
