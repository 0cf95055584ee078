"""Dead ends: rewards that no rewarding set reaches, and what stops them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from branchwise.errors import Issue, Path
from branchwise.model.budget import UNLIMITED, Budget
from branchwise.model.condition import Happened
from branchwise.model.issue import about
from branchwise.model.problem import Problem
from branchwise.model.problem_space import ProblemSpace
from branchwise.model.validate import validate
from branchwise.rewarding.carrying_out import carry_out
from branchwise.rewarding.diagram import Diagram
from branchwise.rewarding.levels import goal_of

__all__ = ["dead_ends"]


def dead_ends(problem: Problem, diagram: Diagram) -> Iterator[Issue]:
    """Give a warning for each reward that no plan within the budget reaches."""
    known = {issue.path: issue for issue in validate(problem)}
    for index, reward in enumerate(problem.rewards):
        if not reward.value or diagram.reaches(goal_of(reward)):
            continue
        path: Path = ("rewards", index, "when")
        order = _way_without_budget(problem, index)
        if order is not None:
            yield _beyond_budget(problem, path, order)
        else:
            yield known.get(path) or _without_order(problem, path)


def _beyond_budget(problem: Problem, path: Path, order: list[Happened]) -> Issue:
    cost, _ = carry_out(problem, order)
    events = ", ".join(str(event) for event in order)
    amounts = Budget({resource: cost.of(resource) for resource in problem.budget})
    what = f"nothing can reach this reward within the budget of {problem.budget}: "
    return about(
        path,
        what=f"{what}{events} cost {amounts}",
        fix="raise the budget, or lower the costs",
        severity="warning",
    )


def _without_order(problem: Problem, path: Path) -> Issue:
    goal = goal_of(problem.rewards[int(path[1])])
    return about(
        path,
        what=f"nothing can reach this reward: no order of actions makes `{goal}` hold",
        fix="change `when`, or what its actions require or are precluded by",
        severity="warning",
    )


def _way_without_budget(problem: Problem, index: int) -> list[Happened] | None:
    """Give the likeliest way to a reward if nothing cost too much."""
    # No set needs an outcome twice, so more attempts than outcomes change nothing.
    actions = tuple(
        replace(action, attempts=min(action.attempts, len(action.outcomes)))
        for action in problem.actions
    )
    rich = replace(
        problem,
        actions=actions,
        rewards=(problem.rewards[index],),
        budget=Budget(dict.fromkeys(problem.budget, UNLIMITED)),
    )
    diagram = Diagram(ProblemSpace(rich))
    for elements, _ in diagram.strongest(diagram.levels[0], at_once=1):
        return diagram.order(elements)
    return None
