"""The facts that rewards speak of, as a plan goes on: which rewards it ends with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.model.action import Action
from branchwise.model.condition import AllOf, AnyOf, Attempted, Condition, Happened, Not
from branchwise.model.problem import Problem
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.policy import children_first

Facts = frozenset[Happened | Attempted]

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
        news: Facts = frozenset((Attempted(action), Happened(action, outcome)))
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


def _holds(condition: Condition, facts: Facts) -> bool:
    """Whether a condition holds; of what it speaks of, these facts are true."""
    match condition:
        case AllOf(parts):
            return all(_holds(part, facts) for part in parts)
        case AnyOf(parts):
            return any(_holds(part, facts) for part in parts)
        case Not(inner):
            return not _holds(inner, facts)
    return condition in facts
