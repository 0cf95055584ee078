"""Actions with objects in the place of parameters, as far as they can matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from branchwise.formats.foreign.ppddl.costs import Costs
from branchwise.formats.foreign.ppddl.formula import (
    FALSE,
    TRUE,
    Case,
    Change,
    Every,
    Fact,
    Formula,
    Grounder,
    Negated,
    Some,
    every,
    negated,
    some,
)
from branchwise.formats.foreign.ppddl.lists import Group, Part, Word
from branchwise.formats.foreign.ppddl.planning import Atom, Planning, Schema
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse

MOST_ACTIONS: Final = 20_000
_MOST_TRIED: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class GroundAction:
    """An action of certain objects."""

    name: str
    place: Place
    precondition: Formula
    cases: tuple[Case, ...]
    cost: Fraction

    def changes(self) -> Iterator[Change]:
        """Yield all that may change."""
        for case in self.cases:
            yield from case.changes


class _Joining:
    """Finds objects for parameters by the facts that never change."""

    def __init__(self, planning: Planning, grounder: Grounder) -> None:
        self._planning, self._grounder = planning, grounder
        self._facts: dict[tuple[str, int, str], list[Atom]] = defaultdict(list)
        self._named: dict[str, list[Atom]] = defaultdict(list)
        self._num_tried = 0
        for atom in sorted(planning.init):
            if grounder.is_static(atom[0]):
                self._named[atom[0]].append(atom)
                for index, value in enumerate(atom[1:], 1):
                    self._facts[atom[0], index, value].append(atom)

    def bindings(self, schema: Schema) -> Iterator[dict[str, str]]:
        """Yield objects for the parameters of an action."""
        objects = {
            each.name: self._planning.objects_of(each.types)
            for each in schema.parameters
        }
        allowed = {name: frozenset(found) for name, found in objects.items()}
        atoms = [
            part
            for part in _conjuncts(schema.precondition)
            if part.head and self._is_fact(part)
        ]

        def extended(
            binding: dict[str, str], left: list[Group]
        ) -> Iterator[dict[str, str]]:
            self._num_tried += 1
            if self._num_tried > _MOST_TRIED:
                what = (
                    f"{excerpt(schema.name)} has more than {_MOST_TRIED:,} choices of "
                )
                raise refuse(schema.place, f"{what}objects", "take a smaller problem")
            if left:
                atom = max(left, key=lambda each: _num_bound(each, binding))
                rest = [each for each in left if each is not atom]
                for fact in self._matching(atom, binding):
                    bound = _unified(atom, fact, binding)
                    if bound is not None and all(
                        value in allowed.get(name, (value,))
                        for name, value in bound.items()
                    ):
                        yield from extended(bound, rest)
                return
            free = next((name for name in objects if name not in binding), None)
            if free is None:
                yield binding
                return
            for value in objects[free]:
                yield from extended({**binding, free: value}, left)

        yield from extended({}, atoms)

    def _is_fact(self, group: Group) -> bool:
        is_plain = group.head not in {"not", "or", "imply", "forall", "exists", "="}
        is_known = group.head in self._named
        return is_plain and is_known and all(isinstance(p, Word) for p in group.parts)

    def _matching(self, atom: Group, binding: dict[str, str]) -> list[Atom]:
        for index, part in enumerate(atom.parts[1:], 1):
            value = _known(part, binding)
            if value is not None:
                return self._facts.get((atom.head, index, value), [])
        return self._named[atom.head]


def ground_actions(
    planning: Planning, grounder: Grounder, costs: Costs
) -> list[GroundAction]:
    """Return every action of objects whose unchanging conditions hold."""
    joining = _Joining(planning, grounder)
    found: list[GroundAction] = []
    for schema in planning.schemas:
        for binding in joining.bindings(schema):
            precondition: Formula = TRUE
            if schema.precondition is not None:
                precondition = grounder.formula(schema.precondition, binding)
            if precondition == FALSE:
                continue
            values = (binding[each.name] for each in schema.parameters)
            name = " ".join([schema.name, *values])
            cases = tuple(grounder.cases(schema.effect, binding))
            cost = costs.of(schema.effect, binding)
            found.append(GroundAction(name, schema.place, precondition, cases, cost))
            if len(found) > MOST_ACTIONS:
                what = (
                    f"there are more than {MOST_ACTIONS:,} actions of certain objects"
                )
                raise refuse(planning.place, what, "take a smaller problem")
    return found


class Reachable:
    """What may happen if facts, once they may hold, may hold for ever."""

    def __init__(self, actions: list[GroundAction], init: set[Atom]) -> None:
        self._init = init
        self.holds = set(init)
        self.ceases: set[Atom] = set()
        self.actions: list[GroundAction] = []
        waiting = actions
        while True:
            ready = [each for each in waiting if self.may(each.precondition)]
            if not ready:
                break
            self.actions += ready
            for action in ready:
                for change in action.changes():
                    (self.holds if change.holds else self.ceases).add(change.atom)
            taken = set(map(id, ready))
            waiting = [each for each in waiting if id(each) not in taken]

    def may(self, formula: Formula) -> bool:
        """Whether a condition may ever hold."""
        match formula:
            case Fact(atom):
                return atom in self.holds
            case Negated(Fact(atom)):
                return atom not in self._init or atom in self.ceases
            case Every(parts):
                return all(map(self.may, parts))
            case Some(parts):
                return any(map(self.may, parts))
        return True

    def settled(self, formula: Formula) -> Formula:
        """Return what a condition still depends on."""
        match formula:
            case Fact(atom):
                if atom not in self.holds:
                    return FALSE
                is_lasting = atom in self._init and atom not in self.ceases
                return TRUE if is_lasting else formula
            case Negated(inner):
                return negated(self.settled(inner))
            case Every(parts):
                return every(*map(self.settled, parts))
            case Some(parts):
                return some(*map(self.settled, parts))
        raise TypeError(f"no condition: {formula!r}")


def atoms_in(formula: Formula) -> Iterator[Atom]:
    """Yield the facts that a condition asks for."""
    match formula:
        case Fact(atom):
            yield atom
        case Negated(inner):
            yield from atoms_in(inner)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from atoms_in(part)


def _conjuncts(group: Group | None) -> Iterator[Group]:
    if group is None:
        return
    if group.head != "and":
        yield group
        return
    for part in group.parts[1:]:
        if isinstance(part, Group):
            yield from _conjuncts(part)


def _known(part: Part, binding: dict[str, str]) -> str | None:
    assert isinstance(part, Word)
    return binding.get(part.text) if part.text.startswith("?") else part.text


def _num_bound(atom: Group, binding: dict[str, str]) -> int:
    return sum(_known(part, binding) is not None for part in atom.parts[1:])


def _unified(atom: Group, fact: Atom, binding: dict[str, str]) -> dict[str, str] | None:
    """Return a binding under which an atom is a fact; None if there is none."""
    if len(atom.parts) != len(fact):
        return None
    bound = dict(binding)
    for part, value in zip(atom.parts[1:], fact[1:], strict=True):
        assert isinstance(part, Word)
        name = part.text
        if name.startswith("?"):
            if bound.setdefault(name, value) != value:
                return None
        elif name != value:
            return None
    return bound
