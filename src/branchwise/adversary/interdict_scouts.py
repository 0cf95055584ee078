"""
Scouts: workers ask the attacker beforehand what a search is about to ask.

What the attacker answers depends on the defenses alone. So workers search ahead, each
within a scope of its own, and send what they were answered; the search itself then goes
the way that it goes without them, and finds the answers at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from threading import Event
from typing import Final, NamedTuple

from branchwise.adversary.defenses import Choices, Effects
from branchwise.adversary.interdict_attack import Answer, Attacker, StoppedError
from branchwise.adversary.interdict_every import SolvingAttacker
from branchwise.adversary.interdict_search import Best, Scope, SearchStart
from branchwise.engine.limits import Limits
from branchwise.executors.executor import Executor
from branchwise.executors.share import answers
from branchwise.model.features import features_of
from branchwise.model.problem import Problem

Answers = dict[int, Answer]
"""What the attacker answers, by the defenses."""

# More budgets than this are left to the search itself.
MOST_BUDGETS: Final = 64


class Ground(NamedTuple):
    """What is known where scouts set out."""

    problem: Problem
    exact: bool
    seconds: float | None  # what is left
    answers: Answers
    search: SearchStart | None = None  # None where every set is tried


class Errand(NamedTuple):
    """What a scout is to ask for: the best set in a scope, and some sets."""

    scope: Scope | None
    sets: tuple[int, ...] = ()


def scout(
    ground: Ground,
    errands: Sequence[Errand],
    executor: Executor,
    look: Callable[[int], object],
) -> Answers:
    """Return what the attacker has answered to scouts."""
    found: Answers = {}
    for _, heard in answers(partial(_heard, ground), errands, executor, look):
        found.update(heard)
    return found


def set_errands(sets: Iterable[int]) -> list[Errand]:
    """Return what is asked for where every set is tried."""
    return [Errand(None, (each,)) for each in sets]


def worth_errands(scope: Scope, best: Best, num_defenses: int) -> list[Errand]:
    """Return what is asked for to tell what each defense is worth."""
    return [
        Errand(scope.without(number, best.defenses), (1 << number,))
        for number in range(num_defenses)
    ]


def budget_errands(units: int) -> list[Errand]:
    """Return what is asked for to tell what smaller budgets achieve."""
    if units > MOST_BUDGETS:
        return []
    return [Errand(Scope(fewer)) for fewer in range(units - 1, -1, -1)]


def attacker_of(problem: Problem, limits: Limits, *, exact: bool) -> Attacker:
    """Return what answers defenses of a problem."""
    kind = SolvingAttacker if features_of(problem) else Attacker
    return kind(Effects(problem), limits, exact=exact)


# A worker has errand after errand of one problem; what it has explored stays with it.
@lru_cache(maxsize=1)
def _standing(problem: Problem, exact: bool) -> Attacker:  # noqa: FBT001 - for the cache
    return attacker_of(problem, Limits(), exact=exact)


def _heard(ground: Ground, errands: Sequence[Errand], cancel: Event) -> list[Answers]:
    """Carry errands out, in a worker; of those that a limit ends, return what is."""
    attacker = _standing(ground.problem, ground.exact)
    attacker.limit(Limits(time_limit_seconds=ground.seconds, cancel=cancel))
    return [_heard_on(attacker, ground, each) for each in errands]


def _heard_on(attacker: Attacker, ground: Ground, errand: Errand) -> Answers:
    attacker.answers = dict(ground.answers)
    attacker.heard = {}
    with suppress(StoppedError):
        for defenses in errand.sets:
            attacker.answer(defenses)
        if ground.search is not None and errand.scope is not None:
            choices = Choices(ground.problem)
            search = ground.search.begun(attacker, choices, lambda _: attacker.look())
            search.find(errand.scope)
    attacker.foretold.update(attacker.heard)
    return attacker.heard
