"""Recipes: what kind of random problem is wanted."""

import math
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, TypedDict

from branchwise.errors import Issue, ProblemError, did_you_mean
from branchwise.model.budget import UNLIMITED, Limit, as_limit, limit_text
from branchwise.model.checks.issue import about, shown, ticked
from branchwise.model.numbers.number import Number, exact, number_text


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
    hidden: int
    counters: int
    endings: Number
    outcome_costs: Number
    defenses: int
    defense_budget: Number | None


class _Knob(NamedTuple):
    """What a knob is set to unless said otherwise, and what it may be."""

    usual: Any
    kind: Literal["word", "limit", "number", "whole", "span", "whole span"]
    least: Number = 0
    most: Number = 1


_LITTLE: Final = "0.000001"
_MUCH: Final = 10**9

# As it is usually set, a problem is of the paper's kind.
_KNOBS: Final = {
    "actions": _Knob(20, "whole", 3, 10_000),
    "budget": _Knob(10, "limit", _LITTLE, _MUCH),
    "seed": _Knob(0, "word"),
    "layers": _Knob(None, "whole", 2, 1_000),
    "prerequisites": _Knob("1-3", "whole span", 1, 20),
    "or_share": _Knob("0.5", "number"),
    "outcomes": _Knob(2, "whole span", 2, 6),
    "success": _Knob("0.2-0.8", "span", "0.01", "0.99"),
    "cost": _Knob(1, "span", _LITTLE, _MUCH),
    "rewards": _Knob(1, "whole", 1, 100),
    "value": _Knob(100, "number", _LITTLE, _MUCH),
    "preclusions": _Knob(0, "number"),
    "repeats": _Knob(0, "number"),
    "conditioning": _Knob(0, "number"),
    "resources": _Knob(1, "whole", 1, 5),
    "cost_weight": _Knob(0, "number", 0, _MUCH),
    "combine": _Knob("max", "word"),
    "hidden": _Knob(0, "whole", 0, 10),
    "counters": _Knob(0, "whole", 0, 10),
    "endings": _Knob(0, "number"),
    "outcome_costs": _Knob(0, "number"),
    "defenses": _Knob(0, "whole", 0, 1_000),
    "defense_budget": _Knob(None, "limit", _LITTLE, _MUCH),
}
DEFAULTS: Final[Mapping[str, Any]] = {name: k.usual for name, k in _KNOBS.items()}
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
    hidden: int
    counters: int
    endings: Fraction
    outcome_costs: Fraction
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

    @property
    def has_states(self) -> bool:
        """Whether states are to hold more than outcomes and what is left."""
        asked = (self.hidden, self.counters, self.endings, self.outcome_costs)
        return any(asked)

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
                is_number = isinstance(value, Fraction | float)
                text = limit_text(value) if is_number else str(value)
                words += [f"--{field.name.replace('_', '-')}", text]
        return shlex.join(words)


def recipe_of(knobs: Mapping[str, Any]) -> Recipe:
    """Read the knobs, all that are wrong at once; what is not said is as usual."""
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
            example = ticked(5 if usual is None else usual)
            issues.append(about((name,), what, fix or f"write {example}"))
    if not issues:
        recipe = Recipe(**settings)
        issues = list(_contradictions(recipe))
    if issues:
        raise ProblemError(issues)
    return recipe


def _read(name: str, value: Any) -> object:
    knob = _KNOBS[name]
    if value is None and knob.usual is None:
        return None
    if knob.kind == "word":
        if name == "combine" and value not in {"max", "sum"}:
            raise ValueError(f"{ticked(value)} is no way to combine rewards")
        return str(value)
    if knob.kind == "limit" and as_limit(value) == UNLIMITED:
        return UNLIMITED
    if "span" in knob.kind:
        return _span(value, knob)
    number = _number(value, knob)
    return int(number) if knob.kind == "whole" else number


def _span(value: Any, knob: _Knob) -> Span:
    match = _SPAN.fullmatch(value) if isinstance(value, str) else None
    ends = match.groups() if match else value if isinstance(value, tuple) else None
    if ends is not None and len(ends) != 2:
        raise ValueError(f"{value} is not the least and the most")
    low, high = ends or (value, value)
    span = Span(_number(low, knob), _number(high, knob))
    if span.low > span.high:
        raise ValueError(f"{span} is upside down; write {Span(*span[::-1])}")
    return span


def _number(value: Any, knob: _Knob) -> Fraction:
    number, least, most = exact(value), exact(knob.least), exact(knob.most)
    if "whole" in knob.kind and number.denominator != 1:
        raise ValueError(f"{shown(number)} is not a whole number")
    if number < least:
        raise ValueError(f"{shown(number)} is too little; write {shown(least)} or more")
    if number > most:
        raise ValueError(f"{shown(number)} is too much; write {shown(most)} or less")
    return number


def _contradictions(recipe: Recipe) -> Iterator[Issue]:
    most, depth = recipe.most_needs, recipe.depth
    if most < 2:
        what = "with one prerequisite each, all actions form a single chain"
        yield about(("prerequisites",), what, "write `1-2`, say")
        return
    if not recipe.or_share:
        what = "where every action needs all of its prerequisites, "
        what += "there is one way only"
        yield about(("or_share",), what, "write a share above 0")
    if recipe.actions <= depth:
        what = f"{recipe.actions} actions do not fill {depth} layers"
        fix = f"write {depth + 1} actions or more, or fewer layers"
        yield about(("layers",), what, fix)
    if recipe.actions > recipe.room(depth):
        what = f"{depth} layers have room for {recipe.room(depth)} actions, not for "
        what += f"{recipe.actions}, where none needs more than {most} others"
        fix = "write more layers, or more prerequisites"
        yield about(("layers",), what, fix)
    least = depth * recipe.cost.low
    if recipe.budget < least:
        what = f"a plan takes an action of each of {depth} layers, which cost "
        what += f"{shown(least)} or more, and the budget is {shown(recipe.budget)}"
        fix = f"raise the budget to {shown(least)} or more, or write fewer layers"
        yield about(("budget",), what, fix)
