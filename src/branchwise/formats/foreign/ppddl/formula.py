"""Conditions and effects of an action whose parameters are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from branchwise.formats.foreign.ppddl.lists import Group, Part, Word, group_of, word_of
from branchwise.formats.foreign.ppddl.planning import Atom, Planning, typed
from branchwise.formats.source_text import excerpt, refuse
from branchwise.model.numbers.number import exact

Binding = Mapping[str, str]

_NUMERIC: Final = frozenset(
    {"increase", "decrease", "assign", "scale-up", "scale-down"}
)
_COMPARED: Final = frozenset({"<", ">", "<=", ">="})
_MOST_CASES: Final = 1_000
_MOST_QUANTIFIED: Final = 50_000


@dataclass(frozen=True, slots=True)
class Fact:
    """That a fact holds."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Negated:
    """That something does not hold."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Every:
    """That all of some hold; of none, always."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """That one of some holds; of none, never."""

    formulas: tuple[Formula, ...]


Formula = Fact | Negated | Every | Some

TRUE: Final = Every(())
FALSE: Final = Some(())


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that comes to hold, or no longer does, where a condition holds."""

    atom: Atom
    holds: bool
    when: Formula = TRUE


@dataclass(frozen=True, slots=True)
class Case:
    """What may come of an action: its probability, and what changes."""

    probability: Fraction
    changes: tuple[Change, ...] = ()


class Grounder:
    """Puts objects in the place of variables; what never changes is decided at once."""

    def __init__(self, planning: Planning) -> None:
        self._planning = planning
        self._changing = {
            name
            for schema in planning.schemas
            if schema.effect is not None
            for name in _changed(schema.effect)
        }
        self._num_quantified = 0

    def is_static(self, predicate: str) -> bool:
        """Whether no action changes a predicate."""
        return predicate not in self._changing

    def formula(self, group: Group, binding: Binding) -> Formula:
        """Return a condition on facts."""
        inside = group.parts[1:]
        match group.head:
            case "":
                return TRUE
            case "and":
                return every(*self._formulas(inside, binding))
            case "or":
                return some(*self._formulas(inside, binding))
            case "not":
                return negated(self._only(group, binding))
            case "imply":
                first, second = self._formulas(self._two(group), binding)
                return some(negated(first), second)
            case "forall" | "exists" as head:
                return self._quantified(group, binding, is_all=head == "forall")
            case "=":
                left, right = (value_of(part, binding) for part in self._two(group))
                return TRUE if left == right else FALSE
            case head if head in _COMPARED:
                what = f"{excerpt(f'({head} ...)')} compares numbers, which cannot be "
                raise refuse(group.place, f"{what}expressed here", "use facts instead")
        return self._fact(self.atom(group, binding))

    def _fact(self, atom: Atom) -> Formula:
        if self.is_static(atom[0]):
            return TRUE if atom in self._planning.init else FALSE
        return Fact(atom)

    def atom(self, group: Group, binding: Binding) -> Atom:
        """Return a fact."""
        if not group.parts:
            raise refuse(group.place, "a fact is missing", "write one: `(at home)`")
        name, *arguments = group.parts
        values = (value_of(each, binding) for each in arguments)
        return (word_of(name, "a predicate"), *values)

    def _formulas(self, parts: tuple[Part, ...], binding: Binding) -> list[Formula]:
        return [self.formula(group_of(p, "a condition"), binding) for p in parts]

    def _only(self, group: Group, binding: Binding) -> Formula:
        if len(group.parts) != 2:
            what = (
                f"{excerpt(f'({group.head} ...)')} is of {len(group.parts) - 1} parts"
            )
            raise refuse(group.place, what, "give it one")
        return self.formula(group_of(group.parts[1], "a condition"), binding)

    def _two(self, group: Group) -> tuple[Part, ...]:
        if len(group.parts) != 3:
            what = (
                f"{excerpt(f'({group.head} ...)')} is of {len(group.parts) - 1} parts"
            )
            raise refuse(group.place, what, "give it two")
        return group.parts[1:]

    def _quantified(self, group: Group, binding: Binding, *, is_all: bool) -> Formula:
        inside = [
            self.formula(body, bound) for body, bound in self._each(group, binding)
        ]
        return every(*inside) if is_all else some(*inside)

    def _each(self, group: Group, binding: Binding) -> Iterator[tuple[Group, Binding]]:
        """Yield what a quantifier is about, for each object it runs over."""
        variables, body = self._two(group)
        bound = list(typed(group_of(variables, "a list of variables").parts))
        choices = [self._planning.objects_of(each.types) for each in bound]
        for values in product(*choices):
            self._num_quantified += 1
            if self._num_quantified > _MOST_QUANTIFIED:
                what = f"quantifiers run over more than {_MOST_QUANTIFIED:,} objects"
                raise refuse(group.place, what, "take a smaller problem")
            names = (each.name for each in bound)
            yield (
                group_of(body, "a condition or an effect"),
                {**binding, **dict(zip(names, values, strict=True))},
            )

    def cases(self, group: Group | None, binding: Binding) -> list[Case]:
        """Return what may come of an effect."""
        if group is None or not group.parts:
            return [Case(Fraction(1))]
        match group.head:
            case "and":
                parts = [
                    self.cases(group_of(each, "an effect"), binding)
                    for each in group.parts[1:]
                ]
                return _crossed(parts, group)
            case "forall":
                parts = [self.cases(*each) for each in self._each(group, binding)]
                return _crossed(parts, group)
            case "probabilistic":
                return self._probabilistic(group, binding)
            case "when":
                return self._conditional(group, binding)
            case "not":
                fact = group_of(group.parts[-1], "a fact")
                change = Change(self.atom(fact, binding), holds=False)
                return [Case(Fraction(1), (change,))]
            case head if head in _NUMERIC:
                return [Case(Fraction(1))]
        return [Case(Fraction(1), (Change(self.atom(group, binding), holds=True),))]

    def _conditional(self, group: Group, binding: Binding) -> list[Case]:
        condition, effect = (group_of(part, "a part") for part in self._two(group))
        when = self.formula(condition, binding)
        if when == FALSE:
            return [Case(Fraction(1))]
        return [
            Case(
                case.probability,
                tuple(
                    Change(each.atom, each.holds, every(when, each.when))
                    for each in case.changes
                ),
            )
            for case in self.cases(effect, binding)
        ]

    def _probabilistic(self, group: Group, binding: Binding) -> list[Case]:
        inside = group.parts[1:]
        if len(inside) % 2:
            what = "a probability has no effect, or the other way round"
            raise refuse(group.place, what, "write `(probabilistic 1/2 (...) ...)`")
        found: list[Case] = []
        left = Fraction(1)
        for number, effect in zip(inside[::2], inside[1::2], strict=True):
            share = _probability(number)
            left -= share
            found += (
                Case(share * case.probability, case.changes)
                for case in self.cases(group_of(effect, "an effect"), binding)
                if share
            )
        if left < 0:
            what = f"the probabilities sum to {1 - left}"
            raise refuse(group.place, what, "lower them, so that the sum is at most 1")
        return [*found, Case(left)] if left else found


def every(*formulas: Formula) -> Formula:
    """Return that all hold."""
    return _joined(Every, formulas, FALSE)


def some(*formulas: Formula) -> Formula:
    """Return that one holds."""
    return _joined(Some, formulas, TRUE)


def _joined(
    kind: type[Every] | type[Some], formulas: tuple[Formula, ...], end: Formula
) -> Formula:
    """Join formulas, those of the same kind part by part; `end` decides it alone."""
    parts = [
        part
        for each in formulas
        for part in (each.formulas if isinstance(each, kind) else (each,))
    ]
    if end in parts:
        return end
    return parts[0] if len(parts) == 1 else kind(tuple(dict.fromkeys(parts)))


def negated(formula: Formula) -> Formula:
    """Return that something does not hold, with `not` before facts only."""
    match formula:
        case Negated(inner):
            return inner
        case Every(parts):
            return some(*map(negated, parts))
        case Some(parts):
            return every(*map(negated, parts))
    return Negated(formula)


def _crossed(parts: list[list[Case]], group: Group) -> list[Case]:
    """Return what may come of effects that happen all together."""
    sure = [cases[0].changes for cases in parts if len(cases) == 1]
    found = [Case(Fraction(1), tuple(change for each in sure for change in each))]
    for cases in parts:
        if len(cases) == 1:
            continue
        if len(found) * len(cases) > _MOST_CASES:
            what = f"an effect has more than {_MOST_CASES:,} outcomes"
            raise refuse(group.place, what, "split the action in several")
        found = [
            Case(a.probability * b.probability, (*a.changes, *b.changes))
            for a in found
            for b in cases
        ]
    return found


def _probability(part: Part) -> Fraction:
    text = word_of(part, "a probability")
    try:
        number = exact(text)
    except ValueError:
        number = Fraction(-1)
    if not 0 <= number <= 1:
        what = f"{excerpt(text)} is no probability"
        raise refuse(part.place, what, "write a number from 0 to 1, such as `2/5`")
    return number


def value_of(part: Part, binding: Binding) -> str:
    """Return the object that a word is, or that a variable stands for."""
    word = word_of(part, "an object or a variable")
    if word.startswith("?"):
        if word not in binding:
            assert isinstance(part, Word)
            what = f"there is no variable {excerpt(word)}"
            raise refuse(part.place, what, "add it to the parameters")
        return binding[word]
    return word


def _changed(effect: Group) -> Iterator[str]:
    """Yield the predicates that an effect changes."""
    match effect.head:
        case "and" | "probabilistic" | "not":
            inside = effect.parts[1:]
        case "when" | "forall":
            inside = effect.parts[2:]
        case head if head in _NUMERIC or not head:
            return
        case head:
            yield head
            return
    for part in inside:
        if isinstance(part, Group):
            yield from _changed(part)
