"""The numbers of one individual: probabilities, costs, rewards, weights and budget."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from branchwise.analysis.parameter import (
    Owner,
    Parameter,
    cost_in,
    outcomes_in,
    parameters,
)
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts, Budget, Limit
from branchwise.model.checks.validate import contradictions
from branchwise.model.conditions.condition import quoted
from branchwise.model.hidden import Hidden
from branchwise.model.numbers.expression import Expression
from branchwise.model.numbers.formula import expression_of
from branchwise.model.problem import Problem


class ProfileParameter(NamedTuple):
    """A number that may be another one for each individual."""

    name: str  # its name
    # Which number of the problem it is; None for its budget.
    parameter: Parameter | None
    resource: str = ""  # of a budget: of what

    def value(self, problem: Problem) -> Limit:
        """Return what it is in the problem itself."""
        if self.parameter is None:
            return problem.budget[self.resource]
        return self.parameter.value(problem)

    def bounds(self, problem: Problem) -> tuple[Limit, Limit]:
        """Return the least and the most that it may be."""
        if self.parameter is None:
            return Fraction(0), UNLIMITED
        return self.parameter.bounds(problem)


def profile_parameters(problem: Problem) -> Iterator[ProfileParameter]:
    """Return every number of a problem that an individual may have another of."""
    for parameter in parameters(problem, with_certain=True):
        yield ProfileParameter(parameter.name, parameter)
    for resource in problem.budget:
        counted = "" if resource == DEFAULT_RESOURCE else f" of {quoted(resource)}"
        yield ProfileParameter(f"budget{counted}", None, resource)


Overrides = Sequence[Limit | None]
"""What an individual has of each parameter; None where it is the problem's own."""

# Probabilities that programs have computed miss 1 by a little.
_ROUNDING: Final = Fraction(1, 10**9)

# Where floats add up to less than this, fractions do not add up to more than 1.
_SURELY_BELOW_ONE: Final = 0.999

_Chances = tuple[Fraction, ...]
_Part = tuple[str, int | str | None]
"""
An action or a hidden fact, and a clause of it, or None for what is its own; of costs,
also the label of an outcome, for what that costs besides.
"""


class Numbers(NamedTuple):
    """All numbers of one individual that may differ from the problem's own."""

    chances: dict[_Part, _Chances]
    costs: dict[_Part, Amounts]
    rewards: tuple[Fraction, ...]
    weights: Amounts
    budget: Budget


class ProfileNumbers:
    """Gives the numbers of individuals, and the problem that each of them has."""

    def __init__(self, problem: Problem, columns: Sequence[ProfileParameter]) -> None:
        self.problem = problem
        self._columns = tuple(columns)
        self._labels = [action.labels for action in problem.actions]
        owners: tuple[Owner, ...] = (*problem.actions, *problem.hidden)
        self._owners = {each.name: each for each in owners}
        self._chances: dict[_Part, dict[int, int]] = {}
        self._costs: dict[_Part, dict[str, int]] = {}
        self._rewards: dict[int, int] = {}
        self._weights: dict[str, int] = {}
        self._budget: dict[str, int] = {}
        self._named = {
            column.name: number
            for number, column in enumerate(columns)
            if column.parameter is not None and column.parameter.kind == "parameter"
        }
        self._with_parameters = cache(self._renewed)  # Many have the same.
        self._computed = list(_computed_from(problem, self._named))
        for number, column in enumerate((*columns, *self._computed)):
            self._add(number, column)
        self._own = [column.value(problem) for column in columns]
        self._own += [column.value(problem) for column in self._computed]
        self._known = cache(self._chances_of)  # Many have the same.
        self._variants = list(self._touched())

    def __reduce__(self) -> tuple[type[ProfileNumbers], tuple[object, ...]]:
        return ProfileNumbers, (self.problem, self._columns)

    def _add(self, number: int, column: ProfileParameter) -> None:
        parameter = column.parameter
        if parameter is None:
            self._budget[column.resource] = number
            return
        part: _Part = parameter.action, parameter.clause
        match parameter.kind:
            case "probability":
                outcomes = parameter.outcomes(self.problem)
                place = [o.label for o in outcomes].index(parameter.outcome)
                self._chances.setdefault(part, {})[place] = number
            case "cost":
                if parameter.outcome:
                    part = parameter.action, parameter.outcome
                self._costs.setdefault(part, {})[parameter.resource] = number
            case "reward":
                self._rewards[parameter.number] = number
            case "cost_weight":
                self._weights[parameter.resource] = number

    def _renewed(self, *values: Limit | None) -> Problem:
        """Return the problem with the named parameters of an individual."""
        said = zip(self._named, values, strict=True)
        known = {name: _exact(n) for name, n in said if n is not None}
        return self.problem.with_parameters(known) if known else self.problem

    def _base(self, overrides: Overrides) -> Problem:
        return self._with_parameters(*(overrides[at] for at in self._named.values()))

    def _with_computed(self, overrides: Overrides) -> Overrides:
        """Add what follows from the named parameters of an individual."""
        base = self._base(overrides)
        if base is self.problem:
            return [*overrides, *([None] * len(self._computed))]
        return [*overrides, *(column.value(base) for column in self._computed)]

    def _misfits(self, overrides: Overrides) -> Iterator[tuple[int, str, str]]:
        """Return what the named parameters of an individual contradict."""
        named = [at for at in self._named.values() if overrides[at] is not None]
        if not named:
            return
        try:
            found = contradictions(self._base(overrides))
        except ValueError as error:
            yield named[0], str(error), "write another number"
            return
        for issue in found[:1]:
            yield named[0], f"{issue.where}: {issue.what}", "write another number"

    @property
    def has_prices(self) -> bool:
        """Whether individuals differ in what they can pay for."""
        return bool(self._costs or self._budget)

    @property
    def has_rewards(self) -> bool:
        """Whether individuals differ in what rewards are worth."""
        return bool(self._rewards)

    def contradictions(self, overrides: Overrides) -> Iterator[tuple[int, str, str]]:
        """Return what is wrong with probabilities: the column, what, and a fix."""
        misfits = list(self._misfits(overrides))
        yield from misfits
        if misfits:
            return
        for part, columns in self._chances.items():
            given = (
                (at, overrides[at]) for at in columns.values() if at < len(overrides)
            )
            known = {at: _exact(number) for at, number in given if number is not None}
            is_whole = len(known) == len(self._outcomes(part))
            # Fractions take time, and hardly any sum is near to 1 where some are open.
            if not is_whole and sum(map(float, known.values())) < _SURELY_BELOW_ONE:
                continue
            total = sum(known.values(), Fraction(0))
            summed = f"the probabilities of `{part[0]}` sum to {float(total):.6g}"
            if total > 1 + _ROUNDING:
                what = f"{summed}, more than 1"
                yield max(known), what, f"lower them by {float(total - 1):.6g} in all"
            elif is_whole and total < 1 - _ROUNDING:
                what = f"{summed}, not 1"
                fix = f"raise one by {float(1 - total):.6g}, or leave one cell empty"
                yield max(known), what, fix

    def of(self, overrides: Overrides) -> Numbers:
        """Return the numbers of an individual."""
        problem = self.problem
        overrides = self._with_computed(overrides)
        whole = [
            own if number is None else number
            for own, number in zip(self._own, overrides, strict=True)
        ]
        rewards = [reward.value for reward in problem.rewards]
        for number, at in self._rewards.items():
            rewards[number] = _exact(whole[at])
        limits = {resource: whole[at] for resource, at in self._budget.items()}
        return Numbers(
            {
                part: self._known(part, tuple(overrides[at] for at in columns.values()))
                for part, columns in self._chances.items()
            },
            {
                part: _with(self._cost(part), columns, whole)
                for part, columns in self._costs.items()
            },
            tuple(rewards),
            _with(problem.cost_weight, self._weights, whole),
            Budget({**problem.budget, **limits}) if limits else problem.budget,
        )

    def _chances_of(self, part: _Part, overrides: tuple[Limit | None, ...]) -> _Chances:
        """Return the probabilities; those not given keep their proportions."""
        own = [outcome.probability for outcome in self._outcomes(part)]
        given = {
            label: _exact(number)
            for label, number in zip(self._chances[part], overrides, strict=True)
            if number is not None
        }
        total = sum(given.values(), Fraction(0))
        if not given:
            return tuple(own)
        if len(given) == len(own):
            return tuple(given[label] / total for label in range(len(own)))
        left = max(1 - total, Fraction(0))
        # What rounding has put over 1 is taken back from what was given.
        scale = 1 / max(total, Fraction(1))
        others = [label for label in range(len(own)) if label not in given]
        rest = sum((own[label] for label in others), Fraction(0))
        return tuple(
            given[label] * scale
            if label in given
            else left * (own[label] / rest if rest else Fraction(1, len(others)))
            for label in range(len(own))
        )

    def _outcomes(self, part: _Part) -> tuple[Outcome, ...]:
        assert not isinstance(part[1], str)
        return outcomes_in(self._owners[part[0]], part[1])

    def _cost(self, part: _Part) -> Amounts:
        action = self._owners[part[0]]
        assert isinstance(action, Action)
        if isinstance(part[1], str):
            return action.outcome(part[1]).cost
        return cost_in(action, part[1])

    def _touched(self) -> Iterator[tuple[int, int, _Part, _Part]]:
        """
        Return the variants of actions whose numbers may differ.

        Each with the part that its probabilities stand in, and the one with its cost.
        """
        for number, action in enumerate(self.problem.actions):
            own: _Part = action.name, None
            for variant, clause in enumerate((*action.given, None)):
                here: _Part = action.name, variant
                own_chances = here if clause and clause.outcomes is not None else own
                cost = here if clause and clause.cost is not None else own
                if own_chances in self._chances or cost in self._costs or self._weights:
                    yield number, variant, own_chances, cost

    def variants(
        self, numbers: Numbers
    ) -> Iterator[tuple[int, int, float, float, list[float]]]:
        """Return action, variant, cost, charge, probabilities where they may differ."""
        for action, variant, own_chances, cost in self._variants:
            amounts = numbers.costs.get(cost)
            if amounts is None:
                amounts = self._cost(cost)
            charge = float(numbers.weights.times(amounts)) if numbers.weights else 0.0
            outcomes = self._outcomes(own_chances)
            own = [outcome.probability for outcome in outcomes]
            known = zip(outcomes, numbers.chances.get(own_chances) or own, strict=True)
            by_label = {outcome.label: float(chance) for outcome, chance in known}
            # A clause need not name what it rules out.
            chances = [by_label.get(label, 0.0) for label in self._labels[action]]
            yield action, variant, float(amounts.total()), charge, chances

    def structure(self, numbers: Numbers) -> Hashable:
        """Return all that two individuals must have in common to share their states."""
        budget = numbers.budget
        finite = [r for r, limit in budget.items() if limit != UNLIMITED]
        return (
            tuple(tuple(map(bool, some)) for some in numbers.chances.values()),
            tuple(cost.of(r) for cost in numbers.costs.values() for r in finite),
            tuple(budget.values()),
            self._order(numbers.rewards) if self._rewards else (),
        )

    def _order(self, rewards: Sequence[Fraction]) -> tuple[int, ...]:
        """Return the ranks of the rewards; where they add up, their signs."""
        if self.problem.combine == "sum":
            return tuple((value > 0) - (value < 0) for value in rewards)
        levels = sorted({Fraction(0), *rewards})
        return tuple(levels.index(value) for value in rewards)

    def problem_of(self, overrides: Overrides) -> Problem:
        """Return the problem that an individual has."""
        numbers, problem = self.of(overrides), self._base(overrides)
        return replace(
            problem,
            actions=tuple(_changed(action, numbers) for action in problem.actions),
            hidden=tuple(_changed_fact(fact, numbers) for fact in problem.hidden),
            rewards=tuple(
                replace(reward, value=value)
                for reward, value in zip(problem.rewards, numbers.rewards, strict=True)
            ),
            cost_weight=numbers.weights,
            budget=numbers.budget,
        )


def _computed_from(
    problem: Problem, names: Collection[str]
) -> Iterator[ProfileParameter]:
    """Return every number that is computed from some named parameters."""

    def is_moved(number: object) -> bool:
        expression = expression_of(number)
        if not isinstance(expression, Expression):
            return False
        return any(each.name in names for each in expression.parameters())

    if not names:
        return
    for parameter in parameters(problem, with_certain=True, with_computed=True):
        if parameter.kind != "parameter" and is_moved(parameter.value(problem)):
            yield ProfileParameter(parameter.name, parameter)
    for resource, limit in problem.budget.items():
        if is_moved(limit):
            yield ProfileParameter("budget", None, resource)


def moves_attempts(problem: Problem, name: str) -> str | None:
    """Name an action whose attempts are computed from a parameter; None if none are."""
    for action in problem.actions:
        expression = expression_of(action.attempts)
        if isinstance(expression, Expression) and any(
            each.name == name for each in expression.parameters()
        ):
            return action.name
    return None


def _changed(action: Action, numbers: Numbers) -> Action:
    own: _Part = action.name, None
    outcomes = _outcomes(action.outcomes, numbers.chances.get(own)) or ()
    return replace(
        action,
        outcomes=tuple(
            replace(o, cost=numbers.costs.get((action.name, o.label), o.cost))
            for o in outcomes
        ),
        cost=numbers.costs.get(own, action.cost),
        given=_changed_clauses(action, numbers),
    )


def _changed_fact(fact: Hidden, numbers: Numbers) -> Hidden:
    outcomes = _outcomes(fact.outcomes, numbers.chances.get((fact.name, None)))
    return Hidden(
        fact.name, outcomes=outcomes or (), given=_changed_clauses(fact, numbers)
    )


def _changed_clauses(own: Owner, numbers: Numbers) -> tuple[Given, ...]:
    return tuple(
        replace(
            clause,
            outcomes=_outcomes(clause.outcomes, numbers.chances.get((own.name, n))),
            cost=numbers.costs.get((own.name, n), clause.cost),
        )
        for n, clause in enumerate(own.given)
    )


def _outcomes(
    outcomes: tuple[Outcome, ...] | None, chances: _Chances | None
) -> tuple[Outcome, ...] | None:
    if outcomes is None or chances is None:
        return outcomes
    pairs = zip(outcomes, chances, strict=True)
    return tuple(outcome.with_probability(chance) for outcome, chance in pairs)


def _with(amounts: Amounts, columns: dict[str, int], whole: Sequence[Limit]) -> Amounts:
    if not columns:
        return amounts
    return Amounts({**amounts, **{r: _exact(whole[at]) for r, at in columns.items()}})


def _exact(number: Limit | None) -> Fraction:
    # Only a budget may be without end, and it never comes here.
    assert isinstance(number, Fraction)
    return number
