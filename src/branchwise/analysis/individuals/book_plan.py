"""A plan of a book, carried out by an individual with other numbers."""

import math

from branchwise.engine.plan_book import PlanBook
from branchwise.model.problem import Problem
from branchwise.space.problem_space import PackedState, ProblemSpace


def book_plan_value(
    problem: Problem, book: PlanBook, plan: int, most_positions: int
) -> float | None:
    """
    Return what a plan is worth in a problem whose states hold more than outcomes.

    Where the plan says nothing, since an outcome was impossible for the individual it
    was made for, and where its action cannot be taken, it stops. None where it has too
    many positions, or where it stops although the problem does not allow that.
    """
    space = ProblemSpace(problem)
    here: dict[tuple[int, PackedState], float] = {(plan, space.root): 1.0}
    total, num_positions = 0.0, 0
    while here:
        num_positions += len(here)
        if num_positions > most_positions:
            return None
        following: dict[tuple[int, PackedState], float] = {}
        for (node, state), probability in here.items():
            step = book.step(node)
            name = book.first_action(node)
            available = None if name is None else space.action(state, name)
            if step is None or available is None:
                total += probability * _stopping(space, state)
                continue
            total -= probability * float(available.charge)
            nodes = dict(step[1])
            labels = problem.actions[step[0]].labels
            for outcome, chance, child in available.transitions:
                key = nodes.get(labels.index(outcome), 0), child
                following[key] = following.get(key, 0.0) + probability * float(chance)
        here = following
    return total if math.isfinite(total) else None


def _stopping(space: ProblemSpace, state: PackedState) -> float:
    """Return what stopping pays; without end below where one must go on."""
    is_allowed = space.may_stop(state) or not any(space.actions(state))
    return float(space.reward(state)) if is_allowed else -math.inf
