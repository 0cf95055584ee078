"""Solving for a utility of the final reward, by the fastest way that is exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, combinations
from threading import Event
from typing import Final, NamedTuple, TypeVar

from branchwise.engine.limits import Limits
from branchwise.engines import Task
from branchwise.errors import LimitError
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import all_of, any_of, negation
from branchwise.model.numbers.number import exact
from branchwise.model.problem import Problem, Reward
from branchwise.risk.aims import Utility
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction, Real, Transition
from branchwise.tree.deadline import Deadline
from branchwise.tree.preference import Prefer
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status

T = TypeVar("T")

_MOST_SUMMED: Final = 10

_OUT_OF_TIME: Final = "the time limit was met before there was a plan proven best"

_MOST_STATES: Final = 300_000

# Past its limits, a plan that was found is measured in so many seconds, or not at all.
_PATIENCE_SECONDS: Final = 2.0


def can_be_stated(problem: Problem) -> bool:
    """
    Whether the utility of its final reward can be put as rewards again.

    Not where spending counts, as no reward depends on what was spent; and not where so
    many rewards add up that all their sums would be too many.
    """
    if any(problem.cost_weight.values()):
        return False
    return problem.combine == "max" or len(_paying(problem)) <= _MOST_SUMMED


def reward_levels(problem: Problem) -> tuple[Fraction, ...]:
    """Return every reward that a plan may end with, and maybe more, in order."""
    values = [reward.value for reward in _paying(problem)]
    if problem.combine == "max":
        return tuple(sorted({Fraction(0), *values}))
    return tuple(sorted({sum(some, Fraction(0)) for some in _subsets(values)}))


def most_reward(problem: Problem) -> Fraction:
    """Return a reward that no plan can end above."""
    gains = [max(reward.value, Fraction(0)) for reward in problem.rewards]
    if problem.combine == "max":
        return max(gains, default=Fraction(0))
    return sum(gains, Fraction(0))


def utility_problem(problem: Problem, utility: Utility) -> tuple[Problem, Fraction]:
    """
    State the utility of the final reward as rewards of which the best counts.

    A utility does not fall, so that of the best reward is the best of the utilities.
    Where rewards add up there is one reward for each sum. What the best plan earns on
    average is the best expected utility, less a floor that is told as well: the utility
    of the least reward, which every plan has for sure.
    """
    alone = ((reward, [Fraction(0)]) for reward in _paying(problem))
    priced = alone if problem.combine == "max" else _sums(problem)
    floor = exact(utility(min(reward_levels(problem))))
    rewards = []
    for reward, weaker in priced:
        worth = exact(utility(reward.value))
        # Nothing is gained by a reward if one that is easier to have is worth as much.
        if worth > max((exact(utility(value)) for value in weaker), default=floor):
            rewards.append(Reward(reward.when, worth - floor))
    return replace(problem, rewards=tuple(rewards), combine="max"), floor


def _sums(problem: Problem) -> Iterator[tuple[Reward, list[Fraction]]]:
    """
    Return one reward for each sum, with the values of some that hold whenever it does.

    It pays if all of some gains hold, and no penalty but some. Of those that pay, the
    best one then has every gain that holds, and only penalties that hold.
    """
    gains = [reward for reward in _paying(problem) if reward.value > 0]
    penalties = [reward for reward in _paying(problem) if reward.value < 0]
    every_penalty = sum((penalty.value for penalty in penalties), Fraction(0))
    for gained in _subsets(gains):
        for avoided in _subsets(penalties):
            value = every_penalty + sum(gain.value for gain in gained)
            value -= sum(penalty.value for penalty in avoided)
            none = negation(any_of(*(penalty.when for penalty in avoided)))
            when = all_of(*(gain.when for gain in gained), none)
            weaker = [value - gain.value for gain in gained]
            weaker += [value + penalty.value for penalty in avoided]
            yield Reward(when, value), weaker


def _paying(problem: Problem) -> list[Reward]:
    return [reward for reward in problem.rewards if reward.value]


def _subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    sizes = range(len(things) + 1)
    return chain.from_iterable(combinations(things, size) for size in sizes)


@dataclass(frozen=True, slots=True)
class Effort:
    """How to solve, and for how long."""

    exact: bool  # compute with fractions instead of floats
    prefer: Prefer  # which of several best plans to choose
    deadline: Deadline  # when to give up
    progress: Listener  # called with how far it has come
    cancel: Event | None  # ends the work when it is set
    memory_limit_bytes: int | None = None
    is_anytime: bool = False  # whether a plan not proven best will do, with a bound
    met: list[Status] = field(default_factory=list)  # the limits met, in order
    # How many states there may be where each has to know what was spent; as many as
    # usual unless said.
    most_states: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is no use in going on."""
        is_ended = any(each is not Status.TIME_LIMIT for each in self.met)
        return is_ended or self.deadline.is_over

    @property
    def status(self) -> Status:
        """Which limit was met last; time, where none was."""
        return self.met[-1] if self.met else Status.TIME_LIMIT

    def solve(self, problem: Problem | UtilitySpace, share: float = 1.0) -> Solution:
        """Solve to the end; if a bound will do, in a share of the time that is left."""
        if not self.is_anytime:
            self.deadline.check(_OUT_OF_TIME)
        left = self.deadline.time_limit_seconds(share if self.is_anytime else 1.0)
        solution = Task(
            checked(problem) if isinstance(problem, Problem) else problem,
            prefer=self.prefer,
            exact=self.exact,
            # States that know what was spent are for the engine that is in no hurry.
            engine="auto" if isinstance(problem, Problem) else "reference",
            limits=Limits(0.0, left, self.memory_limit_bytes, self.cancel),
            progress=self.progress,
        ).solve()
        if solution.status is Status.OPTIMAL:
            return solution
        self.met.append(solution.status)
        if self.is_anytime:
            return solution
        if solution.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        raise LimitError(_OUT_OF_TIME)

    def tried(self, work: Callable[[], T], *, even_late: bool = False) -> T | None:
        """Do some work; None where a limit ends it, or has before, if that will do."""
        if not self.is_anytime:
            return work()
        try:
            return None if self.is_over and not even_late else work()
        except LimitError:
            is_late = self.deadline.is_over
            self.met.append(Status.TIME_LIMIT if is_late else Status.MEMORY_LIMIT)
        except KeyboardInterrupt:
            self.met.append(Status.INTERRUPTED)
        return None

    def patience(self) -> Callable[[], None]:
        """Return what ends the measuring of a plan, some time after all else."""
        end = Deadline()
        if self.is_anytime and self.is_over:
            end = Deadline.after(_PATIENCE_SECONDS)
        elif self.is_anytime:
            end = Deadline(self.deadline.moment + _PATIENCE_SECONDS)
        return partial(end.check, _OUT_OF_TIME)

    def watch(self) -> None:
        """End work that has no limits of its own."""
        if self.cancel is not None and self.cancel.is_set():
            raise KeyboardInterrupt
        self.deadline.check(_OUT_OF_TIME)


class NetState(NamedTuple):
    """A state of a problem, and what the objective has been charged by then."""

    state: PackedState  # what has happened, and what is left
    charged: Fraction  # what was spent, by its weight


_Actions = tuple[AvailableAction[NetState], ...]


class NetSpace:
    """
    The states of a problem with what was spent as part of each.

    A mean may take off each cost where it is met; a utility is one of the final reward
    less all costs, so a state has to know them.
    """

    def __init__(self, problem: Problem, effort: Effort) -> None:
        self._watch = effort.watch
        self._space = ProblemSpace(problem, exact=True)
        self.number = Fraction if effort.exact else float
        self._most_states = min(_MOST_STATES, effort.most_states or _MOST_STATES)
        self._actions: dict[NetState, _Actions] = {}
        self.root = NetState(self._space.root, Fraction(0))

    def actions(self, state: NetState) -> _Actions:
        """Return the actions that can be taken at a state, free of charge."""
        if state not in self._actions:
            self._watch()
            self._actions[state] = self._found(state)
            if len(self._actions) > self._most_states:
                raise LimitError(
                    "what was spent must be part of every state here, and that makes "
                    f"more than {self._most_states:,} of them\n"
                    "    fix: lower the budget, or set `cost_weight` to 0"
                )
        return self._actions[state]

    def net_reward(self, state: NetState) -> Fraction:
        """Return the reward for stopping at a state, less what was charged."""
        return Fraction(self._space.reward(state.state)) - state.charged

    def levels(self) -> tuple[Fraction, ...]:
        """Return every net reward that a plan may end with, in order."""
        found, pending = {self.root}, [self.root]
        while pending:
            for action in self.actions(pending.pop()):
                children = {child for _, _, child in action.transitions} - found
                found |= children
                pending.extend(children)
        return tuple(sorted({self.net_reward(state) for state in found}))

    def _found(self, state: NetState) -> _Actions:
        found = []
        for action in self._space.actions(state.state):
            charged = state.charged + Fraction(action.charge)
            transitions = tuple(
                Transition(outcome, self.number(probability), NetState(child, charged))
                for outcome, probability, child in action.transitions
            )
            cost = self.number(action.cost)
            found.append(AvailableAction(action.name, transitions, cost))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class UtilitySpace:
    """The same states, with the utility of the net reward for reward."""

    states: NetSpace
    utility: Utility

    @property
    def root(self) -> NetState:
        """The state to start from."""
        return self.states.root

    def actions(self, state: NetState) -> Iterable[AvailableAction[NetState]]:
        """Return the actions that can be taken at a state."""
        return self.states.actions(state)

    def reward(self, state: NetState) -> Real:
        """Return the utility of stopping at a state."""
        return self.states.number(self.utility(self.states.net_reward(state)))


class UtilitySolver:
    """Finds the plans with the highest expected utility of the final reward."""

    def __init__(self, problem: Problem, effort: Effort) -> None:
        self.problem = problem
        self.effort = effort
        self._is_stated = can_be_stated(problem)

    @cached_property
    def levels(self) -> tuple[Fraction, ...]:
        """Every final reward that a plan may end with, and maybe more, in order."""
        return reward_levels(self.problem) if self._is_stated else self._states.levels()

    @cached_property
    def _states(self) -> NetSpace:
        return NetSpace(self.problem, self.effort)

    def solve(self, utility: Utility, share: float = 1.0) -> Solution:
        """Return the best plan; its expected reward is the expected utility."""
        if not self._is_stated:
            why = "too many rewards add up to state every sum"
            if any(self.problem.cost_weight.values()):
                why = "the aim counts what was spent, so every state has to know it"
            found = self.effort.solve(UtilitySpace(self._states, utility), share)
            return replace(found, reason=why)
        stated, least = utility_problem(self.problem, utility)
        solution = self.effort.solve(stated, share)
        floor = least if self.effort.exact else float(least)
        bound = None if solution.bound is None else solution.bound + floor
        value = solution.expected_reward + floor
        return replace(solution, expected_reward=value, bound=bound)
