"""A short form of the trial: a run that is killed three times comes to its answer."""

from random import Random

from branchwise import generate, solve, write
from branchwise.engine.spill.spilled_run import PartLimits
from oracles.spilled import same_answer
from trials.spill_kill import killed_and_gone_on


def test_a_run_that_is_killed_three_times_comes_to_the_answer(tmp_path):
    problem, file = generate(15, budget=8, seed=3), tmp_path / "small.yaml"
    folder = tmp_path / "states"
    write(problem, file)

    found, _ = killed_and_gone_on(file, folder, met=50, number=3, random=Random(1))

    known = solve(problem, search="exhaustive", verify=False)
    assert same_answer(found, PartLimits()) == same_answer(known, PartLimits())
