"""MPI does the same as this process: no more is needed than an executor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="MPI has no wheel there")
def test_an_executor_of_mpi_gives_the_same_and_can_be_called_off(tmp_path):
    program = Path(__file__).with_name("mpi_program.py")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", program]

    done = subprocess.run(
        [*map(str, command), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=250,
        env={**os.environ, "PYTHONPATH": str(program.parents[1])},
        check=False,
    )

    assert done.stdout.split("\n") == ["the same: True", "called off", ""], done.stderr
    assert done.returncode == 0
    assert (tmp_path / "work.over").exists()
