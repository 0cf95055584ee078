"""How long something takes: the fastest of several runs, by the clock and the CPU."""

import gc
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """
    What the fastest run took.

    Parameters
    ----------
    seconds
        By the clock on the wall.
    cpu_seconds
        What all threads of this process worked, of the run that worked least: on a
        machine that others use too, this says more.
    answer
        What the fastest run gave.
    """

    seconds: float
    cpu_seconds: float
    answer: object

    def times(self):
        return {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds}


def fastest(work, *, repeats=5, patience_seconds=2.0):
    """Run something up to so many times, as long as that takes little CPU time."""
    begin = time.process_time()
    runs = []
    while not runs or (
        len(runs) < repeats and time.process_time() - begin < patience_seconds
    ):
        gc.collect()
        start, worked = time.perf_counter(), time.process_time()
        answer = work()
        cpu_seconds = time.process_time() - worked
        runs.append((time.perf_counter() - start, cpu_seconds, answer))
    seconds, _, answer = min(runs, key=lambda run: run[0])
    return Timing(seconds, min(run[1] for run in runs), answer)
