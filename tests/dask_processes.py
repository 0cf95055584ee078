"""A Dask scheduler and its workers, each a process, as one starts them by hand."""

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from slow_work import wait_until

DASK = str(Path(sys.executable).with_name("dask"))


class DaskProcesses:
    """Processes on loopback that can be killed one by one."""

    def __init__(self, folder, num_workers):
        self.folder = Path(folder)
        self.scheduler, self.address, self.workers = None, "", []
        self.num_workers = num_workers

    def start(self):
        """Start what is not there, or not there any more."""
        file = self.folder / "scheduler.json"
        if self.scheduler is None or self.scheduler.poll() is not None:
            file.unlink(missing_ok=True)
            how = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
            self.scheduler = self._started("scheduler", *how, "--scheduler-file", file)
            wait_until(file.exists)
            wait_until(file.read_text)
            self.address = json.loads(file.read_text())["address"]
        self.workers = [each for each in self.workers if each.poll() is None]
        while len(self.workers) < self.num_workers:
            how = ["--scheduler-file", file, "--nthreads", "1", "--no-nanny"]
            how += ["--no-dashboard", "--host", "127.0.0.1"]
            how += ["--local-directory", self.folder]
            self.workers.append(self._started("worker", *how))

    def _started(self, *words):
        with (self.folder / f"{words[0]}.log").open("ab") as log:
            command = [DASK, *map(str, words)]
            return subprocess.Popen(command, stdout=log, stderr=log)

    def kill(self, process):
        """Kill one of them, as a power cut does."""
        process.send_signal(signal.SIGKILL)
        process.wait()

    def kill_all(self):
        """Kill all of them."""
        for process in (self.scheduler, *self.workers):
            if process is not None and process.poll() is None:
                self.kill(process)


@contextmanager
def dask_processes(folder, num_workers=2):
    """Start a scheduler and workers; all are gone in the end."""
    processes = DaskProcesses(folder, num_workers)
    try:
        processes.start()
        yield processes
    finally:
        processes.kill_all()
