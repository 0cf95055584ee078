"""What is reported while a plan is followed: outcomes and surprises, also as data."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, ClassVar, Final

from branchwise.errors import HistoryError, ProblemError
from branchwise.follow.position import Position, action_called
from branchwise.formats.read import read_text
from branchwise.formats.write import write_text
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import Amounts, Budget, limit_text
from branchwise.model.checks.issue import about, listed, ticked
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import NEVER, Condition, Happened, quoted
from branchwise.model.conditions.condition_text import (
    ConditionSyntaxError,
    as_condition,
)
from branchwise.model.numbers.number import exact, number_text
from branchwise.model.problem import Problem


class Entry(ABC):
    """Something reported: it leads from one position to another. ``str`` says it."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def is_surprise(self) -> bool:
        """Whether the plan could not know of it, so that there has to be a new one."""
        return True

    @abstractmethod
    def applied(self, position: Position) -> Position:
        """Return the position after this; raise if it makes no sense there."""


@dataclass(frozen=True, slots=True)
class Outcame(Entry):
    """An action was taken, and came out some way."""

    kind: ClassVar[str] = "happened"
    action: str
    outcome: str
    # The action that the plan advised; another one means a new plan.
    advised: str | None = None
    # Whether it counts even if the problem says that it cannot happen.
    is_forced: bool = False

    def __str__(self) -> str:
        return str(Happened(self.action, self.outcome))

    @property
    def is_surprise(self) -> bool:
        """Whether another action was taken than advised, or it was forced."""
        return self.is_forced or self.action != self.advised

    def applied(self, position: Position) -> Position:
        """Take the step."""
        event = Happened(self.action, self.outcome)
        return position.forced(event) if self.is_forced else position.after(event)


@dataclass(frozen=True, slots=True)
class RuledOut(Entry):
    """An action is no longer possible."""

    kind: ClassVar[str] = "ruled out"
    action: str

    def __str__(self) -> str:
        return f"{quoted(self.action)} is no longer possible"

    def applied(self, position: Position) -> Position:
        """Let the action require what never holds."""
        action = action_called(position.problem, self.action)
        return position.with_action(replace(action, requires=NEVER))


@dataclass(frozen=True, slots=True)
class NewProbability(Entry):
    """An outcome is more or less likely than was thought."""

    kind: ClassVar[str] = "probability"
    action: str
    outcome: str
    probability: Fraction

    def __str__(self) -> str:
        event = Happened(self.action, self.outcome)
        return f"the probability of {event} is {number_text(self.probability)}"

    def applied(self, position: Position) -> Position:
        """Change what counts here; the other outcomes keep their proportion."""
        action = action_called(position.problem, self.action)
        _, outcomes = position.terms(self.action)
        outcomes = self._rescaled(action, {o.label: o.probability for o in outcomes})
        return position.with_action(_here(position, action, outcomes=outcomes))

    def _rescaled(
        self, action: Action, probabilities: Mapping[str, Fraction]
    ) -> tuple[Outcome, ...]:
        path = ("actions", self.action, "outcomes")
        if self.outcome not in action.labels:
            what = f"{ticked(self.action)} has no outcome {ticked(self.outcome)}"
            fix = f"write {listed(action.labels, 'or')}"
            raise ProblemError([about(path, what, fix)])
        if not 0 <= self.probability <= 1:
            what = f"{self.probability} is no probability"
            raise ProblemError([about(path, what, "write a number from 0 to 1")])
        labels = [label for label in action.labels if label != self.outcome]
        others = {label: probabilities.get(label, Fraction(0)) for label in labels}
        total, rest = sum(others.values(), Fraction(0)), 1 - self.probability
        if not total and len(others) == 1:
            others = dict.fromkeys(others, rest)
        elif total:
            others = {label: p * rest / total for label, p in others.items()}
        elif rest:
            what = "no other outcome can happen, so none can take the rest"
            fix = "say first how likely another one is"
            raise ProblemError([about(path, what, fix)])
        probabilities = {**others, self.outcome: self.probability}
        return tuple(
            action.outcome(label).with_probability(probabilities[label])
            for label in action.labels
        )


@dataclass(frozen=True, slots=True)
class NewCost(Entry):
    """An action costs more or less than was thought."""

    kind: ClassVar[str] = "cost"
    action: str
    cost: Amounts

    def __str__(self) -> str:
        return f"{quoted(self.action)} costs {Budget(self.cost) if self.cost else 0}"

    def applied(self, position: Position) -> Position:
        """Change the cost that counts here."""
        action = action_called(position.problem, self.action)
        return position.with_action(_here(position, action, cost=self.cost))


@dataclass(frozen=True, slots=True)
class NewBudget(Entry):
    """More or less is left than was thought."""

    kind: ClassVar[str] = "budget"
    left: Budget

    def __str__(self) -> str:
        return f"{self.left} left"

    def applied(self, position: Position) -> Position:
        """Change what is left."""
        return position.with_left(self.left)


@dataclass(frozen=True, slots=True)
class NewReward(Entry):
    """A reward is worth more or less than was thought."""

    kind: ClassVar[str] = "reward"
    number: int  # Which reward of the problem it is; the first one is 1
    value: Fraction  # What it is worth now

    def __str__(self) -> str:
        return f"reward {self.number} is worth {number_text(self.value)}"

    def applied(self, position: Position) -> Position:
        """Change the value."""
        return position.with_reward(self.number, self.value)


@dataclass(frozen=True, slots=True)
class NewRequirement(Entry):
    """An action requires something else than was thought."""

    kind: ClassVar[str] = "requires"
    action: str
    condition: str  # As text

    def __str__(self) -> str:
        what = "nothing" if self.condition == "always" else self.condition
        return f"{quoted(self.action)} requires {what}"

    def applied(self, position: Position) -> Position:
        """Change what it requires."""
        action = action_called(position.problem, self.action)
        return position.with_action(replace(action, requires=stated(self.condition)))


@dataclass(frozen=True, slots=True)
class NewPreclusion(Entry):
    """An action is ruled out by something else than was thought."""

    kind: ClassVar[str] = "precluded by"
    action: str
    condition: str  # As text

    def __str__(self) -> str:
        what = "nothing" if self.condition == "never" else self.condition
        return f"{quoted(self.action)} is precluded by {what}"

    def applied(self, position: Position) -> Position:
        """Change what precludes it."""
        action = action_called(position.problem, self.action)
        changed = replace(action, precluded_by=stated(self.condition))
        return position.with_action(changed)


@dataclass(frozen=True, slots=True)
class NewAction(Entry):
    """There is an action that was not thought of."""

    kind: ClassVar[str] = "action"
    action: str
    body: str  # What a problem file says of it, as YAML or JSON

    def __str__(self) -> str:
        return f"there is a new action {quoted(self.action)}"

    def applied(self, position: Position) -> Position:
        """Add the action, behind all others."""
        return position.with_problem(with_new_action(position.problem, self))


@dataclass(frozen=True, slots=True)
class Undone:
    """What was reported last, and has not been undone yet, does not count."""

    kind: ClassVar[str] = "undo"


JournalEntry = Entry | Undone
"""What a journal holds; only the entries that are not undone lead anywhere."""


def _here(
    position: Position,
    action: Action,
    *,
    outcomes: tuple[Outcome, ...] | None = None,
    cost: Amounts | None = None,
) -> Action:
    """Change what counts here of an action: its own terms, or those of a clause."""
    names = {fact.name for fact in position.problem.hidden}
    whens = [clause.when for clause in action.given]
    if any(leaf.action in names for when in whens for leaf in when.mentions()):
        fact = "its probabilities depend on a hidden fact"
        raise ProblemError(
            [
                about(
                    ("actions", action.name),
                    f"what counts here cannot be changed: {fact}",
                    "change the problem file, and follow it anew",
                )
            ]
        )
    clause = action.clause_as_of(position.state.facts)
    if clause is None:
        cost = action.cost if cost is None else cost
        return replace(action, outcomes=outcomes or action.outcomes, cost=cost)
    cost = clause.cost if cost is None else cost
    changed = Given(clause.when, outcomes=outcomes or clause.outcomes, cost=cost)
    given = tuple(changed if each is clause else each for each in action.given)
    return replace(action, given=given)


_PLACE: Final = "the new action stands here"

_KINDS: Final[dict[str, type[JournalEntry]]] = {
    each.kind: each
    for each in (
        Outcame,
        RuledOut,
        NewProbability,
        NewCost,
        NewBudget,
        NewReward,
        NewRequirement,
        NewPreclusion,
        NewAction,
        Undone,
    )
}


def stated(condition: str) -> Condition:
    """Read a condition."""
    try:
        return as_condition(condition)
    except ConditionSyntaxError as error:
        where = f"condition {ticked(condition)}"
        raise HistoryError.of(where, error.what, error.fix) from None


def with_new_action(problem: Problem, entry: NewAction) -> Problem:
    """Return the problem with one more action, read as a problem file is."""
    if any(action.name == entry.action for action in problem.actions):
        what = f"there is an action {ticked(entry.action)} already"
        fix = "give it another name, or say what has changed"
        raise HistoryError.of("new action", what, fix)
    document = json.loads(write_text(problem, "json"))
    # JSON is YAML, and what stands for the action is put in as it was written.
    document["actions"][entry.action] = _PLACE
    text = json.dumps(document, ensure_ascii=False)
    read = read_text(text.replace(json.dumps(_PLACE), entry.body, 1), format="yaml")
    return replace(problem, actions=(*problem.actions, read.action(entry.action)))


def body_of(problem: Problem, action: Action) -> str:
    """Return what a problem file would say of a new action."""
    wider = checked(replace(problem, actions=(*problem.actions, action)))
    document = json.loads(write_text(wider, "json"))
    return json.dumps(document["actions"][action.name], ensure_ascii=False)


def document_of(entry: JournalEntry) -> dict[str, Any]:
    """
    Return an entry as plain data.

    Examples
    --------
    >>> document_of(NewProbability("a3", "ok", Fraction(1, 3)))
    {'kind': 'probability', 'action': 'a3', 'outcome': 'ok', 'probability': '1/3'}
    """
    names = [field.name for field in fields(entry)]  # type: ignore[arg-type]
    values = {name: _plain(getattr(entry, name)) for name in names}
    return {"kind": entry.kind, **values}


def entry_of(document: Mapping[str, Any]) -> JournalEntry:
    """
    Read an entry back; raise `ValueError` if it is none.

    Examples
    --------
    >>> entry_of({"kind": "ruled out", "action": "a3"})
    RuledOut(action='a3')
    """
    kind = document.get("kind")
    if kind not in _KINDS:
        raise ValueError(f"there is no entry of the kind {kind!r}")
    values = {}
    for field in fields(_KINDS[kind]):  # type: ignore[arg-type]
        if field.name not in document:
            raise ValueError(f"{field.name!r} is missing")
        values[field.name] = _READERS[field.name](document[field.name])
    return _KINDS[kind](**values)


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, Amounts | Budget):
        return {resource: limit_text(number) for resource, number in value.items()}
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not text")
    return value


def _number(value: object) -> Fraction:
    return exact(_text(value))


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no map")
    return {_text(key): _text(number) for key, number in value.items()}


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


_READERS: Final[dict[str, Callable[[Any], object]]] = {
    "action": _text,
    "outcome": _text,
    "advised": lambda value: None if value is None else _text(value),
    "is_forced": _truth,
    "probability": _number,
    "value": _number,
    "cost": lambda value: Amounts(_texts(value)),
    "left": lambda value: Budget(_texts(value)),
    "number": _whole,
    "condition": _text,
    "body": _text,
}
