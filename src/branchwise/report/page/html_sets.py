"""Rewarding sets in a page: how many there are, and the strongest of them."""

from __future__ import annotations

from typing import Final

from branchwise.model.budget import DEFAULT_RESOURCE, Amounts
from branchwise.report.page.markup import (
    Column,
    name,
    outcome_name,
    scrollable,
    table,
    words,
)
from branchwise.report.text.wording import chance, count, value
from branchwise.rewarding.sets import RewardingSet, StrongestSets

__all__ = ["sets_section"]

_MAX_NEEDS: Final = 40


def sets_section(found: StrongestSets | None) -> str:
    """Return the section on what leads to a reward; nothing where that is not known."""
    if found is None:
        return ""
    columns = [
        Column("Outcomes, in order", "history", is_head=True),
        Column("Reward", "number"),
        Column("Probability", "number"),
        Column("Cost", "number"),
    ]
    content = table(columns, map(_row, found.sets), style="wide")
    return f"""<section aria-labelledby="sets">
<h2 id="sets">What leads to a reward</h2>
<p class="hint">{_hint(found)}</p>
{scrollable(content, "What leads to a reward")}
</section>"""


def _hint(found: StrongestSets) -> str:
    what = "outcomes that together reach a reward, none to spare."
    if found.num_sets == 1:
        return f"One rewarding set: {what}"
    listed = len(found.sets)
    rest = "" if listed == found.num_sets else f" The {listed} strongest are listed."
    return f"{count(found.num_sets)} rewarding sets: {what}{rest}"


def _row(found: RewardingSet) -> list[str]:
    needs = [
        outcome_name(event.action, event.outcome) for event in found.needs[:_MAX_NEEDS]
    ]
    if len(found.needs) > _MAX_NEEDS:
        needs.append(f"and {len(found.needs) - _MAX_NEEDS} more")
    return [
        ", ".join(needs) or "nothing at all",
        value(found.reward),
        chance(found.probability),
        _cost(found.cost),
    ]


def _cost(cost: Amounts) -> str:
    paid = [
        words(value(amount))
        if resource == DEFAULT_RESOURCE
        else f"{words(value(amount))} {name(resource)}"
        for resource, amount in cost.items()
        if amount
    ]
    return ", ".join(paid) or "0"
