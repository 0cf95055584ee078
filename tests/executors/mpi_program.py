"""What `test_mpi.py` starts with mpiexec: the same answers, by an executor of MPI."""

import sys
from pathlib import Path

import branchwise
from branchwise.executors.share import share
from slow_work import waiting


def main(folder):
    """Share work out to the other processes, and print what became of it."""
    from mpi4py.futures import MPIPoolExecutor  # noqa: PLC0415

    problem = branchwise.read("examples/illustrative.yaml")
    people = [{"profile": f"p{n}", "P(a1=ok)": n / 40} for n in range(1, 40)]
    with MPIPoolExecutor() as executor:
        there = branchwise.profiles(problem, people, executor=executor)
        is_same = repr(there) == repr(branchwise.profiles(problem, people))
        sys.stdout.write(f"the same: {is_same}\n")
        called_off(executor, Path(folder) / "work.begun")


def called_off(executor, begun):
    """Call off what waits, once it has begun; the executor ends only after it."""

    def look(_):
        if begun.exists():
            raise KeyboardInterrupt

    try:
        share(waiting, [str(begun)], executor, look)
    except KeyboardInterrupt:
        sys.stdout.write("called off\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
