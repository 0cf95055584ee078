"""A solution in a notebook: the answer and the likely part of its tree, still."""

import hashlib
import math
from typing import Final

from branchwise.report.page.templates import rendered
from branchwise.report.text.wording import (
    aim_proof,
    aim_words,
    bound_words,
    chance,
    value,
)
from branchwise.report.tree_drawing.drawing import title_of
from branchwise.report.tree_drawing.svg import tree_svg
from branchwise.tree.solution import Solution, Status

_MAX_NODES: Final = 40


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
