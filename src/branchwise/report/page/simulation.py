"""A simulation as a page: the policies side by side, their risk, what came of each."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from branchwise.analysis.simulation.simulate import ObservedPath, Simulation
from branchwise.model.budget import DEFAULT_RESOURCE
from branchwise.report.answers.simulation import distributions, is_least_cost
from branchwise.report.charts.profile_chart import profile_chart, profile_steps
from branchwise.report.column import Column, table_html
from branchwise.report.least_cost import in_costs
from branchwise.report.markup import happened
from branchwise.report.page.templates import page_from
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import plural, problem_name
from branchwise.tree.own_plan import COST
from branchwise.tree.prospects.distribution import Distribution

_WORST: Final = 0.05
_MOST_VALUES: Final = 12


class _Value(NamedTuple):
    """One value of a distribution: how likely it was, and should have been."""

    number: float
    seen: float
    exact: float | None
    or_more: float


def simulation_page(simulations: Sequence[Simulation]) -> str:
    """Return what came of policies in many runs as one page."""
    first = simulations[0]
    policies = [
        {
            "name": each.policy,
            "distributions": [*_distributions(each)],
            "paths": _path_table(each) if each.paths else "",
        }
        for each in simulations
    ]
    values = {
        "runs": plural(first.num_runs, "run"),
        "num_runs": first.num_runs,
        "seed": str(first.seed),
        "num_policies": len(simulations),
        "is_cost": is_least_cost(first),
        "best": max(simulations, key=lambda each: each.mean),
        "has_exact": all(each.expected_reward is not None for each in simulations),
        "table": table_html(_policies(first), simulations, "The policies"),
        "chart": profile_chart(
            {each.policy: profile_steps(_ends(each)) for each in simulations}
        ),
        "policies": policies,
    }
    return page_from("simulation", problem_name(first.problem), values)


def _ends(simulation: Simulation) -> Distribution:
    """Return with what a policy ends: exactly where that is known."""
    known = simulation.expected or simulation.observed
    ends = known.net_rewards
    return in_costs(ends) if is_least_cost(simulation) else ends


def _policies(first: Simulation) -> list[Column]:
    sign = -1 if is_least_cost(first) else 1

    def known(each: Simulation) -> Any:
        return each.expected or each.observed

    def ends(each: Simulation) -> list[float]:
        return sorted(sign * end for end in each.confidence_interval)

    def exact(each: Simulation) -> float | None:
        return None if each.expected_reward is None else sign * each.expected_reward

    mean = "mean cost" if sign < 0 else "mean"
    columns = [
        Column("policy", "policy", "name"),
        Column("mean", mean, "rounded", lambda each: sign * each.mean),
        Column("low", "95 % from", "rounded", lambda each: ends(each)[0]),
        Column("high", "to", "rounded", lambda each: ends(each)[1]),
        Column("expected_reward", "exact", "rounded", exact),
        Column(
            "deviation",
            "deviation",
            "rounded",
            lambda each: known(each).net_rewards.standard_deviation,
        ),
        Column(
            "worst",
            "worst 5 %",
            "rounded",
            lambda each: sign * known(each).net_rewards.cvar(_WORST),
        ),
    ]
    columns += [_spent(resource) for resource in first.observed.costs]
    actions = Column(
        "actions", "actions", "rounded", lambda each: known(each).num_actions.mean
    )
    return [*columns, actions]


def _spent(resource: str) -> Column:
    def mean(each: Simulation) -> float:
        return float((each.expected or each.observed).costs[resource].mean)

    title = "cost" if resource in {DEFAULT_RESOURCE, COST} else resource
    return Column(f"spent_{resource}", title, "rounded", mean)


def _distributions(simulation: Simulation) -> Iterator[tuple[str, str]]:
    """Return a table of each distribution: the likeliest values, the highest first."""
    pairs = distributions(simulation, Look())
    for title, seen, exact in pairs:
        known, shares = exact or seen, dict(seen.chances)
        likely = sorted(known.chances, key=lambda pair: -pair[1])[:_MOST_VALUES]
        rows = [
            _Value(
                float(number),
                float(shares.get(number, 0)),
                None if exact is None else float(share),
                float(known.at_least(number)),
            )
            for number, share in sorted(likely, reverse=True)
        ]
        table = table_html(_values(title), rows)
        others = len(known.chances) - len(rows)
        if others:
            left = max(0.0, 1 - sum(float(share) for _, share in likely))
            text = f"And {plural(others, 'other value')} with {100 * left:.3g} %."
            table += f'\n<p class="hint">{text}</p>'
        yield title, table


def _values(title: str) -> list[Column]:
    return [
        Column("number", title, "rounded"),
        Column("seen", "simulated", "chance"),
        Column("exact", "exact", "chance", is_optional=True),
        Column("or_more", "this or more", "chance"),
    ]


def _path_table(simulation: Simulation) -> str:
    columns, label = _paths(simulation), "The likeliest paths"
    return table_html(columns, simulation.paths, label, is_wordy=True)


def _paths(simulation: Simulation) -> list[Column]:
    sign = -1 if is_least_cost(simulation) else 1

    def steps(path: ObservedPath) -> str:
        return happened(path.path, "stop at once")

    def text(path: ObservedPath) -> str:
        return ", ".join(map(str, path.path)) or "stop at once"

    ends = "unfinished" if sign < 0 else "reward"
    return [
        Column("path", "what happens", "name", text, html=steps),
        Column("reward", ends, "rounded", lambda path: sign * path.reward),
        Column("num_runs", "runs", "count"),
        Column(
            "seen",
            "simulated",
            "chance",
            lambda path: path.num_runs / simulation.num_runs,
        ),
        Column("probability", "exact", "chance", is_optional=True),
    ]
