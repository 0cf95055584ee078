"""Simulations, shown: the policies side by side, then each on its own."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import ClassVar, Final

from branchwise.analysis.simulation.simulate import Simulation
from branchwise.analysis.table import Cell, Table
from branchwise.errors import printable
from branchwise.model.budget import DEFAULT_RESOURCE
from branchwise.report.answer import Answer, Detail
from branchwise.report.fields import (
    COUNT,
    EVENTS,
    NUMBER,
    PAIR,
    PROBABILITY,
    SECONDS,
    TEXT,
    Field,
    Kind,
    array,
    document,
    mapping,
    nullable,
    record,
)
from branchwise.report.least_cost import in_costs
from branchwise.report.text.ink import Look, aligned, title_line
from branchwise.report.text.label import label
from branchwise.report.text.wording import (
    chance,
    count,
    plural,
    problem_name,
    rounded,
    value,
)
from branchwise.tree.own_plan import COST
from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.prospects.outlook import Outlook

_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_LEVELS: Final = (0.01, 0.05, 0.1)
_WORST: Final = 0.05
_MOST_ROWS: Final = 8

# As many digits as chance leaves of a number.
_rough: Final = partial(rounded, digits=4)

_PAIRS: Final = array(PAIR)
_RUNS: Final = Kind({"type": "integer", "minimum": 2}, int)
_DISTRIBUTION: Final = record(
    Field("mean", NUMBER),
    Field("standard_deviation", SECONDS),
    Field(
        "quantiles",
        _PAIRS,
        lambda found: [(share, found.quantile(share)) for share in _QUANTILES],
    ).about("Share, and value not exceeded."),
    Field(
        "cvar", _PAIRS, lambda found: [(level, found.cvar(level)) for level in _LEVELS]
    ).about("Level, and mean of the worst share."),
    Field("chances", _PAIRS, note="Value, and its probability."),
)
_OUTLOOK: Final = record(
    Field("net_rewards", _DISTRIBUTION),
    Field("rewards", _DISTRIBUTION),
    Field("costs", mapping(_DISTRIBUTION)),
    Field("num_actions", _DISTRIBUTION),
)
_PATH: Final = record(
    Field("happened", EVENTS, "path"),
    Field("probability", PROBABILITY),
    Field("reward", NUMBER),
    Field("num_runs", COUNT),
)
_POLICY: Final = record(
    Field("policy", TEXT),
    Field("mean", NUMBER, note="Of the reward less weighted cost."),
    Field("standard_error", SECONDS),
    Field("confidence_interval", Kind(_PAIRS.schema["items"], list)).about(
        "Holds the expected reward in 95 % of simulations."
    ),
    Field("expected_reward", nullable(NUMBER)).about(
        "What the mean should be; null where not known."
    ),
    Field("observed", _OUTLOOK),
    Field(
        "expected", nullable(_OUTLOOK), note="The same, exactly; null where not known."
    ),
    Field("paths", array(_PATH)),
)


class SimulationAnswer(Answer[Sequence[Simulation]]):
    """What came of policies in many runs, beside what should."""

    page = "page.simulation.simulation_page"
    layout: ClassVar = document(
        "branchwise-simulation",
        "What came of policies in many runs, beside what should.",
        Field("problem", TEXT, lambda all_: problem_name(all_[0].problem), "Its name."),
        Field("num_runs", _RUNS, lambda all_: all_[0].num_runs),
        Field("seed", TEXT, lambda all_: all_[0].seed),
        Field("policies", array(_POLICY), lambda all_: all_),
    )

    def __init__(self, simulations: Simulation | Sequence[Simulation]) -> None:
        if isinstance(simulations, Simulation):
            simulations = (simulations,)
        super().__init__(simulations)

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the comparison, and unless short what came of each policy."""
        first, *others = self.result
        seed = label(printable(str(first.seed)))
        if first.problem is not None:
            yield title_line(first.problem, look)
            if first.problem.is_least_cost:
                yield look.line("expected cost of finishing; smaller is better")
        yield look.line(f"{plural(first.num_runs, 'run')} of each policy, seed {seed}")
        yield ""
        yield from _comparison(self.result, look)
        for each in self.result if detail != "answer" else ():
            yield from _details(each, look, is_alone=not others)

    def tables(self) -> tuple[Table, ...]:
        """Return the policies, every distribution, and the likeliest paths."""
        means = ("policy", "mean", "standard_error", "expected_reward")
        shares = ("policy", "quantity", "value", "simulated", "exact")
        runs = ("policy", "path", "num_runs", "probability", "reward")
        return (
            Table.of("policies", means, map(attrgetter(*means), self.result)),
            Table.of("distributions", shares, chain(*map(_shares, self.result))),
            Table.of("paths", runs, chain(*map(_runs, self.result))),
        )


def _runs(simulation: Simulation) -> Iterator[tuple[Cell, ...]]:
    for each in simulation.paths:
        path = ", ".join(map(str, each.path))
        yield simulation.policy, path, each.num_runs, each.probability, each.reward


def _shares(simulation: Simulation) -> Iterator[tuple[Cell, ...]]:
    """Return how likely each value of each quantity was, and should have been."""
    expected = simulation.expected
    for quantity, seen in _quantities(simulation.observed).items():
        counted = dict(seen.chances)
        exact = dict(_quantities(expected)[quantity].chances) if expected else {}
        for number in sorted({*counted, *exact}):
            should = exact.get(number, 0) if expected else None
            yield simulation.policy, quantity, number, counted.get(number, 0), should


def _quantities(outlook: Outlook) -> dict[str, Distribution]:
    return {
        "net reward": outlook.net_rewards,
        "reward": outlook.rewards,
        **{
            "cost" if name in (DEFAULT_RESOURCE, COST) else f"cost in {name}": costs
            for name, costs in outlook.costs.items()
        },
        "actions": outlook.num_actions,
    }


def _comparison(simulations: Sequence[Simulation], look: Look) -> Iterator[str]:
    resources = list(simulations[0].observed.costs)
    names = ["cost"] if resources == [DEFAULT_RESOURCE] else resources
    seen = [each.observed for each in simulations]
    weighs = any(each.net_rewards != each.rewards for each in seen)
    is_cost = is_least_cost(simulations[0])
    mean = "mean cost" if is_cost else "net mean" if weighs else "mean"
    titles = ["policy", mean, "95 % interval", "exact", "deviation", "worst 5 %"]
    titles += [*(look.name(name, 0.2) for name in names), "actions"]
    rows = [_compared(each, resources, look) for each in simulations]
    yield from aligned(titles, rows, look, words=0, inks={1: "reward"})


def is_least_cost(simulation: Simulation) -> bool:
    """Whether what counts is the cost of finishing, and no reward."""
    return simulation.problem is not None and simulation.problem.is_least_cost


def _compared(
    simulation: Simulation, resources: Sequence[str], look: Look
) -> list[str]:
    """Return a row: what is exact where that is known, and else what was seen."""
    # Where the least cost is wanted, costs count below zero.
    sign = -1 if is_least_cost(simulation) else 1
    low, high = sorted(sign * end for end in simulation.confidence_interval)
    exact = simulation.expected_reward
    known = simulation.expected or simulation.observed
    return [
        look.name(simulation.policy, 0.3),
        rounded(sign * simulation.mean, 5),
        f"{rounded(low, 5)} to {rounded(high, 5)}",
        "not known" if exact is None else value(sign * exact),
        _rough(known.net_rewards.standard_deviation),
        _rough(sign * known.net_rewards.cvar(_WORST)),
        *(_rough(known.costs[resource].mean) for resource in resources),
        _rough(known.num_actions.mean),
    ]


def _details(simulation: Simulation, look: Look, *, is_alone: bool) -> Iterator[str]:
    if not is_alone:
        yield ""
        yield look.line((look.name(simulation.policy), "title"))
    for title, seen, exact in distributions(simulation, look):
        yield ""
        yield from _distribution(title, seen, exact, look)
    if simulation.paths:
        yield ""
        yield from _paths(simulation, look)


def distributions(
    simulation: Simulation, look: Look
) -> Iterator[tuple[str, Distribution, Distribution | None]]:
    """Return every distribution: what it is of, as it was, and exactly if known."""
    observed, expected = simulation.observed, simulation.expected
    weighs = observed.net_rewards != observed.rewards
    is_cost = is_least_cost(simulation)
    pairs = zip(
        _columns(observed, look, weighs=weighs, is_cost=is_cost),
        _columns(expected or observed, look, weighs=weighs, is_cost=is_cost),
        strict=True,
    )
    for (title, seen), (_, exact) in pairs:
        yield title, seen, exact if expected else None


def _columns(
    outlook: Outlook, look: Look, *, weighs: bool, is_cost: bool
) -> Iterator[tuple[str, Distribution]]:
    """Return every distribution to show, and what its values are."""
    if is_cost:
        yield "cost of finishing", in_costs(outlook.net_rewards)
    elif weighs:
        yield "net reward", outlook.net_rewards
        yield "gross reward", outlook.rewards
    else:
        yield "reward", outlook.net_rewards
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
        yield look.line((words, "faint"))


def _paths(simulation: Simulation, look: Look) -> Iterator[str]:
    rows = [
        [
            count(each.num_runs),
            chance(each.num_runs / simulation.num_runs),
            chance(each.probability),
            value(each.reward if not is_least_cost(simulation) else 0 - each.reward),
            ", ".join(label(str(event)) for event in each.path) or "stop at once",
        ]
        for each in simulation.paths
    ]
    paid = "unfinished" if is_least_cost(simulation) else "reward"
    titles = ["runs", "simulated", "exact", paid, "likeliest paths"]
    yield from aligned(titles, rows, look, words=4)
