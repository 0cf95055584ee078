"""A scheduler and two workers, started by hand: one problem, and who may be lost."""

import shutil
import subprocess
import sys
import time

import pytest

from branchwise import generate, solve, write
from branchwise.engine.spill.spilled_run import USUAL_PARTS
from branchwise.errors import ExecutorError, SpillError
from branchwise.executors.cluster import cluster
from dask_processes import dask_processes
from oracles.spilled import same_answer

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask tells of its own changes

HOW = {"search": "exhaustive", "verify": False}


def test_a_cluster_gives_the_answer_of_one_process(tmp_path):
    """In one cluster, as starting one takes seconds."""
    problem = generate(9, 5, seed=2)
    alone = same_answer(solve(problem, engine="canonical", **HOW), USUAL_PARTS)
    states = tmp_path / "states"
    with dask_processes(tmp_path) as processes, cluster(processes.address) as client:
        client.wait_for_workers(2)
        how = {**HOW, "spill": states, "executor": client}

        assert same_answer(solve(problem, **how), USUAL_PARTS) == alone
        # Once more, from the files; and with a worker that takes over for another.
        processes.kill(processes.workers[0])
        assert same_answer(solve(problem, **how), USUAL_PARTS) == alone
        # States that no worker sees cannot be gone on with.
        shutil.rmtree(states / "owner-000-of-002")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("branchwise.engine.spill.crew._SECONDS_TO_WAIT", 0.5)
            with pytest.raises(ExecutorError, match="no worker sees the states of own"):
                solve(problem, **how)
        with pytest.raises(SpillError, match="another problem"):
            solve(generate(9, 5, seed=3), **how)


def test_a_scheduler_that_is_gone_is_an_error_and_the_run_goes_on_later(tmp_path):
    problem = tmp_path / "problem.yaml"
    write(generate(40, 20, seed=1), problem)
    with dask_processes(tmp_path) as processes:
        command = [sys.executable, "-m", "branchwise", "solve", str(problem), "--quiet"]
        command += ["--spill", str(tmp_path / "states"), "--search", "exhaustive"]
        command += ["--cluster", str(tmp_path / "scheduler.json")]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not list(tmp_path.glob("states/owner-000-of-*/*")):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        processes.kill(processes.scheduler)
        _, said = process.communicate(timeout=120)

    assert process.returncode == 2, said
    assert "the cluster is gone: its scheduler was stopped" in said
    assert "Traceback" not in said
