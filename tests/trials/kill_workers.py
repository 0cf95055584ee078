"""
Kill a worker of a cluster every few seconds, and see that nothing is lost or changed.

Run it on its own, for as many individuals as there is time for::

    PYTHONPATH=tests python -m trials.kill_workers --number 10000 --every 5

The same is asked in batches of one and in a hundred batches; all answers are compared
with those of this process alone, to the last bit.
"""

import argparse
import os
import random
import signal
import sys
import time
from contextlib import contextmanager
from threading import Event, Thread

import branchwise
from branchwise.analysis import parameters
from branchwise.executors import share
from branchwise.executors.cluster import cluster


def table(problem, number):
    """Return individuals who differ in six probabilities."""
    chance = random.Random(f"kill {number}")
    found = [each for each in parameters(problem) if each.kind == "probability"]
    found = list({(e.action, e.clause): e for e in found}.values())
    columns = chance.sample(found, min(6, len(found)))
    return [
        {
            "profile": f"p{n}",
            **{each.name: round(chance.uniform(0.05, 0.95), 3) for each in columns},
        }
        for n in range(number)
    ]


@contextmanager
def batches_of(size):
    """Let all batches have one size."""
    usual = share._Sharing._send

    def send(self):
        most = share._BATCHES_PER_WORKER * self._num_workers
        while len(self._under_way) < most and self._num_sent < len(self.questions):
            part = min(size, len(self.questions) - self._num_sent)
            self._under_way.append(self._sent(self._num_sent, part))
            self._num_sent += part

    share._Sharing._send = send
    try:
        yield
    finally:
        share._Sharing._send = usual


@contextmanager
def killed(client, seconds, most=sys.maxsize):
    """Kill a worker by SIGKILL again and again; yield the processes that were."""
    victims, is_over = [], Event()

    def kill():
        while len(victims) < most and not is_over.wait(seconds):
            nannies = list(client.cluster.workers.values())
            alive = {nanny.pid for nanny in nannies} - {None, *victims}
            if alive:
                victims.append(min(alive))
                os.kill(victims[-1], signal.SIGKILL)

    killer = Thread(target=kill)
    killer.start()
    try:
        yield victims
    finally:
        is_over.set()
        killer.join()


def compare(problem, people, client, expected, *kills):
    """Kill while work goes on; return how often, or fail where the answer differs."""
    with killed(client, *kills) as victims:
        found = branchwise.profiles(problem, people, executor=client)
    assert len(found.individuals) == len(people)
    assert repr(found) == expected
    return len(victims)


def main(arguments=None):
    """Run the trial; the exit code is 1 where an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--every", type=float, default=5.0, metavar="SECONDS")
    chosen = parser.parse_args(arguments)
    problem = branchwise.generate(25, 12, seed="profiles")
    people = table(problem, chosen.number)
    expected = repr(branchwise.profiles(problem, people))
    with cluster("local:2") as client:
        for size in (1, max(chosen.number // 100, 1)):
            start = time.monotonic()
            with batches_of(size):
                count = compare(problem, people, client, expected, chosen.every)
            spent = time.monotonic() - start
            sys.stdout.write(
                f"batches of {size}: {spent:.0f} s, {count} workers killed, "
                f"{chosen.number} individuals, all as expected\n"
            )
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
