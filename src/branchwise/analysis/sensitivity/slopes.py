"""Slopes: exact derivatives of the value, by one pass that knows what rewards hold."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Final, NamedTuple

from branchwise.analysis.parameter import (
    Parameter,
    Place,
    by_place,
    cost_in,
    own_clause,
    parameters,
)
from branchwise.analysis.what_if import tie_width
from branchwise.model.action import Action
from branchwise.model.conditions import condition as conditions
from branchwise.model.problem import Problem
from branchwise.tree.choices.policy import Branch, Step, children_first, steps_of
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

Facts = frozenset[conditions.Happened | conditions.Attempted]

NO_FACTS: Final[Facts] = frozenset()


class WatchedFacts:
    """
    The facts that the rewards of a problem speak of.

    States with the same future may have come by different rewards of the same value, so
    a search for one of them must keep these facts as well.
    """

    def __init__(
        self, problem: Problem, *, with_clauses: bool = False, alone: int | None = None
    ) -> None:
        self._conditions = {
            number: reward.when
            for number, reward in enumerate(problem.rewards)
            if alone is None or number == alone
        }
        watched = list(self._conditions.values())
        if with_clauses:
            watched += (clause.when for a in problem.actions for clause in a.given)
        self._watched = frozenset(
            fact for condition in watched for fact in condition.mentions()
        )

    def after(self, facts: Facts, action: str, outcome: str) -> Facts:
        """Return what is true after one more outcome."""
        news: Facts = frozenset(
            (conditions.Attempted(action), conditions.Happened(action, outcome))
        )
        return facts | (news & self._watched)

    def held(self, facts: Facts) -> list[int]:
        """Return the numbers of the rewards that hold."""
        return [n for n, when in self._conditions.items() if _holds(when, facts)]

    def clause(self, facts: Facts, action: Action) -> int:
        """Return which clause of an action counts; where none does, how many it has."""
        clauses = enumerate(action.given)
        found = (n for n, clause in clauses if _holds(clause.when, facts))
        return next(found, len(action.given))

    def endings(self, tree: DecisionTree) -> Iterator[tuple[float, list[int]]]:
        """Return how likely a plan ends with which rewards; some may come twice."""
        policy, root = tree.policy, tree.root.key
        reached = {root: {NO_FACTS: 1.0}}
        for state in reversed(list(children_first(policy, root))):
            decision, arrivals = policy[state], reached.pop(state)
            for facts, chance in arrivals.items():
                if decision.action is None:
                    yield chance, self.held(facts)
                for outcome, probability, child in decision.branches:
                    assert decision.action is not None
                    known = self.after(facts, decision.action, outcome)
                    there = reached.setdefault(child, {})
                    there[known] = there.get(known, 0.0) + chance * float(probability)


def _holds(condition: conditions.Condition, facts: Facts) -> bool:
    """Whether a condition holds; of what it speaks of, these facts are true."""
    match condition:
        case conditions.AllOf(parts):
            return all(_holds(part, facts) for part in parts)
        case conditions.AnyOf(parts):
            return any(_holds(part, facts) for part in parts)
        case conditions.AtLeast(parts, count):
            return sum(_holds(part, facts) for part in parts) >= count
        case conditions.Not(inner):
            return not _holds(inner, facts)
    return condition in facts


MOST_PLACES: Final = 30_000
"""How many places of optimal plans are looked at; past that, only the plan itself."""


class Slope(NamedTuple):
    """
    How the value changes with a parameter: to the left, and to the right.

    The two differ where several plans are optimal and one gets ahead.
    """

    left: float
    right: float


class _Place(NamedTuple):
    """A state of a plan, and the facts by then that rewards speak of."""

    state: Hashable
    facts: Facts


class _TooMany(Exception):  # noqa: N818  # it is no error
    """There are too many places on optimal plans."""


class Slopes:
    """
    The derivative of the value with respect to every parameter.

    At each place of the optimal plans the value is the best of what its optimal actions
    offer, so its derivative to the right is the highest of theirs and its derivative to
    the left the lowest. What an action offers changes with its own probabilities and
    charge, and with what its outcomes lead to.

    Where the optimal plans have more places than so many, only the plan that was chosen
    is looked at; so it is with 0. `only` is the one reward that is asked for.
    """

    def __init__(
        self,
        problem: Problem,
        solution: Solution,
        most_places: int = MOST_PLACES,
        only: Parameter | None = None,
    ) -> None:
        self._policy = steps_of(solution.tree.policy)
        self._problem = problem
        self._tie = tie_width(problem)
        self._numbers = _Numbers(self._problem, only)
        # Where rewards add up, it makes no difference to one which others are held.
        alone = None if only is None or problem.combine == "max" else only.number
        self._facts = WatchedFacts(problem, alone=alone)
        self._most_places = most_places
        self.has_both_sides = most_places > 0
        """Whether all optimal plans were looked at, and not only the one chosen."""
        try:
            self._found = self._pass()
        except _TooMany:
            self.has_both_sides = False
            self._found = self._pass()

    def of(self, parameter: Parameter) -> Slope:
        """Return the derivative with respect to a parameter."""
        return self._found.get(parameter, Slope(0.0, 0.0))

    def _pass(self) -> Mapping[Parameter, Slope]:
        """Visit every place once, after those it leads to."""
        root = _Place(self._policy.root, NO_FACTS)
        known: dict[_Place, dict[Parameter, Slope]] = {}
        pending = [root]
        while pending:
            place = pending[-1]
            if place in known:
                pending.pop()
                continue
            steps = self._steps(place.state)
            after = [[self._next(place, s, b) for b in s.branches] for s in steps]
            missing = [p for places in after for p in places if p not in known]
            if missing:
                pending.extend(missing)
                continue
            offers = [
                self._offer(step, [known[p] for p in places])
                for step, places in zip(steps, after, strict=True)
            ]
            if self._may_stop(place.state):
                offers.append(self._stopped(place))
            known[place] = _joined(offers)
            if self.has_both_sides and len(known) > self._most_places:
                raise _TooMany
        return known[root]

    def _steps(self, state: Hashable) -> list[Step]:
        """Return the actions that are optimal at a state; none where it stops."""
        if not self.has_both_sides:
            taken = self._policy.step_taken(state)
            return [] if taken is None else [taken]
        best = float(self._policy[state].value)
        steps = self._policy.steps(state)
        return [s for s in steps if abs(float(s.value) - best) <= self._tie]

    def _may_stop(self, state: Hashable) -> bool:
        decision = self._policy[state]
        is_tie = abs(float(decision.reward) - float(decision.value)) <= self._tie
        return is_tie if self.has_both_sides else decision.action is None

    def _next(self, place: _Place, step: Step, branch: Branch) -> _Place:
        facts = self._facts.after(place.facts, step.action, branch.outcome)
        return _Place(branch.state, facts)

    def _offer(
        self, step: Step, children: list[dict[Parameter, Slope]]
    ) -> dict[Parameter, Slope]:
        total: dict[Parameter, Slope] = {}
        for branch, slopes in zip(step.branches, children, strict=True):
            probability = float(branch.probability)
            for parameter, slope in slopes.items():
                left, right = probability * slope.left, probability * slope.right
                _add(total, parameter, left, right)
        values = [float(self._policy[b.state].value) for b in step.branches]
        changes = chain(self._numbers.shifts(step, values), self._numbers.charges(step))
        for parameter, change in changes:
            _add(total, parameter, change, change)
        return total

    def _stopped(self, place: _Place) -> dict[Parameter, Slope]:
        """Return which rewards count where a plan stops."""
        problem, held = self._problem, self._facts.held(place.facts)
        known = self._numbers.rewards
        if problem.combine == "sum":
            return {known[n]: Slope(1.0, 1.0) for n in held if n in known}
        most = max([Fraction(0), *(problem.rewards[n].value for n in held)])
        best = [n for n in held if problem.rewards[n].value == most]
        # Beside an equal one, or at zero, only a rise counts.
        slope = Slope(float(len(best) == 1 and most > 0), 1.0)
        return {known[n]: slope for n in best if n in known}


class _Numbers:
    """What the numbers of a problem do where an action is taken."""

    def __init__(self, problem: Problem, only: Parameter | None) -> None:
        self._weights = problem.cost_weight
        self._actions = {action.name: action for action in problem.actions}
        asked = list(parameters(problem)) if only is None else [only]
        self._known = by_place(asked)
        self.rewards = {each.number: each for each in asked if each.kind == "reward"}

    def shifts(
        self, step: Step, values: Sequence[float]
    ) -> Iterator[tuple[Parameter, float]]:
        """
        Return what each probability does: mass comes from the others in proportion.

        So its outcome replaces what the others lead to on average.
        """
        clause = own_clause(self._actions[step.action], step.clause, "outcomes")
        probabilities = [float(branch.probability) for branch in step.branches]
        for own, branch in enumerate(step.branches):
            place: Place = "probability", step.action, clause, branch.outcome
            if (parameter := self._known.get(place)) is not None:
                others = [n for n in range(len(probabilities)) if n != own]
                mass = sum(probabilities[n] for n in others)
                # Differences first: what is rare would be lost in rounding otherwise.
                gain = sum(probabilities[n] * (values[own] - values[n]) for n in others)
                yield parameter, gain / mass

    def charges(self, step: Step) -> Iterator[tuple[Parameter, float]]:
        """Return what costs and cost weights do beside filling the budget."""
        action = self._actions[step.action]
        clause = own_clause(action, step.clause, "cost")
        cost = cost_in(action, clause)
        for resource in cost.named:
            counted = self._known.get(("cost_weight", "", None, resource))
            if counted is not None:
                yield counted, -float(cost.of(resource))
            weight = float(self._weights.of(resource))
            paid = self._known.get(("cost", step.action, clause, resource))
            if weight and paid is not None:
                yield paid, -weight


def _joined(offers: Sequence[Mapping[Parameter, Slope]]) -> dict[Parameter, Slope]:
    """Take the lowest slope to the left and the highest to the right."""
    if len(offers) == 1:
        return dict(offers[0])
    flat = Slope(0.0, 0.0)
    return {
        parameter: Slope(
            min(offer.get(parameter, flat).left for offer in offers),
            max(offer.get(parameter, flat).right for offer in offers),
        )
        for parameter in dict.fromkeys(p for offer in offers for p in offer)
    }


def _add(
    total: dict[Parameter, Slope], parameter: Parameter, left: float, right: float
) -> None:
    if (had := total.get(parameter)) is not None:
        left, right = had.left + left, had.right + right
    total[parameter] = Slope(left, right)
