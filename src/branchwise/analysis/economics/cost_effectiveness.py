"""Cost-effectiveness: plans by cost and effect, and how sure the choice is."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Final, Unpack

from branchwise.analysis.comparison.evaluation import Plan, plan_tree
from branchwise.analysis.economics.efficient_plans import (
    CostedPlan,
    EfficientPlans,
    Prices,
    bends,
    costed,
    ratio,
)
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.sensitivity.uncertainty import drawn_problems
from branchwise.analysis.table import Table, Tabular
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.errors import PlanError, UnsupportedError, did_you_mean
from branchwise.model.budget import Amounts
from branchwise.model.numbers.number import Number, exact
from branchwise.model.problem import Problem
from branchwise.tree.decision_tree import DecisionTree

_MOST_PLANS: Final = 60
_GRID: Final = 40
_MOST_EVALUATED: Final = 150_000  # nodes or states of plans, over all draws
_LEAST_DRAWS: Final = 20
_WIDE: Final = 30  # past such a ratio, willingness to pay is spaced by factors
_REACH: Final = Fraction(3, 2)

# What a plan has more than the one before it: effect, cost, and their ratio.
_More = tuple[Fraction | None, Fraction | None, Fraction | None]


@dataclass(frozen=True, slots=True)
class EfficientPlan:
    """
    A plan that is the best one for some willingness to pay.

    Parameters
    ----------
    name
        What it is called: ``plan 1`` costs and achieves least.
    first_action
        What it does first; None where it does nothing.
    effect, cost
        What it achieves and what it costs, on average.
    incremental_effect, incremental_cost
        How much more than the plan before it; None for the first.
    ratio
        What one more unit of effect costs: the incremental cost-effectiveness ratio;
        None for the first.
    best_from, best_to
        For which willingness to pay, per unit of effect, it is the best.
    tree
        The plan.
    """

    name: str
    first_action: str | None
    effect: Fraction
    cost: Fraction
    incremental_effect: Fraction | None
    incremental_cost: Fraction | None
    ratio: Fraction | None
    best_from: Fraction
    best_to: Fraction | float
    tree: DecisionTree


@dataclass(frozen=True, slots=True)
class ComparedPlan:
    """
    A plan of one's own beside the efficient ones.

    Parameters
    ----------
    name
        What it is called.
    effect, cost
        What it achieves and what it costs, on average.
    standing
        ``efficient``; ``dominated``, if another plan costs no more and achieves no
        less; or ``extendedly dominated``, if a mix of two others does.
    """

    name: str
    effect: Fraction
    cost: Fraction
    standing: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """
    How likely each plan is the best at a willingness to pay.

    Parameters
    ----------
    willingness
        What a unit of effect is worth.
    plan
        The name of the plan.
    probability
        The share of draws in which it has the highest net monetary benefit.
    """

    willingness: Fraction
    plan: str
    probability: float


@dataclass(frozen=True, slots=True)
class DrawnPlan:
    """What a plan achieves and costs with probabilities that were drawn."""

    plan: str
    draw: int
    effect: float
    cost: float


@dataclass(frozen=True, slots=True)
class CostEffectiveness(Tabular):
    """
    Plans by cost and effect.

    Parameters
    ----------
    plans
        The efficient plans, by rising cost and effect.
    compared
        Plans of one's own.
    acceptability
        How likely each efficient plan is the best, by willingness to pay.
    draws
        What the plans achieve and cost with probabilities that were drawn.
    prices
        What one unit of each resource counts in cost.
    willingness
        What a unit of effect is worth by the cost weight of the problem; None without.
    is_complete
        Whether these are all efficient plans; not where there were too many.
    """

    plans: tuple[EfficientPlan, ...]
    compared: tuple[ComparedPlan, ...] = ()
    acceptability: tuple[Acceptance, ...] = ()
    draws: tuple[DrawnPlan, ...] = ()
    prices: Prices | None = None
    willingness: Fraction | None = None
    is_complete: bool = True

    def best_at(self, willingness: Number) -> EfficientPlan:
        """Return the best plan where a unit of effect is worth so much."""
        starts = [plan.best_from for plan in self.plans[1:]]
        return self.plans[bisect_right(starts, exact(willingness))]

    def tables(self) -> tuple[Table, ...]:
        """Return the plans, those compared, the acceptability curves, and all draws."""
        names = [n for n in EfficientPlan.__slots__ if n != "tree"]
        rows = ([getattr(each, n) for n in names] for each in self.plans)
        return (
            Table.of("plans", names, rows),
            Table.of_records("compared", ComparedPlan, self.compared),
            Table.of_records("acceptability", Acceptance, self.acceptability),
            Table.of_records("draws", DrawnPlan, self.draws),
        )


def cost_effectiveness(
    problem: Problem,
    *,
    prices: Mapping[str, Number] | None = None,
    plans: Mapping[str, Plan] | None = None,
    sample_size: Number = 20,
    num_draws: int = 200,
    seed: object = 0,
    **limits: Unpack[WhatIfLimits],
) -> CostEffectiveness:
    """
    Find the best plan for every willingness to pay, exactly.

    The effect is the reward, the cost what is spent: each unit of effect is worth the
    willingness to pay. The cost weight of the problem does not count here.

    Parameters
    ----------
    problem
        What to look into. Where it names several resources, `prices` says what counts.
    prices
        What one unit of each resource counts in cost; unless said, the one resource of
        the problem, or the one that has a cost weight, counts 1.
    plans
        Plans of your own to compare, by name; each as for `branchwise.evaluation`.
    sample_size, num_draws, seed
        As for `uncertainty`.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> old = Action("old", cost=10, outcomes={"cured": 0.4, "not": 0.6})
    >>> new = Action(
    ...     "new", cost=40, outcomes={"cured": 0.7, "not": 0.3}, precluded_by="old"
    ... )
    >>> cured = Reward("old=cured or new=cured", 1)
    >>> found = cost_effectiveness(Problem([old, new], [cured]), num_draws=10)
    >>> [(plan.first_action, plan.ratio) for plan in found.plans]
    [(None, None), ('old', Fraction(25, 1)), ('new', Fraction(550, 7))]
    """
    options = AnalysisOptions(
        prices=prices or {}, sample_size=sample_size, num_draws=num_draws, seed=seed
    )
    what_ifs = WhatIfs(problem, **limits)
    return _worked_out(what_ifs, options, plans or {})


def cost_effectiveness_section(
    what_ifs: WhatIfs, options: AnalysisOptions
) -> CostEffectiveness:
    """Find efficient plans, and draw probabilities to see how sure they are."""
    return _worked_out(what_ifs, options, {})


def _worked_out(
    what_ifs: WhatIfs, options: AnalysisOptions, own: Mapping[str, Plan]
) -> CostEffectiveness:
    problem = _without_weights(what_ifs.problem)
    prices = _prices(what_ifs.problem, options)
    search = EfficientPlans(problem, prices, what_ifs.deadline, _MOST_PLANS)
    lines, is_complete = search.found()
    plans = tuple(_named(lines))
    others = {name: plan_tree(plan, problem) for name, plan in own.items()}
    compared = {name: costed(t, problem, prices) for name, t in others.items()}
    drawn = tuple(_drawn(what_ifs, problem, prices, options, plans))
    return CostEffectiveness(
        plans,
        tuple(_compared(compared, lines)),
        tuple(_accepted(plans, drawn)),
        drawn,
        prices,
        _willingness(what_ifs.problem, prices),
        is_complete,
    )


def _without_weights(problem: Problem) -> Problem:
    if problem.finish is not None:
        what = "cost-effectiveness compares with doing nothing"
        raise UnsupportedError(
            f"{what}, which a problem with `finish` does not allow\n    fix: leave "
            "`finish` out, and give a reward for finishing"
        )
    return replace(problem, cost_weight=Amounts({}))


def _prices(problem: Problem, options: AnalysisOptions) -> dict[str, Fraction]:
    """Return what each resource counts in cost."""
    known = list(problem.budget)
    if options.prices:
        for resource in options.prices:
            if resource not in known:
                near = did_you_mean(resource, known)
                raise ValueError(f"there is no resource `{resource}`{near}")
        return {r: exact(price) for r, price in options.prices.items()}
    named = [r for r in known if problem.cost_weight.of(r)] or known
    if len(named) == 1:
        return {named[0]: Fraction(1)}
    listed = ", ".join(f"`{each}`" for each in named)
    example = f"`--price {named[0]}=1`, or in Python `prices={{'{named[0]}': 1}}`"
    raise ValueError(f"say what counts as cost, of {listed}: {example}")


def _willingness(problem: Problem, prices: Prices) -> Fraction | None:
    """Return what a unit of effect is worth by the cost weight, if that says so."""
    found = {price / problem.cost_weight.of(r) for r, price in prices.items()
             if price and problem.cost_weight.of(r)}  # fmt: skip
    return found.pop() if len(found) == 1 else None


def _named(lines: Sequence[CostedPlan]) -> Iterator[EfficientPlan]:
    starts = [Fraction(0), *bends(list(lines))]
    ends: list[Fraction | float] = [*starts[1:], math.inf]
    before: CostedPlan | None = None
    for number, line in enumerate(lines):
        more: _More = None, None, None
        if before is not None:
            gained, paid = line.effect - before.effect, line.cost - before.cost
            more = gained, paid, ratio(before, line)
        yield EfficientPlan(
            f"plan {number + 1}",
            line.tree.root.action,
            line.effect,
            line.cost,
            *more,
            starts[number],
            ends[number],
            line.tree,
        )
        before = line


def _compared(
    own: Mapping[str, CostedPlan], lines: Sequence[CostedPlan]
) -> Iterator[ComparedPlan]:
    """Say how plans of one's own stand beside each other and the efficient ones."""
    for name, plan in own.items():
        others = [*lines, *(p for n, p in own.items() if n != name)]
        yield ComparedPlan(name, plan.effect, plan.cost, _standing(plan, others, lines))


def _standing(
    plan: CostedPlan, others: Sequence[CostedPlan], lines: Sequence[CostedPlan]
) -> str:
    if any((p.effect, p.cost) == (plan.effect, plan.cost) for p in lines):
        return "efficient"
    for other in others:
        is_no_worse = other.effect >= plan.effect and other.cost <= plan.cost
        if is_no_worse and (other.effect, other.cost) != (plan.effect, plan.cost):
            return "dominated"
    return "extendedly dominated"


def _drawn(
    what_ifs: WhatIfs,
    problem: Problem,
    prices: Prices,
    options: AnalysisOptions,
    plans: Sequence[EfficientPlan],
) -> Iterator[DrawnPlan]:
    """Evaluate every efficient plan with probabilities that were drawn."""
    # Where states hold more than outcomes, nearly every node is evaluated.
    sizes = [(len(plan.tree.policy), plan.tree.num_nodes) for plan in plans]
    num_states = sum(min(nodes, 10 * states) for states, nodes in sizes)
    most = max(_LEAST_DRAWS, _MOST_EVALUATED // num_states)
    drawn = islice(drawn_problems(problem, options), most)
    for number, changed in enumerate(drawn):
        what_ifs.check_time()
        for plan in plans:
            try:
                tree = plan_tree(plan.tree, changed, exact=False)
            except PlanError:
                continue  # A draw may let something happen that the plan leaves open.
            found = costed(tree, changed, prices)
            yield DrawnPlan(plan.name, number, float(found.effect), float(found.cost))


def _accepted(
    plans: Sequence[EfficientPlan], draws: Sequence[DrawnPlan]
) -> Iterator[Acceptance]:
    """Count in how many draws each plan is the best, by willingness to pay."""
    by_draw: dict[int, list[DrawnPlan]] = {}
    for each in draws:
        by_draw.setdefault(each.draw, []).append(each)
    for at in _places(plans):
        counts = dict.fromkeys((plan.name for plan in plans), 0)
        for some in by_draw.values():
            best = max(some, key=lambda each: float(at) * each.effect - each.cost)
            counts[best.plan] += 1
        for name, count in counts.items():
            yield Acceptance(at, name, count / max(len(by_draw), 1))


def _places(plans: Sequence[EfficientPlan]) -> list[Fraction]:
    """Return where acceptability is looked at: around all bends, and at them."""
    found = [plan.best_from for plan in plans[1:] if plan.best_from]
    if not found:
        return [Fraction(0), Fraction(1)]
    low, high = found[0] / 2, found[-1] * _REACH
    if high / low > _WIDE:
        factor = float(high / low) ** (1 / _GRID)
        grid = [low * Fraction(factor**n).limit_denominator(10**6)
                for n in range(_GRID + 1)]  # fmt: skip
    else:
        grid = [high * n / _GRID for n in range(_GRID + 1)]
    return sorted({*grid, *found})
