"""Simulations as text: the policies side by side, then each on its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from branchwise.analysis.simulation.simulate import Simulation
from branchwise.errors import printable
from branchwise.model.budget import DEFAULT_RESOURCE
from branchwise.report.text.columns import aligned
from branchwise.report.text.ink import Look, Paint, uncolored
from branchwise.report.text.label import label
from branchwise.report.text.title_line import title_line
from branchwise.report.text.wording import chance, count, plural, rounded, value
from branchwise.tree.distribution import Distribution
from branchwise.tree.outlook import Outlook

__all__ = ["simulation_lines"]

_WORST: Final = 0.05
_MOST_ROWS: Final = 8

# As many digits as chance leaves of a number.
_rough: Final = partial(rounded, digits=4)


def simulation_lines(
    simulations: Sequence[Simulation],
    *,
    has_details: bool = True,
    width: int | None = None,
    is_ascii: bool = False,
    paint: Paint = uncolored,
) -> Iterator[str]:
    """
    Tell simulations of one problem line by line.

    Parameters
    ----------
    simulations
        At least one, each of another policy.
    has_details
        Whether to show, after the comparison, what came of each policy: how likely
        each reward, cost and number of actions is, and the likeliest paths.
    width
        Cut lines that are longer; None lets them be.
    is_ascii
        Write without the marks that only Unicode has.
    paint
        Colors a piece of text, given what it is.
    """
    look = Look(width, is_ascii, paint)
    yield from _head(simulations[0], look)
    yield ""
    yield from _comparison(simulations, look)
    for each in simulations if has_details else ():
        yield from _details(each, look, is_alone=len(simulations) == 1)


def _head(simulation: Simulation, look: Look) -> Iterator[str]:
    yield title_line(simulation.problem, look)
    seed = label(printable(str(simulation.seed)))
    yield look.line(
        [(f"{plural(simulation.num_runs, 'run')} of each policy, seed {seed}", "plain")]
    )


def _comparison(simulations: Sequence[Simulation], look: Look) -> Iterator[str]:
    resources = list(simulations[0].problem.budget)
    names = ["cost"] if resources == [DEFAULT_RESOURCE] else resources
    titles = ["policy", "mean", "95 % interval", "exact", "deviation", "worst 5 %"]
    titles += [*(look.name(name, 0.2) for name in names), "actions"]
    rows = [_compared(each, resources, look) for each in simulations]
    yield from aligned(titles, rows, look, words=0, inks={1: "reward"})


def _compared(
    simulation: Simulation, resources: Sequence[str], look: Look
) -> list[str]:
    """Give a row: what is exact where that is known, and else what was seen."""
    low, high = simulation.confidence_interval
    exact = simulation.expected_reward
    known = simulation.expected or simulation.observed
    return [
        look.name(simulation.policy, 0.3),
        rounded(simulation.mean, 5),
        f"{rounded(low, 5)} to {rounded(high, 5)}",
        "not known" if exact is None else value(exact),
        _rough(known.net_rewards.standard_deviation),
        _rough(known.net_rewards.cvar(_WORST)),
        *(_rough(known.costs[resource].mean) for resource in resources),
        _rough(known.num_actions.mean),
    ]


def _details(simulation: Simulation, look: Look, *, is_alone: bool) -> Iterator[str]:
    if not is_alone:
        yield ""
        yield look.line([(look.name(simulation.policy), "title")])
    observed, expected = simulation.observed, simulation.expected
    weighs = bool(simulation.problem.cost_weight)
    seen_and_exact = zip(
        _columns(observed, look, weighs=weighs),
        _columns(expected or observed, look, weighs=weighs),
        strict=True,
    )
    for (title, seen), (_, exact) in seen_and_exact:
        yield ""
        yield from _distribution(title, seen, exact if expected else None, look)
    if simulation.paths:
        yield ""
        yield from _paths(simulation, look)


def _columns(
    outlook: Outlook, look: Look, *, weighs: bool
) -> Iterator[tuple[str, Distribution]]:
    """Give every distribution to show, and what its values are."""
    yield "reward less cost" if weighs else "reward", outlook.net_rewards
    for resource, costs in outlook.costs.items():
        is_plain = resource == DEFAULT_RESOURCE
        yield "cost" if is_plain else look.name(resource, 0.3), costs
    yield "actions", outlook.num_actions


def _distribution(
    title: str, seen: Distribution, exact: Distribution | None, look: Look
) -> Iterator[str]:
    """Show the likeliest values, the highest first, and how likely as much or more."""
    known = exact or seen
    shares = {value(number): share for number, share in seen.chances}
    likely = sorted(known.chances, key=lambda pair: -pair[1])[:_MOST_ROWS]
    rows = [
        [
            value(number),
            chance(shares.get(value(number), 0)),
            "not known" if exact is None else chance(share),
            chance(known.at_least(number)),
        ]
        for number, share in sorted(likely, reverse=True)
    ]
    yield from aligned(
        [title, "simulated", "exact", "this or more"], rows, look, words=-1
    )
    num_others = len(known.chances) - len(rows)
    if num_others:
        rest = chance(max(0, 1 - sum(share for _, share in likely)))
        words = f"and {plural(num_others, 'other value')} with {rest}"
        yield look.line([(words, "faint")])


def _paths(simulation: Simulation, look: Look) -> Iterator[str]:
    rows = [
        [
            count(each.num_runs),
            chance(each.num_runs / simulation.num_runs),
            chance(each.probability),
            value(each.reward),
            ", ".join(label(str(event)) for event in each.path) or "stop at once",
        ]
        for each in simulation.paths
    ]
    titles = ["runs", "simulated", "exact", "reward", "likeliest paths"]
    yield from aligned(titles, rows, look, words=4)
