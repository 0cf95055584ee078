"""
A problem as a domain of scikit-decide, as kind to its solvers as we know to make it.

A goal is reached by stopping, which costs what the best that can be had at all would
pay more; so the least expected cost is that of the best plan. States are as small as
they can be and still say all: two numbers, what has happened and what is left. What
can be done at a state is worked out once. The heuristic is the least that stopping can
cost after anything that may still happen, whatever the budget; so where nothing can be
had any more, nobody has to look further.
"""

from dataclasses import dataclass

from skdecide import DiscreteDistribution, Domain, ImplicitSpace, Value
from skdecide.builders.domain import (
    Actions,
    DeterministicInitialized,
    EnumerableTransitions,
    FullyObservable,
    Goals,
    Markovian,
    PositiveCosts,
    Sequential,
    SingleAgent,
)
from skdecide.core import EnumerableSpace

from branchwise.model import AllOf, AnyOf, Attempted, Happened, Not
from branchwise.space.problem_space import ProblemSpace

STOP = "stop"
END = "end"


class Few(EnumerableSpace):
    """The actions at a state."""

    def __init__(self, elements):
        self._elements = elements

    def get_elements(self):
        return self._elements

    def contains(self, x):
        return x in self._elements


@dataclass(frozen=True)
class Step:
    """What an action costs at a state, and where it leads."""

    cost: float
    distribution: DiscreteDistribution


class ProblemDomain(
    Domain,
    SingleAgent,
    Sequential,
    EnumerableTransitions,
    Actions,
    Goals,
    Markovian,
    FullyObservable,
    PositiveCosts,
    DeterministicInitialized,
):
    """What scikit-decide asks of a problem; the names are its own."""

    T_state = object
    T_observation = object
    T_event = object
    T_value = float
    T_info = None

    def __init__(self, problem):
        self.space = ProblemSpace(problem)
        self.outlook = Outlook(problem, self.space)
        self.most = self.outlook.most
        self.known = {}

    def steps(self, state):
        found = self.known.get(state)
        if found is None:
            end = DiscreteDistribution([(END, 1.0)])
            found = {STOP: Step(self.most - self.space.reward(state), end)}
            for action in self.space.actions(state):
                chances = [(t.state, t.probability) for t in action.transitions]
                found[action.name] = Step(action.charge, DiscreteDistribution(chances))
            self.known[state] = found
        return found

    def heuristic(self, state):
        if state == END:
            return Value(cost=0)
        return Value(cost=self.most - self.outlook.best_to_come(state.happened))

    def _get_applicable_actions_from(self, memory):
        return Few([] if memory == END else list(self.steps(memory)))

    def _get_next_state_distribution(self, memory, action):
        return self.steps(memory)[action].distribution

    def _get_transition_value(self, memory, action, next_state=None):
        return Value(cost=self.steps(memory)[action].cost)

    def _is_transition_value_dependent_on_next_state_(self):
        return False

    def _is_terminal(self, state):
        return state == END

    def _get_initial_state_(self):
        return self.space.root

    def _get_action_space_(self):
        return ImplicitSpace(lambda _: True)

    def _get_observation_space_(self):
        return ImplicitSpace(lambda _: True)

    def _get_goals_(self):
        return ImplicitSpace(lambda state: state == END)


class Outlook:
    """What may still be had, as if every action came out as one likes, for nothing."""

    def __init__(self, problem, space):
        self.problem = problem
        self._packing = space.packing
        self._tests = {}
        self._known = {}
        self._is_sum = problem.combine == "sum"
        self.most = self._combined(problem.rewards)

    def best_to_come(self, happened):
        found = self._known.get(happened)
        if found is None:
            later = Later(self._has, happened, self.problem.actions)
            found = self._combined(r for r in self.problem.rewards if later.may(r.when))
            self._known[happened] = found
        return found

    def _combined(self, rewards):
        good = [float(reward.value) for reward in rewards if reward.value > 0]
        return float(sum(good)) if self._is_sum else max(good, default=0.0)

    def _has(self, fact, happened):
        test = self._tests.get(fact)
        if test is None:
            test = self._tests[fact] = self._packing.test(fact)
        return test(happened)


class Later:
    """What may hold at some time from here on, and what must at all times."""

    def __init__(self, has, happened, actions):
        self._has, self._happened = has, happened
        self._open = set()
        waiting = list(actions)
        while opened := [action for action in waiting if self._opens(action)]:
            self._open.update(action.name for action in opened)
            waiting = [action for action in waiting if action.name not in self._open]

    def _opens(self, action):
        """Whether an action may be attempted yet, as far as is known by now."""
        is_done = action.attempts == 1 and self.must(Attempted(action.name))
        return (
            not is_done
            and self.may(action.requires)
            and not self.must(action.precluded_by)
        )

    def may(self, condition):
        match condition:
            case AllOf(parts):
                return all(map(self.may, parts))
            case AnyOf(parts):
                return any(map(self.may, parts))
            case Not(inner):
                return not self.must(inner)
            case Happened() | Attempted():
                return condition.action in self._open or self.must(condition)

    def must(self, condition):
        match condition:
            case AllOf(parts):
                return all(map(self.must, parts))
            case AnyOf(parts):
                return any(map(self.must, parts))
            case Not(inner):
                return not self.may(inner)
            case Happened() | Attempted():
                return self._has(condition, self._happened)
