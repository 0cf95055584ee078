"""A problem as a Markov decision process in the language of PRISM and Storm."""

from collections.abc import Iterator
from typing import NamedTuple

from branchwise.errors import printable
from branchwise.formats.prism.prism_budget import PrismBudget
from branchwise.formats.prism.prism_listing import PrismListing
from branchwise.formats.prism.prism_names import PrismNames
from branchwise.formats.prism.prism_payoff import (
    Payoff,
    charged_actions,
    fraction_text,
    payoff,
)
from branchwise.formats.prism.prism_state import PrismState
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import Amounts
from branchwise.model.conditions.condition import (
    ALWAYS,
    AllOf,
    Condition,
    all_of,
    negation,
)
from branchwise.model.features import features_of
from branchwise.model.problem import Problem


def prism_text(problem: Problem) -> str:
    r"""
    Write a valid problem as a model for PRISM and Storm.

    The first lines say which property to check, and how the expected reward comes out
    of its result.

    >>> drill = Action("drill", outcomes={"oil": "1/5", "dry": "rest"})
    >>> from branchwise.model.problem import Reward
    >>> text = prism_text(Problem([drill], [Reward(drill["oil"], 200)]))
    >>> print(*text.splitlines()[:3], sep="\n")
    // A problem of branchwise, for PRISM and Storm
    // property: Pmax=? [F "goal"]
    // expected reward: 200 * result
    """
    model = _listed(problem) if features_of(problem) else _Model(problem).lines()
    return "\n".join(model) + "\n"


def _listed(problem: Problem) -> Iterator[str]:
    """Write a model that lists every state."""
    listing = PrismListing(problem)
    yield _title(problem)
    yield '// property: Rmin=? [F "done"]'
    yield f"// {listing.expected_reward()}"
    yield ""
    yield from listing.lines()


class _Command(NamedTuple):
    """One action as it is while one clause of it counts."""

    label: str
    meaning: str
    action: Action
    guards: tuple[str, ...]
    cost: Amounts
    outcomes: tuple[Outcome, ...]


class _Model:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._names = PrismNames()
        self._budget = PrismBudget(problem, self._names)
        self._state = PrismState(problem, self._names, counted=charged_actions(problem))
        self._commands = [c for a in problem.actions for c in self._variants(a)]
        self._payoff = payoff(
            problem, self._state, [(c.label, c.action, c.cost) for c in self._commands]
        )

    def lines(self) -> Iterator[str]:
        yield from _header(self._problem, self._payoff)
        yield ""
        yield "mdp"
        yield ""
        yield "module problem"
        yield from (f"  {line}" for line in self._declarations())
        for command in self._commands:
            yield ""
            yield from (f"  {line}" for line in self._command(command))
        yield ""
        yield from (f"  {line}" for line in self._stop())
        yield "endmodule"
        yield ""
        yield from self._payoff.lines

    def _declarations(self) -> Iterator[str]:
        if self._payoff.has_end:
            yield "done : bool init false;"
        for purse in self._budget.purses:
            yield from purse.declarations()
        for record in self._state.records.values():
            yield from record.declarations()

    def _variants(self, action: Action) -> Iterator[_Command]:
        """Return a command for each clause of an action, and one for no clause."""
        record = self._state.records[action.name]
        allowed = all_of(action.requires, negation(action.precluded_by))
        earlier: tuple[Condition, ...] = ()
        for number, clause in enumerate((*action.given, Given(ALWAYS)), start=1):
            counts = all_of(allowed, *earlier, clause.when)
            earlier = (*earlier, negation(clause.when))
            cost, outcomes = action.under(clause)
            if not record.most_attempts or not self._budget.affords(cost):
                continue
            words, meaning = ["take", action.name], action.name
            if number <= len(action.given):
                words += ["given", str(number)]
                meaning += f", given {clause.when}"
            guards = [record.has_attempts(), *self._budget.guards(cost)]
            parts = counts.parts() if isinstance(counts, AllOf) else (counts,)
            guards += map(self._state.expression, parts)
            label = self._names.fresh(*words)
            guard = tuple(filter(None, guards))
            yield _Command(label, meaning, action, guard, cost, outcomes)

    def _command(self, command: _Command) -> Iterator[str]:
        guards = ["!done"] if self._payoff.has_end else []
        yield f"// {printable(command.meaning)}"
        yield f"[{command.label}] {' & '.join([*guards, *command.guards]) or 'true'}"
        record = self._state.records[command.action.name]
        paid = list(self._budget.updates(command.cost))
        possible = [outcome for outcome in command.outcomes if outcome.probability]
        for number, outcome in enumerate(possible):
            sign = "+" if number else "->"
            updates = " & ".join([*record.updates(outcome.label), *paid]) or "true"
            end = ";" if number == len(possible) - 1 else ""
            probabilities = fraction_text(outcome.probability)
            yield f"  {sign:>2} {probabilities} : {updates}{end}"

    def _stop(self) -> Iterator[str]:
        yield "// Stopping is allowed everywhere."
        if not self._payoff.has_end:
            yield "[stop] true -> true;"
            return
        # What is forgotten makes all ends one state.
        forgotten = ["(done'=true)"]
        forgotten += [f"({purse.variable}'=0)" for purse in self._budget.purses]
        for record in self._state.records.values():
            forgotten += record.resets()
        yield f"[stop] !done -> {' & '.join(forgotten)};"
        yield "[] done -> true;"


def _title(problem: Problem) -> str:
    title = printable(problem.name)
    about = "a problem of branchwise, for PRISM and Storm"
    return f"// {title}: {about}" if title else f"// {about[0].upper()}{about[1:]}"


def _header(problem: Problem, asked: Payoff) -> Iterator[str]:
    yield _title(problem)
    yield f"// property: {asked.property}"
    yield f"// expected reward: {asked.expected_reward()}"
