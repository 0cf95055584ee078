"""Costs and budgets that contradict each other, or cannot be counted."""

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import Final

from branchwise.errors import Issue, Path, did_you_mean
from branchwise.model.action import Action
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts, Budget
from branchwise.model.checks.features.running_out import runs_out
from branchwise.model.checks.interval_issues import value_interval_issues
from branchwise.model.checks.issue import about, listed, shown, ticked
from branchwise.model.conditions.condition import quoted
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Problem

_MOST_COMPARED: Final = 20
LARGEST_SCALED: Final = 2**62
"""Every cost and budget, counted in its resource's smallest unit, is below this."""


def budget_issues(budget: Budget) -> Iterator[Issue]:
    """Find budgets below zero, and budgets of nothing."""
    if not budget:
        fix = "write `budget: 10`, `budget: unlimited` or `budget: {money: 10}`"
        yield about(("budget",), "the budget names no resource", fix)
    for resource, limit in budget.items():
        if limit < 0:
            path: Path = ("budget",) if budget.is_plain else ("budget", resource)
            of = "" if budget.is_plain else f" of {ticked(resource)}"
            what = f"the budget{of} is {shown(limit)}, less than 0"
            fix = "write a number of at least 0, or `unlimited`"
            yield about(path, what, fix)


def cost_issues(action: Action, problem: Problem) -> Iterator[Issue]:
    """Find negative costs, unknown resources, and attempts that never run out."""
    budget = problem.budget
    for path, cost in _costs(action):
        yield from amounts_issues(path, cost, budget)
        if action.attempts == UNLIMITED and all(r in budget for r in cost):
            endless = list(_endless(path, cost, problem))
            # To look for a counter that ends them takes long where there are many.
            if endless and not runs_out(action, problem):
                yield from endless


def outcome_cost_issues(
    path: Path, outcomes: Iterable[Outcome], budget: Budget
) -> Iterator[Issue]:
    """Find costs of outcomes that are negative or of unknown resources."""
    for outcome in outcomes:
        if outcome.cost.named:
            place = (*path, outcome.label, "cost")
            yield from amounts_issues(place, outcome.cost, budget)


def amounts_issues(path: Path, amounts: Amounts, budget: Budget) -> Iterator[Issue]:
    """Find unknown resources, and amounts below zero."""
    for resource in amounts.named:
        if budget and resource not in budget:
            yield _unknown_resource(path, amounts, resource, budget)
    for resource in amounts.named:
        if resource in budget and amounts.of(resource).numerator < 0:
            what = f"the cost is {shown(amounts[resource])}, less than 0"
            fix = "write a number of at least 0; what an action earns is a reward"
            yield about(_of(path, resource), what, fix)
        elif amounts.interval(resource) is not None:
            yield from _interval_issues(_of(path, resource), "cost", amounts, resource)


def weight_issues(problem: Problem) -> Iterator[Issue]:
    """Find weights below zero, and weights of unknown resources."""
    weights = problem.cost_weight
    is_plain = len({weights.of(resource) for resource in problem.budget}) == 1
    negative = [resource for resource, weight in weights.items() if weight < 0]
    for resource in negative[:1] if is_plain else negative:
        path: Path = ("cost_weight",) if is_plain else ("cost_weight", resource)
        what = f"the weight is {shown(weights[resource])}, less than 0"
        fix = "write a number of at least 0: a weight makes spending count against us"
        yield about(path, what, fix)
    for resource in weights.named:
        if resource not in problem.budget and problem.budget:
            yield _unknown_resource(("cost_weight",), weights, resource, problem.budget)
    # What is said once of all resources is wrong once.
    place: Path = ("cost_weight",)
    found = (_interval_issues(place, "weight", weights, r) for r in weights.named)
    yield from dict.fromkeys(issue for issues in found for issue in issues)


def scale_issues(problem: Problem) -> Iterator[Issue]:
    """Find resources whose costs have no common unit that is large enough."""
    budget = {} if _is_small(problem) else problem.budget
    for resource, limit in budget.items():
        amounts: dict[Path, Fraction] = {}
        place: Path
        if isinstance(limit, Fraction):
            amounts["budget", resource] = limit
        for each in problem.actions:
            for path, cost in (*_costs(each), *_outcome_costs(each)):
                if resource in cost.named:
                    place = _of(path, resource)
                    amounts[place] = cost.of(resource)
                    if ends := cost.interval(resource):
                        amounts[*place, "low"], amounts[*place, "high"] = ends
        for defense in problem.defenses:
            for action, more in defense.raises.items():
                if resource in more:
                    place = ("defenses", defense.name, "raises", action)
                    amounts[_of(place, resource)] = more[resource]
        yield from _scale_issue(resource, amounts)


def _is_small(problem: Problem) -> bool:
    """Return whether one unit is fine enough for all that is counted."""
    if problem.defenses:
        return False
    limits = [n for n in problem.budget.values() if isinstance(n, Fraction)]
    # Actions of one file share their costs.
    costs = {id(cost): cost for each in problem.actions for cost in each.costs()}
    shared = {id(each.outcomes): each.outcomes for each in problem.actions}
    extra = (outcome.cost for outcomes in shared.values() for outcome in outcomes)
    costs |= {id(cost): cost for cost in extra}
    amounts = [amount for cost in costs.values() for amount in cost.values()]
    intervals = (cost.interval(r) for cost in costs.values() for r in cost.named)
    numbers = [*limits, *amounts, *chain.from_iterable(filter(None, intervals))]
    scale = math.lcm(*{number.denominator for number in numbers})
    return scale < LARGEST_SCALED and all(
        abs(number.numerator) * scale < LARGEST_SCALED for number in numbers
    )


def _scale_issue(resource: str, amounts: Mapping[Path, Fraction]) -> Iterator[Issue]:
    largest = max((abs(amount) for amount in amounts.values()), default=Fraction(0))
    scale, finest = 1, Fraction(1)
    for path, amount in amounts.items():
        scale = math.lcm(scale, amount.denominator)
        if amount.denominator >= finest.denominator:
            finest, place = amount, path
        if largest * scale >= LARGEST_SCALED:
            unit = shown(Fraction(1, scale))
            what = f"the {'budget' if place[0] == 'budget' else 'cost'} {shown(finest)}"
            what += f" can only be counted in units of {unit}, and {shown(largest)}"
            what += f" {'' if resource == DEFAULT_RESOURCE else f'{resource} '}is more"
            what += " of them than fit into 62 bits"
            rounded = Fraction(f"{float(finest):.4g}") if abs(finest) < 1e15 else None
            fix = f"write fewer digits: `{shown(rounded)}`" if rounded else ""
            fix = fix or "count in a larger unit, such as millions"
            yield about(place, what, fix)
            return


def _costs(action: Action) -> Iterator[tuple[Path, Amounts]]:
    """Return every cost an action may have, and where it is said."""
    yield ("actions", action.name, "cost"), action.cost
    for index, clause in enumerate(action.given):
        if clause.cost is not None:
            yield ("actions", action.name, "given", index, "cost"), clause.cost


def _outcome_costs(action: Action) -> Iterator[tuple[Path, Amounts]]:
    for outcome in action.outcomes:
        yield ("actions", action.name, "outcomes", outcome.label, "cost"), outcome.cost


def _interval_issues(
    path: Path, noun: str, amounts: Amounts, resource: str
) -> Iterator[Issue]:
    amount, ends = amounts.of(resource), amounts.interval(resource)
    if ends is not None and amount >= 0:
        yield from value_interval_issues(path, noun, amount, ends, least=0)


def _of(path: Path, resource: str) -> Path:
    return path if resource == DEFAULT_RESOURCE else (*path, resource)


def _unknown_resource(
    path: Path, amounts: Amounts, resource: str, budget: Budget
) -> Issue:
    amount = shown(amounts.of(resource))
    known = listed(budget, "or")
    if resource == DEFAULT_RESOURCE:
        example = f"{path[-1]}: {{{next(iter(budget))}: {amount}}}"
        what = f"the cost says {amount}, but not of which resource"
        fix = f"write {ticked(example)}; the resources are {listed(budget)}"
        return about(path, what, fix)
    is_short = len(budget) <= _MOST_COMPARED
    hint = did_you_mean(resource, list(budget)) if is_short else ""
    nearest = hint.removeprefix("; did you mean ").removesuffix("?")
    what = f"there is no resource {ticked(resource)}{hint}"
    fix = f"write {nearest or known}, or add {ticked(resource)} to the budget"
    if budget.is_plain:
        what = f"the budget is a plain number, without a resource {ticked(resource)}"
        limit = shown(budget[DEFAULT_RESOURCE])
        fix = f"write `{path[-1]}: {amount}`, or `budget: {{{resource}: {limit}}}`"
    return about((*path, resource), what, fix, culprit=resource)


def _endless(path: Path, cost: Amounts, problem: Problem) -> Iterator[Issue]:
    budget = problem.budget
    finite = [r for r, limit in budget.items() if limit != UNLIMITED]
    paid = [resource for resource in cost if resource in finite and cost[resource] > 0]
    if paid:
        interval = cost.interval(paid[0])
        if len(paid) == 1 and interval is not None and interval.low == 0:
            # This cost alone ends the attempts, and it might be nothing.
            what = "the cost may be 0, and attempts are `unlimited`: "
            what += "it could be taken for ever"
            fix = "let the interval begin above 0, "
            fix += "or write a number of attempts: `attempts: 3`"
            yield about(_of(path, paid[0]), what, fix)
        return
    what = "it could be taken for ever: attempts are `unlimited`"
    if finite:
        example = "1" if budget.is_plain else f"{{{finite[0]}: 1}}"
        what += " and this costs nothing that runs out"
        fix = f"write `cost: {example}`, or a number of attempts: `attempts: 3`"
    else:
        what += " and so is the budget"
        fix = "write a number of attempts: `attempts: 3`, or a budget: `budget: 10`"
    if problem.counters:
        name = problem.counters[0].name
        fix += ", or let it use up a counter that nothing refills: "
        fix += f"`requires: {quoted(name)} >= 1` and `effects: {{{name}: -1}}`"
    place = path if "given" in path else (*path[:2], "attempts")
    yield about(place, what, fix)
