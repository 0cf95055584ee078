"""What a PRISM model remembers: how each action came out, and how often."""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from branchwise.errors import printable
from branchwise.formats.prism.prism_names import PrismNames
from branchwise.model.action import Action
from branchwise.model.conditions import condition as conditions
from branchwise.model.problem import Problem
from branchwise.space.packed import most_attempts


@dataclass(slots=True)
class Record:
    """
    The variables that remember one action, if it can be taken at all.

    An action taken at most once has ``outcome``: 0, or the number of its outcome. One
    that can be taken again has ``counter``: how often it was, as far as that matters;
    ``attempted``, where it only matters whether it was; and ``flags``, the outcomes
    that conditions ask for, each true once it has happened.
    """

    action: Action
    most_attempts: int
    outcome: str = ""
    counter: str = ""
    attempted: str = ""
    flags: dict[str, str] = field(default_factory=dict)

    def is_true(self, literal: conditions.Happened | conditions.Attempted) -> str:
        """Return the expression for a literal about this action."""
        if not self.most_attempts:
            return "false"
        if isinstance(literal, conditions.Happened):
            if self.outcome:
                return f"{self.outcome}={self._number(literal.outcome)}"
            return self.flags[literal.outcome]
        if self.outcome or self.counter:
            return f"{self.outcome or self.counter}>0"
        return self.attempted

    def has_attempts(self) -> str:
        """Return the expression for having attempts left; empty where it always has."""
        if self.outcome:
            return f"{self.outcome}=0"
        return f"{self.counter}<{self.most_attempts}" if self.counter else ""

    def paid_for_attempts_left(self, amount: str) -> str:
        """Write that each attempt that is left pays an amount."""
        if self.outcome:
            return f"{self.outcome}=0 : {amount};"
        return f"true : ({self.most_attempts}-{self.counter})*{amount};"

    def updates(self, label: str) -> Iterator[str]:
        """Return what changes when the action comes out so."""
        if self.outcome:
            yield f"({self.outcome}'={self._number(label)})"
        if self.counter:
            yield f"({self.counter}'={self.counter}+1)"
        if self.attempted:
            yield f"({self.attempted}'=true)"
        if label in self.flags:
            yield f"({self.flags[label]}'=true)"

    def resets(self) -> Iterator[str]:
        """Return what forgets the action."""
        for variable in filter(None, (self.outcome, self.counter)):
            yield f"({variable}'=0)"
        for variable in filter(None, (self.attempted, *self.flags.values())):
            yield f"({variable}'=false)"

    def declarations(self) -> Iterator[str]:
        """Declare the variables, and say what they mean."""
        labels = [printable(label) for label in self.action.labels]
        name = printable(self.action.name)
        if self.outcome:
            meanings = [f"{i} {label}" for i, label in enumerate(labels, start=1)]
            yield f"// {name}: {', '.join(['0 not taken', *meanings])}"
            yield f"{self.outcome} : [0..{len(labels)}] init 0;"
        elif self.most_attempts:
            yield f"// {name}: how often, and what has happened"
            if self.counter:
                yield f"{self.counter} : [0..{self.most_attempts}] init 0;"
            if self.attempted:
                yield f"{self.attempted} : bool init false;"
            for label, flag in self.flags.items():
                yield f"{flag} : bool init false; // {printable(label)}"

    def _number(self, label: str) -> int:
        return self.action.labels.index(label) + 1


class PrismState:
    """The variables of a problem, some of them counted, and conditions in them."""

    def __init__(
        self, problem: Problem, names: PrismNames, *, counted: Container[str]
    ) -> None:
        mentioned = {e for c in _conditions_of(problem) for e in c.mentions()}
        self.records = {
            a.name: _record(problem, a, names, mentioned, is_counted=a.name in counted)
            for a in problem.actions
        }

    def expression(self, condition: conditions.Condition) -> str:
        """Write a condition; one that is joined stands in parentheses."""
        match condition:
            case conditions.Happened(action, _) | conditions.Attempted(action):
                return self.records[action].is_true(condition)
            case conditions.AllOf(()):
                return "true"
            case conditions.AnyOf(()):
                return "false"
            case conditions.AllOf(parts):
                return f"({' & '.join(self.expression(part) for part in parts)})"
            case conditions.AnyOf(parts):
                return f"({' | '.join(self.expression(part) for part in parts)})"
            case conditions.AtLeast(parts, count):
                ones = (f"({self.expression(part)} ? 1 : 0)" for part in parts)
                return f"({' + '.join(ones)} >= {count})"
            case conditions.Not(inner):
                text = self.expression(inner)
                return f"!{text}" if text.startswith("(") else f"!({text})"
        raise TypeError(f"not a condition: {condition!r}")


def _conditions_of(problem: Problem) -> Iterator[conditions.Condition]:
    for action in problem.actions:
        yield action.requires
        yield action.precluded_by
        yield from (clause.when for clause in action.given)
    yield from (reward.when for reward in problem.rewards)


def _record(
    problem: Problem,
    action: Action,
    names: PrismNames,
    mentioned: set[conditions.Happened | conditions.Attempted],
    *,
    is_counted: bool,
) -> Record:
    most = most_attempts(problem, action)
    record = Record(action, most)
    if most == 1:
        record.outcome = names.fresh("did", action.name)
    if most < 2:
        return record
    # Where the budget ends the attempts, they need not be counted as well.
    if is_counted or most == action.attempts:
        record.counter = names.fresh("times", action.name)
    elif conditions.Attempted(action.name) in mentioned:
        record.attempted = names.fresh("did", action.name)
    for label in action.labels:
        if conditions.Happened(action.name, label) in mentioned:
            record.flags[label] = names.fresh("did", action.name, label)
    return record
