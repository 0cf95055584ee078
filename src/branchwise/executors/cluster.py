"""Clusters: a Dask client for an address, or for some processes of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from branchwise.errors import ExecutorError

if TYPE_CHECKING:
    from distributed import Client

_LOCAL: Final = re.compile(r"local:([1-9][0-9]{0,3})")

_SECONDS_TO_CONNECT: Final = 10


@contextmanager
def cluster(address: str) -> Iterator[Client]:
    """
    Connect to a Dask cluster while something is shared out.

    Parameters
    ----------
    address
        Where its scheduler is, as ``tcp://10.0.0.1:8786``; or ``local:4`` for four
        processes of this machine, which end afterwards.

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
            "sharing out to a cluster needs Dask\n    fix: pip install distributed"
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
            dashboard_address=None,
            silence_logs="CRITICAL",
        )
        with made, distributed.Client(made) as client:
            yield client
        return
    try:
        client = distributed.Client(address, timeout=_SECONDS_TO_CONNECT)
    except (OSError, ValueError) as error:
        raise ExecutorError(
            f"no cluster can be reached at `{address}`: {_first_line(error)}"
            "\n    fix: start `dask scheduler`, and give the address that it prints"
        ) from None
    with client:
        if not client.nthreads():
            raise ExecutorError(
                f"the cluster at `{address}` has no workers"
                f"\n    fix: start some: dask worker {address}"
            )
        yield client


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
