"""The answer in a page: the first decisions, how good it is, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.report.page.markup import (
    NONE,
    Column,
    name,
    outcome_name,
    scrollable,
    table,
    words,
)
from branchwise.report.text.wording import (
    canonical_counts,
    chance,
    count,
    plural,
    seconds,
    value,
    verification_words,
)
from branchwise.report.tree_drawing.drawing import budget_text
from branchwise.report.tree_drawing.folded import ShownNode, ShownPart
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution, Statistics

__all__ = ["decisions_section", "statistics_section"]

_MAX_DECISIONS: Final = 12
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
        outcome_name(event.action, event.outcome) for event in node.path(_MAX_STEPS)
    ]
    if node.depth > _MAX_STEPS:
        earlier = plural(node.depth - _MAX_STEPS, "earlier step")
        events.insert(0, f'<span class="none">{earlier}</span>')
    return ", ".join(events) or "At the start"


def statistics_section(solution: Solution) -> str:
    """Show how good the answer is known to be, and what it took to find."""
    columns = [
        Column("Stage", is_head=True),
        Column("Found"),
        Column("Time", "number"),
    ]
    stages = table(
        columns,
        _stages(solution.statistics),
        foot=["Total", "", seconds(solution.statistics.seconds.total)],
    )
    bounds = [Column("Bounds", is_head=True), Column("Expected reward", "number")]
    return f"""<section aria-labelledby="statistics">
<h2 id="statistics">How it was found</h2>
<p class="hint">{_found_by(solution)}</p>
<div class="beside">
{table(bounds, _bounds(solution))}
{stages}
</div>
</section>"""


def _found_by(solution: Solution) -> str:
    """Say which engine it was, why, and how it settled ties."""
    reason = f": {words(solution.reason)}" if solution.reason else ""
    numbers = "exact fractions" if solution.is_exact else "floating point"
    ties = f"Ties are settled by {words(solution.prefer)}."
    if not solution.is_tie_settled:
        ties = "Ties are not settled."
    checked = words(verification_words(solution.verification))
    checked = f" {checked[0].upper()}{checked[1:]}." if checked else ""
    return f"Engine {words(solution.engine)}{reason}, in {numbers}. {ties}{checked}"


def _bounds(solution: Solution) -> Iterator[list[str]]:
    yield ["This plan", value(solution.expected_reward)]
    yield ["No plan exceeds", value(solution.upper_bound)]
    yield ["Gap", chance(solution.relative_gap)]


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
