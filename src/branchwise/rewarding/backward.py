"""
The search backwards from a goal: every way in which it can be reached.

A goal needs some outcomes; each of these has ways to happen, which need further
outcomes; and so on until nothing more is needed. Outcomes, and the reasons why they
happen, are bits, so that what is done again and again is done with whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from branchwise.model.conditions.condition import Condition
from branchwise.rewarding.terms import Look, Term, Terms, TooManyError
from branchwise.rewarding.ways import Ways
from branchwise.space.packed import Units, bits, union
from branchwise.space.problem_space import ProblemSpace

# Past these, comparing sets with each other would take longer than going without.
MOST_SETS: Final = 5_000
_MOST_STEPS = 200_000
_STEPS_BETWEEN_LOOKS = 256


class Derivation(NamedTuple):
    """A rewarding set with the reason for each of its outcomes."""

    goal: int  # The number of the goal that it reaches
    final: Term  # The way for the goal to hold
    # The ways in which its outcomes happen, one bit each; one for every outcome.
    reasons: int
    needs: int  # Its outcomes, one bit each


class _Step(NamedTuple):
    """A way for an outcome to happen, as the search adds it to a set."""

    reason: int
    needs: int
    avoids: int
    price: int
    rivals: int


class _Partial(NamedTuple):
    """
    A rewarding set in the making: some outcomes still lack their reason.

    `left` is what is left of the budget, see `_Purse`; `last` is the step that was
    added last, with its outcome and the one before it.
    """

    reasons: int
    needs: int
    open: int
    left: int
    last: _Link | None


class _Link(NamedTuple):
    outcome: int
    step: _Step
    before: _Link | None


class _Purse:
    """Amounts of all resources in one number: a step is paid by one subtraction."""

    # Each resource has a field that is large enough for what is left of it and for what
    # is overdrawn by, and above it a guard: a bit that is set until too much was taken.

    def __init__(self, budget: Units) -> None:
        self._budget = budget
        self._shifts = []
        self.guards = 0
        shift = 0
        for limit in budget:
            self._shifts.append(shift)
            shift += (limit + 1).bit_length()
            self.guards |= 1 << shift
            shift += 1
        self.full = self.guards | self.price(budget)

    def price(self, amounts: Units) -> int:
        """Pack what something costs; more than there is need not be exact."""
        within = zip(amounts, self._budget, self._shifts, strict=True)
        return sum([min(n, most + 1) << shift for n, most, shift in within])


class Backward:
    """The search backwards from goals."""

    # `look` is called every few milliseconds; what it raises ends the search, as does a
    # `TooManyError`: there are more sets, or more steps to them, than are worth
    # listing.

    def __init__(
        self, space: ProblemSpace, goals: Sequence[Condition], look: Look
    ) -> None:
        self.terms = Terms(space.problem, limit=MOST_SETS, look=look)
        self._goals = goals
        self._look = look
        self._purse = _Purse(space.root.left)
        self._num_steps = 0
        self._num_sets = 0
        self._rivals: dict[int, int] = {}
        self._repeated: list[tuple[int, float]] = []
        for action in space.problem.actions:
            mask = self.terms.masks[action.name]
            if action.attempts == 1:
                for bit in bits(mask):
                    self._rivals[bit] = mask ^ bit
            else:
                self._repeated.append((mask, action.attempts))
        self._steps = self._numbered(Ways(space, self.terms))

    def _numbered(self, ways: Ways) -> dict[int, list[_Step]]:
        """Return the steps to every outcome; equal ways of one are one reason."""
        steps: dict[int, list[_Step]] = {}
        # The outcomes of an action need the same, and most actions cost the same.
        price, rivals = cache(self._purse.price), cache(self._rivals_of)
        first = 0
        for bit in self.terms.bits.values():
            own = ways.of(bit)
            steps[bit] = []
            for way in own:
                reason, costs = 1 << first + own.index(way), price(way.price)
                step = _Step(reason, way.needs, way.avoids, costs, rivals(way.needs))
                steps[bit].append(step)
            first += len(own)
        return steps

    def _rivals_of(self, needs: int) -> int:
        """Return the outcomes that some of these leave no attempt for."""
        return union(self._rivals.get(bit, 0) for bit in bits(needs))

    def reach(self, goal: int) -> Iterator[Derivation]:
        """Return every way to reach a goal, not only the minimal ones."""
        for final in self.terms.of(self._goals[goal]):
            needs = final.needs
            if needs & self._rivals_of(needs) or not self._has_attempts(needs):
                continue
            pending = [_Partial(0, needs, needs, self._purse.full, None)]
            while pending:
                partial = pending.pop()
                if partial.open:
                    self._grow(partial, pending)
                elif _has_order(partial, final):
                    self._count_set()
                    yield Derivation(goal, final, partial.reasons, partial.needs)

    def _grow(self, partial: _Partial, grown: list[_Partial]) -> None:
        """Find every reason for the lowest outcome that lacks one."""
        reasons, needs, open_, left, last = partial
        guards = self._purse.guards
        outcome = open_ & -open_
        rest = open_ ^ outcome
        for step in self._steps[outcome]:
            self._count_step()
            reason, own_needs, _, price, rivals = step
            all_needs = needs | own_needs
            still_left = left - price
            if (
                still_left & guards == guards
                and not all_needs & rivals
                and (not self._repeated or self._has_attempts(all_needs))
            ):
                still_open = rest | own_needs & ~needs
                link = _Link(outcome, step, last)
                grown.append(
                    _Partial(reasons | reason, all_needs, still_open, still_left, link)
                )

    def _has_attempts(self, needs: int) -> bool:
        """Whether the actions that are taken several times are often enough."""
        return all((needs & mask).bit_count() <= most for mask, most in self._repeated)

    def _count_step(self) -> None:
        self._num_steps += 1
        if self._num_steps > _MOST_STEPS:
            raise TooManyError
        if self._num_steps % _STEPS_BETWEEN_LOOKS == 0:
            self._look()

    def _count_set(self) -> None:
        self._num_sets += 1
        if self._num_sets > MOST_SETS:
            raise TooManyError


def _has_order(partial: _Partial, final: Term) -> bool:
    """Whether the outcomes can happen in some order."""
    # Each comes after all it needs and before all it avoids; the goal comes last, so
    # nothing it avoids may be among them.
    if final.avoids & partial.needs:
        return False
    before = _needed_before(partial)
    done = 0
    while done != partial.needs:
        done_before = done
        for outcome, needed in before.items():
            if not needed & ~done:
                done |= outcome
        if done == done_before:
            return False
    return True


def _needed_before(partial: _Partial) -> dict[int, int]:
    before: dict[int, int] = {}
    avoiding = []
    link = partial.last
    while link is not None:
        outcome, step, link = link
        before[outcome] = step.needs
        if step.avoids & partial.needs:
            avoiding.append((outcome, step.avoids & partial.needs))
    for outcome, avoided in avoiding:
        for bit in bits(avoided):
            before[bit] |= outcome
    return before
