"""The tree in a page: a picture that stands without script, and room for a live one."""

from __future__ import annotations

from branchwise.report.page.markup import scrollable
from branchwise.report.text.wording import count
from branchwise.report.tree_drawing.folded import ShownNode, ShownPart
from branchwise.report.tree_drawing.svg import part_svg
from branchwise.tree.decision_tree import DecisionTree

__all__ = ["picture_section"]

_BOX = '<rect x="1" y="1" width="22" height="14" rx="{}" {}/>'
_SHARED = (
    '<rect x="1" y="1" width="19" height="11" rx="4" stroke-width="1.5"/>'
    '<path d="M6 15H19Q23 15 23 11V5"/>'
)
_STAR = '<text class="bw-held" x="4" y="13" font-size="13">\N{BLACK STAR}</text>'
_HOW = (
    "Press a node to go there, and + to open it. Drag to move; after a click, scroll "
    "to zoom. Arrow keys lead from node to node, with Shift they move the picture; "
    "Enter goes there, Space opens and closes."
)
_HEXAGON = '<polygon points="1,8 6,1 18,1 23,8 18,15 6,15"/>'


def picture_section(tree: DecisionTree, part: ShownPart, title: str) -> str:
    """Show the plan as a picture; the script puts a live one in its place."""
    hint = "Read from left to right; every branch is an outcome and how likely it is."
    still = ""
    if part.num_hidden:
        shown, total = len(part.nodes), count(tree.num_nodes)
        still = f" The {shown:,} likeliest of {total} nodes are shown."
    svg = part_svg(tree, part, title=title)
    return f"""<section aria-labelledby="tree">
<h2 id="tree">The plan</h2>
<p class="hint">{hint}<span class="still">{still}</span></p>
<div id="explorer"></div>
<figure class="still">
{scrollable(svg.rstrip(), "Picture of the tree")}
</figure>
{_legend(tree, part)}
<p class="how live">{_HOW}</p>
</section>"""


def _legend(tree: DecisionTree, part: ShownPart) -> str:
    entries = [
        ("bw-decision", _BOX.format(4, 'stroke-width="1.5"'), "what to do", ""),
        ("bw-reward", _BOX.format(7, ""), "stop with a reward", ""),
        ("bw-nothing", _BOX.format(2, ""), "stop without reward", ""),
    ]
    if any(node.decision.reward < 0 for node in part.nodes):
        entries.append(("bw-penalty", _HEXAGON, "stop with a penalty", "live"))
    if any(_is_held(node) for node in part.nodes):
        entries.append(("", _STAR, "reward earned so far", "live"))
    edge = '<path d="M1 8H23" stroke-width="5"/>'
    entries.append(("bw-edges", edge, "the thicker, the likelier", ""))
    if part.num_hidden:
        dashes = _BOX.format(4, 'stroke-width="1.5" stroke-dasharray="4 3"')
        entries.append(("bw-stub", dashes, "nodes left out", "still"))
    if len(tree.policy) < tree.num_nodes:
        text = "the same plan follows elsewhere, too"
        entries.append(("bw-decision bw-shared", _SHARED, text, "live"))
    items = "".join(
        f'<li class="{when}"><svg class="{style}" width="24" height="16" '
        f'aria-hidden="true">{shape}</svg>{text}</li>'
        for style, shape, text, when in entries
    )
    return f'<ul class="legend">{items}</ul>'


def _is_held(node: ShownNode) -> bool:
    return node.decision.action is not None and node.decision.reward > 0
