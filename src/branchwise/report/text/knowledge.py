"""What is known at a state, in words: counters, hidden facts, and an ending."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from branchwise.model.conditions.condition import quoted
from branchwise.model.execution.state import State
from branchwise.model.execution.turn import marginals
from branchwise.model.problem import Problem
from branchwise.report.text.wording import chance

_ENDED = {"keep": "everything has ended", "lose": "everything has ended and is lost"}


def fact_words(fact: str, likely: Mapping[str, Fraction]) -> str:
    """
    Return how likely a hidden fact is what it may be.

    >>> fact_words("disease", {"present": Fraction(27, 41), "absent": Fraction(14, 41)})
    'disease: present 65.9 %, absent 34.1 %'
    >>> fact_words("disease", {"present": Fraction(1), "absent": Fraction(0)})
    'disease: present'
    """
    return f"{quoted(fact)}: {shares_text(likely)}"


def shares_text(likely: Mapping[str, Fraction]) -> str:
    """Return what may be, with how likely each is unless it is certain."""
    possible = {label: share for label, share in likely.items() if share}
    if len(possible) == 1:
        return quoted(next(iter(possible)))
    parts = (f"{quoted(label)} {chance(share)}" for label, share in possible.items())
    return ", ".join(parts)


def state_notes(problem: Problem, state: State) -> Iterator[str]:
    """Return what a state holds besides outcomes and what is left, part by part."""
    for name, number in state.counters.items():
        yield f"{quoted(name)} {number}"
    if state.knowledge:
        for fact, likely in marginals(problem, state.knowledge).items():
            yield fact_words(fact, likely)
    if state.ended is not None:
        yield _ENDED[state.ended]
