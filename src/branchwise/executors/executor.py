"""What work can be shared out to: a `concurrent.futures` executor or a Dask client."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError
from typing import Any, Final, Protocol, TypeVar, runtime_checkable
from weakref import WeakSet

import branchwise
from branchwise.errors import BranchwiseError, ExecutorError

T_co = TypeVar("T_co", covariant=True)

# What the classes of Dask are called that say so; importing them would take a second.
_LOST: Final = frozenset({"KilledWorker", "WorkerStartTimeoutError"})
_GONE: Final = frozenset(
    {
        "CommClosedError",
        "FutureCancelledError",
        "FuturesCancelledError",
        "ClosedClientError",
    }
)


class Future(Protocol[T_co]):
    """What an executor hands out for each piece of work."""

    def result(self, timeout: float | None = None) -> T_co:
        """Return what came of it, or raise what went wrong."""

    def done(self) -> bool:
        """Return whether it is over."""

    def cancel(self) -> object:
        """Do not begin it, if it was not begun yet."""


@runtime_checkable
class Executor(Protocol):
    """
    What runs functions elsewhere: anything with a `submit`.

    Any executor of `concurrent.futures` will do, or one made like it (as that of
    `mpi4py.futures`), and a Dask ``Client``. Functions and what they are given are
    pickled where the executor has other processes.
    """

    def submit(self, function: Callable[..., object], /, *arguments: object) -> Future:  # type: ignore[type-arg]
        """Have a function called; return at once."""


def checked_executor(executor: object) -> Executor:
    """Return an executor, or say what could be one."""
    if not isinstance(executor, Executor):
        raise TypeError(
            f"`executor` must be an executor of `concurrent.futures` or a Dask client, "
            f"not {type(executor).__name__}"
        )
    return executor


def num_workers(executor: Executor) -> int:
    """Return how many pieces of work it does at a time, as far as it says."""
    threads = getattr(executor, "nthreads", None)  # of a Dask client
    if callable(threads):
        counts: dict[str, int] = threads()
        return max(sum(counts.values()), 1)
    size = getattr(executor, "_max_workers", None)
    return size if isinstance(size, int) else os.cpu_count() or 1


def is_dask(executor: Executor) -> bool:
    """Return whether it is a client of Dask, whose workers know what is wanted."""
    return callable(getattr(executor, "get_versions", None))


def is_loss(error: BaseException) -> bool:
    """Return whether a worker was lost, and the work can be given to another one."""
    return type(error).__name__ in _LOST


def in_our_words(error: BaseException) -> BaseException:
    """Return an error that an executor raised, told as it concerns the user."""
    if isinstance(error, BranchwiseError):
        return error
    if isinstance(error, BrokenExecutor):
        return ExecutorError(
            "a process of the executor died, and the executor with it"
            "\n    fix: give its processes more memory, or fewer of them"
        )
    if isinstance(error, CancelledError) or type(error).__name__ in _GONE:
        return ExecutorError(
            "the cluster is gone: its scheduler was stopped or cannot be reached"
            "\n    fix: start it again, and run this once more"
        )
    if isinstance(error, ModuleNotFoundError):
        return ExecutorError(
            f"a worker cannot load `{error.name}`"
            f"\n    fix: install branchwise {branchwise.__version__} on every worker"
        )
    return error


def own_version() -> str:
    """Return the versions on which client and workers must agree."""
    major, minor, _ = platform.python_version_tuple()
    return f"branchwise {branchwise.__version__} on Python {major}.{minor}"


# A client is asked once, as that takes longer than a small batch.
_checked: WeakSet[Executor] = WeakSet()


def check_versions(executor: Executor) -> None:
    """Refuse a Dask cluster with workers of other versions."""
    # A worker that cannot load what it is sent would be silent for good.
    if not is_dask(executor) or executor in _checked:
        return  # Other executors say so with what they send back.
    client: Any = executor
    try:
        workers = client.get_versions(packages=["branchwise"])["workers"]
    except Exception as error:  # noqa: BLE001 - whatever Dask comes to
        raise in_our_words(error) from None
    for worker, found in sorted(workers.items()):
        version = found["packages"].get("branchwise")
        python = ".".join(found["host"]["python"].split(".")[:2])
        check_version(
            f"branchwise {version} on Python {python}", f"the worker {worker}"
        )
    _checked.add(executor)


def check_version(version: str, where: str) -> None:
    """Refuse a worker of another version."""
    if version != own_version():
        raise ExecutorError(
            f"{where} has {version}, and this is {own_version()}"
            f"\n    fix: install branchwise {branchwise.__version__} on every worker, "
            "with the same Python"
        )
