"""The two ways to find rewarding sets, as they are measured."""

import time

from branchwise.rewarding.program import program_sets
from branchwise.rewarding.terms import Terms
from branchwise.rewarding.ways import Ways
from branchwise.space.problem_space import ProblemSpace


def by_program(problem):
    """List the sets with the 0/1 program; give how many there are."""
    space = ProblemSpace(problem)
    ways = Ways(space, Terms(problem, limit=5000))
    return sum(len(level.sets) for level in program_sets(space, ways))


def seconds(work):
    """Give how long something takes, and what it gives."""
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer
