"""Contenders: the options that may be optimal, with numbers to compute with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

import branchwise._core as core
from branchwise.engine.exact.exact_knowledge import ExactKnowledge, Met
from branchwise.engine.payments import adds_up, payments
from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.numbers.number import Real
from branchwise.model.problem import Problem
from branchwise.space.problem_space import clauses
from branchwise.space.state_space import AvailableAction, Transition

_CODES: Final[dict[str, Any]] = {  # by which the bytes of the core are read as numbers
    **dict.fromkeys(
        ("first_held", "first_options", "first_branches", "first_gained"), "Q"
    ),
    **dict.fromkeys(
        ("states", "held", "actions", "variants", "outcomes", "children", "gained"), "I"
    ),
    "may_stop": "B",
    "counts": "q",
}

Number = Callable[[Any], Real]
"""What turns the numbers of a problem into those to compute with."""


class Link(NamedTuple):
    """One outcome of an option, and where it leads."""

    outcome: int  # Within the action
    probability: Real
    gain: Real  # What is certain from there on
    gained: tuple[int, ...]  # The same as rewards
    child: int  # Its place among the states


class Contender(NamedTuple):
    """An option that may be optimal at a state."""

    action: AvailableAction[Any]  # As it is whatever state it is taken at
    number: int  # Of the action
    variant: int  # Which clause counts
    links: tuple[Link, ...]


class Contenders:
    """The states of all that may be optimal, each after its children."""

    # A state has a place among them, and a number in the engine; the root is the last.
    # `unseen` stands for the states that an action leads to.

    def __init__(
        self,
        found: core.Contenders,
        problem: Problem,
        number: Number,
        unseen: object = None,
    ) -> None:
        seen = {name: memoryview(getattr(found, name)) for name in _CODES}
        self._arrays: dict[str, Sequence[int]] = {
            name: view.cast(_CODES[name]).tolist() for name, view in seen.items()
        }
        self._problem, self._number, self._unseen = problem, number, unseen
        self._actions, self._variants, self._outcomes, self._children = (
            self._arrays[of] for of in ("actions", "variants", "outcomes", "children")
        )
        self._is_sum = adds_up(problem)
        self._nothing = number(0)
        self._payments = payments(problem)
        self._values = [number(payment.value) for payment in self._payments]
        self._known: dict[tuple[int, int, Met], AvailableAction[Any]] = {}
        self._knowledge = ExactKnowledge(problem) if problem.hidden else None
        self.numbers = self._arrays["states"]
        """By place: the number of the state."""
        self.may_stop = self._arrays["may_stop"]
        """By place: whether a plan may end there, or else must go on."""
        places = range(len(self.numbers))
        self.rewards = [self._reward(self._row("held", at), at) for at in places]
        """By place: the reward for stopping there, less what was gained on the way."""
        self.options = [
            tuple(self._option(each, at) for each in self._range("options", at))
            for at in places
        ]
        """By place: what may be optimal there."""

    def places(self) -> dict[int, int]:
        """Return the places of states by their numbers."""
        return {number: place for place, number in enumerate(self.numbers)}

    def _range(self, of: str, row: int) -> range:
        first = self._arrays[f"first_{of}"]
        return range(first[row], first[row + 1])

    def _row(self, of: str, row: int) -> tuple[int, ...]:
        within = self._range(of, row)
        return tuple(self._arrays[of][within.start : within.stop])

    def _met(self, place: int) -> Met:
        """Return how often each signal was met; signals are the last counters."""
        if self._knowledge is None:
            return ()
        counts = self._arrays["counts"]
        end = (place + 1) * (len(counts) // len(self.numbers))
        return tuple(counts[end - self._knowledge.num_signals : end])

    def _reward(self, held: tuple[int, ...], place: int) -> Real:
        if self._knowledge is not None:
            paid = [self._payments[reward] for reward in held]
            known = self._knowledge
            expected = known.expected_sum if self._is_sum else known.expected_best
            return self._number(expected(paid, self._met(place)))
        values = [self._values[reward] for reward in held]
        if self._is_sum:
            return sum(values, self._nothing)
        return max([self._nothing, *values])

    def _option(self, option: int, place: int) -> Contender:
        number, variant = self._actions[option], self._variants[option]
        met = self._met(place)
        action = self._known.get((number, variant, met))
        if action is None:
            action = self._action(self._problem.actions[number], variant, met)
            self._known[number, variant, met] = action
        first = self._arrays["first_branches"][option]
        outcomes, children = self._outcomes, self._children
        links = []
        for branch, transition in enumerate(action.transitions, first):
            gained = self._row("gained", branch) if self._is_sum else ()
            gain = sum((self._values[each] for each in gained), self._nothing)
            link = Link(
                outcomes[branch],
                transition.probability,
                gain,
                gained,
                children[branch],
            )
            links.append(link)
        return Contender(action, number, variant, tuple(links))

    def _terms(
        self, action: Action, variant: int, met: Met
    ) -> tuple[Amounts, dict[str, Fraction]]:
        """Return what an action costs, and how likely its outcomes are."""
        known = self._knowledge
        terms = None if known is None else known.terms(action.name, variant)
        if known is None or terms is None:
            _, cost, outcomes = list(clauses(action))[variant]
            return cost, {o.label: o.probability for o in outcomes if o.probability}
        given = None if terms.clause is None else action.given[terms.clause]
        chances = known.chances(action.name, terms, met)
        pairs = zip(action.labels, chances, strict=True)
        return action.under(given)[0], {label: p for label, p in pairs if p}

    def _action(self, action: Action, variant: int, met: Met) -> AvailableAction[Any]:
        cost, chances = self._terms(action, variant, met)
        # What outcomes cost besides counts as much as it is likely.
        parts = [(cost, Fraction(1))]
        parts += [
            (o.cost, chances[o.label])
            for o in action.outcomes
            if o.cost and o.label in chances
        ]
        weighed = self._problem.charge_weight.times
        return AvailableAction(
            action.name,
            tuple(
                Transition(label, self._number(chances[label]), self._unseen)
                for label in action.labels
                if label in chances
            ),
            self._number(sum(each.total() * chance for each, chance in parts)),
            self._number(sum(weighed(each) * chance for each, chance in parts)),
        )
