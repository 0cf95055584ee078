"""The dependency graph of a problem: what needs what, and what rules out what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from string import ascii_uppercase
from typing import ClassVar, Final, TypeGuard

from branchwise.model.action import Action
from branchwise.model.conditions.condition import (
    NEVER,
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Comparison,
    Condition,
    Happened,
    Leaf,
    Not,
)
from branchwise.model.conditions.quantity import Count, CounterValue
from branchwise.model.outcome import Ending
from branchwise.model.problem import Problem, Reward


@dataclass(frozen=True, slots=True)
class Gate:
    """How the conditions that lead to a gate are put together."""

    words: str
    is_count: bool = False  # whether so many of them have to hold

    AND: ClassVar[Gate]
    OR: ClassVar[Gate]
    ALWAYS: ClassVar[Gate]
    NEVER: ClassVar[Gate]

    @classmethod
    def of(cls, condition: Condition) -> Gate:
        """Return the gate of a condition of several parts, or of none."""
        if isinstance(condition, AtLeast):
            words = f"{condition.count} OF {len(condition.conditions)}"
            return cls(words, is_count=True)
        if isinstance(condition, Comparison | Happened | Attempted):
            return cls(str(condition))  # What a counter or a hidden fact is.
        is_all = isinstance(condition, AllOf)
        if not condition.parts():
            return cls.ALWAYS if is_all else cls.NEVER
        return cls.AND if is_all else cls.OR


Gate.AND, Gate.OR = Gate("AND"), Gate("OR")
Gate.ALWAYS, Gate.NEVER = Gate("ALWAYS"), Gate("NEVER")

# What concerns so many actions alike is drawn once, and not as a line to each.
_MANY: Final = 3

_FINISH: Final = Gate("FINISH")
_ENDINGS: Final = {"keep": Gate("THE END"), "lose": Gate("THE END, ALL IS LOST")}


class Relation(Enum):
    """What the source of a link is to its target."""

    NEEDS = "needs"  # the target needs it
    RULES_OUT = "rules out"  # the target needs that it does not hold
    CHANGES = "changes"  # it changes the probabilities or the cost of the target


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of the dependency graph."""

    source: int
    target: int
    outcome: str | None  # None where any will do, or for a gate
    relation: Relation  # what the source is to the target


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The dependency graph: actions in order, then rewards, then gates, by number."""

    items: tuple[Action | Reward | Gate, ...]
    links: tuple[Link, ...]
    own: dict[int, tuple[str, ...]]  # outcomes by which actions rule themselves out
    shared: dict[int, str]  # the letter of what rules out an action and many others
    has_ending_boxes: bool  # whether endings have boxes, or else their outcomes say so


def dependencies(problem: Problem) -> Dependencies:
    """
    Return the dependency graph of a problem.

    A condition of several parts is a gate, and equal conditions share theirs. What must
    not hold is a link that rules out, so that there is no gate for `not`.
    """
    builder = _Builder(problem)
    letters = shared_preclusions(problem)
    has_ending_boxes = _num_endings(problem) < _MANY
    for number, action in enumerate(problem.actions):
        builder.needs(action.requires, number)
        if action.precluded_by in letters:
            builder.rules_out_many(action.precluded_by, letters[action.precluded_by])
        else:
            builder.rules_out(action.precluded_by, number)
        for clause in action.given:
            for leaf in clause.when.leaves():
                builder.changes(leaf, number)
        for outcome in action.outcomes:
            if outcome.ends is not None and has_ending_boxes:
                event = Happened(action.name, outcome.label)
                builder.link(event, builder.ending(outcome.ends), Relation.NEEDS)
    builder.purpose()
    return Dependencies(
        tuple(builder.items),
        tuple(builder.links),
        builder.own,
        {
            number: letters[action.precluded_by]
            for number, action in enumerate(problem.actions)
            if action.precluded_by in letters
        },
        has_ending_boxes,
    )


def shared_preclusions(problem: Problem) -> dict[Condition, str]:
    """
    Return what rules out many actions alike, with a letter for each.

    It is drawn and listed once; the actions have its letter.
    """
    counts = Counter(action.precluded_by for action in problem.actions)
    many = [c for c, times in counts.items() if times >= _MANY and c != NEVER]
    return {condition: _letter(number) for number, condition in enumerate(many)}


def _letter(number: int) -> str:
    more, letter = divmod(number, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(more) if more else "")


def _num_endings(problem: Problem) -> int:
    return sum(o.ends is not None for a in problem.actions for o in a.outcomes)


class _Builder:
    """A dependency graph in the making."""

    def __init__(self, problem: Problem) -> None:
        self.items: list[Action | Reward | Gate] = [*problem.actions, *problem.rewards]
        self.numbers = {action.name: i for i, action in enumerate(problem.actions)}
        self._problem = problem
        self._endings: dict[Ending, int] = {}
        self._counters: dict[str, int] = {}
        self.links: dict[Link, None] = {}
        self.gates: dict[Condition, int] = {}
        self._many: dict[Condition, int] = {}
        self.own: dict[int, tuple[str, ...]] = {}

    def needs(self, condition: Condition, target: int) -> None:
        """Let a condition lead to an item that needs it."""
        if self._is_event(condition):
            self.link(condition, target, Relation.NEEDS)
        elif isinstance(condition, Not):
            self.rules_out(condition.condition, target)
        elif condition != AllOf(()):
            self.leads(self.gate(condition), target, Relation.NEEDS)

    def rules_out(self, condition: Condition, target: int) -> None:
        """Let a condition lead to an item that needs that it does not hold."""
        if self._is_event(condition):
            self.link(condition, target, Relation.RULES_OUT)
        elif isinstance(condition, Not):
            self.needs(condition.condition, target)
        elif isinstance(condition, AnyOf) and self._wants_all(target):
            for part in condition.conditions:
                self.rules_out(part, target)
        else:
            self.leads(self.gate(condition), target, Relation.RULES_OUT)

    def rules_out_many(self, condition: Condition, letter: str) -> None:
        """Let a condition lead to one box for all the actions that it rules out."""
        if condition in self._many:
            return
        number = self._many[condition] = len(self.items)
        count = sum(a.precluded_by == condition for a in self._problem.actions)
        self.items.append(Gate(f"{letter}: RULES OUT {count}"))
        alone = isinstance(condition, AnyOf)
        for part in condition.parts() if alone else (condition,):
            if self._is_event(part):
                self.link(part, number, Relation.RULES_OUT)
            else:
                self.leads(self.gate(part), number, Relation.RULES_OUT)

    def _wants_all(self, target: int) -> bool:
        """Return whether what leads to an item has to be so all at once."""
        item = self.items[target]
        return not isinstance(item, Gate) or item == Gate.AND

    def link(
        self, mention: Happened | Attempted, target: int, relation: Relation
    ) -> None:
        source = self.numbers[mention.action]
        outcome = mention.outcome if isinstance(mention, Happened) else None
        if source != target:
            self.links[Link(source, target, outcome, relation)] = None
        elif relation is Relation.RULES_OUT and outcome is not None:
            self.own[target] = (*self.own.get(target, ()), outcome)

    def changes(self, leaf: Leaf, target: int) -> None:
        """Let what a clause asks for change the probabilities of its action."""
        if self._is_event(leaf):
            self.link(leaf, target, Relation.CHANGES)
        else:
            self.leads(self.gate(leaf), target, Relation.CHANGES)

    def ending(self, kind: Ending) -> int:
        """Return the box of an ending, which is drawn once for all that lead to it."""
        if kind not in self._endings:
            self._endings[kind] = len(self.items)
            self.items.append(_ENDINGS[kind])
        return self._endings[kind]

    def purpose(self) -> None:
        """Let what is paid for lead to rewards, and where one may stop to a box."""
        rewards = self._problem.rewards
        for number, reward in enumerate(rewards, start=len(self.numbers)):
            if reward.per is not None:
                self.leads(self.counter(reward.per), number, Relation.CHANGES)
            elif reward.when == AllOf(()):
                self.leads(self.gate(reward.when), number, Relation.NEEDS)
            self.needs(reward.when, number)
        if self._problem.finish is not None:
            self.items.append(_FINISH)
            self.needs(self._problem.finish, len(self.items) - 1)

    def counter(self, name: str) -> int:
        """Return the box of a counter that is paid for, with all that moves it."""
        if name not in self._counters:
            self._counters[name] = len(self.items)
            self.items.append(Gate(name))
            self._move(name, self._counters[name])
        return self._counters[name]

    def _is_event(self, condition: Condition) -> TypeGuard[Happened | Attempted]:
        """Whether it is about an action, and not about a hidden fact."""
        if not isinstance(condition, Happened | Attempted):
            return False
        return condition.action in self.numbers

    def _lead_to(self, leaf: Leaf, number: int) -> None:
        """Let all that moves a quantity lead to what compares it."""
        quantity = leaf.quantity if isinstance(leaf, Comparison) else None
        if isinstance(quantity, Count):
            self.link(quantity.counted, number, Relation.CHANGES)
        elif isinstance(quantity, CounterValue):
            self._move(quantity.counter, number)

    def _move(self, counter: str, number: int) -> None:
        """Let all that changes a counter lead to an item."""
        for action in self._problem.actions:
            if counter in action.effects:
                self.link(Attempted(action.name), number, Relation.CHANGES)
            for outcome in action.outcomes:
                if counter in outcome.effects:
                    event = Happened(action.name, outcome.label)
                    self.link(event, number, Relation.CHANGES)

    def leads(self, gate: int, target: int, relation: Relation) -> None:
        self.links[Link(gate, target, None, relation)] = None

    def gate(self, condition: Condition) -> int:
        """Return the gate of a condition of several parts, made where it is missing."""
        if condition in self.gates:
            return self.gates[condition]
        number = self.gates[condition] = len(self.items)
        self.items.append(Gate.of(condition))
        if isinstance(condition, Comparison):
            self._lead_to(condition, number)
        for part in condition.parts():
            self.needs(part, number)
        return number
