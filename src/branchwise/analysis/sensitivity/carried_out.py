"""A plan carried out anew: how it fares as numbers of a wide problem move."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from typing import Final, NamedTuple

from branchwise.analysis.parameter import Parameter, own_clause, owner, with_fact
from branchwise.errors import PlanError
from branchwise.model.action import Action, Outcome
from branchwise.model.conditions.quantity import Left
from branchwise.model.execution.turn import turn_of
from branchwise.model.problem import Problem
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.tree.choices.policy import children_first
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.evaluate import evaluate

# Values are exact fractions, so a step may be as small as this without rounding.
_STEP: Final = Fraction(1, 10**18)


def kept_tree(tree: DecisionTree) -> DecisionTree:
    """Return a copy: the solver may turn to another problem before it is asked."""
    root, policy = tree.root.key, tree.policy
    kept = {state: policy[state] for state in children_first(policy, root)}
    return DecisionTree(kept, root)


def deeds_of(tree: DecisionTree) -> bytes:
    """
    Return what a tree does after what, and nothing of how likely or dear that is.

    Two trees of which this is the same are worth the same in any problem.
    """
    known: dict[Hashable, bytes] = {}
    for state in children_first(tree.policy, tree.root.key):
        decision = tree.policy[state]
        below = ((branch.outcome, known[branch.state]) for branch in decision.branches)
        deeds = repr((decision.action, sorted(below)))
        known[state] = blake2b(deeds.encode(), digest_size=16).digest()
    return known[tree.root.key]


def tree_slope(
    problem: Problem, parameter: Parameter, tree: DecisionTree, at: Fraction
) -> float | None:
    """Return how what a tree is worth changes, here or near by; None if neither."""
    here = parameter.value(problem)
    step = (at - here) * _STEP
    for start in (here, at):
        try:
            low, high = (
                evaluate(tree, parameter.changed(problem, place))
                for place in (start, start + step)
            )
        except PlanError:  # It fits the budget on one side only, say.
            continue
        return float((high - low) / step)
    return None


def partial_slope(problem: Problem, parameter: Parameter, tree: DecisionTree) -> float:
    """
    Return how what a tree is worth changes with one probability, all others held.

    The worth of a tree is a sum over its paths and the ways hidden facts may be, each
    with the product of its probabilities; so it is defined where these do not add up.
    """
    raised = _raised(problem, parameter)
    return float((evaluate(tree, raised) - evaluate(tree, problem)) / _STEP)


def _raised(problem: Problem, parameter: Parameter) -> Problem:
    """Return the problem with one probability a step higher, which is no sound one."""

    def raised(outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
        return tuple(
            o.with_probability(o.probability + _STEP)
            if o.label == parameter.outcome
            else o
            for o in outcomes
        )

    own, more = owner(problem, parameter.action), raised(parameter.outcomes(problem))
    given = own.given
    if parameter.clause is not None:
        at = parameter.clause
        given = (*given[:at], replace(given[at], outcomes=more), *given[at + 1 :])
        more = own.outcomes
    if isinstance(own, Action):
        return problem.with_action(replace(own, outcomes=more, given=given))
    return with_fact(problem, replace(own, outcomes=more, given=given))


class _Position(NamedTuple):
    key: Hashable  # The state of the plan
    state: PackedState
    uses: int  # How often the cost has been paid by then


def allowable_increase(
    problem: Problem, cost: Parameter, tree: DecisionTree
) -> Fraction | None:
    """
    Return by how much a cost may rise before a plan no longer fits the budget.

    None where the plan never pays it, where the resource is unlimited, or where
    conditions ask what is left, so that the plan may fail before.
    """
    limit = problem.budget[cost.resource]
    compared = (c for when in problem.conditions() for c in when.comparisons())
    is_asked = any(isinstance(each.quantity, Left) for each in compared)
    if is_asked or not isinstance(limit, Fraction):
        return None
    rooms = _Rooms(problem, cost, tree)
    return min(rooms.found(), default=None)


class _Rooms:
    """Walks over a plan, and says at each action how far the cost may rise."""

    def __init__(self, problem: Problem, cost: Parameter, tree: DecisionTree) -> None:
        self._problem, self._cost, self._tree = problem, cost, tree
        self._space = ProblemSpace(problem)
        self._resource = list(self._space.scales).index(cost.resource)

    def found(self) -> Iterator[Fraction]:
        root = _Position(self._tree.root.key, self._space.root, 0)
        seen, pending = {root}, [root]
        while pending:
            position = pending.pop()
            name = self._tree.policy[position.key].action
            if name is None:
                continue
            is_paid = self._is_paid(name, position.state)
            yield from self._rooms(name, position, is_paid=is_paid)
            for child in self._children(name, position, is_paid=is_paid):
                if child not in seen:
                    seen.add(child)
                    pending.append(child)

    def _children(
        self, name: str, position: _Position, *, is_paid: bool
    ) -> Iterator[_Position]:
        keys = {b.outcome: b.state for b in self._tree.policy[position.key].branches}
        available = self._space.action(position.state, name)
        assert available is not None
        for label, probability, state in available.transitions:
            if probability:
                is_met = name == self._cost.action and label == self._cost.outcome
                uses = position.uses + (is_paid or is_met)
                yield _Position(keys[label], state, uses)

    def _is_paid(self, name: str, state: PackedState) -> bool:
        """Whether taking an action pays the cost, whatever comes of it."""
        if name != self._cost.action or self._cost.outcome:
            return False
        action = self._problem.action(name)
        described = self._space.describe(state)
        turn = turn_of(self._problem, action, described)
        known = described.knowledge or (1,)
        clause = next(c for c, w in zip(turn.clauses, known, strict=True) if w)
        number = None if clause is None else action.given.index(clause)
        return own_clause(action, number, "cost") == self._cost.clause

    def _rooms(
        self, name: str, position: _Position, *, is_paid: bool
    ) -> Iterator[Fraction]:
        """Return how far the cost may rise for an action to be available here."""
        action, resource = self._problem.action(name), self._cost.resource
        described = self._space.describe(position.state)
        left = Fraction(described.left[resource])
        left -= turn_of(self._problem, action, described).cost.of(resource)
        is_own = name == self._cost.action
        for outcome in action.outcomes:
            is_met = is_own and outcome.label == self._cost.outcome
            uses = position.uses + is_paid + is_met
            if uses:
                yield (left - outcome.cost.of(resource)) / uses
