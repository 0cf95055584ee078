"""The exact value of a tree, worked out afresh from the problem."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from branchwise.errors import PlanError
from branchwise.model.action import Action, Outcome
from branchwise.model.budget import Amounts, Limit
from branchwise.model.conditions.facts import Counts, Facts
from branchwise.model.hidden import assignments
from branchwise.model.outcome import Ending
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.tree.decision_tree import DecisionTree, checked_tree

if TYPE_CHECKING:
    from branchwise.space.own_space import OwnSpace

Watch = Callable[[int], object]
"""Called with how much there is to look at; raises to end the work."""


def evaluate(
    tree: DecisionTree,
    problem: Problem | OwnSpace,
    *,
    watch: Watch = lambda _: None,
) -> Fraction:
    """
    Work out the expected reward of a tree exactly, step by step as it is carried out.

    Nothing is taken from the engine that made the tree but its choice of actions:
    probabilities, costs, rewards and what is allowed are read off the problem. A tree
    that the problem does not allow raises a `PlanError`.

    Parameters
    ----------
    tree
        What is done.
    problem
        What it is done in: a problem, or a state space of your own.
    watch
        Called with how many positions are still to be looked at in this step, before
        each; may raise to end the work.
    """
    checked_tree(tree)
    if not isinstance(problem, Problem):
        # Start-up is felt, so what few ask for is loaded only here.
        from branchwise.tree.own_plan import OwnPlan  # noqa: PLC0415

        return OwnPlan(tree, problem).value(watch)
    walk = _Walk(tree, problem)
    here = {walk.start: _Arrival(walk.chances, {})}
    total = Fraction(0)
    while here:
        following: dict[_Position, _Arrival] = {}
        for position, arrival in here.items():
            watch(len(here))
            gain, steps = walk.turn(position, arrival)
            total += gain
            for child, chances, counts in steps:
                met = following.get(child)
                if met is None:
                    following[child] = _Arrival(chances, counts)
                else:
                    met.chances = tuple(map(add, met.chances, chances))
        here = following
    return total


_Terms = tuple[Amounts, list[Mapping[str, Fraction]]]
"""What an action costs and, for each way the hidden facts may be, its probabilities."""


class _Position(NamedTuple):
    """Where a plan stands: its own state, what has happened, and what is left."""

    key: Hashable
    happened: int
    left: tuple[tuple[str, Limit], ...]
    counters: tuple[int, ...]
    ended: Ending | None


@dataclass(slots=True)
class _Arrival:
    """How likely a plan comes to a position, and what has happened by then."""

    # One for each way the hidden facts may be: how likely they are so and the plan
    # comes here. No rule of Bayes is needed, as plans do not see them.
    chances: tuple[Fraction, ...]
    counts: Counts


_Step = tuple[_Position, tuple[Fraction, ...], Counts]
"""A position that follows, how likely, and what has happened by then."""


class _Walk:
    """One step of a tree at a time, by the letter of the problem."""

    def __init__(self, tree: DecisionTree, problem: Problem) -> None:
        self._policy = tree.policy
        self._problem = problem
        self._actions = {action.name: action for action in problem.actions}
        # Each outcome counts in its own digits of one number, wide enough for any
        # count, so that what has happened is compared at once.
        width = tree.depth.bit_length()
        names = [(a.name, label) for a in problem.actions for label in a.labels]
        self._ones = {name: 1 << width * i for i, name in enumerate(names)}
        ways = assignments(problem.hidden)
        self._ways = [way.labels for way in ways]
        self.chances = tuple(way.probability for way in ways)
        counters = tuple(counter.start for counter in problem.counters)
        left = tuple(problem.budget.items())
        self.start = _Position(tree.root.key, 0, left, counters, None)

    def turn(
        self, position: _Position, arrival: _Arrival
    ) -> tuple[Fraction, Iterable[_Step]]:
        """Return the reward, or what the action is charged, and what follows."""
        facts = self._facts(position, arrival.counts)
        name = self._policy[position.key].action
        if name is None:
            return self._reward(position, arrival, facts), ()
        terms = self._terms(name, position, arrival, facts)
        steps = self._steps(position, arrival, terms)
        return -self._charge(name, arrival, terms), steps

    def _charge(self, name: str, arrival: _Arrival, terms: _Terms) -> Fraction:
        cost, by_way = terms
        paid = sum(arrival.chances) * self._problem.charge_weight.times(cost)
        for outcome in self._actions[name].outcomes:
            if outcome.cost:
                likely = _chances(arrival, by_way, outcome.label)
                charge = self._problem.charge_weight.times(outcome.cost)
                paid += sum(likely) * charge
        return paid

    def _reward(self, position: _Position, arrival: _Arrival, facts: Facts) -> Fraction:
        """Return what stopping pays, as likely as the plan comes to that."""
        problem = self._problem
        is_finished = problem.finish is None or problem.finish.holds(facts)
        if not is_finished:
            for name in self._actions:
                if self._objection(name, position, facts, arrival) is None:
                    raise PlanError(f"the plan stops where `{name}` must be taken")
        if problem.is_least_cost:
            if not is_finished and problem.unfinished is None:
                raise PlanError("the plan gets stuck before `finish` holds")
            return -sum(arrival.chances) * (
                Fraction(0) if is_finished else problem.unfinished or Fraction(0)
            )
        if position.ended == "lose":
            return Fraction(0)
        pairs = zip(arrival.chances, self._ways, strict=True)
        paid = (p * problem.reward(facts.assuming(way)) for p, way in pairs if p)
        return sum(paid, Fraction(0))

    def _steps(
        self, position: _Position, arrival: _Arrival, terms: _Terms
    ) -> Iterator[_Step]:
        """Return the positions that follow, how likely, and what has happened there."""
        decision, counts = self._policy[position.key], arrival.counts
        assert decision.action is not None
        name, (cost, by_way) = decision.action, terms
        keys = {branch.outcome: branch.state for branch in decision.branches}
        action = self._actions[name]
        for outcome in action.outcomes:
            label = outcome.label
            chances = _chances(arrival, by_way, label)
            if not any(chances):
                continue
            if label not in keys:
                raise PlanError(f"the plan does not go on after `{name}={label}`")
            happened = position.happened + self._ones[name, label]
            left = _paid(_paid(position.left, name, cost), name, outcome.cost)
            counters = self._counted(position.counters, action, outcome)
            had = counts.get(name, {})
            now = {**counts, name: {**had, label: had.get(label, 0) + 1}}
            child = _Position(keys[label], happened, left, counters, outcome.ends)
            yield child, chances, now

    def _counted(
        self, counters: tuple[int, ...], action: Action, outcome: Outcome
    ) -> tuple[int, ...]:
        return tuple(
            counter.after(
                value,
                action.effects.get(counter.name, 0)
                + outcome.effects.get(counter.name, 0),
            )
            for counter, value in zip(self._problem.counters, counters, strict=True)
        )

    def _facts(self, position: _Position, counts: Counts) -> Facts:
        names = (counter.name for counter in self._problem.counters)
        counters = dict(zip(names, position.counters, strict=True))
        return Facts(counts, counters=counters, left=dict(position.left))

    def _terms(
        self, name: str, position: _Position, arrival: _Arrival, facts: Facts
    ) -> _Terms:
        """Return the cost here and, for each way, the probabilities; if allowed."""
        if name not in self._actions:
            raise PlanError(f"the problem has no action `{name}`")
        if objection := self._refusal(name, position, facts):
            raise PlanError(objection)
        terms = self._offer(name, facts, arrival)
        if objection := self._expense(name, position, terms[0]):
            raise PlanError(objection)
        return terms

    def _offer(self, name: str, facts: Facts, arrival: _Arrival) -> _Terms:
        action = self._actions[name]
        if not self._problem.hidden:
            offers = [action.as_of(facts)]
        else:
            offers = [action.as_of(facts.assuming(way)) for way in self._ways]
        met = zip(offers, arrival.chances, strict=True)
        cost = next(cost for (cost, _), chance in met if chance)
        return cost, [{o.label: o.probability for o in o_s} for _, o_s in offers]

    def _objection(
        self, name: str, position: _Position, facts: Facts, arrival: _Arrival
    ) -> str | None:
        """Return why an action cannot be taken; None if it can."""
        refusal = self._refusal(name, position, facts)
        if refusal is not None:
            return refusal
        cost, _ = self._offer(name, facts, arrival)
        return self._expense(name, position, cost)

    def _refusal(self, name: str, position: _Position, facts: Facts) -> str | None:
        """Return why an action cannot be taken, whatever it costs; None if it can."""
        action = self._actions[name]
        if position.ended is not None:
            return f"`{name}` is taken after everything has ended"
        if sum(facts.get(name, {}).values()) >= action.attempts:
            return f"`{name}` has no attempts left where the plan takes it"
        if not action.requires.holds(facts) or action.precluded_by.holds(facts):
            return f"`{name}` is not available where the plan takes it"
        return None

    def _expense(self, name: str, position: _Position, cost: Amounts) -> str | None:
        """Return why an action cannot be paid; None if it can."""
        action = self._actions[name]
        for resource, have in position.left:
            extra = max(o.cost.of(resource) if o.cost else 0 for o in action.outcomes)
            if cost.of(resource) + extra > have:
                return f"`{name}` costs more than is left of {resource}"
        return None


def _chances(
    arrival: _Arrival, by_way: list[Mapping[str, Fraction]], label: str
) -> tuple[Fraction, ...]:
    """Return how likely an outcome comes up, together with each way."""
    pairs = zip(arrival.chances, by_way, strict=True)
    return tuple([p * each.get(label, Fraction(0)) for p, each in pairs])


def _paid(
    left: tuple[tuple[str, Limit], ...], name: str, cost: Amounts
) -> tuple[tuple[str, Limit], ...]:
    if not cost:
        return left
    rest = tuple((resource, have - cost.of(resource)) for resource, have in left)
    for resource, have in rest:
        if have < 0:
            raise PlanError(f"`{name}` costs more than is left of {resource}")
    return rest
