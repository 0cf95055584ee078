"""What is said of time, whatever else the machine has to do meanwhile."""

import os
import time
from threading import Event, Thread

__all__ = ["Canceller", "children_seconds", "with_enough_time"]


def children_seconds():
    """What the processes that have ended took of the processor."""
    used = os.times()
    return used.children_user + used.children_system


def with_enough_time(
    solve, seconds, is_enough=lambda solution: solution.expected_reward > 0
):
    """
    Solve within a limit that lets a search come far enough: to a plan that earns
    something, unless said otherwise.

    How far it comes in so many seconds is up to the machine.
    """
    found = solve(seconds)
    while not is_enough(found) and seconds < 60:
        seconds *= 4
        found = solve(seconds)
    return found


class Canceller:
    """Another thread that cancels a run as soon as that has a plan worth something."""

    def __init__(self):
        self.cancel, self._has_plan = Event(), Event()
        self._cancelled = None
        self._thread = Thread(target=self._wait, daemon=True)
        self._thread.start()

    def listen(self, progress):
        if progress.lower_bound is not None and progress.lower_bound > 0:
            self._has_plan.set()

    def _wait(self):
        self._has_plan.wait()
        self._cancelled = time.process_time()
        self.cancel.set()

    def seconds_since(self):
        """What has been done since, in seconds of the processor."""
        self._thread.join()
        return time.process_time() - self._cancelled
