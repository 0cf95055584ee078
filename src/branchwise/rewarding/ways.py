"""
Ways for an outcome to happen: what it needs, what it avoids, and what it costs.

An outcome can come up when its action is available and the clause of conditioning that
counts gives it a chance. Both are conditions, and each alternative of these is a way.
"""

from fractions import Fraction
from typing import NamedTuple

from branchwise.model.action import Action
from branchwise.model.conditions.condition import ALWAYS, Condition, all_of, negation
from branchwise.rewarding.terms import Terms
from branchwise.space.packed import Units
from branchwise.space.problem_space import ProblemSpace, allowed, clauses


class Way(NamedTuple):
    """One way for an outcome to happen."""

    needs: int  # The outcomes that must have happened before, one bit each
    avoids: int  # The outcomes that must not have happened before, one bit each
    price: Units  # What the attempt then costs of each finite resource
    probability: Fraction  # How likely the outcome then is


class Ways:
    """The ways of every outcome of a problem."""

    def __init__(self, space: ProblemSpace, terms: Terms) -> None:
        self.terms = terms
        self._space = space
        self._of: dict[int, list[Way]] = {bit: [] for bit in terms.bits.values()}
        for action in space.problem.actions:
            self._add(action)

    def of(self, bit: int) -> list[Way]:
        """Return the ways of an outcome."""
        return self._of[bit]

    def _add(self, action: Action) -> None:
        available = allowed(action)
        earlier: Condition = ALWAYS  # that no clause before holds
        for clause, cost, outcomes in clauses(action):
            when = all_of(earlier, clause.when)
            terms = self.terms.of(all_of(available, when))
            price = self._space.units(cost)
            for outcome in outcomes:
                if outcome.probability:
                    bit = self.terms.bit(action.name, outcome.label)
                    # An outcome cannot need itself, and avoids itself at first anyway.
                    self._of[bit] += [
                        Way(needs, avoids & ~bit, price, outcome.probability)
                        for needs, avoids in terms
                        if not needs & bit
                    ]
            earlier = all_of(earlier, negation(clause.when))
