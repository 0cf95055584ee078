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
from branchwise.model.hidden import Hidden
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
        Its name: ``P(a1=ok)``, ``P(drill=oil | test=good)``, ``P(disease=present)``,
        ``cost of a1``, ``cost of a1=ok``, ``reward of a5=ok`` or ``cost weight``; or
        what the problem calls it.
    action, clause, outcome
        Of a probability or a cost: whose it is, an action's or a hidden fact's, and in
        which clause of `given` it stands; None for its own. A cost with an outcome is
        what that outcome costs besides.
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
        if self.kind != "cost" or self.outcome:
            return False
        if problem.action(self.action).attempts != UNLIMITED:
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
                if not self.outcome:
                    return self._with(problem, cost=cost)
                own = problem.action(self.action).outcomes
                return self._with(problem, outcomes=_charged(own, self.outcome, cost))
            case "reward":
                rewards = list(problem.rewards)
                rewards[self.number] = rewards[self.number].with_value(value)
                return replace(problem, rewards=tuple(rewards))
        weights = problem.cost_weight.with_amount(self.resource, value)
        return replace(problem, cost_weight=weights)

    def outcomes(self, problem: Problem) -> tuple[Outcome, ...]:
        """Return the outcomes among which this probability is one."""
        return outcomes_in(owner(problem, self.action), self.clause)

    def _outcome(self, problem: Problem) -> Outcome:
        return next(o for o in self.outcomes(problem) if o.label == self.outcome)

    def _cost(self, problem: Problem) -> Amounts:
        if self.outcome:
            return self._outcome(problem).cost
        return cost_in(problem.action(self.action), self.clause)

    def _with(self, problem: Problem, **changes: Any) -> Problem:
        """Return the problem in which its owner, or its clause, is another one."""
        own = owner(problem, self.action)
        if self.clause is not None:
            given = list(own.given)
            given[self.clause] = replace(given[self.clause], **changes)
            changes = {"given": tuple(given)}
        if isinstance(own, Action):
            return problem.with_action(replace(own, **changes))
        return with_fact(problem, replace(own, **changes))


Owner = Action | Hidden
"""What has probabilities: an action, or a hidden fact."""


def owner(problem: Problem, name: str) -> Owner:
    """Find an action or a hidden fact by its name, which no other has."""
    facts = (fact for fact in problem.hidden if fact.name == name)
    return next(facts, None) or problem.action(name)


def with_fact(problem: Problem, changed: Hidden) -> Problem:
    """Return the problem in which a hidden fact is another of the same name."""
    facts = (changed if f.name == changed.name else f for f in problem.hidden)
    return replace(problem, hidden=tuple(facts))


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
    owners: tuple[Owner, ...] = (*problem.hidden, *problem.actions)
    for own in owners:
        yield from _of_owner(own, with_certain=with_certain)
    for number, reward in enumerate(problem.rewards):
        named = [(r.when, r.per) for r in problem.rewards]
        alike = named.index((reward.when, reward.per)) != number
        again = f" ({number + 1})" if alike else ""
        what = (
            f"of {reward.when}" if reward.per is None else f"per {quoted(reward.per)}"
        )
        yield Parameter("reward", f"reward {what}{again}", number=number)
    if problem.is_least_cost and not problem.cost_weight:
        return  # The one resource counts as it is.
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


def outcomes_in(own: Owner, clause: int | None) -> tuple[Outcome, ...]:
    """Return the outcomes under a clause: the owner's unless it has others."""
    return (None if clause is None else own.given[clause].outcomes) or own.outcomes


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


def _of_owner(own: Owner, *, with_certain: bool) -> Iterator[Parameter]:
    for clause, when, outcomes, cost in _clauses(own):
        for outcome in outcomes or ():
            if with_certain or 0 < outcome.probability < 1:
                name = f"P({Happened(own.name, outcome.label)}{when})"
                yield Parameter("probability", name, own.name, clause, outcome.label)
        for resource in () if cost is None else cost.named:
            name = f"cost of {quoted(own.name)}{when}{_counted(resource, ' in ')}"
            yield Parameter("cost", name, own.name, clause, resource=resource)
    for outcome in own.outcomes:
        for resource in outcome.cost.named:
            event = Happened(own.name, outcome.label)
            name = f"cost of {event}{_counted(resource, ' in ')}"
            yield Parameter("cost", name, own.name, None, outcome.label, resource)


_Clause = tuple[int | None, str, tuple[Outcome, ...] | None, Amounts | None]


def _clauses(own: Owner) -> Iterator[_Clause]:
    """Return what an owner has of its own, then what each of its clauses has."""
    yield None, "", own.outcomes, own.cost if isinstance(own, Action) else None
    for number, clause in enumerate(own.given):
        yield number, f" | {clause.when}", clause.outcomes, clause.cost


def _charged(
    outcomes: tuple[Outcome, ...], label: str, cost: Amounts
) -> tuple[Outcome, ...]:
    return tuple(replace(o, cost=cost) if o.label == label else o for o in outcomes)


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
