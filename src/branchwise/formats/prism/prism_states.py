"""A problem as a model of its states, one by one: they hold more than outcomes."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from branchwise.errors import UnsupportedError, printable
from branchwise.formats.prism.prism_names import PrismNames
from branchwise.formats.prism.prism_payoff import fraction_text
from branchwise.model.problem import Problem
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction

# More take longer to read than to solve.
MOST_STATES: Final = 20_000


class StateModel:
    """
    A model with one number for each state.

    What is known of hidden facts is a vector of probabilities, for which the language
    has no variables; but only so many can come about. What is minimized is the cost:
    that of the actions, and what a reward falls short of the highest one. So no amount
    is below zero, as PRISM wants it.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._space = ProblemSpace(problem, exact=True)
        self._actions = self._explored()
        self._numbers = {state: n for n, state in enumerate(self._actions)}
        names = PrismNames()
        self._labels = {a.name: names.fresh("take", a.name) for a in problem.actions}
        rewards = {state: self._space.reward(state) for state in self._actions}
        # Where a plan must not end, no stop leads on: that has no finite cost.
        self._rewards = {
            state: Fraction(reward)
            for state, reward in rewards.items()
            if reward > -float("inf")
            and (not self._actions[state] or self._space.may_stop(state))
        }
        is_cost = problem.is_least_cost
        highest = max(self._rewards.values(), default=Fraction(0))
        self._top = Fraction(0) if is_cost else highest

    def lines(self) -> Iterator[str]:
        """Return the lines of the model."""
        title = printable(self._problem.name)
        about = "a problem of branchwise, for PRISM and Storm"
        yield f"// {title}: {about}" if title else f"// {about[0].upper()}{about[1:]}"
        yield '// property: Rmin=? [F "done"]'
        is_cost = self._problem.is_least_cost
        reward = f"expected reward: {fraction_text(self._top)} - result"
        yield "// expected cost: result" if is_cost else f"// {reward}"
        yield ""
        yield "mdp"
        yield ""
        yield "module problem"
        yield f"  s : [0..{len(self._numbers)}] init 0;"
        for state in self._actions:
            yield from (f"  {line}" for line in self._commands(state))
        yield f"  [] s={len(self._numbers)} -> true;"
        yield "endmodule"
        yield ""
        yield f'label "done" = s={len(self._numbers)};'
        yield ""
        yield "rewards"
        yield "  s=0 : 0;"  # There must be something.
        yield from (f"  {line}" for line in self._costs())
        yield "endrewards"

    def _explored(self) -> dict[PackedState, list[AvailableAction[PackedState]]]:
        found: dict[PackedState, list[AvailableAction[PackedState]]] = {}
        pending = [self._space.root]
        while pending:
            state = pending.pop()
            if state in found:
                continue
            if len(found) >= MOST_STATES:
                raise UnsupportedError(
                    f"a model for PRISM has up to {MOST_STATES:,} states where they "
                    "hold more than outcomes, and this problem has more"
                )
            found[state] = list(self._space.actions(state))
            pending += [t.state for a in found[state] for t in a.transitions]
        return found

    def _commands(self, state: PackedState) -> Iterator[str]:
        number = self._numbers[state]
        for action in self._actions[state]:
            updates = (
                f"{fraction_text(Fraction(p))} : (s'={self._numbers[child]})"
                for _, p, child in action.transitions
            )
            yield f"[{self._labels[action.name]}] s={number} -> {' + '.join(updates)};"
        if state in self._rewards:
            yield f"[stop] s={number} -> (s'={len(self._numbers)});"
        elif not self._actions[state]:
            yield f"[] s={number} -> true;"

    def _costs(self) -> Iterator[str]:
        for state, number in self._numbers.items():
            for action in self._actions[state]:
                if charge := Fraction(action.charge):
                    label = self._labels[action.name]
                    yield f"[{label}] s={number} : {fraction_text(charge)};"
            if state in self._rewards and (short := self._top - self._rewards[state]):
                yield f"[stop] s={number} : {fraction_text(short)};"
