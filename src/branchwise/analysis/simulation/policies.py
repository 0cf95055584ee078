"""Policies by name: the optimal plan, greedy ones, chance, or a rule of yours."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from branchwise.analysis.simulation.greedy_states import StatesGreedyChooser
from branchwise.analysis.simulation.play import Play
from branchwise.analysis.simulation.rounds import exactly
from branchwise.errors import LimitError, did_you_mean
from branchwise.model.action import Action
from branchwise.model.arguments import a_function
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import Happened
from branchwise.model.features import features_of
from branchwise.model.problem import Problem, a_problem
from branchwise.rewarding.enumerate import list_sets
from branchwise.solver import solve
from branchwise.space.packed import Test, Units, bits
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import Real
from branchwise.tree.choices.choosers import (
    Choices,
    Chooser,
    PlanChooser,
    RandomChooser,
    Rule,
    RuleChooser,
    policy_tree,
)
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.progress import Listener
from branchwise.tree.prospects.outlook import Outlook, outlook
from branchwise.tree.solution import Solution

POLICY_NAMES: Final = ("optimal", "greedy-reward", "greedy-expected", "random")
"""The policies that `simulate` knows by name; the first one is the default."""

MOST_STATES: Final = 100_000
"""What is exact of a policy without a plan takes as many states as it comes to."""

Wish = Literal["reward", "expected"]
"""What a greedy policy looks at: what a course pays, or what it pays on average."""


# Bounds are floats, and what they bound is exact.
_SLACK = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy for a problem, and what is known of it beforehand."""

    name: str  # what it is called
    space: ProblemSpace  # the problem as a state space, with floats
    chooser: Chooser  # what decides on the actions
    tree: DecisionTree | None  # the plan; None where there is none, or too large a one
    # What should come of it, exactly; None where it comes to too many states.
    outlook: Outlook | None


def contender(
    problem: Problem | Solution, policy: str | DecisionTree | Rule, progress: Listener
) -> Contender:
    """Make a policy ready, and work out exactly what should come of it."""
    name = policy_name(policy)
    space = ProblemSpace(checked(_problem(problem)))
    if policy == POLICY_NAMES[0]:
        if isinstance(problem, Problem):
            problem = solve(problem, progress=progress)
        policy = problem.tree
    if isinstance(policy, DecisionTree):
        foreseen = outlook(policy, space.problem)
        return Contender(name, space, PlanChooser(policy), policy, foreseen)
    if policy == "random":
        return _random(name, space, progress)
    chooser: Chooser
    if isinstance(policy, str):
        wish: Wish = "reward" if policy == "greedy-reward" else "expected"
        is_wide = bool(features_of(space.problem))
        make = StatesGreedyChooser if is_wide else GreedyChooser
        chooser = make(space.problem, wish)
    else:
        chooser = RuleChooser(space, policy)
    tree = policy_tree(space, chooser, MOST_STATES, progress)
    expected = None if tree is None else outlook(tree, space.problem)
    return Contender(name, space, chooser, tree, expected)


def policy_name(policy: str | DecisionTree | Rule) -> str:
    """Return what a policy is called; refuse what is none."""
    known = ", ".join(POLICY_NAMES)
    if isinstance(policy, DecisionTree):
        return "plan"
    if not isinstance(policy, str):
        a_function(f"policy, if no tree and not one of {known},", policy)
        return getattr(policy, "__name__", type(policy).__name__)
    if policy not in POLICY_NAMES:
        hint = did_you_mean(policy, POLICY_NAMES)
        raise ValueError(f"there is no policy `{policy}`; there are {known}{hint}")
    return policy


def _problem(problem: Problem | Solution) -> Problem:
    if not isinstance(problem, Solution):
        return a_problem(problem)
    found = problem.problem
    if found is None:
        raise ValueError(
            "a solution does not know your state space\n    fix: give that, and the "
            "plan: simulate(space, policy=solution.tree)"
        )
    return found


def _random(name: str, space: ProblemSpace, progress: Listener) -> Contender:
    """Play every run at once, each with its probability."""
    chooser, expected = RandomChooser(space), None
    with suppress(LimitError):
        play = Play(space, chooser)
        tally = play.through(1.0, exactly, progress, MOST_STATES)
        expected = play.outlook(tally, 1.0)
    return Contender(name, space, chooser, None, expected)


class _Hope(NamedTuple):
    """An outcome that a rewarding set needs."""

    # Its names.
    action: str
    outcome: str
    mask: int  # the bits of its count in a packed state
    probability: Fraction  # how likely it is at best, whatever clause counts
    price: Units  # the least that trying for it costs
    attempts: float  # how often it can be tried


class _Aim(NamedTuple):
    """A rewarding set."""

    needs: int  # the outcomes it needs, one bit each
    is_reached: Test  # whether its goal is
    gain: Fraction  # what that is worth


class _Open(NamedTuple):
    """A rewarding set that may still be completed."""

    bound: float  # what going for it is worth at most
    number: int  # its place among all, in the order of the file
    missing: int  # the outcomes that it still needs
    gain: Fraction  # what completing it gains
    aim: _Aim  # the set itself


class _Course(NamedTuple):
    """Outcomes to hope for one after another, all of which are needed."""

    hoped: Real  # what is gained if all of them come true, less weighted cost
    # The same on average: the gain times the probability, less the weighted cost of all
    # that is tried before something else happens.
    expected: Real
    probability: Real  # how likely all of them come true
    action: str | None = None  # the first action to take

    def preceded_by(self, action: str, charge: Real, probability: Real) -> _Course:
        """Return the course with one more outcome at its beginning."""
        return _Course(
            hoped=self.hoped - charge,
            expected=self.expected * probability - charge,
            probability=self.probability * probability,
            action=action,
        )


class GreedyChooser:
    """
    Pursues the best rewarding set of the moment, and looks again after every outcome.

    A *course* is an order in which what is left of a rewarding set can happen from here
    on, if all goes well. It gains what the reward it reaches is worth; where only the
    best reward counts, what that exceeds the reward held by. The policy takes the first
    action of the best course, and stops where no course is worth more than nothing.

    By the wish ``reward`` that is the course that gains most if all goes well, and of
    these the likeliest; by ``expected`` the one that gains most on average, given up at
    the first outcome that was not hoped for. Weighted cost counts against either.
    """

    start = None

    def __init__(self, problem: Problem, wish: Wish) -> None:
        self._space = ProblemSpace(problem, exact=True)
        self._is_sum = problem.combine == "sum"
        self._is_charged = bool(problem.charge_weight)
        self._wish = wish

        self._hopes = [
            self._hope(action, label)
            for action in problem.actions
            for label in action.labels
        ]
        self._aims = self._listed()
        self._known: dict[PackedState, Choices] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of: tests of states are functions of their own."""
        return type(self), (self._space.problem, self._wish)

    def choices(self, mind: Hashable, state: PackedState) -> Choices:  # noqa: ARG002
        """Take the first action of the best course; stop if there is none."""
        if state not in self._known:
            best = self._best(state)
            self._known[state] = ((1.0, best and best.action),)
        return self._known[state]

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:  # noqa: ARG002
        """Keep nothing in mind."""
        return None

    def _hope(self, action: Action, label: str) -> _Hope:
        variants = [action.outcomes, *(g.outcomes for g in action.given if g.outcomes)]
        chances = (o.probability for v in variants for o in v if o.label == label)
        mask = self._space.packing.fields[Happened(action.name, label)].mask
        price = self._space.least_price(action)
        return _Hope(action.name, label, mask, max(chances), price, action.attempts)

    def _listed(self) -> list[_Aim]:
        """List the rewarding sets, in the order of the file."""
        found = list_sets(self._space)
        if found is None:
            what = "there are too many rewarding sets for a greedy policy to look at"
            raise LimitError(f"{what}; lower the budget, or use another policy")
        place = {Happened(h.action, h.outcome): i for i, h in enumerate(self._hopes)}
        aims = []
        for needs, number in found.sets:
            events = (found.terms.outcome(bit) for bit in bits(needs))
            goal = found.goals[number]
            test = self._space.packing.test(goal.when)
            aims.append(_Aim(sum(1 << place[e] for e in events), test, goal.gain))
        return sorted(
            aims, key=lambda aim: [each.bit_length() for each in bits(aim.needs)]
        )

    def _best(self, state: PackedState) -> _Course | None:
        """Find the best course, looking first where most may be gained."""
        best = None
        rank: tuple[Real, Real, int] = (0, 0, 0)
        found = sorted(self._open(state), key=lambda each: each.bound, reverse=True)
        for each in found:
            if each.bound * _SLACK < rank[0]:
                break
            course = self._course(state, each.missing, each, {})
            if course is None or self._rank(course)[0] <= 0:
                continue
            # Of equals, the first one in the file is the best.
            if best is None or (*self._rank(course), -each.number) > rank:
                best, rank = course, (*self._rank(course), -each.number)
        return best

    def _open(self, state: PackedState) -> Iterator[_Open]:
        """Return the rewarding sets that may still be completed and gain something."""
        held = Fraction(0) if self._is_sum else Fraction(self._space.reward(state))
        dead = had = 0
        for number, hope in enumerate(self._hopes):
            if hope.mask & state.happened:
                had |= 1 << number
            elif self._space.num_attempts(state, hope.action) >= hope.attempts:
                dead |= 1 << number
        for number, aim in enumerate(self._aims):
            missing = aim.needs & ~had
            if not missing or missing & dead or not self._affords(state, missing):
                continue
            gain = aim.gain - held
            if gain <= 0 or aim.is_reached(state.happened):
                continue
            yield _Open(self._bound(gain, missing), number, missing, gain, aim)

    def _affords(self, state: PackedState, missing: int) -> bool:
        prices = zip(*(hope.price for hope in self._in(missing)), strict=True)
        return all(
            sum(price) <= have for price, have in zip(prices, state.left, strict=True)
        )

    def _in(self, missing: int) -> Iterator[_Hope]:
        return (self._hopes[bit.bit_length() - 1] for bit in bits(missing))

    def _bound(self, gain: Fraction, missing: int) -> float:
        if self._wish == "reward":
            return float(gain)
        chances = (float(hope.probability) for hope in self._in(missing))
        return float(gain) * math.prod(chances)

    def _course(
        self,
        state: PackedState,
        missing: int,
        goal: _Open,
        known: dict[tuple[PackedState, int], _Course | None],
    ) -> _Course | None:
        """Find the best order for outcomes that are all needed, if there is one."""
        if not missing:
            is_reached = goal.aim.is_reached(state.happened)
            return _Course(goal.gain, goal.gain, Fraction(1)) if is_reached else None
        key = (state, missing)
        if key in known:
            return known[key]
        best = None
        for bit in bits(missing):
            for action, charge, share, child in self._tried(state, bit):
                rest = self._course(child, missing & ~bit, goal, known)
                course = rest and rest.preceded_by(action, charge, share)
                if course and (not best or self._rank(course) > self._rank(best)):
                    best = course
            if best and self._is_best(best, missing):
                break
        known[key] = best
        return best

    def _tried(
        self, state: PackedState, bit: int
    ) -> Iterator[tuple[str, Real, Real, PackedState]]:
        """Return what trying for an outcome takes here, if it can come about."""
        hope = self._hopes[bit.bit_length() - 1]
        available = self._space.action(state, hope.action)
        if available is None:
            return
        for outcome, share, child in available.transitions:
            if outcome == hope.outcome:
                yield hope.action, available.charge, share, child

    def _is_best(self, course: _Course, missing: int) -> bool:
        """Whether no other order can be better, without looking at them."""
        chances = (hope.probability for hope in self._in(missing))
        return not self._is_charged and course.probability == math.prod(chances)

    def _rank(self, course: _Course) -> tuple[Real, Real]:
        worth = course.hoped if self._wish == "reward" else course.expected
        return worth, course.probability
