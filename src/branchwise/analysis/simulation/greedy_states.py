"""A greedy policy where states hold more than outcomes: it looks along single ways."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from branchwise.errors import LimitError
from branchwise.model.problem import Problem
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction, Real
from branchwise.tree.choices.choosers import Choices

_MOST_PLACES: Final = 200_000


class _Course(NamedTuple):
    """A way on, if all goes as is hoped: better ones are larger."""

    worth: Real  # what it gains by the wish, less weighted cost
    probability: Real  # how likely all goes so
    action: str | None = None  # the first action to take


class StatesGreedyChooser:
    """
    Takes the first action of the best course, and looks again after every outcome.

    A *course* is a sequence of actions with the outcomes hoped for, to any state at
    which one may stop. It gains what stopping there pays more than stopping here. By
    the wish ``reward`` the best course gains most if all goes well, and of these it is
    the likeliest; by ``expected`` it gains most on average, given up at the first
    outcome that was not hoped for. Weighted cost counts against either. The policy
    stops where no course gains anything, unless the problem must be finished.
    """

    start = None

    def __init__(self, problem: Problem, wish: Literal["reward", "expected"]) -> None:
        self._space = ProblemSpace(problem, exact=True)
        self._wish = wish
        self._is_hoping = wish == "reward"
        # By what stopping would pay where it was asked: that is what a course gains on.
        self._known: dict[tuple[Real, PackedState], _Course] = {}
        self._chosen: dict[PackedState, Choices] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of, without what it has looked at."""
        return type(self), (self._space.problem, self._wish)

    def choices(self, mind: Hashable, state: PackedState) -> Choices:
        """Take the first action of the best course; stop if there is none."""
        del mind
        if state not in self._chosen:
            self._chosen[state] = ((1.0, self._first(state)),)
        return self._chosen[state]

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:
        """Keep nothing in mind."""
        del mind, action, outcome
        return None

    def _first(self, state: PackedState) -> str | None:
        actions = list(self._space.actions(state))
        must_go_on = bool(actions) and not self._space.may_stop(state)
        if not actions:
            return None
        # Where one must go on, there is nothing to compare with but nothing at all.
        held = Fraction(0) if must_go_on else self._space.reward(state)
        courses = [self._by(action, state, held) for action in actions]
        best = max(courses, key=lambda course: course[:2])  # The first one of equals.
        return best.action if must_go_on or best.worth > 0 else None

    def _by(
        self, action: AvailableAction[PackedState], state: PackedState, held: Real
    ) -> _Course:
        """Return the best course that begins with an action."""
        found = []
        for child in action.transitions:
            rest = self._course(child.state, held)
            charge = action.charge
            if self._is_hoping:
                charge = self._space.charge_of(state, action, child)
                worth = rest.worth - charge
            else:
                worth = rest.worth * child.probability - charge
            probability = rest.probability * child.probability
            found.append(_Course(worth, probability, action.name))
        return max(found, key=lambda course: course[:2])

    def _course(self, state: PackedState, held: Real) -> _Course:
        """Return the best course from a state on, which may be to stop there."""
        pending = [state]
        while pending:
            here = pending[-1]
            if (held, here) in self._known:
                pending.pop()
                continue
            actions = list(self._space.actions(here))
            children = (c.state for a in actions for c in a.transitions)
            missing = [c for c in children if (held, c) not in self._known]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            options = [self._by(action, here, held) for action in actions]
            if not actions or self._space.may_stop(here):
                options.insert(0, self._stopped(here, held))
            best = max(options, key=lambda course: course[:2])
            self._known[held, here] = best
            if len(self._known) > _MOST_PLACES:
                what = "there are too many states for a greedy policy to look ahead"
                raise LimitError(f"{what}; lower the budget, or use another policy")
        return self._known[held, state]

    def _stopped(self, state: PackedState, held: Real) -> _Course:
        gain = self._space.reward(state) - held
        # Where a plan must not end, no course leads.
        return _Course(gain, Fraction(1) if gain > -math.inf else Fraction(0))
