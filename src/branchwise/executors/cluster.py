"""Clusters: a Dask client for an address, or for some processes of this machine."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from branchwise.errors import ExecutorError

if TYPE_CHECKING:
    from distributed import Client

_LOCAL: Final = re.compile(r"local:([1-9][0-9]{0,3})")

_SECONDS_TO_CONNECT: Final = 10
_SECONDS_FOR_WORKERS: Final = 60


@contextmanager
def cluster(address: str) -> Iterator[Client]:
    """
    Connect to a Dask cluster while something is shared out.

    Parameters
    ----------
    address
        Where its scheduler is, as ``tcp://10.0.0.1:8786``, or the file that it has
        written with ``--scheduler-file``, whose name ends in ``.json``; or ``local:4``
        for four processes of this machine, which end afterwards.

    Raises
    ------
    ExecutorError
        Nobody answers there.
    ImportError
        Dask is not installed.
    """
    try:
        import distributed  # noqa: PLC0415
    except ImportError:
        raise ImportError(
            "sharing out to a cluster needs Dask\n    fix: pip install "
            "'branchwise[cluster]', which is the same as pip install distributed"
        ) from None
    local = _LOCAL.fullmatch(address)
    if local is None and address.startswith("local"):
        raise ExecutorError(
            f"`{address}` is no cluster\n    fix: write local:4 for four processes"
        )
    if local is not None:
        made = distributed.LocalCluster(
            n_workers=int(local[1]),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # another one may have the usual port
            silence_logs="CRITICAL",
        )
        with made, distributed.Client(made) as client:
            yield client
        return
    where = _written_address(address) if address.endswith(".json") else address
    try:
        with warnings.catch_warnings():
            # What has to agree is looked at when work is sent: see `check_versions`.
            warnings.filterwarnings("ignore", "Mismatched versions found")
            client = distributed.Client(where, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        raise ExecutorError(
            f"no cluster can be reached at `{address}`: {_first_line(error)}"
            "\n    fix: start `dask scheduler`, and give the address that it prints"
        ) from None
    with client:
        try:  # They may be about to begin, as on a batch system.
            client.wait_for_workers(1, timeout=_SECONDS_FOR_WORKERS)
        except TimeoutError:
            raise ExecutorError(
                f"the cluster at `{address}` has no workers"
                f"\n    fix: start some: dask worker {where}"
            ) from None
        yield client


def _written_address(file: str) -> str:
    """Return the address that a scheduler has written into a file."""
    try:
        return str(json.loads(Path(file).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExecutorError(
            f"`{file}` does not say where a scheduler is: {_first_line(error)}"
            f"\n    fix: start one: dask scheduler --scheduler-file {file}"
        ) from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
