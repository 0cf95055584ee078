"""Conditions: what must have happened, or must not have."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Any, Final, Literal, NoReturn, TypeVar

from branchwise.model.numbers.formula import Formula
from branchwise.model.numbers.number import Number, exact, number_text
from branchwise.records import dataclass

T = TypeVar("T")

BARE_NAME: Final = r"[^\s()=,\"'&|!<>]+"
_PARAMETER: Final = r"[^\W\d][\w.]*"  # as expressions write it without quotes
KEYWORDS: Final = frozenset({"and", "or", "not", "always", "never"})

COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    ">=": ge,
    "<=": le,
    ">": gt,
    "<": lt,
    "==": eq,
}
"""The signs of comparisons, and what they mean."""


class Condition(ABC):
    """
    A statement about what has happened so far.

    Combine conditions with ``&``, ``|`` and ``~``; ``str`` writes them as text
    that a problem file accepts.

    Examples
    --------
    >>> condition = Happened("a1", "ok") & ~Attempted("a3")
    >>> print(condition)
    a1=ok and not a3
    >>> condition.holds({"a1": ["ok"]})
    True
    """

    __slots__ = ()

    def __and__(self, other: Condition) -> Condition:
        return all_of(self, other)

    def __or__(self, other: Condition) -> Condition:
        return any_of(self, other)

    def __invert__(self) -> Condition:
        return negation(self)

    def __bool__(self) -> NoReturn:
        # Python's `and` would keep one of two conditions, and drop the other silently.
        raise TypeError(
            f"`{self}` is neither true nor false before anything has happened\n"
            "    fix: join conditions with `&`, `|` and `~`, each in parentheses: "
            "`(a) & (b)`; `a < b < c` is `(a < b) & (b < c)`"
        )

    @abstractmethod
    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether this holds, given the outcomes each action has had."""

    def parts(self) -> tuple[Condition, ...]:
        """Return the conditions directly inside this one."""
        return ()

    def mentions(self) -> Iterator[Happened | Attempted]:
        """
        Return every action or outcome named here, in the order of the text.

        A condition that stands in several places (one object, as Python builds them)
        is looked into once: its text may be too long to read.
        """
        for leaf in self.leaves():
            event = leaf.quantity.event if isinstance(leaf, Comparison) else leaf
            if event is not None:
                yield event

    def comparisons(self) -> Iterator[Comparison]:
        """Return every comparison with a number in here, in the order of the text."""
        return (leaf for leaf in self.leaves() if isinstance(leaf, Comparison))

    def leaves(self) -> Iterator[Leaf]:
        """Return what it is put together from; see `mentions`."""
        if isinstance(self, Happened | Attempted | Comparison):
            yield self
            return
        pending: list[Condition] = [self]
        seen: set[int] = set()
        while pending:
            condition = pending.pop()
            if isinstance(condition, Happened | Attempted | Comparison):
                yield condition
            elif id(condition) not in seen:
                seen.add(id(condition))
                pending.extend(reversed(condition.parts()))

    def __str__(self) -> str:
        return _text(self)


@dataclass(frozen=True, slots=True)
class Happened(Condition):
    """The action has come out this way, at least once."""

    action: str
    outcome: str

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether the outcome is among those the action has had."""
        return self.outcome in outcomes.get(self.action, ())


@dataclass(frozen=True, slots=True)
class Attempted(Condition):
    """The action has been taken, whatever came of it."""

    action: str

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether the action has had any outcome."""
        return bool(outcomes.get(self.action, ()))


class Quantity(ABC):
    """A number that changes on the way; compare it to make a condition."""

    __slots__ = ()

    @abstractmethod
    def measured(self, outcomes: Mapping[str, Collection[str]]) -> Fraction | float:
        """Return what it is, given the facts."""

    @property
    def event(self) -> Happened | Attempted | None:
        """What is counted, if it counts how often something has happened."""
        return None

    def __ge__(self, number: Number) -> Comparison:
        return comparison(self, ">=", number)

    def __le__(self, number: Number) -> Comparison:
        return comparison(self, "<=", number)

    def __gt__(self, number: Number) -> Comparison:
        return comparison(self, ">", number)

    def __lt__(self, number: Number) -> Comparison:
        return comparison(self, "<", number)

    def equals(self, number: Number) -> Comparison:
        """Return the condition that it is just so much."""
        return comparison(self, "==", number)


@dataclass(frozen=True, slots=True)
class Comparison(Condition):
    """A quantity is so much, or more or less; build it with ``>=`` and the like."""

    quantity: Quantity
    sign: str
    number: Fraction

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether the quantity compares so."""
        return COMPARISONS[self.sign](self.quantity.measured(outcomes), self.number)


def comparison(quantity: Quantity, sign: str, number: Number) -> Comparison:
    """Return the condition that a quantity compares so with a number."""
    if sign not in COMPARISONS:
        known = ", ".join(COMPARISONS)
        raise ValueError(f"{sign!r} does not compare anything; these do: {known}")
    return Comparison(quantity, sign, exact(number))


Leaf = Happened | Attempted | Comparison
"""What conditions are put together from."""


@dataclass(frozen=True, slots=True)
class _Several(Condition):
    conditions: tuple[Condition, ...]

    def parts(self) -> tuple[Condition, ...]:
        return self.conditions


@dataclass(frozen=True, slots=True)
class AllOf(_Several):
    """Every one of the conditions holds; build it with `all_of` or ``&``."""

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether every part holds."""
        return all(condition.holds(outcomes) for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class AnyOf(_Several):
    """At least one of the conditions holds; build it with `any_of` or ``|``."""

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether some part holds."""
        return any(condition.holds(outcomes) for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class AtLeast(_Several):
    """So many of the conditions hold, or more; build it with `at_least`."""

    count: int

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether enough parts hold."""
        return sum(part.holds(outcomes) for part in self.conditions) >= self.count

    @property
    def count_against(self) -> int:
        """How many parts must not hold for the whole not to hold."""
        return len(self.conditions) - self.count + 1

    @property
    def repeated(self) -> tuple[Condition, ...]:
        """The conditions that stand in it more than once."""
        found: dict[Condition, int] = {}
        for part in self.conditions:
            found[part] = found.get(part, 0) + 1
        return tuple(part for part, times in found.items() if times > 1)


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The condition does not hold; build it with ``~``."""

    condition: Condition

    def holds(self, outcomes: Mapping[str, Collection[str]]) -> bool:
        """Return whether the part does not hold."""
        return not self.condition.holds(outcomes)

    def parts(self) -> tuple[Condition, ...]:
        """Return the conditions directly inside this one."""
        return (self.condition,)


ALWAYS: Final = AllOf(())
NEVER: Final = AnyOf(())


# The builders keep one spelling per meaning (no nesting of like in like, no
# constants inside, no double negation), so that equal text is equal objects.


def all_of(*conditions: Condition) -> Condition:
    """
    Require every condition.

    Examples
    --------
    >>> print(all_of(Happened("a", "x"), Happened("b", "y") | Attempted("c")))
    a=x and (b=y or c)
    """
    parts = _flat(conditions, AllOf)
    if NEVER in parts:
        return NEVER
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def any_of(*conditions: Condition) -> Condition:
    """Require at least one condition."""
    parts = _flat(conditions, AnyOf)
    if ALWAYS in parts:
        return ALWAYS
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def at_least(count: int, *conditions: Condition) -> Condition:
    """
    Require so many of the conditions; one that is listed twice counts twice.

    Examples
    --------
    >>> some = at_least(2, Happened("a", "x"), Happened("b", "y"), Attempted("c"))
    >>> print(some)
    at least 2 of (a=x, b=y, c)
    >>> some.holds({"b": ["y"], "c": ["z"]})
    True
    """
    parts = [part for part in conditions if part not in (ALWAYS, NEVER)]
    count -= conditions.count(ALWAYS)
    if count <= 0:
        return ALWAYS
    if count > len(parts):
        return NEVER
    # What is listed twice is hardly meant: it stays, so that we can warn of it.
    if len(set(parts)) == len(parts) and count in {1, len(parts)}:
        return any_of(*parts) if count == 1 else all_of(*parts)
    return AtLeast(tuple(parts), count)


def joined_at_least(
    count: int,
    parts: Sequence[T],
    join_all: Callable[[list[T]], T],
    join_any: Callable[[list[T]], T],
) -> T:
    """
    Say `at_least` with `all` and `any` alone, for those who know nothing else.

    At least k of some parts hold if k of those after the first do, or if the first
    does and k - 1 of the others. Each "j of the parts from i on" is joined once and
    used twice, so that there are at most 2 k n joints, where writing out which k may
    hold would take a binomial number.

    Examples
    --------
    >>> joined_at_least(2, "abc", lambda x: "".join(x), lambda x: f"({'|'.join(x)})")
    '(bc|a(c|b))'
    """
    assert 1 <= count <= len(parts)
    # At place j: that j of the parts gone through hold; place 0 is always so.
    enough: list[T | None] = [None] * (count + 1)
    for place in reversed(range(len(parts))):
        for needed in range(count, max(0, count - place - 1), -1):
            fewer, without = enough[needed - 1], enough[needed]
            if needed > 1 and fewer is None:
                continue
            first = parts[place]
            taken = first if fewer is None else join_all([first, fewer])
            enough[needed] = taken if without is None else join_any([without, taken])
    found = enough[count]
    assert found is not None
    return found


def negation(condition: Condition) -> Condition:
    """Require that the condition does not hold."""
    match condition:
        case AllOf(()):
            return NEVER
        case AnyOf(()):
            return ALWAYS
        case Not(inner):
            return inner
    return Not(condition)


def _flat(
    conditions: Iterable[Condition], kind: type[AllOf] | type[AnyOf]
) -> list[Condition]:
    inside = (c.conditions if isinstance(c, kind) else (c,) for c in conditions)
    return [part for parts in inside for part in parts]


def rebuilt(
    condition: Condition,
    change: Callable[[Leaf, int], Condition],
    sign: int = 1,
) -> Condition:
    """Return a condition with its leaves changed, by their sign: -1 under a `not`."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            join = all_of if isinstance(condition, AllOf) else any_of
            return join(*(rebuilt(part, change, sign) for part in parts))
        case AtLeast(parts, count):
            return at_least(count, *(rebuilt(part, change, sign) for part in parts))
        case Not(inner):
            return negation(rebuilt(inner, change, -sign))
        case Happened() | Attempted() | Comparison():
            return change(condition, sign)
    raise TypeError(f"not a condition: {condition!r}")


def renewed_condition(
    condition: Condition, renew: Callable[[Fraction], Fraction]
) -> Condition:
    """Return a condition with what it compares with computed again."""
    if next(computed_numbers(condition), None) is None:
        return condition

    def changed(leaf: Leaf, _: int) -> Condition:
        if isinstance(leaf, Comparison):
            return Comparison(leaf.quantity, leaf.sign, renew(leaf.number))
        return leaf

    return rebuilt(condition, changed)


def computed_numbers(condition: Condition) -> Iterator[Formula]:
    """Return what a condition compares with and is computed from parameters."""
    if isinstance(condition, Happened | Attempted):
        return
    for leaf in condition.comparisons():
        if isinstance(leaf.number, Formula):
            yield leaf.number


def settled(
    condition: Condition,
    outcomes: Mapping[str, Collection[str]],
    is_open: Callable[[Leaf], bool],
) -> Condition:
    """
    Return what a condition still depends on, given the outcomes each action has had.

    What has not happened but still may is open, and so is a comparison that may come
    out differently later.

    >>> condition = Happened("a", "x") & ~(Happened("b", "y") | Attempted("c"))
    >>> print(settled(condition, {"a": ["x"]}, lambda fact: fact.action == "b"))
    not b=y
    """

    def left(leaf: Leaf, _: int) -> Condition:
        if isinstance(leaf, Comparison) and is_open(leaf):
            return leaf
        if leaf.holds(outcomes):
            return ALWAYS
        return leaf if is_open(leaf) else NEVER

    return rebuilt(condition, left)


def depth(condition: Condition) -> int:
    """Count how many levels deep a condition is nested."""
    if not condition.parts():
        return 1
    level, deepest = [condition], 0
    while level:
        deepest += 1
        # One object in several places is one here: there may be more places than
        # can be visited.
        parts = {id(part): part for outer in level for part in outer.parts()}
        level = list(parts.values())
    return deepest


def quoted(name: str) -> str:
    """
    Write a name, in quotes where it would otherwise be misread.

    >>> print(quoted("drill"), quoted("drill deep"), quoted("not"))
    drill "drill deep" "not"
    """
    # In Python a name may be a number by mistake, which has to be shown to be mended.
    text = str(name)
    is_bare = re.fullmatch(BARE_NAME, text) and text.casefold() not in KEYWORDS
    return text if is_bare else json.dumps(text, ensure_ascii=False)


def _text(condition: Condition, inside: Literal["", "and", "not"] = "") -> str:
    match condition:
        case Happened(action, outcome):
            return f"{quoted(action)}={quoted(outcome)}"
        case Attempted(action):
            return quoted(action)
        case Comparison(quantity, sign, number):
            return f"{quantity} {sign} {_number_text(number)}"
        case AllOf(()):
            return "always"
        case AnyOf(()):
            return "never"
        case Not(inner):
            return f"not {_text(inner, 'not')}"
        case AtLeast(conditions, count):
            return f"at least {count} of ({', '.join(map(_text, conditions))})"
        case AllOf(conditions):
            text = " and ".join(_text(part, "and") for part in conditions)
            return f"({text})" if inside == "not" else text
        case AnyOf(conditions):
            text = " or ".join(_text(part) for part in conditions)
            return f"({text})" if inside else text
    raise TypeError(f"not a condition: {condition!r}")


def _number_text(number: Fraction) -> str:
    """Write a number, or the name of one; what is computed stands in parentheses."""
    if not isinstance(number, Formula):
        return number_text(number)
    text = str(number.expression)
    is_name = re.fullmatch(_PARAMETER, text) and text.casefold() not in KEYWORDS
    return text if is_name else f"({text})"
