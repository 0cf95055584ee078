"""A plan that one individual got, as others would carry it out."""

from __future__ import annotations

from typing import Final, NamedTuple

from branchwise.analysis.sensitivity.facts import NO_FACTS, Facts, WatchedFacts
from branchwise.engine.plan_book import FixedPlan, PlanBook
from branchwise.model.problem import Problem

__all__ = ["fixed_plan"]

# A plan with more positions than this is worth more time than it saves.
_MOST_POSITIONS: Final = 200_000

# Wide enough for how often an action can be taken along a path.
_DIGITS: Final = 32


class _Position(NamedTuple):
    """A node of the plan, the facts by then that matter, and what has been paid for."""

    node: int
    facts: Facts
    paid: int


def fixed_plan(
    problem: Problem, book: PlanBook, plan: int, *, has_prices: bool
) -> FixedPlan | None:
    """
    Return a plan that can be valued at the numbers of any individual.

    Where a plan says nothing, since an outcome was impossible for the individual it was
    made for, and where an action costs more than an individual has left, it stops.

    Parameters
    ----------
    problem
        What all of them have in common.
    book, plan
        Where the plan stands, and its number there.
    has_prices
        Whether individuals differ in what they can pay for.

    Returns
    -------
    FixedPlan or None
        None where the plan has too many positions.
    """
    making = _Making(problem, book, has_prices=has_prices)
    return making.plan if making.make(plan) else None


class _Making:
    """Puts a plan together, position by position."""

    def __init__(self, problem: Problem, book: PlanBook, *, has_prices: bool) -> None:
        self.plan = FixedPlan()
        self._actions = problem.actions
        self._book = book
        self._facts = WatchedFacts(problem, with_clauses=True)
        self._has_prices = has_prices
        self._numbers: dict[_Position, int] = {}
        # What is paid for is counted by variants, each in its own digits.
        sizes = [len(action.given) + 1 for action in problem.actions]
        self._firsts = [sum(sizes[:n]) for n in range(len(sizes))]

    def make(self, plan: int) -> bool:
        """Add all positions, the first one last; False where there are too many."""
        pending = [_Position(plan, NO_FACTS, 0)]
        while pending:
            position = pending[-1]
            if position in self._numbers:
                pending.pop()
                continue
            following = self._following(position)
            missing = [each for each in following if each not in self._numbers]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            self._add(position, following)
            if len(self._numbers) > _MOST_POSITIONS:
                return False
        return True

    def _variant(self, position: _Position) -> tuple[int, int]:
        step = self._book.step(position.node)
        assert step is not None
        action = self._actions[step[0]]
        return step[0], self._facts.clause(position.facts, action)

    def _following(self, position: _Position) -> list[_Position]:
        """Return the next position for each outcome, also where the plan has none."""
        step = self._book.step(position.node)
        if step is None:
            return []
        number, variant = self._variant(position)
        action, nodes = self._actions[number], dict(step[1])
        one = 1 << _DIGITS * (self._firsts[number] + variant)
        paid = position.paid + one if self._has_prices else 0
        return [
            _Position(
                nodes.get(label, 0),
                self._facts.after(position.facts, action.name, name),
                # What was paid counts no more where the plan stops.
                paid if nodes.get(label, 0) else 0,
            )
            for label, name in enumerate(action.labels)
        ]

    def _add(self, position: _Position, following: list[_Position]) -> None:
        held = self._facts.held(position.facts)
        if not position.node:
            self._numbers[position] = self.plan.add_stop(held)
            return
        children = [self._numbers[each] for each in following]
        action, variant = self._variant(position)
        self._numbers[position] = self.plan.add_step(action, variant, children, held)
