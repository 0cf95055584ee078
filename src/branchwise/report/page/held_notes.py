"""What the states of a plan hold besides outcomes, for the page to show."""

from collections.abc import Hashable, Iterator
from typing import Final

from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import marginals, start_of, stepped
from branchwise.model.problem import Problem
from branchwise.report.text.knowledge import shares_text
from branchwise.tree.choices.policy import Policy

_MOST_PAIRS: Final = 20_000

_ENDED: Final = {"keep": "nothing can be done any more", "lose": "all is lost"}

Notes = dict[str, str]


def held_notes(
    policy: Policy, root: Hashable, problem: Problem
) -> dict[Hashable, Notes]:
    """
    Return the budget, counters and hidden facts at each state of a plan, by name.

    A state of the plan may stand for many states of the problem, which differ in what
    makes no difference any more: such a thing is left out there. Nothing is returned
    where there are too many ways to look at all of them.
    """
    start = start_of(problem)
    found: dict[Hashable, Notes] = {}
    pending: list[tuple[Hashable, State]] = [(root, start)]
    seen = set(pending)
    for key, state in pending:  # which grows meanwhile
        here = dict(_notes(problem, state))
        known = found.setdefault(key, here)
        found[key] = {name: text for name, text in known.items() if here[name] == text}
        decision = policy[key]
        for outcome, _, child in decision.branches:
            after = stepped(problem, state, Happened(str(decision.action), outcome))
            if (child, after) not in seen:
                seen.add((child, after))
                pending.append((child, after))
        if len(pending) > _MOST_PAIRS:
            return {}
    return found


def _notes(problem: Problem, state: State) -> Iterator[tuple[str, str]]:
    yield "Budget left", str(state.left)
    for counter, number in state.counters.items():
        yield counter, str(number)
    if state.knowledge:
        for fact, likely in marginals(problem, state.knowledge).items():
            yield fact, shares_text(likely)
    yield "Ended", _ENDED[state.ended] if state.ended else ""
