"""Parameters: the single numbers of a problem, and problems in which one is another."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal

from branchwise.errors import did_you_mean
from branchwise.model.action import Action, Outcome
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts, Limit
from branchwise.model.checks.validate import contradictions
from branchwise.model.conditions.condition import Happened, quoted
from branchwise.model.numbers.formula import expression_of
from branchwise.model.numbers.interval import Interval, as_interval
from branchwise.model.problem import Problem

Kind = Literal["parameter", "probability", "cost", "reward", "cost_weight"]

PARAMETER_KINDS: Final = ("parameter", "probability", "cost", "reward", "cost_weight")
"""What a parameter may be."""

# In how many steps a named parameter is moved until the problem contradicts itself.
_STEPS: Final = 64

Place = tuple[Kind, str, int | None, str]


@dataclass(frozen=True, slots=True)
class Parameter:
    """
    One number of a problem, or a named parameter that several are computed from.

    Parameters
    ----------
    kind
        What it is.
    name
        Its name: ``P(a1=ok)``, ``P(drill=oil | test=good)``, ``cost of a1``,
        ``reward of a5=ok`` or ``cost weight``; or what the problem calls it.
    action, clause, outcome
        Of a probability or a cost: whose it is, and in which clause of `given` it
        stands; None for the action's own.
    resource
        Of a cost or a cost weight: what it counts.
    number
        Of a reward: which one, from 0 on.
    """

    kind: Kind
    name: str
    action: str = ""
    clause: int | None = None
    outcome: str = ""
    resource: str = ""
    number: int = 0

    def value(self, problem: Problem) -> Fraction:
        """Return what it is."""
        match self.kind:
            case "parameter":
                return problem.parameters[self.name].value
            case "probability":
                return self._outcome(problem).probability
            case "cost":
                return self._cost(problem).of(self.resource)
            case "reward":
                return problem.rewards[self.number].value
        return problem.cost_weight.of(self.resource)

    def bounds(self, problem: Problem) -> tuple[Limit, Limit]:
        """Return the least and the most that it may be."""
        if self.kind == "parameter":
            return -UNLIMITED, UNLIMITED
        if self.kind == "probability":
            return Fraction(0), Fraction(1)
        is_free = self.kind == "reward" and problem.combine == "sum"
        return (-UNLIMITED if is_free else Fraction(0)), UNLIMITED

    def fits(self, problem: Problem, value: Fraction) -> bool:
        """Whether the problem does not contradict itself where it is another number."""
        least, most = self.bounds(problem)
        if self.kind != "parameter":
            return least <= value <= most
        try:
            return not contradictions(self.changed(problem, value))
        except ValueError:  # An expression divides by zero, or the like.
            return False

    def nearest_fitting(self, problem: Problem, end: Fraction) -> Fraction:
        """
        Return how far a named parameter can move towards an end.

        It goes in steps of a 64th of the way, as what it does may be anything.
        """
        value = self.value(problem)
        step, low, high = (end - value) / _STEPS, 0, _STEPS
        while low < high:
            middle = (low + high + 1) // 2
            if self.fits(problem, value + step * middle):
                low = middle
            else:
                high = middle - 1
        return value + step * low

    def ends_attempts(self, problem: Problem) -> bool:
        """
        Whether nothing but this cost ends the attempts at an action.

        Then it must not be 0: for nothing, the action could be tried without end.
        """
        if self.kind != "cost" or problem.action(self.action).attempts != UNLIMITED:
            return False
        cost = self._cost(problem)
        return not any(
            cost.of(resource) > 0
            for resource, limit in problem.budget.items()
            if resource != self.resource and limit != UNLIMITED
        )

    def interval(self, problem: Problem) -> Interval | None:
        """Return between what it lies by the problem; None where that says nothing."""
        match self.kind:
            case "parameter":
                named = problem.parameters[self.name]
                return as_interval(named.value, named.low, named.high)
            case "probability":
                outcome = self._outcome(problem)
                return as_interval(outcome.probability, outcome.low, outcome.high)
            case "cost":
                return self._cost(problem).interval(self.resource)
            case "reward":
                reward = problem.rewards[self.number]
                return as_interval(reward.value, reward.low, reward.high)
        return problem.cost_weight.interval(self.resource)

    def changed(self, problem: Problem, value: Fraction) -> Problem:
        """
        Return the problem in which it is another number.

        The probabilities beside a changed one keep their proportions; where they were
        all zero, they share what is left alike.
        """
        match self.kind:
            case "parameter":
                return problem.with_parameters({self.name: value})
            case "probability":
                scaled = _scaled(self.outcomes(problem), self.outcome, value)
                return self._with(problem, outcomes=scaled)
            case "cost":
                cost = self._cost(problem).with_amount(self.resource, value)
                return self._with(problem, cost=cost)
            case "reward":
                rewards = list(problem.rewards)
                rewards[self.number] = rewards[self.number].with_value(value)
                return replace(problem, rewards=tuple(rewards))
        weights = problem.cost_weight.with_amount(self.resource, value)
        return replace(problem, cost_weight=weights)

    def outcomes(self, problem: Problem) -> tuple[Outcome, ...]:
        """Return the outcomes among which this probability is one."""
        return outcomes_in(problem.action(self.action), self.clause)

    def _outcome(self, problem: Problem) -> Outcome:
        return next(o for o in self.outcomes(problem) if o.label == self.outcome)

    def _cost(self, problem: Problem) -> Amounts:
        return cost_in(problem.action(self.action), self.clause)

    def _with(self, problem: Problem, **changes: Any) -> Problem:
        """Return the problem in which the action, or its clause, is another one."""
        action = problem.action(self.action)
        if self.clause is not None:
            given = list(action.given)
            given[self.clause] = replace(given[self.clause], **changes)
            changes = {"given": tuple(given)}
        return problem.with_action(replace(action, **changes))


def parameters(
    problem: Problem, *, with_certain: bool = False, with_computed: bool = False
) -> Iterator[Parameter]:
    """
    Return every number of a problem but its budget and its attempts.

    Probabilities of 0 and 1 say what is possible; they are left out unless asked for.
    So are numbers that are computed: the named parameters stand for them.

    Examples
    --------
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> [each.name for each in parameters(Problem([toss]))]
    ['P(toss=heads)', 'P(toss=tails)', 'cost of toss', 'cost weight']
    """
    for name in problem.parameters:
        yield Parameter("parameter", name)
    for each in _numbers(problem, with_certain=with_certain):
        if with_computed or expression_of(each.value(problem)) is None:
            yield each


def _numbers(problem: Problem, *, with_certain: bool) -> Iterator[Parameter]:
    for action in problem.actions:
        yield from _of_action(action, with_certain=with_certain)
    for number, reward in enumerate(problem.rewards):
        named = [(r.when, r.per) for r in problem.rewards]
        alike = named.index((reward.when, reward.per)) != number
        again = f" ({number + 1})" if alike else ""
        what = (
            f"of {reward.when}" if reward.per is None else f"per {quoted(reward.per)}"
        )
        yield Parameter("reward", f"reward {what}{again}", number=number)
    for resource in problem.budget:
        name = f"cost weight{_counted(resource, ' of ')}"
        yield Parameter("cost_weight", name, resource=resource)


def by_place(some: Iterable[Parameter]) -> dict[Place, Parameter]:
    """Index parameters by their kind, action, clause, and outcome or resource."""
    return {
        (p.kind, p.action, p.clause, p.outcome or p.resource): p
        for p in some
        if p.kind != "parameter"
    }


def outcomes_in(action: Action, clause: int | None) -> tuple[Outcome, ...]:
    """Return the outcomes under a clause: the action's own unless it has others."""
    return (
        None if clause is None else action.given[clause].outcomes
    ) or action.outcomes


def cost_in(action: Action, clause: int | None) -> Amounts:
    """Return the cost under a clause: the action's own unless it has another."""
    own = None if clause is None else action.given[clause].cost
    return action.cost if own is None else own


def own_clause(
    action: Action, clause: int | None, what: Literal["outcomes", "cost"]
) -> int | None:
    """Return the clause, if it has numbers of its own; None if the action's count."""
    if clause is None or getattr(action.given[clause], what) is None:
        return None
    return clause


def find_parameter(problem: Problem, name: str) -> Parameter:
    """Find a parameter by its name."""
    every = list(parameters(problem, with_computed=True))
    known = {each.name: each for each in reversed(every)}  # Named ones go first.
    if name not in known:
        names = [each.name for each in every]
        hint = did_you_mean(name, names) or f"; there are {_some(names)}"
        raise ValueError(f"there is no parameter `{name}`{hint}")
    return known[name]


def _some(names: Sequence[str]) -> str:
    """Name a few, so that others can be written like them."""
    others = f" and {len(names) - 5} others" if len(names) > 5 else ""
    return ", ".join(f"`{name}`" for name in names[:5]) + others


def _of_action(action: Action, *, with_certain: bool) -> Iterator[Parameter]:
    own = (None, "", action.outcomes, action.cost)
    clauses = (
        (number, f" | {clause.when}", clause.outcomes, clause.cost)
        for number, clause in enumerate(action.given)
    )
    for clause, when, outcomes, cost in (own, *clauses):
        for outcome in outcomes or ():
            if with_certain or 0 < outcome.probability < 1:
                name = f"P({Happened(action.name, outcome.label)}{when})"
                yield Parameter("probability", name, action.name, clause, outcome.label)
        for resource in () if cost is None else cost.named:
            name = f"cost of {quoted(action.name)}{when}{_counted(resource, ' in ')}"
            yield Parameter("cost", name, action.name, clause, resource=resource)


def _counted(resource: str, word: str) -> str:
    return "" if resource == DEFAULT_RESOURCE else f"{word}{quoted(resource)}"


def _scaled(
    outcomes: tuple[Outcome, ...], label: str, value: Fraction
) -> tuple[Outcome, ...]:
    before = next(o.probability for o in outcomes if o.label == label)
    rest, left = 1 - before, 1 - value
    others = len(outcomes) - 1
    return tuple(
        o.with_probability(value)
        if o.label == label
        else o.with_probability(o.probability * left / rest if rest else left / others)
        for o in outcomes
    )
