"""A cluster in this process, whose workers die when a seed says so."""

import asyncio
from concurrent.futures import Future

from branchwise.engine.spill import shard


class KilledWorker(Exception):  # noqa: N818 - it is called so by Dask
    """What Dask raises where a worker was lost with its work."""


class FewWorkers:
    """
    What a run asks of a client of Dask.

    Every step is taken at once. A worker that dies forgets all that it had in memory;
    its folder stays, and another worker comes.
    """

    def __init__(self, number, random=None, likely=0.0):
        self.addresses = [f"worker-{n}" for n in range(number)]
        self.num_deaths = 0
        self._random, self._likely = random, likely
        self._at = {}

    def get_versions(self, packages):
        return {"workers": {}}

    def nthreads(self):
        return dict.fromkeys(self.addresses, 1)

    def sync(self, work, *arguments):
        return asyncio.run(work(*arguments))

    def submit(self, work, *arguments, workers, allow_other_workers, pure, retries):
        (address,) = workers
        future = Future()
        if address not in self.addresses:
            future.set_exception(KilledWorker("it is gone"))
            return future
        is_done_first = self._random is not None and self._random.random() < 0.5
        if self._dies() and not is_done_first:
            self._die(address, future)
            return future
        self._take(work, arguments, future)
        if self._random is not None and is_done_first and self._dies():
            future = Future()
            self._die(address, future)
        self._at.setdefault(address, set()).update(shard._shards)
        return future

    def _take(self, work, arguments, future):
        try:
            given = [a.result() if isinstance(a, Future) else a for a in arguments]
            future.set_result(work(*given))
        except Exception as error:  # noqa: BLE001 - as a worker does
            future.set_exception(error)

    def _dies(self):
        return self._random is not None and self._random.random() < self._likely

    def _die(self, address, future):
        self.num_deaths += 1
        for key in list(shard._shards):
            shard._shards.pop(key).close()
        self.addresses.remove(address)
        self.addresses.append(f"worker-{len(self.addresses) + 10 * self.num_deaths}")
        future.set_exception(KilledWorker("it was killed"))
