"""A plan of an engine, told in the states of the checker."""

from __future__ import annotations

from collections.abc import Hashable

from branchwise.certificate.checker import Problem, State
from branchwise.certificate.proof_rows import Reason
from branchwise.tree.solution import Solution


def planned_policy(problem: Problem, solution: Solution) -> dict[State, Reason]:
    """
    Return what a plan does at every state of the checker that it can come to.

    The checker merges other states than the engine. Where several states of the plan
    are one for the checker, the first one speaks for all: they have the same future.
    An action that the checker knows to be useless is left out, with all behind it.
    """
    space, policy = problem.space, solution.tree.policy
    names = {bit: label for (_, label), bit in problem.bits.items()}
    root = problem.root[1]
    spoken: dict[State, Hashable] = {root: solution.tree.root.key}
    decided: dict[State, Reason] = {}
    pending = [root]
    while pending:
        state = pending.pop()
        decision = policy[spoken[state]]
        modes = [m for m in space.available(state) if m.name == decision.action]
        decided[state] = (decision.action if modes else None,)
        if not modes:
            continue
        later = {branch.outcome: branch.state for branch in decision.branches}
        labels = [names[bit] for bit, _ in modes[0].terms.odds]
        children = space.children(state, modes[0])
        for label, (_, _, child) in zip(labels, children, strict=True):
            if child not in spoken:
                spoken[child] = later[label]
                pending.append(child)
    return decided
