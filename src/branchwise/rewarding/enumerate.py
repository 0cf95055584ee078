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

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from branchwise.model.conditions.condition import Condition
from branchwise.model.problem import Problem
from branchwise.rewarding.backward import MOST_SETS, Backward, Derivation
from branchwise.rewarding.levels import goal_of
from branchwise.rewarding.relevance import relevant_actions
from branchwise.rewarding.terms import Look, Terms, TooManyError, silent_look
from branchwise.space.packed import union
from branchwise.space.problem_space import ProblemSpace

if TYPE_CHECKING:
    from branchwise.rewarding.sets import RewardingSet


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that makes a state worth more once it holds."""

    # What must hold: a reward's condition, or the opposite of a penalty's.
    when: Condition
    gain: Fraction  # How much more a state is worth then; always positive


class ListedSet(NamedTuple):
    """Outcomes that together reach a goal."""

    needs: int  # The outcomes, one bit each, numbered as in `ListedSets.terms`
    goal: int  # The number of the goal they reach


@dataclass(frozen=True, slots=True)
class ListedSets:
    """All rewarding sets of a problem, and what their bits mean."""

    terms: Terms
    goals: tuple[Goal, ...]
    sets: tuple[ListedSet, ...]
    is_sum: bool

    def count_minimal(self, look: Look = silent_look) -> int:
        """Count the sets that no other one makes superfluous."""
        # Pruning also keeps sets that contain others, where they happen in other ways.
        return sum(not self._is_superfluous(found, look) for found in self.sets)

    def _is_superfluous(self, found: ListedSet, look: Look) -> bool:
        look()
        gain = self.goals[found.goal].gain
        for other in self.sets:
            if self.is_sum and other.goal != found.goal:
                continue
            if other.needs & found.needs != other.needs or other is found:
                continue
            other_gain = self.goals[other.goal].gain
            is_other = other.needs != found.needs or other_gain > gain
            if is_other and other_gain >= gain:
                return True
        return False


def goals(problem: Problem) -> tuple[Goal, ...]:
    """List what makes a state worth more: gaining a reward, or losing a penalty."""
    return tuple(Goal(goal_of(r), abs(r.value)) for r in problem.rewards if r.value)


def list_sets(space: ProblemSpace, look: Look = silent_look) -> ListedSets | None:
    """List all rewarding sets; None where there are too many to list one by one."""
    # `look` is called every few milliseconds; what it raises ends the search.
    found = goals(space.problem)
    try:
        search = Backward(space, [goal.when for goal in found], look)
        ways = [way for goal in range(len(found)) for way in search.reach(goal)]
    except TooManyError:
        return None
    is_sum = space.problem.combine == "sum"
    kept = _minimal(ways, found, is_sum=is_sum, look=look)
    sets = dict.fromkeys(ListedSet(way.needs, way.goal) for way in kept)
    return ListedSets(search.terms, found, tuple(sets), is_sum)


def actions_of_use(space: ProblemSpace, look: Look = silent_look) -> set[str]:
    """Return the actions that an optimal plan may take: all others can be skipped."""
    # Those of all derivations; where these are too many to list, those that some reward
    # depends on. The proof is in docs/explanation/what-may-be-pruned.md.
    listed = list_sets(space, look)
    if listed is None:
        whens = [goal.when for goal in goals(space.problem)]
        return set(relevant_actions(space.problem, whens))
    needed = union(found.needs for found in listed.sets)
    return {name for name, outcomes in listed.terms.masks.items() if outcomes & needed}


def chosen_sets(problem: Problem, chosen: Iterable[RewardingSet]) -> ListedSets:
    """List only some rewarding sets, for a plan that goes by these alone."""
    terms = Terms(problem, limit=MOST_SETS)
    found = goals(problem)
    is_sum = problem.combine == "sum"
    paid = [index for index, reward in enumerate(problem.rewards) if reward.value]
    sets = []
    for each in chosen:
        if is_sum:
            goal = paid.index(each.level.rewards[0])
        else:
            goal = next(i for i, g in enumerate(found) if g.gain == each.reward)
        needs = union(terms.bits[outcome] for outcome in each.needs)
        sets.append(ListedSet(needs, goal))
    return ListedSets(terms, found, tuple(sets), is_sum)


def _minimal(
    ways: list[Derivation], goals: tuple[Goal, ...], *, is_sum: bool, look: Look
) -> list[Derivation]:
    """Leave out the ways that another one serves as well."""
    gains = sorted({goal.gain for goal in goals})
    ranks = [gains.index(goal.gain) for goal in goals]
    kept: list[Derivation] = []
    for way in sorted(ways, key=lambda w: (w.reasons.bit_count(), -ranks[w.goal])):
        look()
        if not any(
            other.reasons & way.reasons == other.reasons
            and _serves(other, way, ranks, is_sum=is_sum)
            for other in kept
        ):
            kept.append(way)
    return kept


def _serves(
    one: Derivation, other: Derivation, ranks: list[int], *, is_sum: bool
) -> bool:
    """Whether this is reached wherever the other is, for as much reward."""
    # All its reasons are among the other's: a set that avoids something else may be
    # blocked where the other is not.
    if is_sum and one.goal != other.goal:
        return False
    return (
        ranks[one.goal] >= ranks[other.goal]
        and one.final.avoids & other.final.avoids == one.final.avoids
    )
