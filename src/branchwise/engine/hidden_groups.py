"""Hidden facts as the core wants them: in groups, with what tells about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from branchwise.engine.quantities import MOST_UNITS
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    Comparison,
    Condition,
    Leaf,
    all_of,
    settled,
)
from branchwise.model.hidden import Assignment, Hidden, assignments
from branchwise.model.problem import Problem
from branchwise.space.packed import most_attempts

_MOST_VARIANTS: Final = 64
_MOST_ASSIGNMENTS: Final = 4_096

_Pending = list[tuple[Condition, int | None]]
"""The clauses that may still count, each with its number; last, that none does."""


class Group(NamedTuple):
    """Hidden facts that something asks about together."""

    facts: tuple[Hidden, ...]
    assignments: tuple[Assignment, ...]


class Observed(NamedTuple):
    """What decides the outcomes of an action, as far as it can be seen."""

    when: Condition  # The first that holds counts; the last always does
    clauses: tuple[int | None, ...]  # By assignment: the clause that counts, or none


class HiddenGroups:
    """The hidden facts of a problem, apart where nothing asks about them together."""

    def __init__(self, problem: Problem) -> None:
        self._facts = {fact.name: fact for fact in problem.hidden}
        self._is_sum = problem.combine == "sum"
        self.groups = [self._group(names) for names in self._connected(problem)]
        self._number = {
            fact.name: number
            for number, group in enumerate(self.groups)
            for fact in group.facts
        }

    def _group(self, names: set[str]) -> Group:
        facts = tuple(fact for name, fact in self._facts.items() if name in names)
        found = assignments(facts)
        if len(found) > _MOST_ASSIGNMENTS:
            raise LimitError(
                f"there are more than {_MOST_ASSIGNMENTS:,} ways in which hidden facts "
                "that are asked about together may be"
            )
        return Group(facts, found)

    def _connected(self, problem: Problem) -> list[set[str]]:
        """Unite facts that depend on each other or are asked about together."""
        asked = [self._named(self._conditions_of(action)) for action in problem.actions]
        paid = [self._named([reward.when]) for reward in problem.rewards]
        if not self._is_sum:
            paid = [set().union(*paid)]  # The best one counts, so all go together.
        asked += paid
        used = set().union(*asked)
        depends = [
            {fact.name, *self._named(each.when for each in fact.given)}
            for fact in problem.hidden
        ]
        found: list[set[str]] = []
        for names in [*asked, *depends]:
            if names:
                touched = [each for each in found if each & names]
                found = [each for each in found if not each & names]
                found.append(names.union(*touched))
        return [each for each in found if each & used]

    @staticmethod
    def _conditions_of(action: Action) -> list[Condition]:
        return [clause.when for clause in action.given]

    def _named(self, conditions: Iterable[Condition]) -> set[str]:
        if not self._facts:
            return set()
        mentioned = (leaf.action for each in conditions for leaf in each.mentions())
        return {name for name in mentioned if name in self._facts}

    def group_of(self, conditions: Iterable[Condition]) -> int | None:
        """Return the number of the group that conditions ask about; None if none."""
        named = self._named(conditions)
        return self._number[min(named)] if named else None

    def group_of_action(self, action: Action) -> int | None:
        """Return the number of the group that decides what comes of an action."""
        return self.group_of(self._conditions_of(action))

    def seen(self, condition: Condition, group: int) -> list[Condition]:
        """Return what can be seen of a condition, by assignment of a group."""
        return [self._seen(condition, each) for each in self.groups[group].assignments]

    def _seen(self, condition: Condition, assignment: Assignment) -> Condition:
        had = {name: (label,) for name, label in assignment.labels.items()}
        return settled(condition, had, self._can_be_seen)

    def _can_be_seen(self, leaf: Leaf) -> bool:
        return isinstance(leaf, Comparison) or leaf.action not in self._facts

    def observed(self, action: Action, group: int) -> list[Observed]:
        """Return what decides the outcomes of an action, as far as it can be seen."""
        by_assignment: list[_Pending] = []
        clauses = [self.seen(clause.when, group) for clause in action.given]
        for number in range(len(self.groups[group].assignments)):
            pending: _Pending = [
                (conditions[number], clause)
                for clause, conditions in enumerate(clauses)
                if conditions[number] != NEVER
            ]
            by_assignment.append([*pending, (ALWAYS, None)])
        found = []
        for each in _split(by_assignment, ()):
            found.append(each)
            if len(found) > _MOST_VARIANTS:
                raise LimitError(
                    f"the clauses of {action.name} ask in more than {_MOST_VARIANTS} "
                    "ways about what can be seen and what is hidden"
                )
        return found


def _split(
    pending: Sequence[_Pending], holds: tuple[Condition, ...]
) -> Iterator[Observed]:
    """Decide one condition after another until it is known which clauses count."""
    # Where a condition does not hold comes after all cases in which it does, so that
    # nothing need be said about it there.
    heads = [rest[0] for rest in pending]
    asked = next((when for when, _ in heads if when != ALWAYS), None)
    if asked is None:
        yield Observed(all_of(*holds), tuple(clause for _, clause in heads))
        return
    true = [
        [(ALWAYS if when == asked else when, clause) for when, clause in rest]
        for rest in pending
    ]
    yield from _split(true, (*holds, asked))
    false = [[each for each in rest if each[0] != asked] for rest in pending]
    yield from _split(false, holds)


@lru_cache(maxsize=64)
def hidden_groups(problem: Problem) -> HiddenGroups:
    """Return the hidden facts of a problem in groups."""
    return HiddenGroups(problem)


Vector = tuple[Fraction, ...]
"""A number for each assignment of a group."""


def signal_of(likelihoods: Vector) -> Vector | None:
    """
    Return what an outcome tells, up to scale; None if it tells nothing.

    >>> [str(number) for number in signal_of((Fraction(9, 10), Fraction(1, 5)))]
    ['1', '2/9']
    >>> signal_of((Fraction(1, 2), Fraction(1, 2)))
    """
    largest = max(likelihoods)
    if min(likelihoods) == largest:
        return None
    return tuple(each / largest for each in likelihoods)


def tells_for_good(signal: Vector) -> bool:
    """Whether meeting a signal once more tells nothing new."""
    return all(each in {0, 1} for each in signal)


class Terms(NamedTuple):
    """What comes of an action in one case that can be told apart."""

    when: Condition
    clause: int | None  # One that may count; the others cost the same
    likelihoods: tuple[Vector, ...]  # By outcome

    def chances(self, group: Group) -> list[Fraction]:
        """Return how likely outcomes are before anything is known."""
        weights = [each.probability for each in group.assignments]
        return [
            sum(map(mul, weights, likelihoods), Fraction(0))
            for likelihoods in self.likelihoods
        ]


class Telling(NamedTuple):
    """An action of which the outcomes depend on hidden facts."""

    group: int
    terms: list[Terms]

    def signals(self) -> Iterator[Vector]:
        """Return what its outcomes tell."""
        for terms in self.terms:
            for likelihoods in terms.likelihoods:
                if (signal := signal_of(likelihoods)) is not None:
                    yield signal


def telling_of(action: Action, groups: HiddenGroups) -> Telling | None:
    """Return what an action tells; None if it does not ask about hidden facts."""
    group = groups.group_of_action(action)
    if group is None:
        return None
    found = []
    for when, clauses in groups.observed(action, group):
        vectors = zip(*(_chances(action, clause) for clause in clauses), strict=True)
        found.append(Terms(when, clauses[0], tuple(vectors)))
    return Telling(group, found)


def _chances(action: Action, clause: int | None) -> list[Fraction]:
    given = None if clause is None else action.given[clause]
    known = {o.label: o.probability for o in action.under(given)[1]}
    return [known.get(label, Fraction(0)) for label in action.labels]


class Signals:
    """What the outcomes of a problem's actions tell, each kind a counter."""

    def __init__(self, problem: Problem, first_number: int) -> None:
        self.groups = hidden_groups(problem)
        self.telling = {
            action.name: found
            for action in problem.actions
            if problem.hidden and (found := telling_of(action, self.groups)) is not None
        }
        """By name: the actions whose outcomes depend on hidden facts."""
        self.sizes: dict[tuple[int, Vector], int] = {}
        """By group and signal: how often it may be met, as far as that matters."""
        for action in problem.actions:
            if action.name in self.telling:
                self._add(self.telling[action.name], most_attempts(problem, action))
        self._numbers = {each: n for n, each in enumerate(self.sizes, first_number)}

    def _add(self, telling: Telling, attempts: int) -> None:
        for signal in set(telling.signals()):
            at = telling.group, signal
            most = self.sizes.get(at, 0) + attempts
            self.sizes[at] = min(most, 1 if tells_for_good(signal) else MOST_UNITS)

    def informers(self, group: int) -> list[str]:
        """Return the actions that tell about a group."""
        return [
            name
            for name, telling in self.telling.items()
            if telling.group == group and next(telling.signals(), None) is not None
        ]

    def effects(self, group: int, terms: Terms) -> list[list[tuple[int, int]]]:
        """Return which signals are met, by outcome, as effects on their counters."""
        signals = map(signal_of, terms.likelihoods)
        return [
            [] if signal is None else [(self._numbers[group, signal], 1)]
            for signal in signals
        ]
