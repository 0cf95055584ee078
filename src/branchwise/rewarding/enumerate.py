"""
Rewarding sets, by working backwards from the rewards.

The paper asks a 0/1 program for one set after another. We build each set the other
way round: a reward needs some outcomes; each of these needs its action to be
available, which needs further outcomes; and so on until nothing more is needed. Three
things the paper's program overlooks are checked on the way: a dearer superset is kept
if it pays more, an action taken once has one outcome, and there must be an order in
which every action comes after what it needs and before what rules it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from branchwise.model.condition import Condition
from branchwise.model.packed import bits
from branchwise.model.problem import Problem
from branchwise.model.problem_space import ProblemSpace, Units
from branchwise.rewarding.levels import goal_of
from branchwise.rewarding.terms import Look, Term, Terms, TooManyError, nobody
from branchwise.rewarding.ways import Way, Ways

if TYPE_CHECKING:
    from branchwise.rewarding.sets import RewardingSet

__all__ = ["Goal", "ListedSet", "ListedSets", "chosen_sets", "goals", "list_sets"]

# Past these, comparing sets with each other would take longer than going without.
_MOST_SETS = 5_000
_MOST_STEPS = 200_000
_STEPS_BETWEEN_LOOKS = 256


@dataclass(frozen=True, slots=True)
class Goal:
    """
    Something that makes a state worth more once it holds.

    Parameters
    ----------
    when
        What must hold: a reward's condition, or the opposite of a penalty's.
    gain
        How much more a state is worth then; always positive.
    """

    when: Condition
    gain: Fraction


class ListedSet(NamedTuple):
    """
    Outcomes that together reach a goal.

    Parameters
    ----------
    needs
        The outcomes, one bit each, numbered as in `ListedSets.terms`.
    goal
        The number of the goal they reach.
    """

    needs: int
    goal: int


@dataclass(frozen=True, slots=True)
class ListedSets:
    """All rewarding sets of a problem, and what their bits mean."""

    terms: Terms
    goals: tuple[Goal, ...]
    sets: tuple[ListedSet, ...]
    is_sum: bool

    def count_minimal(self, look: Look = nobody) -> int:
        """
        Count the sets that no other one makes superfluous.

        Pruning also keeps sets that contain others, where they happen in other ways.
        """
        count = 0
        for found in self.sets:
            look()
            count += not self._is_superfluous(found)
        return count

    def _is_superfluous(self, found: ListedSet) -> bool:
        gain = self.goals[found.goal].gain
        for other in self.sets:
            if self.is_sum and other.goal != found.goal:
                continue
            other_gain = self.goals[other.goal].gain
            is_inside = other.needs & found.needs == other.needs
            is_other = other.needs != found.needs or other_gain > gain
            if is_inside and is_other and other_gain >= gain:
                return True
        return False


@dataclass(frozen=True, slots=True)
class _Derivation:
    """A rewarding set with the reason for each of its outcomes."""

    goal: int
    final: Term
    reasons: frozenset[tuple[int, Way]]
    needs: int

    def serves(
        self, other: _Derivation, goals: tuple[Goal, ...], *, is_sum: bool
    ) -> bool:
        """
        Tell whether this is reached wherever the other is, for as much reward.

        The reasons must be the same ones: a set that avoids something else may be
        blocked where the other is not.
        """
        if is_sum and self.goal != other.goal:
            return False
        return (
            goals[self.goal].gain >= goals[other.goal].gain
            and self.needs & other.needs == self.needs
            and self.final.avoids & other.final.avoids == self.final.avoids
            and self.reasons <= other.reasons
        )


def goals(problem: Problem) -> tuple[Goal, ...]:
    """List what makes a state worth more: gaining a reward, or losing a penalty."""
    return tuple(
        Goal(goal_of(reward), abs(reward.value))
        for reward in problem.rewards
        if reward.value
    )


def list_sets(space: ProblemSpace, look: Look = nobody) -> ListedSets | None:
    """
    List all rewarding sets; None where there are too many to list one by one.

    Parameters
    ----------
    space
        The problem as a state space.
    look
        Called every few milliseconds; what it raises ends the search.
    """
    try:
        found = _Backward(space, look)
        ways = [way for goal in range(len(found.goals)) for way in found.reach(goal)]
    except TooManyError:
        return None
    is_sum = space.problem.combine == "sum"
    kept = _minimal(ways, found.goals, is_sum=is_sum, look=look)
    sets = dict.fromkeys(ListedSet(way.needs, way.goal) for way in kept)
    return ListedSets(found.terms, found.goals, tuple(sets), is_sum)


def chosen_sets(problem: Problem, chosen: Iterable[RewardingSet]) -> ListedSets:
    """List only some rewarding sets, for a plan that goes by these alone."""
    terms = Terms(problem, limit=_MOST_SETS)
    found = goals(problem)
    is_sum = problem.combine == "sum"
    paid = [index for index, reward in enumerate(problem.rewards) if reward.value]
    sets = []
    for each in chosen:
        needs = 0
        for outcome in each.needs:
            needs |= terms.bits[outcome]
        if is_sum:
            goal = paid.index(each.level.rewards[0])
        else:
            goal = next(i for i, g in enumerate(found) if g.gain == each.reward)
        sets.append(ListedSet(needs, goal))
    return ListedSets(terms, found, tuple(sets), is_sum)


def _minimal(
    ways: list[_Derivation], goals: tuple[Goal, ...], *, is_sum: bool, look: Look
) -> list[_Derivation]:
    """Leave out the ways that another one serves as well."""
    kept: list[_Derivation] = []
    for way in sorted(ways, key=lambda w: (len(w.reasons), -goals[w.goal].gain)):
        look()
        if not any(other.serves(way, goals, is_sum=is_sum) for other in kept):
            kept.append(way)
    return kept


class _Partial(NamedTuple):
    """A rewarding set in the making: some outcomes still lack their reason."""

    reasons: tuple[tuple[int, Way], ...]
    needs: int
    open: int
    price: Units


class _Backward:
    """The search backwards from the goals."""

    def __init__(self, space: ProblemSpace, look: Look) -> None:
        problem = space.problem
        self.goals = goals(problem)
        self.terms = Terms(problem, limit=_MOST_SETS, look=look)
        self._look = look
        self._ways = Ways(space, self.terms)
        self._budget = space.root.left
        self._steps = 0
        self._sets = 0
        self._attempts = {action.name: action.attempts for action in problem.actions}

    def reach(self, goal: int) -> Iterator[_Derivation]:
        """Give every way to reach a goal, not only the minimal ones."""
        nothing = _Partial((), 0, 0, (0,) * len(self._budget))
        for final in self.terms.of(self.goals[goal].when):
            start = self._with(nothing, final.needs)
            pending = [start] if start else []
            while pending:
                partial = pending.pop()
                if partial.open:
                    pending.extend(self._grown(partial))
                elif _has_order(partial, final):
                    self._count_set()
                    reasons = frozenset(partial.reasons)
                    yield _Derivation(goal, final, reasons, partial.needs)

    def _grown(self, partial: _Partial) -> Iterator[_Partial]:
        """Find every reason for the lowest outcome that lacks one."""
        bit = partial.open & -partial.open
        for way in self._ways.of(bit):
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise TooManyError
            if self._steps % _STEPS_BETWEEN_LOOKS == 0:
                self._look()
            price = tuple(map(add, partial.price, way.price))
            if all(
                cost <= have for cost, have in zip(price, self._budget, strict=True)
            ):
                reasons = (*partial.reasons, (bit, way))
                open_ = partial.open & ~bit
                grown = self._with(
                    _Partial(reasons, partial.needs, open_, price), way.needs
                )
                if grown:
                    yield grown

    def _with(self, partial: _Partial, needs: int) -> _Partial | None:
        """Add outcomes to a set; None if attempts do not allow them."""
        new = needs & ~partial.needs
        all_needs = partial.needs | new
        for bit in bits(new):
            action = self.terms.outcome(bit).action
            attempts = (all_needs & self.terms.masks[action]).bit_count()
            if attempts > self._attempts[action]:
                return None
        return partial._replace(needs=all_needs, open=partial.open | new)

    def _count_set(self) -> None:
        self._sets += 1
        if self._sets > _MOST_SETS:
            raise TooManyError


def _has_order(partial: _Partial, final: Term) -> bool:
    """
    Tell whether the outcomes can happen in some order.

    Each comes after all it needs and before all it avoids; the goal comes last, so
    nothing it avoids may be among them.
    """
    if final.avoids & partial.needs:
        return False
    before = {bit: way.needs for bit, way in partial.reasons}
    for bit, way in partial.reasons:
        for avoided in bits(way.avoids & partial.needs):
            before[avoided] |= bit
    done = 0
    while before:
        ready = [bit for bit, needed in before.items() if not needed & ~done]
        if not ready:
            return False
        for bit in ready:
            done |= bit
            del before[bit]
    return True
