"""A problem in the normal form of certificates, which needs no parser to read."""

from __future__ import annotations

from typing import Any

from branchwise.model.action import Action, Given
from branchwise.model.condition import (
    ALWAYS,
    AllOf,
    AnyOf,
    Attempted,
    Condition,
    Happened,
    Not,
    all_of,
    negation,
)
from branchwise.model.problem import Problem
from branchwise.space.problem_space import ProblemSpace

Document = dict[str, Any]


def problem_document(problem: Problem) -> Document:
    """
    Lay a problem out for the checker.

    Every default is said and every number is exact. Amounts of the resources that run
    out count their smallest units; what is unlimited shows in the charges alone. The
    title, which proves nothing, is left out.
    """
    return _Writer(problem).document()


class _Writer:
    """Writes one problem in its normal form."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._space = ProblemSpace(problem)
        self._labels = {action.name: action.labels for action in problem.actions}

    def document(self) -> Document:
        return {
            "left": list(self._space.root.left),
            "combine": self._problem.combine,
            "actions": [self._action(action) for action in self._problem.actions],
            "rewards": self._rewards(),
        }

    def _action(self, action: Action) -> Document:
        gate = all_of(action.requires, negation(action.precluded_by))
        variants = (*action.given, Given(ALWAYS))
        return {
            "name": action.name,
            "attempts": action.attempts if isinstance(action.attempts, int) else None,
            "outcomes": list(action.labels),
            "gate": self._condition(gate),
            "variants": [self._variant(action, clause) for clause in variants],
        }

    def _variant(self, action: Action, clause: Given) -> Document:
        cost = action.cost if clause.cost is None else clause.cost
        outcomes = clause.outcomes or action.outcomes
        return {
            "when": self._condition(clause.when),
            "price": list(self._space.units(cost)),
            "charge": str(self._problem.cost_weight.times(cost)),
            "odds": {outcome.label: str(outcome.probability) for outcome in outcomes},
        }

    def _rewards(self) -> list[Document]:
        """The rewards by falling value; of `max`, those of one value are one."""
        rewards = sorted(self._problem.rewards, key=lambda reward: -reward.value)
        found: list[tuple[str, list[Any]]] = []
        for reward in rewards:
            value, when = str(reward.value), self._condition(reward.when)
            if found and found[-1][0] == value and self._problem.combine == "max":
                found[-1][1].append(when)
            else:
                found.append((value, [when]))
        return [{"value": value, "when": {"any": whens}} for value, whens in found]

    def _condition(self, condition: Condition) -> Document | list[str]:
        match condition:
            case Happened(action, outcome):
                return [action, outcome]
            case Attempted(action):
                return {"any": [[action, label] for label in self._labels[action]]}
            case Not(inner):
                return {"not": self._condition(inner)}
            case AllOf(parts):
                return {"all": [self._condition(part) for part in parts]}
            case AnyOf(parts):
                return {"any": [self._condition(part) for part in parts]}
        raise TypeError(f"not a condition: {condition!r}")
