"""What actions cost and what the goal is worth, where that can be expressed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from branchwise.formats.foreign.ppddl.formula import Binding, value_of
from branchwise.formats.foreign.ppddl.lists import Group, Part, Word, group_of, word_of
from branchwise.formats.foreign.ppddl.planning import Atom, Planning
from branchwise.model.numbers.number import exact

_CHANGES: Final = frozenset(
    {"increase", "decrease", "assign", "scale-up", "scale-down"}
)
_TOTAL: Final = "total-cost"
_REWARD: Final = "reward"


class Costs:
    """
    Reads costs of actions: what they surely add to one function, or take off rewards.

    Attributes
    ----------
    is_least
        Whether the metric asks for the least of these costs.
    is_reward
        Whether it asks for the most rewards: the goal's less these costs.
    left_out
        Parts of the file about numbers that cannot be expressed.
    """

    def __init__(self, planning: Planning) -> None:
        self._planning = planning
        self.is_least = self.is_reward = False
        self.left_out: list[Group] = []
        self._function = _TOTAL
        self._expressed: set[int] = set()
        if planning.metric is not None:
            self._take_metric(planning.metric)
        self._changing = {
            _function_of(change)
            for schema in planning.schemas
            if schema.effect is not None
            for change in _changes_in(schema.effect)
        }

    def of(self, effect: Group | None, binding: Binding) -> Fraction:
        """Return what an action costs, whatever comes of it."""
        total = Fraction(0)
        for change in _sure_changes(effect):
            cost = self._cost(change, binding)
            if cost is not None:
                self._expressed.add(id(change))
                total += cost
        return total

    def changes_left_out(self) -> Iterator[Group]:
        """Yield the changes of numbers that are no costs of actions."""
        for schema in self._planning.schemas:
            if schema.effect is not None:
                for change in _changes_in(schema.effect):
                    if id(change) not in self._expressed:
                        yield change

    def _take_metric(self, metric: Group) -> None:
        match metric.parts[1:]:
            case (Word("minimize"), Group() as asked) if len(asked.parts) == 1:
                self._function, self.is_least = asked.head, True
            case (Word("maximize"), Group((Word("reward"),))):
                self._function, self.is_reward = _REWARD, True
            case _:
                self.left_out.append(metric)

    def _cost(self, change: Group, binding: Binding) -> Fraction | None:
        wanted = "decrease" if self.is_reward else "increase"
        if change.head != wanted or _function_of(change) != self._function:
            return None
        if len(change.parts) != 3:
            return None
        number = self._number(change.parts[2], binding)
        return number if number is not None and number >= 0 else None

    def _number(self, part: Part, binding: Binding) -> Fraction | None:
        """Return a number that never changes; None for anything else."""
        if isinstance(part, Word):
            try:
                return exact(part.text)
            except ValueError:
                return None
        if part.head in self._changing or not part.parts:
            return None
        name, *arguments = part.parts
        if any(isinstance(each, Group) for each in arguments):
            return None
        values = (value_of(each, binding) for each in arguments)
        atom: Atom = (word_of(name, "a function"), *values)
        return self._planning.numbers.get(atom)


def _sure_changes(effect: Group | None) -> Iterator[Group]:
    """Yield the changes of numbers that depend neither on chance nor on conditions."""
    if effect is None:
        return
    if effect.head in _CHANGES:
        yield effect
    elif effect.head == "and":
        for part in effect.parts[1:]:
            yield from _sure_changes(group_of(part, "an effect"))


def _changes_in(effect: Group) -> Iterator[Group]:
    if effect.head in _CHANGES:
        yield effect
        return
    for part in effect.parts[1:]:
        if isinstance(part, Group):
            yield from _changes_in(part)


def _function_of(change: Group) -> str:
    function = change.parts[1] if len(change.parts) > 1 else None
    return (
        function.head
        if isinstance(function, Group)
        else str(getattr(function, "text", ""))
    )
