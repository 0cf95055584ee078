"""States divided among workers come to the answer of those in memory."""

from concurrent.futures import Future
from random import Random
from tempfile import TemporaryDirectory

import pytest

from branchwise import generate, solve
from branchwise.engine.spill.cluster_run import solve_on_cluster
from branchwise.engine.spill.spilled_run import PartLimits
from branchwise.errors import ProblemError
from engine.spill.few_workers import FewWorkers
from oracles.spilled import KINDS, OBJECTIVES, drawn_parts, same_answer
from problems.straight_problem import straight_problem


def on_workers(problem, folder, workers, parts, **how):
    """The solution of a run that only explores."""
    return solve_on_cluster(
        problem, str(folder), workers, search="exhaustive", parts=parts, **how
    )


def in_memory(problem, parts, prefer):
    how = {"engine": "canonical", "search": "exhaustive", "verify": False}
    return same_answer(solve(problem, prefer=prefer, **how), parts)


def difference(problem, workers, parts, prefer, num_owners):
    """What differs from the answer in memory; None if nothing does."""
    try:
        expected = in_memory(problem, parts, prefer)
    except ProblemError as error:
        expected = str(error)
    with TemporaryDirectory() as folder:
        try:
            how = {"prefer": prefer, "num_owners": num_owners}
            found = same_answer(
                on_workers(problem, folder, workers, parts, **how), parts
            )
        except ProblemError as error:
            found = str(error)
    return None if found == expected else (expected, found)


@pytest.mark.parametrize("kind", KINDS)
def test_random_problems_have_the_answer_of_one_in_memory(kind):
    for oracle in KINDS[kind](15, f"cluster {kind}"):
        random = Random(oracle.doc["name"])
        problem = straight_problem(oracle.doc)
        parts, prefer = drawn_parts(random), random.choice(OBJECTIVES)
        num_owners = random.choice((1, 2, 3, 7))

        workers = FewWorkers(min(num_owners, 3))
        found = difference(problem, workers, parts, prefer, num_owners)

        assert found is None, (parts, prefer, num_owners, oracle.doc)


@pytest.mark.parametrize("kind", KINDS)
def test_workers_that_die_change_nothing(kind):
    num_deaths = 0
    for oracle in KINDS[kind](12, f"deaths {kind}"):
        random = Random(oracle.doc["name"])
        problem = straight_problem(oracle.doc)
        parts, prefer = drawn_parts(random), random.choice(OBJECTIVES)

        workers = FewWorkers(2, random, likely=0.01)
        found = difference(problem, workers, parts, prefer, 2)

        assert found is None, (parts, prefer, oracle.doc)
        num_deaths += workers.num_deaths
    assert num_deaths


class DiesAtStep(FewWorkers):
    """A cluster in which one worker dies at a step of the last owner, once."""

    def __init__(self, number, step):
        super().__init__(number)
        self._step = step, number - 1

    def submit(self, work, *arguments, workers, **how):
        if arguments[2:3] == self._step[:1] and arguments[1] == self._step[1]:
            future, self._step = Future(), (None, None)
            self._die(workers[0], future)
            return future
        return super().submit(work, *arguments, workers=workers, **how)


@pytest.mark.parametrize(
    "step",
    ["explore", "end_exploring", "unscored", "score", "num_counted", "remove_keys"],
)
def test_a_worker_may_die_at_any_step(step):
    """Also where some owners know already that all is explored, and others do not."""
    problem = generate(9, 5, seed=2)
    workers = DiesAtStep(2, step)

    found = difference(problem, workers, PartLimits(met=10), "fewest-nodes", 2)

    assert found is None
    assert workers.num_deaths == 1
