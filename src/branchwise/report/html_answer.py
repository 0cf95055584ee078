"""The answer in a page: the first decisions, how it may end, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.report.drawing import budget_text
from branchwise.report.folded import ShownNode, ShownPart
from branchwise.report.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.wording import (
    canonical_counts,
    chance,
    count,
    plural,
    seconds,
    value,
)
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.distribution import final_rewards
from branchwise.tree.solution import Statistics

__all__ = ["decisions_section", "endings_section", "statistics_section"]

_MAX_DECISIONS: Final = 12
_MAX_ENDINGS: Final = 8
_MAX_STEPS: Final = 5


def decisions_section(tree: DecisionTree, part: ShownPart) -> str:
    """Show what to do first, and then, whatever is likeliest to happen."""
    decisions = [node for node in part.nodes if node.decision.action is not None]
    if not decisions:
        return ""
    likeliest = sorted(decisions, key=lambda node: -node.place.probability)
    listed = sorted(likeliest[:_MAX_DECISIONS], key=lambda node: node.depth)
    total = tree.num_nodes - tree.num_leaves
    hint = f"All {count(total)} decisions of the plan, step by step."
    if total == 1:
        hint = "The plan has one decision."
    elif total > len(listed):
        hint = f"The {len(listed)} likeliest of {count(total)} decisions, step by step."
    columns = [
        Column("If", "history", is_head=True),
        Column("Then", "action"),
        Column("Probability", "number"),
        Column("Worth from here on", "number"),
        Column("Budget left", "number"),
    ]
    content = table(columns, (_decision(tree, node) for node in listed), style="wide")
    return f"""<section aria-labelledby="decisions">
<h2 id="decisions">What to do first</h2>
<p class="hint">{hint}</p>
{scrollable(content, "What to do first")}
</section>"""


def _decision(tree: DecisionTree, node: ShownNode) -> list[str]:
    left = budget_text(tree, node)
    return [
        _history(node),
        name(str(node.decision.action)),
        chance(node.place.probability),
        value(node.decision.value),
        words(left) if left else NONE,
    ]


def _history(node: ShownNode) -> str:
    events = [
        f"{name(event.action)}&nbsp;=&nbsp;{name(event.outcome)}"
        for event in node.path(_MAX_STEPS)
    ]
    if node.depth > _MAX_STEPS:
        earlier = plural(node.depth - _MAX_STEPS, "earlier step")
        events.insert(0, f'<span class="none">{earlier}</span>')
    return ", ".join(events) or "At the start"


def endings_section(tree: DecisionTree) -> str:
    """Show which rewards the plan may end with, and how likely each is."""
    chances = final_rewards(tree).chances
    rewards = {reward: float(share) for reward, share in chances}
    likely = sorted(rewards, key=lambda reward: -rewards[reward])
    named = sorted(likely[:_MAX_ENDINGS], reverse=True)
    rows = [
        [
            value(reward),
            chance(rewards[reward]),
            _bar(rewards[reward], "" if reward > 0 else " muted"),
        ]
        for reward in named
    ]
    others = likely[_MAX_ENDINGS:]
    if others:
        total = sum(rewards[reward] for reward in others)
        rows.append([plural(len(others), "other"), chance(total), _bar(total)])
    columns = [
        Column("Reward", is_head=True),
        Column("Probability", "number"),
        Column("", "bar"),
    ]
    return f"""<section aria-labelledby="endings">
<h2 id="endings">How it may end</h2>
<p class="hint">The plan stops at one of {plural(tree.num_leaves, "leaf/leaves")},
after at most {plural(tree.depth, "action")}.</p>
{table(columns, rows, style="narrow")}
</section>"""


def _bar(probability: float, style: str = "") -> str:
    width = f"{100 * probability:.2f}"
    return (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bw-track" width="100" height="10"/>'
        f'<rect class="bw-bar{style}" width="{width}" height="10"/></svg>'
    )


def statistics_section(statistics: Statistics) -> str:
    """Show what it took to find the answer."""
    columns = [
        Column("Stage", is_head=True),
        Column("Found", "number"),
        Column("Time", "number"),
    ]
    content = table(
        columns,
        _stages(statistics),
        style="narrow",
        foot=["Total", "", seconds(statistics.seconds.total)],
    )
    return f"""<section aria-labelledby="statistics">
<h2 id="statistics">How it was found</h2>
<p class="hint">The stages of the search, what each found, and how long it took.</p>
{content}
</section>"""


def _stages(statistics: Statistics) -> Iterator[list[str]]:
    spent = statistics.seconds
    if statistics.expanded_states is not None:
        found = ", ".join(canonical_counts(statistics))
        yield ["Canonical states", found, seconds(spent.full_graph)]
        yield ["Tree", plural(statistics.tree_nodes, "node"), seconds(spent.tree)]
        return
    sets = statistics.rewarding_sets
    if sets is not None:
        yield ["Rewarding sets", plural(sets, "set"), seconds(spent.rewarding_sets)]
    full, reduced = statistics.full_graph_states, statistics.reduced_graph_states
    assert reduced is not None
    yield ["Full graph", plural(full, "state"), seconds(spent.full_graph)]
    yield ["Reduced graph", plural(reduced, "state"), seconds(spent.reduced_graph)]
    yield ["Tree", plural(statistics.tree_nodes, "node"), seconds(spent.tree)]
