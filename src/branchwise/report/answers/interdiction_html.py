"""An interdiction as a page: the defender's choice, then the attacker's best reply."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from branchwise.adversary.interdiction import DefenseWorth, Interdiction
from branchwise.model.budget import limit_text
from branchwise.model.defense import Defense
from branchwise.report.answers.interdiction import (
    proof_words,
    search_words,
    share_less,
)
from branchwise.report.charts.defense_picture import frontier_svg, margin_svg
from branchwise.report.page.html import header_html, page_html
from branchwise.report.page.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.text.label import label
from branchwise.report.text.wording import chance, value
from branchwise.tree.solution import Status

__all__ = ["interdiction_html"]


def interdiction_html(interdiction: Interdiction, *, max_nodes: int = 50) -> str:
    """
    Tell how to defend in one page, with the attacker's best reply as its plan.

    Parameters
    ----------
    interdiction
        What to tell.
    max_nodes
        The still picture, for paper, of a larger tree is folded to about so many of
        its likeliest nodes.
    """
    title = interdiction.problem.name.strip() or "Defenses"
    is_best = interdiction.status is Status.OPTIMAL
    header = header_html(
        "Best defenses" if is_best else "Defenses",
        title,
        _lead(interdiction),
        _facts(interdiction),
    )
    sections = [_frontier(interdiction), _worths(interdiction), _reply(interdiction)]
    above = "\n".join(section for section in sections if section)
    return page_html(
        interdiction.reply, title, header, above=above, max_nodes=max_nodes
    )


def _lead(interdiction: Interdiction) -> str:
    chosen = [f"<strong>{name(each)}</strong>" for each in interdiction.chosen]
    if not chosen:
        return "No defense within the budget leaves the attacker less: choose nothing."
    listed = chosen[0]
    if len(chosen) > 1:
        listed = f"{', '.join(chosen[:-1])} and {chosen[-1]}"
    return (
        f"Choose {listed}. The attacker sees this, and has the plan below as the best "
        "reply."
    )


def _facts(interdiction: Interdiction) -> Iterator[tuple[str, str, str]]:
    less = share_less(interdiction)
    yield "Attacker expects", value(interdiction.value), less
    yield "Without defenses", value(interdiction.value_before), ""
    budget = interdiction.budget
    of = "the budget is unlimited"
    if isinstance(budget, Fraction):
        of = f"of a budget of {value(budget)}"
    yield "Spent on defenses", value(interdiction.cost), of
    proof = "no other choice leaves less"
    if interdiction.status is not Status.OPTIMAL:
        proof = proof_words(interdiction)
    yield "Status", words(str(interdiction.status)), words(proof)
    first = interdiction.reply.first_action
    yield "Attacker starts with", "nothing" if first is None else name(first), ""


def _frontier(interdiction: Interdiction) -> str:
    points = interdiction.frontier
    if not points:
        return ""
    columns = [
        Column("Budget", "number", is_head=True),
        Column("Attacker expects", "number"),
        Column("Choose"),
    ]
    rows = [
        [value(point.cost), value(point.value), _names(point.chosen)]
        for point in points
    ]
    budget = interdiction.budget
    end = float(budget if isinstance(budget, Fraction) else points[-1].cost)
    picture = ""
    if len(points) > 1:
        picture = f"<figure>{frontier_svg(points, end)}</figure>"
    return f"""<section aria-labelledby="frontier">
<h2 id="frontier">What each budget achieves</h2>
<p class="hint">Every budget up to {limit_text(budget)} at which more can be achieved
than with less. Each choice is proven best for its budget.</p>
<div class="beside">
{scrollable(table(columns, rows), "What each budget achieves")}
{picture}
</div>
</section>"""


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(map(name, names)) or '<span class="none">nothing</span>'


def _worths(interdiction: Interdiction) -> str:
    worths = interdiction.worths
    if not worths:
        return ""
    columns = [
        Column("Defense", is_head=True),
        Column("Does"),
        Column("Cost", "number"),
        Column("Alone", "number"),
        Column("Otherwise", "number"),
        Column("Margin"),
    ]
    largest = max(float(worth.margin or 0) for worth in worths)
    rows = [_worth(interdiction, worth, largest) for worth in worths]
    return f"""<section aria-labelledby="worths">
<h2 id="worths">What each defense is worth</h2>
<p class="hint">Alone: what the attacker expects against this defense and no other.
Otherwise: against the best defenses without it, if it is chosen, or else with it. The
margin is how much more that is than {value(interdiction.value)}: how little a chosen
defense can be spared, and how far another one is from being chosen.</p>
{scrollable(table(columns, rows, style="wide"), "What each defense is worth")}
</section>"""


def _worth(
    interdiction: Interdiction, worth: DefenseWorth, largest: float
) -> list[str]:
    defense = interdiction.problem.defense(worth.name)
    chosen = ' <span class="tag">chosen</span>' if worth.is_chosen else ""
    margin = NONE
    if worth.margin is not None:
        bar = margin_svg(float(worth.margin), largest, is_chosen=worth.is_chosen)
        margin = f'<span class="pair">{bar} {value(worth.margin)}</span>'
    return [
        f"{name(worth.name)}{chosen}",
        words("; ".join(effects_words(defense))),
        value(defense.cost),
        value(worth.alone),
        "not possible" if worth.otherwise is None else value(worth.otherwise),
        margin,
    ]


def effects_words(defense: Defense) -> Iterator[str]:
    """Say what a defense does, one thing after the other."""
    if defense.forbids:
        yield f"forbids {', '.join(map(label, defense.forbids))}"
    for action, more in defense.raises.items():
        amounts = ", ".join(
            f"{value(n)} {label(r)}" if len(more) > 1 else value(n)
            for r, n in more.items()
        )
        yield f"raises {label(action)} by {amounts or 0}"
    for action, odds in defense.changes.items():
        shares = ", ".join(f"{label(o.label)} {chance(o.probability)}" for o in odds)
        yield f"makes {label(action)} {shares}"
    for action, left in defense.scales.items():
        for outcome, share in left.items():
            event = f"{label(action)}={label(outcome)}"
            yield f"leaves {chance(share)} of {event}"
    if defense.excludes:
        yield f"excludes {', '.join(map(label, defense.excludes))}"


def _reply(interdiction: Interdiction) -> str:
    found = " ".join(f"{line.capitalize()}." for line in search_words(interdiction))
    return f"""<section aria-labelledby="reply">
<h2 id="reply">The attacker's best reply</h2>
<p class="hint">All that follows is the attacker's plan against the chosen defenses,
and the problem as they leave it. {words(found)}</p>
</section>"""
