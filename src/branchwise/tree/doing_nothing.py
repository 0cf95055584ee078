"""The plan that does nothing."""

from __future__ import annotations

from branchwise.model.problem import Problem
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.choices.policy import Decision
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.describing import PathStates


def doing_nothing(problem: Problem, *, exact: bool = False) -> DecisionTree | None:
    """
    Return the plan that does nothing; None where something must be done.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> tree = doing_nothing(Problem([toss], [Reward("toss=heads", 10)]))
    >>> tree.root.action, tree.root.value
    (None, 0.0)
    """
    space = ProblemSpace(problem, exact=exact)
    if not space.may_stop(space.root):
        return None
    reward = space.reward(space.root)
    stop = Decision(None, (), value=reward, reward=reward)
    return DecisionTree(
        {space.root: stop}, space.root, PathStates(problem), problem=problem
    )
