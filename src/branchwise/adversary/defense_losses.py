"""Where a plan can be hurt: its actions, and about what defenses take from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from branchwise.model.defense import Defense
from branchwise.tree.policy import Decision, children_first
from branchwise.tree.solution import Solution

__all__ = ["PlanActions"]


class PlanActions:
    """
    The decisions of a plan, gathered by action.

    Attributes
    ----------
    taken
        The actions that it may take.
    """

    def __init__(self, solution: Solution) -> None:
        policy = solution.tree.policy
        order = list(children_first(policy, solution.tree.root.key))
        places = {state: place for place, state in enumerate(order)}
        self._values = [float(policy[state].value) for state in order]
        reach = [0.0] * len(order)
        reach[-1] = 1.0
        self._decisions: dict[str, list[tuple[float, Decision, list[int]]]] = {}
        for place in range(len(order) - 1, -1, -1):
            decision = policy[order[place]]
            if decision.action is None:
                continue
            children = [places[branch.state] for branch in decision.branches]
            for branch, child in zip(decision.branches, children, strict=True):
                reach[child] += reach[place] * float(branch.probability)
            made = self._decisions.setdefault(decision.action, [])
            made.append((reach[place], decision, children))
        self.taken = frozenset(self._decisions)

    def losses(self, defenses: Sequence[Defense]) -> list[float]:
        """
        Estimate what each defense takes from the plan; a guide, not a bound.

        Where an action is forbidden, the plan goes on as after its worst outcome.
        """
        return [
            sum(
                reach * self._loss(decision, children, defense)
                for action in defense.touched
                for reach, decision, children in self._decisions.get(action, ())
            )
            for defense in defenses
        ]

    def _loss(
        self, decision: Decision, children: Sequence[int], defense: Defense
    ) -> float:
        """Estimate what a defense takes from the plan at one decision."""
        action = decision.action
        assert action is not None
        branches = list(zip(decision.branches, children, strict=True))
        worth = {branch.outcome: self._values[child] for branch, child in branches}
        probabilities = {
            branch.outcome: float(branch.probability) for branch, _ in branches
        }
        worst = min(worth.values())
        mean = _mean(probabilities, worth, worst)
        if action in defense.forbids:
            return mean - worst
        lost = (mean - worst) / 2 if action in defense.raises else 0.0
        if action in defense.changes:
            probabilities = {
                o.label: float(o.probability) for o in defense.changes[action]
            }
        for label, share in defense.scales.get(action, {}).items():
            probabilities[label] = probabilities.get(label, 0.0) * float(share)
        return lost + mean - _mean(probabilities, worth, worst)


def _mean(
    probabilities: Mapping[str, float], worth: Mapping[str, float], worst: float
) -> float:
    """Return the mean, where the worst happens if nothing else does."""
    known = sum(
        share * worth.get(label, worst) for label, share in probabilities.items()
    )
    return known + (1 - sum(probabilities.values())) * worst
