"""How a plan may end, in a page: every reward, how likely, and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchwise.model.problem import Problem
from branchwise.report.charts.distribution_picture import distribution_svg
from branchwise.report.page.markup import Column, table
from branchwise.report.text.wording import chance, plural, value
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.distribution import final_rewards

__all__ = ["endings_section"]

_MAX_ENDINGS: Final = 8
_LARGEST_DRAWN: Final = 1e300


def endings_section(tree: DecisionTree, problem: Problem | None) -> str:
    """Show which rewards the plan may end with, and how likely each is."""
    rewards = final_rewards(tree, problem)
    chances = [(reward, float(share)) for reward, share in rewards.chances]
    is_drawn = len(chances) > 1 and all(
        -_LARGEST_DRAWN < reward < _LARGEST_DRAWN for reward, _ in chances
    )
    picture = f"<figure>{distribution_svg(chances)}</figure>" if is_drawn else ""
    return f"""<section aria-labelledby="endings">
<h2 id="endings">How it may end</h2>
<p class="hint">The plan stops at one of {plural(tree.num_leaves, "leaf/leaves")},
after at most {plural(tree.depth, "action")}.{_spending(problem)}</p>
<div class="beside">
{_table(chances)}
{picture}
</div>
</section>"""


def _spending(problem: Problem | None) -> str:
    """Say what the expected reward has taken off, and the rewards here have not."""
    is_counted = problem is not None and any(problem.cost_weight.values())
    return " What is spent on the way is not taken off here." if is_counted else ""


def _table(chances: Sequence[tuple[Real, float]]) -> str:
    """List the likeliest rewards, the highest first."""
    likely = sorted(chances, key=lambda pair: -pair[1])
    named = {reward for reward, _ in likely[:_MAX_ENDINGS]}
    rows = []
    so_far = 0.0
    for reward, share in reversed(chances):
        so_far += share
        if reward in named:
            rows.append([value(reward), chance(share), chance(so_far)])
    others = likely[_MAX_ENDINGS:]
    if others:
        total = sum(share for _, share in others)
        rows.append([plural(len(others), "other"), chance(total), ""])
    columns = [
        Column("Reward", is_head=True),
        Column("Probability", "number"),
        Column("This or more", "number"),
    ]
    return table(columns, rows, style="narrow")
