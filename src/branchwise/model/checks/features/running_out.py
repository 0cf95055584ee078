"""Whether attempts without end run out: by a counter that goes one way only."""

from collections.abc import Iterator

from branchwise.model.action import Action
from branchwise.model.checks.demands import demands_of
from branchwise.model.conditions.condition import COMPARISONS, Comparison
from branchwise.model.conditions.quantity import CounterValue
from branchwise.model.counter import Counter
from branchwise.model.problem import Problem


def runs_out(action: Action, problem: Problem) -> bool:
    """
    Whether a counter ends the attempts at an action.

    It does if every attempt moves it towards one end of its range, nothing ever moves
    it the other way, and the action cannot be taken where it stands at that end: after
    at most as many attempts as the range has numbers it is there.
    """
    for compared, truth in demands_of(action):
        if not isinstance(compared, Comparison):
            continue
        quantity = compared.quantity
        if not isinstance(quantity, CounterValue):
            continue
        counters = [c for c in problem.counters if c.name == quantity.counter]
        if any(_ends_at(compared, c, action, problem, truth=truth) for c in counters):
            return True
    return False


def _ends_at(
    compared: Comparison,
    counter: Counter,
    action: Action,
    problem: Problem,
    *,
    truth: bool,
) -> bool:
    holds = COMPARISONS[compared.sign]
    own = list(_changes(action, counter.name))
    every = [n for each in problem.actions for n in _changes(each, counter.name)]
    goes_down = max(own, default=0) < 0 and max(every) <= 0
    goes_up = min(own, default=0) > 0 and min(every) >= 0
    if goes_down:
        return holds(counter.low, compared.number) != truth
    return goes_up and holds(counter.high, compared.number) != truth


def _changes(action: Action, counter: str) -> Iterator[int]:
    """Return by how much an action may change a counter, for each of its outcomes."""
    always = action.effects.get(counter, 0)
    return (always + outcome.effects.get(counter, 0) for outcome in action.outcomes)
