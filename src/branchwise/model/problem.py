"""The problem: actions, rewards and a budget, and what to make the most of."""

from __future__ import annotations

import os
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import field, fields, replace
from fractions import Fraction
from typing import Any, Literal, TypeVar

from branchwise.errors import did_you_mean
from branchwise.model.action import Action
from branchwise.model.arguments import a_kind, shown_in_notebook
from branchwise.model.budget import (
    UNLIMITED,
    Amounts,
    Budget,
    ByName,
    Limit,
    as_limit,
    renewed_limit,
)
from branchwise.model.conditions.condition import (
    ALWAYS,
    Condition,
    Happened,
    computed_numbers,
    renewed_condition,
)
from branchwise.model.conditions.condition_text import a_condition, as_condition
from branchwise.model.conditions.facts import Facts
from branchwise.model.counter import Counter
from branchwise.model.defense import Defense
from branchwise.model.hidden import Hidden
from branchwise.model.numbers.expression import (
    Expression,
    NamedParameter,
    Renewal,
    as_expression,
    renewal,
    with_all,
)
from branchwise.model.numbers.formula import Formula, expression_of
from branchwise.model.numbers.interval import number_and_interval
from branchwise.model.numbers.number import Number, exact
from branchwise.records import dataclass

T = TypeVar("T")
N = TypeVar("N", Action, Counter, Defense, Hidden)
Combine = Literal["max", "sum"]
Purpose = Literal["most-reward", "least-cost"]
"""What the best plan makes the most or the least of, in expectation."""


@dataclass(frozen=True, slots=True, init=False)
class Reward:
    """
    Something worth reaching.

    Parameters
    ----------
    when
        What must hold where the plan stops.
    value
        What it is worth; it may have an interval: ``"270 [200, 300]"``.
    low, high
        Between what the value lies, where it is not quite known: the range of an
        analysis. None where nothing is said; a side that is not given is the value.
    per
        A counter: the value is paid as many times as it stands at. None where it is
        paid once.

    Examples
    --------
    >>> Reward("drill=oil", 270, low=200).high
    Fraction(270, 1)
    >>> Reward(per="harm", value=-3).per
    'harm'
    """

    when: Condition
    value: Fraction
    low: Fraction | None
    high: Fraction | None
    per: str | None

    def __init__(
        self,
        when: Condition | str = ALWAYS,
        value: Number = 0,
        *,
        low: Number | None = None,
        high: Number | None = None,
        per: str | Counter | None = None,
    ) -> None:
        worth, interval = number_and_interval(value, low, high)
        lowest, highest = interval or (None, None)
        put = object.__setattr__
        put(self, "when", a_condition("the `when` of a reward", when))
        put(self, "value", worth)
        put(self, "low", lowest)
        put(self, "high", highest)
        put(self, "per", per.name if isinstance(per, Counter) else per)

    def renewed(self, renew: Renewal) -> Reward:
        """Return the same reward with its numbers computed again."""
        low, high = (None if n is None else renew(n) for n in (self.low, self.high))
        when = renewed_condition(self.when, renew)
        return Reward(when, renew(self.value), low=low, high=high, per=self.per)

    def with_value(self, value: Number) -> Reward:
        """Return the same reward with another value, known exactly."""
        return Reward(self.when, value, per=self.per)

    def paid(self, facts: Mapping[str, Collection[str]]) -> Fraction | None:
        """Return what is paid for stopping; None where it does not hold."""
        if not self.when.holds(facts):
            return None
        if self.per is None:
            return self.value
        assert isinstance(facts, Facts), "counters are known to facts only"
        return self.value * facts.counters[self.per]


class _KnownHash:
    """Room for a hash that is not a field: in another process it is another one."""

    __slots__ = ("_known_hash",)
    _known_hash: int


@dataclass(frozen=True, slots=True, init=False)
class Problem(_KnownHash):
    """
    What we may do, what it is worth, and what we can afford.

    Parameters
    ----------
    actions
        The catalogue of actions, in an order that the objective ``order`` respects.
    rewards
        What is worth reaching.
    budget
        How much may be spent: a number, `UNLIMITED`, or one entry per resource.
    name
        A title for people.
    combine
        With ``max`` the best reward that holds counts, with ``sum`` all of them do.
    cost_weight
        The objective is the expected value of reward minus cost_weight times what
        was spent; one weight for every resource, or one entry per resource, any of
        which may have an interval.
    defenses
        What an opponent may do beforehand; `branchwise.defend` chooses among them, all
        else takes the problem as it is without them.
    defense_budget
        How much the opponent may spend on defenses: a number, or `UNLIMITED`.
    parameters
        The named parameters, or numbers by their names. Those that numbers of the
        problem are computed from need not be listed.
    hidden
        Facts that are settled from the start and never seen directly; each may depend
        on those before it.
    counters
        Whole numbers that outcomes change.
    finish
        Where a plan may stop; elsewhere only where nothing can be done. None: anywhere.
    objective
        ``most-reward``, or ``least-cost``: make the expected cost least (of the one
        resource, or ``cost_weight`` times each), which needs ``finish``.
    unfinished
        With ``least-cost``: what counts as the cost of ending where ``finish`` does
        not hold, on top of what was spent.

    Examples
    --------
    >>> test = Action("test", outcomes={"good": 0.4, "bad": 0.6})
    >>> drill = Action(
    ...     "drill", outcomes={"oil": 0.5, "dry": 0.5}, requires=test["good"]
    ... )
    >>> problem = Problem([test, drill], [Reward(drill["oil"], 200)], budget=2)
    >>> print(problem.action("drill").requires)
    test=good
    """

    actions: tuple[Action, ...]
    rewards: tuple[Reward, ...]
    budget: Budget
    name: str
    combine: Combine
    cost_weight: Amounts
    defenses: tuple[Defense, ...]
    defense_budget: Limit
    parameters: ByName[NamedParameter]
    hidden: tuple[Hidden, ...]
    counters: tuple[Counter, ...]
    finish: Condition | None
    objective: Purpose
    unfinished: Fraction | None
    # Whether `validate` is known to find no error, so that it need not look again.
    is_known_sound: bool = field(repr=False, compare=False, init=False)
    # What `features_of` has found, so that it need not look again; None before.
    known_features: tuple[str, ...] | None = field(
        repr=False, compare=False, init=False
    )

    # Every argument past the first two has a name and a default.
    def __init__(  # noqa: PLR0913
        self,
        actions: Iterable[Action],
        rewards: Iterable[Reward] = (),
        *,
        budget: Budget | Number | Mapping[str, Number] = UNLIMITED,
        name: str = "",
        combine: Combine = "max",
        cost_weight: Number | Mapping[str, Number] = 0,
        defenses: Iterable[Defense] = (),
        defense_budget: Number = UNLIMITED,
        parameters: Mapping[str, Number] | Sequence[NamedParameter] = (),
        hidden: Iterable[Hidden] = (),
        counters: Iterable[Counter] = (),
        finish: Condition | str | None = None,
        objective: Purpose = "most-reward",
        unfinished: Number | None = None,
    ) -> None:
        limits = budget if isinstance(budget, Budget) else Budget(budget)
        actions = _each("actions", actions, Action)
        rewards = _each("rewards", rewards, Reward)
        defenses = _each("defenses", defenses, Defense)
        if len(limits) == 1 and not limits.is_plain:
            # With one resource there is no doubt what a plain cost counts.
            (resource,) = limits
            actions = _paid_in(resource, actions)
            defenses = (defense.paid_in(resource) for defense in defenses)
        if not isinstance(cost_weight, Mapping):
            cost_weight = dict.fromkeys(limits, cost_weight)
        object.__setattr__(self, "actions", tuple(actions))
        object.__setattr__(self, "rewards", tuple(rewards))
        object.__setattr__(self, "budget", limits)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "combine", combine)
        object.__setattr__(self, "cost_weight", Amounts(cost_weight))
        object.__setattr__(self, "defenses", tuple(defenses))
        object.__setattr__(self, "defense_budget", as_limit(defense_budget))
        where = None if finish is None else as_condition(finish)
        object.__setattr__(self, "hidden", _each("hidden", hidden, Hidden))
        object.__setattr__(self, "counters", _each("counters", counters, Counter))
        object.__setattr__(self, "finish", where)
        object.__setattr__(self, "objective", objective)
        object.__setattr__(
            self, "unfinished", None if unfinished is None else exact(unfinished)
        )
        object.__setattr__(self, "parameters", self._all_parameters(parameters))
        object.__setattr__(self, "is_known_sound", False)
        object.__setattr__(self, "known_features", None)

    def __hash__(self) -> int:
        """Return a hash of all that is compared, found once: it takes a while."""
        try:
            return self._known_hash
        except AttributeError:
            compared = (each.name for each in fields(self) if each.compare)
            found = hash(tuple(getattr(self, name) for name in compared))
            object.__setattr__(self, "_known_hash", found)
            return found

    def __str__(self) -> str:
        """The name, and what there is of everything, on one line."""
        counts = (
            (self.actions, "action"), (self.rewards, "reward"),
            (self.hidden, "hidden fact"), (self.counters, "counter"),
            (self.defenses, "defense"),
        )  # fmt: skip
        said = [f"{len(n)} {what}{'s' * (len(n) != 1)}" for n, what in counts if n]
        return (
            f"{self.name or 'Problem'}: {', '.join([*said, f'budget {self.budget}'])}"
        )

    def _repr_html_(self) -> str:
        """Show the problem in a notebook."""
        return shown_in_notebook(self)

    def note_sound(self) -> None:
        """Note that no part of this contradicts another; it never will."""
        object.__setattr__(self, "is_known_sound", True)

    def note_features(self, features: tuple[str, ...]) -> None:
        """Note what its states hold besides outcomes; that never changes."""
        object.__setattr__(self, "known_features", features)

    def action(self, name: str) -> Action:
        """Find an action by its name."""
        return _named(name, self.actions, "action")

    def defense(self, name: str) -> Defense:
        """Find a defense by its name."""
        return _named(name, self.defenses, "defense")

    def hidden_fact(self, name: str) -> Hidden:
        """Find a hidden fact by its name."""
        return _named(name, self.hidden, "hidden fact")

    def counter(self, name: str) -> Counter:
        """Find a counter by its name."""
        return _named(name, self.counters, "counter")

    @property
    def is_least_cost(self) -> bool:
        """Whether what counts is the cost of finishing, and no reward."""
        return self.objective == "least-cost"

    @property
    def charge_weight(self) -> Amounts:
        """
        What the objective loses by each unit of a resource that is spent.

        This is ``cost_weight``; but where the least cost is wanted and nothing is said,
        the one resource counts as it is.
        """
        if self.is_least_cost and not self.cost_weight:
            return Amounts(dict.fromkeys(self.budget, 1))
        return self.cost_weight

    def events(self) -> Iterator[Happened]:
        """Return every outcome of every action, in order."""
        return (Happened(a.name, label) for a in self.actions for label in a.labels)

    def conditions(self) -> Iterator[Condition]:
        """Return every condition, but not those within hidden facts and defenses."""
        for action in self.actions:
            yield action.requires
            yield action.precluded_by
            yield from (clause.when for clause in action.given)
        yield from (reward.when for reward in self.rewards)
        if self.finish is not None:
            yield self.finish

    def with_action(self, changed: Action) -> Problem:
        """Return the problem in which an action is another of the same name."""
        actions = (changed if a.name == changed.name else a for a in self.actions)
        return replace(self, actions=tuple(actions))

    def with_budget(self, budget: Budget | Number | Mapping[str, Number]) -> Problem:
        """
        Return the same problem with another budget.

        A mapping changes the resources it names and keeps the others.
        """
        if isinstance(budget, Mapping):
            for resource in budget:
                if resource not in self.budget:
                    hint = did_you_mean(resource, list(self.budget))
                    raise ValueError(f"there is no resource {resource!r}{hint}")
            changed = Budget({**self.budget, **Budget(budget)})
        elif len(self.budget) == 1:
            changed = Budget(dict.fromkeys(self.budget, budget))
        else:
            names = ", ".join(self.budget)
            raise ValueError(f"say which resource the budget is of: {names}")
        return replace(self, budget=changed)

    def with_parameters(
        self, values: Mapping[str, Number] | None = None, /, **more: Number
    ) -> Problem:
        """
        Return the problem with other values of named parameters.

        Whatever is computed from them is computed again.

        Examples
        --------
        >>> rate = NamedParameter("rate", "0.3")
        >>> test = Action("test", outcomes={"yes": rate / 2, "no": "rest"})
        >>> changed = Problem([test]).with_parameters(rate=0.5)
        >>> changed.action("test").outcome("no").probability == Fraction(3, 4)
        True
        """
        values = {**(values or {}), **more}
        for name in values:
            if name not in self.parameters:
                hint = did_you_mean(name, list(self.parameters))
                raise ValueError(f"there is no parameter {name!r}{hint}")
        known: dict[str, Expression] = {
            name: NamedParameter(name, as_expression(value))
            for name, value in values.items()
        }

        def change(parameter: NamedParameter) -> Expression:
            if parameter.name not in known:
                definition = parameter.definition.renewed(change)
                known[parameter.name] = parameter.with_parts((definition,))
            return known[parameter.name]

        return self._renewed(change)

    def _renewed(self, change: Callable[[NamedParameter], Expression]) -> Problem:
        renew = renewal(change)
        changed = (change(each) for each in self.parameters.values())
        return replace(
            self,
            actions=tuple(action.renewed(renew) for action in self.actions),
            rewards=tuple(reward.renewed(renew) for reward in self.rewards),
            budget=self.budget.renewed(renew),
            cost_weight=self.cost_weight.renewed(renew),
            defenses=tuple(defense.renewed(renew) for defense in self.defenses),
            defense_budget=renewed_limit(self.defense_budget, renew),
            hidden=tuple(fact.renewed(renew) for fact in self.hidden),
            counters=tuple(counter.renewed(renew) for counter in self.counters),
            finish=None
            if self.finish is None
            else renewed_condition(self.finish, renew),
            unfinished=None if self.unfinished is None else renew(self.unfinished),
            parameters=ByName(
                (each.name, each)
                for each in changed
                if isinstance(each, NamedParameter)
            ),
        )

    def used_parameters(self) -> Iterator[NamedParameter]:
        """Return what numbers of the problem are computed from; some may come twice."""
        seen: set[int] = set()
        for number in self._numbers():
            expression = expression_of(number)
            if isinstance(expression, Expression) and id(expression) not in seen:
                seen.add(id(expression))
                yield from expression.parameters()

    def _numbers(self) -> Iterator[object]:
        yield from self.budget.values()
        for action in self.actions:
            yield from action.numbers()
        for reward in self.rewards:
            yield from (reward.value, reward.low, reward.high)
            yield from computed_numbers(reward.when)
        yield from self.cost_weight.numbers()
        yield self.defense_budget
        for defense in self.defenses:
            yield from defense.numbers()
        for fact in self.hidden:
            yield from fact.numbers()
        for counter in self.counters:
            yield from (counter.low, counter.high, counter.start)
        if self.finish is not None:
            yield from computed_numbers(self.finish)
        yield self.unfinished

    def _all_parameters(
        self, stated: Mapping[str, Number] | Sequence[NamedParameter]
    ) -> ByName[NamedParameter]:
        if isinstance(stated, Mapping):
            stated = [
                n if isinstance(n, NamedParameter) else NamedParameter(name, n)
                for name, n in stated.items()
            ]
        if not Formula.exist:
            return ByName({each.name: each for each in stated})
        stated = list(stated)
        above = [p for each in stated for p in each.parameters()]
        return ByName(with_all(stated, [*above, *self.used_parameters()]))

    def reward(self, outcomes: Mapping[str, Collection[str]]) -> Fraction:
        """
        Return the reward for stopping, given the outcomes each action has had.

        Where there are hidden facts, they are to be given as well (`Facts.assuming`).
        """
        paid = (reward.paid(outcomes) for reward in self.rewards)
        values = [value for value in paid if value is not None]
        if self.combine == "sum":
            return sum(values, Fraction(0))
        return max(values, default=Fraction(0))


def a_problem(problem: Any) -> Problem:
    """Return a problem as it is; refuse what is none."""
    if isinstance(problem, str | os.PathLike):
        raise TypeError(read_first(problem))
    if not isinstance(problem, Problem | type) and hasattr(problem, "root"):
        raise TypeError(
            "this takes a problem, not a state space of your own, in which actions and "
            "rewards have no numbers by name\n    fix: `solve`, `simulate`, `explain`, "
            "`evaluate`, `outlook`, `certify` and `Follower` take a state space"
        )
    fix = "make one, or read it with `branchwise.read(path)`"
    return a_kind("the problem", problem, Problem, fix)


def read_first(path: str | os.PathLike[str]) -> str:
    """Return what to do with the path of a file where a problem is wanted."""
    shown = os.fspath(path)
    what = f"the problem is a Problem, not {shown!r}"
    return f"{what}\n    fix: read the file first: branchwise.read({shown!r})"


def _named(name: str, known: Iterable[N], kind: str) -> N:
    for each in known:
        if each.name == name:
            return each
    hint = did_you_mean(name, [each.name for each in known])
    raise KeyError(f"there is no {kind} {name!r}{hint}")


def _paid_in(resource: str, actions: Sequence[Action]) -> Iterable[Action]:
    """Count costs that name no resource in this one; what is shared stays shared."""
    costs = {id(cost): cost for action in actions for cost in action.every_cost()}
    paid = {key: cost.paid_in(resource) for key, cost in costs.items()}
    if all(paid[key] is cost for key, cost in costs.items()):
        return actions
    return (action.with_costs(lambda cost: paid[id(cost)]) for action in actions)


def _each(name: str, given: Iterable[T], kind: type[T]) -> tuple[T, ...]:
    """Return what was given, if all of it is of one kind."""
    fix = f"make each one with `{kind.__name__}(...)`"
    if not isinstance(given, Iterable):
        raise TypeError(f"{name} is a list, not {given!r}\n    fix: {fix}")
    found = tuple(given)
    for each in found:
        if not isinstance(each, kind):
            a_kind(f"each of {name}", each, kind, fix)
    return found
