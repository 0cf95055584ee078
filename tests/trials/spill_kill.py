"""
Kill a run whose states are in files, again and again, and have it go on.

    PYTHONPATH=tests python -m trials.spill_kill [--number 10] [--seed 1]
    PYTHONPATH=tests python -m trials.spill_kill --file hard.yaml --memory 600000000

Every run is killed at a random moment of what a whole one takes, until so many were;
the next one then comes to its end, and says what a run in memory says. Without a file
they are small problems in parts of a few states.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click

from branchwise import generate, read, solve, write
from branchwise.engine.limits import Limits
from branchwise.engine.spill.spilled_run import PartLimits
from branchwise.engine.spill.spilled_solver import solve_in_folder
from oracles.spilled import same_answer

__all__ = ["killed_and_gone_on"]

HERE = Path(__file__).parents[1]
MEMORY = 600_000_000


def run(file, folder, met, memory):
    """Solve a problem in a folder, as the process that is killed does it."""
    return solve_in_folder(
        read(file),
        folder,
        search="exhaustive",
        num_threads=2,
        limits=Limits(memory_limit_bytes=memory),
        parts=PartLimits(met=met),
    )


def killed_and_gone_on(file, folder, *, met, number, random, memory=MEMORY):
    """Kill so many runs; return the answer of the last, and how many were killed."""
    command = [sys.executable, "-m", "trials.spill_kill", "--run", str(file)]
    command += [str(folder), str(met or 0), str(memory)]
    began = time.perf_counter()
    with TemporaryDirectory() as other:
        whole = [*command[:-3], other, *command[-2:]]
        subprocess.run(whole, check=True, cwd=HERE)
    seconds, num_killed = time.perf_counter() - began, 0
    for _ in range(number):
        with subprocess.Popen(command, cwd=HERE) as process:
            try:
                process.wait(seconds * random.random())
            except subprocess.TimeoutExpired:
                process.kill()
                num_killed += 1
    return run(file, folder, met, memory), num_killed


def trial(file, met, number, seed, memory):
    """Whether the answer of runs that were killed is that of one in memory."""
    with TemporaryDirectory() as folder:
        how = {"met": met, "number": number, "random": Random(seed), "memory": memory}
        found, num_killed = killed_and_gone_on(file, folder, **how)
    known = solve(read(file), search="exhaustive", verify=False)
    is_same = same_answer(found, PartLimits()) == same_answer(known, PartLimits())
    said = "the same answer" if is_same else "ANOTHER ANSWER"
    click.echo(f"{file}: {num_killed} killed, {found.reason}: {said}")
    return is_same


def main(arguments):
    """Kill runs, and return the exit code."""
    if arguments[:1] == ["--run"]:
        file, folder, met, memory = arguments[1:]
        run(file, folder, int(met) or None, int(memory))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file")
    parser.add_argument("--memory", type=int, default=MEMORY)
    chosen = parser.parse_args(arguments)
    if chosen.file:
        file = str(Path(chosen.file).absolute())
        return not trial(file, None, chosen.number, chosen.seed, chosen.memory)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "small.yaml"
        write(generate(16, budget=9, seed=chosen.seed), file)
        return not trial(file, 40, chosen.number, chosen.seed, chosen.memory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
