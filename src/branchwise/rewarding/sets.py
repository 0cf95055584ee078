"""Rewarding sets for people: which outcomes, taken together, lead to a reward."""

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Final

from branchwise._core import Stopped, TooLarge
from branchwise.errors import Issue, LimitError, Path, ProblemError, UnsupportedError
from branchwise.model.budget import UNLIMITED, Amounts, Budget
from branchwise.model.checks.issue import about
from branchwise.model.checks.validate import checked, validate
from branchwise.model.conditions.condition import Condition, Happened
from branchwise.model.features import WHY_NO_SETS, refuse_features
from branchwise.model.problem import Problem
from branchwise.rewarding.composition import DiagramLimits
from branchwise.rewarding.diagram import Diagram, LevelFamily
from branchwise.rewarding.enumerate import actions_of_use
from branchwise.rewarding.levels import Level, goal_of
from branchwise.rewarding.terms import TooManyError
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.deadline import Deadline, in_time, seconds_left


def carry_out(problem: Problem, order: Iterable[Happened]) -> tuple[Amounts, Fraction]:
    """Carry out outcomes one after another; give their cost and probability."""
    known: dict[str, list[str]] = {}
    spent = dict.fromkeys(problem.budget, Fraction(0))
    probability = Fraction(1)
    for event in order:
        cost, outcomes = problem.action(event.action).as_of(known)
        for resource, amount in cost.items():
            spent[resource] += amount
        probabilities = {outcome.label: outcome.probability for outcome in outcomes}
        probability *= probabilities.get(event.outcome, Fraction(0))
        known.setdefault(event.action, []).append(event.outcome)
    return Amounts(spent), probability


def dead_ends(problem: Problem, diagram: Diagram) -> Iterator[Issue]:
    """Return a warning for each reward that no plan within the budget reaches."""
    known = {issue.path: issue for issue in validate(problem)}
    for index, reward in enumerate(problem.rewards):
        if not reward.value or diagram.reaches(goal_of(reward)):
            continue
        path: Path = ("rewards", index, "when")
        what = "nothing can reach this reward"
        order = _way_without_budget(problem, index)
        if order is not None:
            cost, _ = carry_out(problem, order)
            amounts = Budget({r: cost.of(r) for r in problem.budget})
            what += f" within the budget of {problem.budget}: "
            what += f"{', '.join(map(str, order))} cost {amounts}"
            fix = "raise the budget, or lower the costs"
        elif path in known:
            yield known[path]
            continue
        else:
            what += f": no order of actions makes `{goal_of(reward)}` hold"
            fix = "change `when`, or what its actions require or are precluded by"
        yield about(path, what, fix, severity="warning")


def _way_without_budget(problem: Problem, index: int) -> list[Happened] | None:
    """Return the likeliest way to a reward if nothing cost too much."""
    # No set needs an outcome twice, so more attempts than outcomes change nothing.
    most = [min(action.attempts, len(action.outcomes)) for action in problem.actions]
    pairs = zip(problem.actions, most, strict=True)
    actions = tuple(replace(action, attempts=attempts) for action, attempts in pairs)
    budget = Budget(dict.fromkeys(problem.budget, UNLIMITED))
    rewards = (problem.rewards[index],)
    rich = replace(problem, actions=actions, rewards=rewards, budget=budget)
    diagram = Diagram(ProblemSpace(rich))
    for elements, _ in diagram.strongest(diagram.levels[0], at_once=1):
        return diagram.order(elements)
    return None


_AT_ONCE = 1024


class RewardingSet:
    """
    Outcomes that together reach a reward, none of which can be left out.

    What it costs, how likely it is and in which order it can be carried out is worked
    out when asked for.
    """

    def __init__(self, diagram: Diagram, level: Level, elements: Sequence[int]) -> None:
        self._diagram = diagram
        self._elements = elements
        self.level = level

    @property
    def reward(self) -> Fraction:
        """What reaching it is worth."""
        return self.level.value

    @property
    def penalty(self) -> Condition | None:
        """What a penalty is paid for that it avoids; None where it reaches a reward."""
        rewards = self._diagram.problem.rewards
        penalties = (
            rewards[i].when for i in self.level.rewards if rewards[i].value < 0
        )
        return next(penalties, None)

    @cached_property
    def needs(self) -> tuple[Happened, ...]:
        """The outcomes, in an order in which they can happen; the likeliest way."""
        return tuple(self._diagram.order(self._elements))

    @cached_property
    def actions(self) -> frozenset[str]:
        """The actions it takes; in which order is not worked out for this."""
        outcomes = self._diagram.outcomes
        known = (outcomes[e].action for e in self._elements if e in outcomes)
        return frozenset(known)

    @property
    def order(self) -> tuple[str, ...]:
        """The actions, in an order in which they can be taken."""
        return tuple(event.action for event in self.needs)

    @property
    def cost(self) -> Amounts:
        """What carrying it out costs."""
        return self._carried_out[0]

    @property
    def probability(self) -> Fraction:
        """How likely all of it comes true, tried in this order."""
        return self._carried_out[1]

    @property
    def strength(self) -> Fraction:
        """The reward times how likely it is."""
        return self.reward * self.probability

    @cached_property
    def _carried_out(self) -> tuple[Amounts, Fraction]:
        return carry_out(self._diagram.problem, self.needs)

    def __repr__(self) -> str:
        inside = ", ".join(str(event) for event in self.needs)
        return f"<RewardingSet {{{inside}}} for {self.reward}>"


class RewardingSets:
    """
    All rewarding sets of a problem.

    They are held in a decision diagram: counted without being listed, and listed,
    strongest first, only as far as they are asked for.

    Parameters
    ----------
    problem
        The problem.
    time_limit_seconds
        When to give up, from now on: building the diagram, and whatever is asked of
        it; None for never.
    num_nodes
        Give up when the diagram has so many nodes; as many as memory holds unless said.

    Raises
    ------
    LimitError
        The time was over, or the memory full, before the diagram was built.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        time_limit_seconds: float | None = None,
        num_nodes: int | None = None,
    ) -> None:
        self.problem = problem
        refuse_features(
            checked(problem),
            "the list of rewarding sets",
            why=WHY_NO_SETS,
            fix="ask `analyze --only criticality` what matters, or `explain` why not",
        )
        self._space = ProblemSpace(problem)
        self._end = Deadline.after(time_limit_seconds)
        limits = DiagramLimits(time_limit_seconds)
        if num_nodes is not None:
            limits = limits._replace(num_nodes=num_nodes)
        with _limits_reported():
            self._diagram = Diagram(self._space, limits)

    @cached_property
    def num_sets(self) -> int:
        """How many there are; no set is listed for this."""
        with _limits_reported():
            return self._diagram.count()

    def __iter__(self) -> Iterator[RewardingSet]:
        """Return the sets by falling strength: reward times probability."""
        streams = [self._stream(family) for family in self._diagram.levels]
        with _limits_reported():
            for _, found in heapq.merge(*streams, key=lambda pair: -pair[0]):
                yield found

    @property
    def num_nodes(self) -> int:
        """How large the diagram is."""
        return self._diagram.families.num_nodes_total()

    @cached_property
    def needed_actions(self) -> frozenset[str]:
        """The actions that some set takes; no set is listed for this."""
        with _limits_reported():
            return frozenset(self._diagram.needed_actions())

    @cached_property
    def unused_actions(self) -> tuple[str, ...]:
        """
        The actions that are never worth taking at this budget.

        That no minimal set needs an action is not enough: it may open earlier, or for
        less, what a set needs anyway. Here are the actions that no *derivation* needs,
        minimal or not; where there are too many of these to list, the actions that no
        reward depends on.
        """
        with _limits_reported():
            used = self._diagram.used_actions()
            if len(used) < len(self.problem.actions):
                used |= actions_of_use(self._space, self._look)
        names = (action.name for action in self.problem.actions)
        return tuple(name for name in names if name not in used)

    @cached_property
    def perfect_information(self) -> float:
        """
        What can be expected with perfect information, or more.

        No plan is worth more. Actions that can be repeated, or whose probabilities
        change, count as if they came out every way at once. Penalties count as if
        avoided, and what spending costs is left out.
        """
        with _limits_reported():
            return self._diagram.perfect_information()

    @cached_property
    def dead_ends(self) -> tuple[Issue, ...]:
        """The rewards that no set reaches, and what stops them."""
        with _limits_reported():
            return tuple(dead_ends(self.problem, self._diagram))

    def _look(self) -> None:
        if self._end.is_over:
            raise Stopped

    def _stream(self, family: LevelFamily) -> Iterator[tuple[float, RewardingSet]]:
        value = float(family.level.value)
        for elements, weight in self._diagram.strongest(family, at_once=_AT_ONCE):
            yield weight * value, RewardingSet(self._diagram, family.level, elements)


@dataclass(frozen=True, slots=True)
class StrongestSets:
    """The strongest rewarding sets of a problem."""

    sets: tuple[RewardingSet, ...]  # By falling strength
    num_sets: int  # How many there are in all


# Few problems have more, and it takes about a second to find out that one has.
_MOST_NODES: Final = 500_000


def strongest_sets(problem: Problem | None, limit: int = 10) -> StrongestSets | None:
    """Find the strongest rewarding sets, if they are not too many to hold."""
    # The answer depends on the problem alone, unless a `deadline` has passed before.
    # None where they take too large a diagram, or there are none: so where the problem
    # is None, as of a plan in a state space of one's own.
    if problem is None:
        return None
    left = seconds_left()
    seconds = None if left == math.inf else max(left, 0.0)
    try:
        found = RewardingSets(
            problem, time_limit_seconds=seconds, num_nodes=_MOST_NODES
        )
        listed = tuple(in_time(islice(found, limit)))
        return StrongestSets(listed, found.num_sets) if listed else None
    except (LimitError, ProblemError, UnsupportedError):
        return None


@contextmanager
def _limits_reported() -> Iterator[None]:
    """Turn the limits of the diagram into ours."""
    try:
        yield
    except Stopped:
        raise LimitError("the time limit was reached") from None
    except (TooLarge, TooManyError):
        raise LimitError("there are too many of them") from None
