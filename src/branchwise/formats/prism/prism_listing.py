"""A PRISM model that lists every state, where states hold more than outcomes."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from branchwise.errors import FormatError, Issue, printable
from branchwise.formats.prism.prism_names import PrismNames
from branchwise.formats.prism.prism_payoff import fraction_text
from branchwise.model.checks.issue import about
from branchwise.model.problem import Problem
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction

_MOST_STATES: Final = 20_000

_Actions = list[AvailableAction[PackedState]]


class PrismListing:
    """
    The states of a problem, numbered as they are found, and what can be done there.

    Knowledge of hidden facts is no variable of PRISM's: what probabilities are there
    follows from Bayes' rule. So every state is one value of a single variable.
    """

    # Costs are paid on the way, and what stopping misses of the largest reward at the
    # end: this sum is never negative, and least where the objective is largest.

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._space = ProblemSpace(problem, exact=True)
        root = self._space.root
        self._numbers: dict[PackedState, int] = {root: 0}
        self._actions: list[_Actions] = []
        pending = [root]
        for state in pending:  # which grows meanwhile
            self._actions.append(list(self._space.actions(state)))
            for action in self._actions[-1]:
                for _, _, child in action.transitions:
                    if self._numbers.setdefault(child, len(pending)) == len(pending):
                        pending.append(child)
            if len(pending) > _MOST_STATES:
                raise FormatError([_too_many()])
        self._rewards = [self._paid(state) for state in pending]
        paid = [reward for reward in self._rewards if reward is not None]
        # A cost is counted from nothing on.
        self._best = Fraction(0) if problem.is_least_cost else max(paid)
        names = PrismNames()
        self._labels = {a.name: names.fresh("take", a.name) for a in problem.actions}

    def expected_reward(self) -> str:
        """Return how to work the answer out of the result."""
        if self._problem.is_least_cost:
            return "expected cost: result"
        return f"expected reward: {fraction_text(Fraction(self._best))} - result"

    def lines(self) -> Iterator[str]:
        """Write the model, from `mdp` on."""
        yield from ("mdp", "", "module problem")
        last = len(self._numbers)
        yield f"  // every state has a number; {last} is the end"
        yield f"  state : [0..{last}] init 0;"
        for state, number in self._numbers.items():
            yield ""
            yield f"  // {number}: {printable(str(self._space.describe(state)))}"
            yield from (f"  {line}" for line in self._commands(number))
        yield ""
        yield f"  [] state={last} -> true;"
        yield from ("endmodule", "", 'rewards "total"')
        # There must be one item at least.
        yield from (f"  {item}" for item in (*self._items(), "true : 0;"))
        yield from ("endrewards", "", f'label "done" = state={last};')

    def _paid(self, state: PackedState) -> Fraction | None:
        """Return what stopping pays; None where one may not stop."""
        number = self._numbers[state]
        if self._actions[number] and not self._space.may_stop(state):
            return None
        reward = self._space.reward(state)
        return None if reward == -math.inf else Fraction(reward)

    def _commands(self, number: int) -> Iterator[str]:
        for action in self._actions[number]:
            parts = " + ".join(
                f"{fraction_text(Fraction(p))} : (state'={self._numbers[child]})"
                for _, p, child in action.transitions
            )
            yield f"[{self._labels[action.name]}] state={number} -> {parts};"
        if self._rewards[number] is not None:
            yield f"[stop] state={number} -> (state'={len(self._numbers)});"
        elif not self._actions[number]:
            yield f"[] state={number} -> true; // no plan may end here"

    def _items(self) -> Iterator[str]:
        for number, (actions, reward) in enumerate(
            zip(self._actions, self._rewards, strict=True)
        ):
            for action in actions:
                if action.charge:
                    charge = fraction_text(Fraction(action.charge))
                    yield f"[{self._labels[action.name]}] state={number} : {charge};"
            missed = None if reward is None else self._best - reward
            if missed:
                yield f"[stop] state={number} : {fraction_text(Fraction(missed))};"


def _too_many() -> Issue:
    what = f"the model would list more than {_MOST_STATES} states"
    fix = "lower the budget, or leave hidden facts and counters out"
    return about(("actions",), what, fix)
