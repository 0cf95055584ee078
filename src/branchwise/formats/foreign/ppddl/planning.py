"""A domain and a problem: what is said of types, objects, actions and the goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Final

from branchwise.formats.foreign.ppddl.lists import Group, Part, Word, group_of, word_of
from branchwise.formats.place import Place
from branchwise.formats.source_text import excerpt, refuse
from branchwise.model.numbers.number import exact

Atom = tuple[str, ...]
"""A fact: a predicate, and what it is said of."""

_ANYTHING: Final = "object"
_IGNORED: Final = frozenset({":requirements", ":predicates", ":functions"})


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter of an action, or what a quantifier runs over: name and types."""

    name: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """An action with parameters."""

    name: str
    place: Place
    parameters: tuple[Variable, ...]
    precondition: Group | None
    effect: Group | None


@dataclass(slots=True)
class Planning:
    """Everything that a domain and a problem say."""

    name: str = ""
    place: Place = field(default_factory=lambda: Place(""))
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    objects: dict[str, tuple[str, ...]] = field(default_factory=dict)
    schemas: list[Schema] = field(default_factory=list)
    init: set[Atom] = field(default_factory=set)
    goal: Group | None = None
    metric: Group | None = None
    goal_reward: Fraction = Fraction(1)
    numbers: dict[Atom, Fraction] = field(default_factory=dict)
    left_out: list[Group] = field(default_factory=list)

    def objects_of(self, types: Sequence[str]) -> list[str]:
        """Return the objects that are of one of some types."""
        return [name for name, own in self.objects.items() if self._is(own, types)]

    def _is(self, own: Sequence[str], wanted: Sequence[str]) -> bool:
        if _ANYTHING in wanted:
            return True
        pending, seen = list(own), set()
        while pending:
            kind = pending.pop()
            if kind in wanted:
                return True
            if kind not in seen:
                seen.add(kind)
                pending += self.parents.get(kind, ())
        return False


def planning_of(domain: Group, problem: Group) -> Planning:
    """Put a domain and a problem together."""
    found = Planning()
    sections = (_sections(domain), _sections(problem))
    for section in chain(*sections):
        _take(section, found)
    found.name, found.place = name_of(problem), problem.place
    if found.goal is None:
        what = "the problem has no goal"
        raise refuse(problem.place, what, "add `(:goal (and ...))`")
    return found


def name_of(definition: Group) -> str:
    """Return the name of a domain or a problem."""
    title = group_of(_part(definition, 1), "`(domain ...)` or `(problem ...)`")
    return word_of(_part(title, 1), "a name")


def kind_of(definition: Group) -> str:
    """Return `domain` or `problem`."""
    if definition.head != "define":
        what = f"{excerpt(definition.head)} stands where `define` belongs"
        raise refuse(definition.place, what, "write `(define (problem ...) ...)`")
    kind = group_of(_part(definition, 1), "`(domain ...)` or `(problem ...)`").head
    if kind not in ("domain", "problem"):
        what = f"this defines neither a domain nor a problem but {excerpt(kind)}"
        raise refuse(definition.place, what, "write `(define (problem ...) ...)`")
    return kind


def domain_wanted(problem: Group) -> str:
    """Return which domain a problem is of."""
    for section in _sections(problem):
        if section.head == ":domain":
            return word_of(_part(section, 1), "the name of a domain")
    what = "the problem does not say which domain it is of"
    raise refuse(problem.place, what, "add `(:domain ...)`")


def typed(parts: Sequence[Part]) -> Iterator[Variable]:
    """Yield names with their types: `a b - block c` is two blocks and an object."""
    waiting: list[str] = []
    rest = iter(parts)
    for part in rest:
        word = word_of(part, "a name")
        if word != "-":
            waiting.append(word)
            continue
        kind = next(rest, None)
        if kind is None:
            assert isinstance(part, Word)
            raise refuse(part.place, "no type follows `-`", "write one: `a - block`")
        types = _types(kind)
        yield from (Variable(name, types) for name in waiting)
        waiting = []
    yield from (Variable(name, (_ANYTHING,)) for name in waiting)


def _types(part: Part) -> tuple[str, ...]:
    if isinstance(part, Word):
        return (part.text,)
    return tuple(word_of(each, "a type") for each in part.parts[1:])


def _sections(definition: Group) -> Iterator[Group]:
    for part in definition.parts[2:]:
        yield group_of(part, "a section such as `(:init ...)`")


def _take(section: Group, found: Planning) -> None:
    inside = section.parts[1:]
    match section.head:
        case ":types":
            found.parents |= {each.name: each.types for each in typed(inside)}
        case ":constants" | ":objects":
            found.objects |= {each.name: each.types for each in typed(inside)}
        case ":action":
            found.schemas.append(_schema(section))
        case ":init":
            found.init |= set(_facts(inside))
            found.numbers |= dict(_numbers(inside))
        case ":domain":
            pass
        case head if head not in _IGNORED:
            _take_aim(section, found)


def _take_aim(section: Group, found: Planning) -> None:
    match section.head:
        case ":goal":
            found.goal = group_of(_part(section, 1), "a goal")
        case ":metric":
            found.metric = section
        case ":goal-reward":
            found.goal_reward = _worth(section)
        case ":goal-probability" | ":horizon":
            found.left_out.append(section)
        case head:
            what = f"a section {excerpt(f'({head} ...)')} cannot be expressed here"
            raise refuse(section.place, what, "leave it out, or say it by actions")


def _schema(section: Group) -> Schema:
    name = word_of(_part(section, 1), "the name of an action")
    said: dict[str, Part] = {}
    rest = iter(section.parts[2:])
    for key in rest:
        value = next(rest, None)
        if value is None:
            what = f"nothing follows {excerpt(word_of(key, 'a key'))}"
            raise refuse(section.place, what, "write what it is, in parentheses")
        said[word_of(key, "a key such as `:effect`")] = value
    unknown = said.keys() - {":parameters", ":precondition", ":effect"}
    if unknown:
        what = (
            f"the action {excerpt(name)} has {excerpt(min(unknown))}, which cannot be"
        )
        raise refuse(section.place, f"{what} expressed here", "leave it out")
    parameters = said.get(":parameters", Group((), section.place))
    return Schema(
        name,
        section.place,
        tuple(typed(group_of(parameters, "a list of parameters").parts)),
        _optional(said.get(":precondition")),
        _optional(said.get(":effect")),
    )


def _optional(part: Part | None) -> Group | None:
    group = None if part is None else group_of(part, "a condition or an effect")
    return group if group is not None and group.parts else None


def _facts(parts: Sequence[Part]) -> Iterator[Atom]:
    for part in parts:
        fact = group_of(part, "a fact")
        if fact.head == "=":
            continue  # of a function: only plans that count costs ask for it
        if fact.head in {"probabilistic", "not", "oneof"}:
            what = (
                f"{excerpt(f'({fact.head} ...)')} in `:init` cannot be expressed here"
            )
            raise refuse(fact.place, what, "let an action decide it at first")
        if not fact.parts:
            raise refuse(fact.place, "a fact is missing", "write one: `(at home)`")
        yield tuple(word_of(each, "an object") for each in fact.parts)


def _numbers(parts: Sequence[Part]) -> Iterator[tuple[Atom, Fraction]]:
    """Yield what functions are at first: `(= (length a b) 3)`."""
    for part in parts:
        match part:
            case Group((Word("="), Group() as function, Word(text))):
                with suppress(ValueError):
                    words = (word_of(each, "an object") for each in function.parts)
                    yield tuple(words), exact(text)


def _worth(section: Group) -> Fraction:
    part = _part(section, 1)
    try:
        worth = exact(word_of(part, "a number"))
    except ValueError:
        worth = Fraction(-1)
    if worth <= 0:
        what = "the reward of the goal is no number above zero"
        raise refuse(section.place, what, "write one: `(:goal-reward 100)`")
    return worth


def _part(group: Group, index: int) -> Part:
    if len(group.parts) <= index:
        what = f"{excerpt(f'({group.head} ...)')} ends too early"
        raise refuse(group.place, what, "complete it")
    return group.parts[index]
