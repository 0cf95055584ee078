"""Plans that go by some rewarding sets only: valid, and a lower bound."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final

from branchwise.errors import LimitError
from branchwise.model.arguments import a_whole_number
from branchwise.model.problem import Problem
from branchwise.reference.pipeline import solve_by_reference
from branchwise.rewarding.choice import WantedSets, chosen_one_by_one
from branchwise.rewarding.enumerate import ListedSets, chosen_sets, list_sets
from branchwise.rewarding.sets import RewardingSet, RewardingSets
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.choices.preference import Prefer
from branchwise.tree.progress import Listener
from branchwise.tree.solution import Solution, Status

_SECONDS_FOR_A_BOUND: Final = 10.0


def solve_with_some_sets(
    problem: Problem,
    wanted: WantedSets,
    *,
    prefer: Prefer,
    exact: bool,
    progress: Listener,
) -> Solution:
    """Find the best plan that follows only these sets, or so many of the strongest."""
    sets = chosen_sets(problem, _wanted(problem, wanted))
    solution = solve_by_reference(
        problem, prefer=prefer, exact=exact, sets=sets, progress=progress
    )
    if _has_all(problem, sets):
        return solution
    return replace(solution, status=Status.LOWER_BOUND, bound=_upper_bound(problem))


def _wanted(problem: Problem, wanted: WantedSets) -> Iterable[RewardingSet]:
    if isinstance(wanted, str):
        raise ValueError(
            "only the engine `canonical` finds out how many rewarding sets are enough; "
            "say how many"
        )
    if isinstance(wanted, Iterable):
        return chosen_one_by_one(wanted)
    most = a_whole_number("rewarding_sets", wanted, least=0)
    return islice(RewardingSets(problem), most)


def _upper_bound(problem: Problem) -> float:
    """Return what no plan can exceed: with perfect information, or else at all."""
    with suppress(LimitError):
        sets = RewardingSets(problem, time_limit_seconds=_SECONDS_FOR_A_BOUND)
        return sets.perfect_information
    rewards = [float(r.value) for r in problem.rewards if r.value > 0]
    return sum(rewards) if problem.combine == "sum" else max(rewards, default=0.0)


def _has_all(problem: Problem, chosen: ListedSets) -> bool:
    """Whether pruning by these sets keeps all that pruning may ever keep."""
    found = list_sets(ProblemSpace(problem))
    return found is not None and set(found.sets) <= set(chosen.sets)
