"""An interdiction as a page: the defender's choice, then the attacker's best reply."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from branchwise.adversary.interdiction import DefensePoint, DefenseWorth, Interdiction
from branchwise.model.budget import counted, limit_text
from branchwise.model.defense import Defense
from branchwise.report.answers.interdiction import proof_words, search_words, share_less
from branchwise.report.charts import canvas
from branchwise.report.charts.curve_chart import Axis, Curve, Dot, line_chart
from branchwise.report.page.solution import plan_page
from branchwise.report.text.label import label
from branchwise.report.text.wording import chance, plural, short, value
from branchwise.rewarding.sets import StrongestSets, strongest_sets
from branchwise.tree.solution import Status

_MAX_LABELS: Final = 12
_BAR_WIDTH, _BAR_HEIGHT = 120.0, 10.0


def page_with_sets(interdiction: Interdiction) -> str:
    """Return its page, with what leads to a reward for the attacker."""
    sets = strongest_sets(interdiction.reply.problem)
    return interdiction_page(interdiction, sets=sets)


def interdiction_page(
    interdiction: Interdiction, *, sets: StrongestSets | None = None
) -> str:
    """Return how to defend in one page, with the attacker's best reply as its plan."""
    is_best = interdiction.status is Status.OPTIMAL
    proof = "no other choice leaves less" if is_best else proof_words(interdiction)
    budget, points = interdiction.budget, interdiction.frontier
    limit = budget if isinstance(budget, Fraction) else None
    end = limit if limit is not None or not points else points[-1].cost
    values = {
        "interdiction": interdiction,
        "sets": sets,
        "is_best": is_best,
        "less": share_less(interdiction),
        "limit": limit,
        "limit_text": limit_text(budget),
        "proof": proof,
        "frontier": _frontier_svg(points, float(end or 0)) if len(points) > 1 else "",
        "worths": list(_worths(interdiction)),
        "search": [line.capitalize() for line in search_words(interdiction)],
    }
    title = interdiction.problem.name.strip() or "Defenses"
    return plan_page("interdiction", title, interdiction.reply, values)


def _worths(
    interdiction: Interdiction,
) -> Iterator[tuple[DefenseWorth, Defense, str, str]]:
    """Return what each defense is worth, what it does, and its margin as a bar."""
    worths = interdiction.worths
    largest = max((float(worth.margin or 0) for worth in worths), default=0.0)
    for worth in worths:
        defense = interdiction.problem.defense(worth.name)
        margin = float(worth.margin or 0)
        bar = _margin_svg(margin, largest, is_chosen=worth.is_chosen)
        yield worth, defense, "; ".join(_effects(defense)), bar


def _effects(defense: Defense) -> Iterator[str]:
    """Return what a defense does, one thing after the other."""
    if defense.forbids:
        yield f"forbids {', '.join(map(label, defense.forbids))}"
    for action, more in defense.raises.items():
        amounts = ", ".join(
            f"{value(n)} {label(counted(r, n))}" if len(more) > 1 else value(n)
            for r, n in more.items()
        )
        yield f"raises {label(action)} by {amounts or 0}"
    for action, outcomes in defense.changes.items():
        shares = ", ".join(
            f"{label(o.label)} {chance(o.probability)}" for o in outcomes
        )
        yield f"makes {label(action)} {shares}"
    for action, left in defense.scales.items():
        for outcome, share in left.items():
            yield f"leaves {chance(share)} of {label(action)}={label(outcome)}"
    if defense.excludes:
        yield f"excludes {', '.join(map(label, defense.excludes))}"


def _frontier_svg(points: Sequence[DefensePoint], end: float) -> str:
    """Draw what the attacker expects over what is spent, in steps up to the budget."""
    is_labeled = len(points) <= _MAX_LABELS
    dots = [
        Dot(float(p.cost), float(p.value), _note(p), short(p.value) * is_labeled)
        for p in points
    ]
    end = max(end, dots[-1].x) or 1.0
    places = [*((dot.x, dot.y) for dot in dots), (end, dots[-1].y)]
    first, last = value(points[0].value), value(points[-1].value)
    text = f"What the attacker expects falls from {first} to {last} as more is spent "
    text += f"on defenses, in {plural(len(points) - 1, 'step')}"
    return line_chart(
        [Curve(places, is_stepped=True, dots=dots)],
        Axis("spent on defenses", ends=(0.0, end)),
        Axis("attacker expects", ends=canvas.rounded_ends((dot.y for dot in dots), 5)),
        text,
        style="chart",
    )


def _note(point: DefensePoint) -> str:
    names = ", ".join(map(label, point.chosen)) or "nothing"
    return f"{value(point.value)} for {value(canvas.clean(float(point.cost)))}: {names}"


def _margin_svg(margin: float, largest: float, *, is_chosen: bool) -> str:
    """Draw how much a defense matters as a bar, beside the one that matters most."""
    share = margin / largest if largest > 0 else 0.0
    style = "bw-bar" if is_chosen else "bw-bar muted"
    size = f'width="{_BAR_WIDTH:g}" height="{_BAR_HEIGHT:g}"'
    length = max(share * _BAR_WIDTH, 1.0 if margin > 0 else 0.0)
    return (
        f'<svg {size} viewBox="0 0 {_BAR_WIDTH:g} {_BAR_HEIGHT:g}" aria-hidden="true">'
        f'<rect class="bw-track" {size} rx="2"/>'
        f'<rect class="{style}" width="{length:.1f}" height="{_BAR_HEIGHT:g}" rx="2"/>'
        "</svg>"
    )
