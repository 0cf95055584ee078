"""A solution as one self-contained HTML page: no script, no network."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib import resources

from branchwise.report.folded import ShownPart, shown_part
from branchwise.report.html_answer import (
    decisions_section,
    endings_section,
    statistics_section,
)
from branchwise.report.html_problem import problem_section
from branchwise.report.markup import name, scrollable, words
from branchwise.report.svg import part_svg
from branchwise.report.wording import chance, count, exact_text, plural, value
from branchwise.tree.solution import Solution, Status

__all__ = ["solution_html"]

_LONGEST_FRACTION = 24


def solution_html(solution: Solution, *, max_nodes: int = 200) -> str:
    """
    Tell a solution in one page.

    Parameters
    ----------
    solution
        What to tell.
    max_nodes
        The picture of a larger tree is folded to about so many of its likeliest
        nodes.
    """
    assets = resources.files("branchwise.report").joinpath("assets")
    style = assets.joinpath("report.css").read_text("utf-8")
    part = shown_part(solution.tree, max_nodes)
    sections = [
        _picture(solution, part),
        decisions_section(solution.tree, part),
        endings_section(solution.tree),
        problem_section(solution.problem) if solution.problem else "",
        statistics_section(solution.statistics),
    ]
    body = "\n".join(section for section in sections if section)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{words(_title(solution))} \N{MIDDLE DOT} branchwise</title>
<style>{style}</style>
</head>
<body>
{_header(solution)}
<main>
{body}
</main>
{_footer(solution)}
</body>
</html>
"""


def _policy(style: str) -> str:
    """Allow this very style sheet, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _title(solution: Solution) -> str:
    given = solution.problem.name.strip() if solution.problem else ""
    return given or "Decision tree"


def _is_optimal(solution: Solution) -> bool:
    return solution.status is Status.OPTIMAL


def _header(solution: Solution) -> str:
    facts = "\n".join(
        f'<div><dt>{label}</dt><dd><span class="figure">{figure}</span>'
        f'<span class="note">{note}</span></dd></div>'
        for label, figure, note in _facts(solution)
    )
    eyebrow = "Optimal decision tree" if _is_optimal(solution) else "Decision tree"
    return f"""<header>
<p class="eyebrow">{eyebrow}</p>
<h1>{name(_title(solution))}</h1>{_since(solution)}
<p class="lead">{_lead(solution)}</p>
<dl class="facts">
{facts}
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
    reward, tree = solution.expected_reward, solution.tree
    yield "Expected reward", value(reward), _exactly(solution)
    first = solution.first_action
    yield "First action", "none" if first is None else name(first), ""
    if solution.problem is not None:
        left = "Budget left" if solution.history else "Budget"
        yield left, words(str(solution.problem.budget)), ""
    proof = "no plan does better"
    if not _is_optimal(solution):
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


def _picture(solution: Solution, part: ShownPart) -> str:
    hint = "Read from left to right; every branch is an outcome and how likely it is."
    if part.num_hidden:
        shown, total = len(part.nodes), count(solution.tree.num_nodes)
        hint += f" The {shown:,} likeliest of {total} nodes are shown."
    svg = part_svg(solution.tree, part, title=_title(solution))
    return f"""<section aria-labelledby="tree">
<h2 id="tree">The plan</h2>
<p class="hint">{hint}</p>
<figure>
{scrollable(svg.rstrip(), "Picture of the tree")}
<figcaption>{_legend(part)}</figcaption>
</figure>
</section>"""


def _legend(part: ShownPart) -> str:
    box = '<rect x="1" y="1" width="22" height="14" rx="{}" {}/>'
    line = '<path d="M1 8H23" stroke-width="{}"/>'
    entries = [
        ("bw-decision", box.format(4, 'stroke-width="1.5"'), "what to do"),
        ("bw-reward", box.format(7, ""), "stop with a reward"),
        ("bw-nothing", box.format(7, ""), "stop without reward"),
        ("bw-edges", line.format(5), "the thicker, the likelier"),
    ]
    if part.num_hidden:
        dashes = 'stroke-width="1.5" stroke-dasharray="4 3"'
        entries.append(("bw-stub", box.format(4, dashes), "nodes left out"))
    items = "".join(
        f'<li><svg class="{style}" width="24" height="16" aria-hidden="true">'
        f"{shape}</svg>{text}</li>"
        for style, shape, text in entries
    )
    return f'<ul class="legend">{items}</ul>'


def _footer(solution: Solution) -> str:
    numbers = "exact fractions" if solution.is_exact else "floating point"
    ties = f"settled by {words(solution.prefer)}"
    if not solution.is_tie_settled:
        ties = "not settled"
    return f"""<footer>
<p>Made with branchwise: engine {words(solution.engine)}, ties {ties},
computed in {numbers}.</p>
</footer>"""
