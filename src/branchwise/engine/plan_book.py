"""Plans by what they do: which are the same, and what they are worth to others."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

import branchwise._core as core
from branchwise.model.problem import Problem
from branchwise.tree.choices.policy import Shape, children_first, joined
from branchwise.tree.decision_tree import DecisionTree

FixedPlan = core.FixedPlan
"""A plan to be valued at any numbers; made position by position, children first."""


Step = tuple[int, Sequence[tuple[int, int]]]
"""The number of an action, and by the number of each outcome the next node."""

PlanSteps = list[tuple[int, int, Sequence[tuple[int, int]]]]
"""Nodes by their numbers, those that others lead to first, each with its step."""


class PlanBook:
    """Numbers the plans of problems that differ in numbers only."""

    # Two plans have the same number if they take the same actions after the same
    # outcomes. The number of a plan is that of its root; 0 is the end of every plan.

    def __init__(self, problem: Problem) -> None:
        self.core = core.PlanBook()
        self._actions = [action.name for action in problem.actions]
        self._labels = {action.name: action.labels for action in problem.actions}
        self._shapes = {0: Shape(1, 1, 0)}

    def enter(self, tree: DecisionTree) -> int:
        """Return the number of a tree."""
        policy, root = tree.policy, tree.root.key
        nodes: dict[Hashable, int] = {}
        for state in children_first(policy, root):
            decision = policy[state]
            if decision.action is None:
                nodes[state] = 0
                continue
            labels = self._labels[decision.action]
            below = decision.branches
            branches = [(labels.index(b.outcome), nodes[b.state]) for b in below]
            action = self._actions.index(decision.action)
            nodes[state] = self.core.enter_step(action, branches)
        return nodes[root]

    def exported(self, nodes: Iterable[int]) -> PlanSteps:
        """Return some nodes and all they lead to, for another book of this problem."""
        found: dict[int, Step] = {}
        pending = list(nodes)
        while pending:
            node = pending.pop()
            step = self.step(node)
            if step is not None and node not in found:
                found[node] = step
                pending.extend(child for _, child in step[1])
        return [(node, *found[node]) for node in sorted(found)]

    def imported(self, steps: PlanSteps) -> dict[int, int]:
        """Enter nodes of another book; return what their numbers are here."""
        numbers = {0: 0}
        for node, action, branches in steps:
            known = [(outcome, numbers[child]) for outcome, child in branches]
            numbers[node] = self.core.enter_step(action, known)
        return numbers

    def step(self, node: int) -> Step | None:
        """Return the number of the action at a node, and the next node by outcome."""
        return self.core.step(node) if node else None

    def first_action(self, node: int) -> str | None:
        """Return the action at a node; None where it is the end."""
        step = self.step(node)
        return None if step is None else self._actions[step[0]]

    def shape(self, node: int) -> Shape:
        """Return how large the tree of a node is."""
        for each in self._missing(node):
            step = self.step(each)
            assert step is not None
            self._shapes[each] = joined([self._shapes[child] for _, child in step[1]])
        return self._shapes[node]

    def _missing(self, node: int) -> Iterator[int]:
        """Return the nodes below a node whose shapes are not known, children first."""
        found: set[int] = set()
        pending = [node]
        while pending:
            each = pending.pop()
            step = self.step(each)
            if step is not None and each not in found and each not in self._shapes:
                found.add(each)
                pending.extend(child for _, child in step[1])
        # A node has a higher number than those it leads to.
        yield from sorted(found)
