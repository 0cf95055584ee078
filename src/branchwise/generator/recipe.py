"""Recipes: what kind of random problem is wanted."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypedDict

from branchwise.errors import Issue, ProblemError, did_you_mean
from branchwise.model.budget import UNLIMITED, Limit, limit_text
from branchwise.model.checks.issue import about, shown, ticked
from branchwise.model.number import Number, exact, number_text


class Span(NamedTuple):
    """The least and the most that something may be."""

    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        low, high = map(number_text, self)
        return low if low == high else f"{low}-{high}"


Spanned = Number | tuple[Number, Number]
"""A number, or two of them: ``(2, 3)``, or as text ``"2-3"``."""


class Knobs(TypedDict, total=False):
    """What a recipe may say, apart from actions, budget and seed."""

    layers: int | None
    prerequisites: Spanned
    or_share: Number
    outcomes: Spanned
    success: Spanned
    cost: Spanned
    rewards: int
    value: Number
    preclusions: Number
    repeats: Number
    conditioning: Number
    resources: int
    cost_weight: Number
    combine: str
    defenses: int
    defense_budget: Number | None


DEFAULTS: Final[Mapping[str, Any]] = {
    "actions": 20,
    "budget": 10,
    "seed": 0,
    "layers": None,
    "prerequisites": "1-3",
    "or_share": "0.5",
    "outcomes": 2,
    "success": "0.2-0.8",
    "cost": 1,
    "rewards": 1,
    "value": 100,
    "preclusions": 0,
    "repeats": 0,
    "conditioning": 0,
    "resources": 1,
    "cost_weight": 0,
    "combine": "max",
    "defenses": 0,
    "defense_budget": None,
}
"""What each knob is set to unless said otherwise: a problem of the paper's kind."""

_INFINITY: Final = Fraction(10**9)


class _Range(NamedTuple):
    """What a number may be, and whether it is whole."""

    least: Fraction
    most: Fraction
    is_whole: bool = True


_WHOLE: Final = {
    "actions": _Range(Fraction(3), Fraction(10_000)),
    "layers": _Range(Fraction(2), Fraction(1_000)),
    "rewards": _Range(Fraction(1), Fraction(100)),
    "resources": _Range(Fraction(1), Fraction(5)),
    "defenses": _Range(Fraction(0), Fraction(1_000)),
}
_NUMBERS: Final = {
    "or_share": _Range(Fraction(0), Fraction(1), is_whole=False),
    "value": _Range(Fraction(1, 10**6), _INFINITY, is_whole=False),
    "preclusions": _Range(Fraction(0), Fraction(1), is_whole=False),
    "repeats": _Range(Fraction(0), Fraction(1), is_whole=False),
    "conditioning": _Range(Fraction(0), Fraction(1), is_whole=False),
    "cost_weight": _Range(Fraction(0), _INFINITY, is_whole=False),
}
_SPANS: Final = {
    "prerequisites": _Range(Fraction(1), Fraction(20)),
    "outcomes": _Range(Fraction(2), Fraction(6)),
    "success": _Range(Fraction(1, 100), Fraction(99, 100), is_whole=False),
    "cost": _Range(Fraction(1, 10**6), _INFINITY, is_whole=False),
}
_SPAN: Final = re.compile(r"\s*([^\s-]+)\s*-\s*([^\s-]+)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What kind of random problem is wanted; see `generate` for what it says."""

    actions: int
    budget: Limit
    seed: str
    layers: int | None
    prerequisites: Span
    or_share: Fraction
    outcomes: Span
    success: Span
    cost: Span
    rewards: int
    value: Fraction
    preclusions: Fraction
    repeats: Fraction
    conditioning: Fraction
    resources: int
    cost_weight: Fraction
    combine: str
    defenses: int
    defense_budget: Limit | None

    @property
    def most_needs(self) -> int:
        """How many prerequisites an action may have."""
        return int(self.prerequisites.high)

    @property
    def depth(self) -> int:
        """The number of layers: as said, or what suits actions and budget."""
        if self.layers is not None:
            return self.layers
        affordable = min(self.budget / self.cost.high, self.actions - 1)
        depth = max(2, min(math.isqrt(self.actions), int(affordable)))
        while self.room(depth) < self.actions:
            depth += 1
        return depth

    def room(self, depth: int) -> int:
        """How many actions find a place in this many layers, all of them needed."""
        room = layer = self.most_needs
        for _ in range(depth - 1):
            layer = min(layer * self.most_needs, 10**6)
            room += layer
        return room

    def command(self) -> str:
        """Return the command that makes the problem again."""
        usual = recipe_of({})
        words = ["branchwise", "generate"]
        for field in fields(self):
            value = getattr(self, field.name)
            is_said = field.name in {"actions", "budget", "seed"}
            if is_said or value != getattr(usual, field.name):
                words += [f"--{field.name.replace('_', '-')}", _text(value)]
        return shlex.join(words)


def recipe_of(knobs: Mapping[str, Any]) -> Recipe:
    """
    Read the knobs; what is not said is as usual.

    Raises
    ------
    ProblemError
        Knobs that cannot be, or not together; every one of them.
    """
    for name in knobs:
        if name not in DEFAULTS:
            hint = did_you_mean(name, list(DEFAULTS))
            raise TypeError(f"there is no knob {name!r} to generate problems{hint}")
    settings: dict[str, Any] = {}
    issues = []
    for name, usual in DEFAULTS.items():
        try:
            settings[name] = _read(name, knobs.get(name, usual))
        except ValueError as error:
            what, _, fix = str(error).partition("; ")
            issues.append(about((name,), what, fix or f"write {_example(name)}"))
    if not issues:
        recipe = Recipe(**settings)
        issues = list(_contradictions(recipe))
    if issues:
        raise ProblemError(issues)
    return recipe


def _read(name: str, value: Any) -> object:
    if name in _SPANS:
        return _span(value, _SPANS[name])
    if name in _NUMBERS:
        return _number(value, _NUMBERS[name])
    if name in _WHOLE:
        is_open = name == "layers" and value is None
        return None if is_open else int(_number(value, _WHOLE[name]))
    if name == "defense_budget" and value is None:
        return None
    if name in {"budget", "defense_budget"}:
        is_unlimited = value == UNLIMITED or str(value).casefold() == "unlimited"
        positive = _Range(Fraction(1, 10**6), _INFINITY, is_whole=False)
        return UNLIMITED if is_unlimited else _number(value, positive)
    if name == "combine" and value not in {"max", "sum"}:
        raise ValueError(f"{ticked(value)} is no way to combine rewards")
    return str(value)


def _span(value: Any, allowed: _Range) -> Span:
    match = _SPAN.fullmatch(value) if isinstance(value, str) else None
    ends = match.groups() if match else value if isinstance(value, tuple) else None
    if ends is not None and len(ends) != 2:
        raise ValueError(f"{value} is not the least and the most")
    low, high = ends or (value, value)
    span = Span(_number(low, allowed), _number(high, allowed))
    if span.low > span.high:
        raise ValueError(f"{span} is upside down; write {Span(*span[::-1])}")
    return span


def _number(value: Any, allowed: _Range) -> Fraction:
    number = exact(value)
    least, most, is_whole = allowed
    if is_whole and number.denominator != 1:
        raise ValueError(f"{shown(number)} is not a whole number")
    if number < least:
        raise ValueError(f"{shown(number)} is too little; write {shown(least)} or more")
    if number > most:
        raise ValueError(f"{shown(number)} is too much; write {shown(most)} or less")
    return number


def _contradictions(recipe: Recipe) -> list[Issue]:
    """Find knobs that do not go together."""
    issues = []
    most, depth = recipe.most_needs, recipe.depth
    if most < 2:
        what = "with one prerequisite each, all actions form a single chain"
        return [about(("prerequisites",), what, "write `1-2`, say")]
    if not recipe.or_share:
        what = (
            "where every action needs all of its prerequisites, there is one way only"
        )
        issues.append(about(("or_share",), what, "write a share above 0"))
    if recipe.actions <= depth:
        what = f"{recipe.actions} actions do not fill {depth} layers"
        fix = f"write {depth + 1} actions or more, or fewer layers"
        issues.append(about(("layers",), what, fix))
    if recipe.actions > recipe.room(depth):
        what = f"{depth} layers have room for {recipe.room(depth)} actions, not for "
        what += f"{recipe.actions}, where none needs more than {most} others"
        fix = "write more layers, or more prerequisites"
        issues.append(about(("layers",), what, fix))
    least = depth * recipe.cost.low
    if recipe.budget < least:
        what = f"a plan takes an action of each of {depth} layers, which cost "
        what += f"{shown(least)} or more, and the budget is {shown(recipe.budget)}"
        fix = f"raise the budget to {shown(least)} or more, or write fewer layers"
        issues.append(about(("budget",), what, fix))
    return issues


def _example(name: str) -> str:
    usual = DEFAULTS[name]
    return ticked(5 if usual is None else usual)


def _text(value: object) -> str:
    if isinstance(value, Fraction | float):
        return limit_text(value)
    return str(value)
