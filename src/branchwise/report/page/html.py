"""A solution as one self-contained HTML page to read, to walk and to print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from branchwise.report.page.html_answer import decisions_section, statistics_section
from branchwise.report.page.html_endings import endings_section
from branchwise.report.page.html_picture import picture_section
from branchwise.report.page.html_problem import problem_section
from branchwise.report.page.html_robust import robust_section
from branchwise.report.page.html_sets import sets_section
from branchwise.report.page.markup import figure, name, words
from branchwise.report.page.page_assets import page_script
from branchwise.report.page.page_frame import page_frame
from branchwise.report.page.plan_data import plan_document, script_json
from branchwise.report.text.wording import (
    aim_proof,
    chance,
    count,
    exact_text,
    plural,
    value,
)
from branchwise.report.tree_drawing.folded import shown_part
from branchwise.rewarding.sets import strongest_sets
from branchwise.tree.solution import Solution, Status

__all__ = ["header_html", "page_html", "solution_html"]

_LONGEST_FRACTION = 24


def solution_html(solution: Solution, *, max_nodes: int = 50) -> str:
    """
    Tell a solution in one page.

    Parameters
    ----------
    solution
        What to tell.
    max_nodes
        The still picture, for paper, of a larger tree is folded to about so many of
        its likeliest nodes.
    """
    header = header_html(
        _eyebrow(solution),
        _title(solution),
        _lead(solution),
        _facts(solution),
        since=_since(solution),
    )
    return page_html(solution, _title(solution), header, max_nodes=max_nodes)


def page_html(
    solution: Solution, title: str, header: str, *, above: str = "", max_nodes: int = 50
) -> str:
    """
    Put a page together whose plan is that of a solution.

    Parameters
    ----------
    solution
        Whose plan the page shows.
    title
        What the page is called.
    header
        What stands above all else.
    above
        Sections that stand above those of the plan.
    max_nodes
        As for `solution_html`.
    """
    part = shown_part(solution.tree, max_nodes)
    sections = [
        above,
        picture_section(solution.tree, part, title),
        decisions_section(solution.tree, part),
        robust_section(solution),
        endings_section(solution.tree, solution.problem),
        sets_section(strongest_sets(solution.problem)) if solution.problem else "",
        problem_section(solution.problem) if solution.problem else "",
        statistics_section(solution),
    ]
    body = "\n".join(section for section in sections if section)
    data = script_json(plan_document(solution))
    return page_frame(title, header, body, script=page_script(), data=data)


def _title(solution: Solution) -> str:
    given = solution.problem.name.strip() if solution.problem else ""
    return given or "Decision tree"


def _eyebrow(solution: Solution) -> str:
    return "Optimal decision tree" if _is_optimal(solution) else "Decision tree"


def _is_optimal(solution: Solution) -> bool:
    return solution.status is Status.OPTIMAL


def header_html(
    eyebrow: str,
    title: str,
    lead: str,
    facts: Iterable[tuple[str, str, str]],
    *,
    since: str = "",
) -> str:
    """Put the head of a page together: its title, what to do, and the facts."""
    figures = "\n".join(
        f"<div><dt>{label}</dt><dd>{figure(fact)}"
        f'<span class="note">{note}</span></dd></div>'
        for label, fact, note in facts
    )
    return f"""<header>
<p class="eyebrow">{eyebrow}</p>
<h1>{name(title)}</h1>{since}
<p class="lead">{lead}</p>
<dl class="facts">
{figures}
</dl>
</header>"""


def _since(solution: Solution) -> str:
    """Say after what it was planned, where that was not at the start."""
    if not solution.history:
        return ""
    events = ", ".join(name(str(event)) for event in solution.history)
    return f'\n<p class="since">after {events}</p>'


def _lead(solution: Solution) -> str:
    if solution.first_action is None:
        more = " more" if solution.history else ""
        return f"The best plan is to <strong>do nothing{more}</strong>."
    start = "Go on" if solution.history else "Start"
    return (
        f"{start} with <strong>{name(solution.first_action)}</strong>. What to do "
        "next, whatever comes of it, is in the tree below."
    )


def _facts(solution: Solution) -> Iterator[tuple[str, str, str]]:
    reward, tree, aim = solution.expected_reward, solution.tree, solution.aim
    if aim is not None:
        worth = chance(aim.worth) if aim.is_probability else value(aim.worth)
        yield words(aim.title), worth, aim_proof(aim)
    is_robust = solution.adversary is not None
    title = "Worst-case reward" if is_robust else "Expected reward"
    yield title, value(reward), _exactly(solution)
    first = solution.first_action
    yield "First action", "none" if first is None else name(first), ""
    if solution.problem is not None:
        left = "Budget left" if solution.history else "Budget"
        yield left, words(str(solution.problem.budget)), ""
    proof = "no plan does better"
    if aim is not None or not _is_optimal(solution):
        gap = chance(solution.relative_gap)
        proof = f"no plan is worth more than {value(solution.upper_bound)}, gap {gap}"
    yield "Status", words(str(solution.status)), proof
    depth = f"at most {plural(tree.depth, 'action')} deep"
    yield "Nodes in the tree", count(tree.num_nodes), depth


def _exactly(solution: Solution) -> str:
    """Say the reward as a fraction, where that says more than the decimals do."""
    text = exact_text(solution.expected_reward)
    is_short = len(text) <= _LONGEST_FRACTION
    if not (solution.is_exact and is_short) or text == value(solution.expected_reward):
        return ""
    return f"exactly {text}"
