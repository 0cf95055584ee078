"""A Dask cluster does the same as this process, also where its workers are killed."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor

import pytest

import branchwise
from branchwise.errors import ExecutorError
from branchwise.executors.cluster import cluster
from branchwise.executors.share import share
from slow_work import slow_squares
from trials import kill_workers

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask tells of its own changes

# All ways to ask: for starts, bounds, what a plan is worth along a line, and slopes.
SECTIONS = ("criticality", "tornado", "thresholds", "derivatives")


def test_killed_workers_cost_nothing_but_time():
    with cluster("local:2") as client:
        victims = []

        def look(number):
            if number >= 50 * (len(victims) + 1) and len(victims) < 3:
                nannies = client.cluster.workers.values()
                alive = {nanny.pid for nanny in nannies} - {None, *victims}
                if alive:
                    victims.append(min(alive))
                    os.kill(victims[-1], signal.SIGKILL)

        found = share(slow_squares, range(300), client, look)

    assert found == [number * number for number in range(300)]
    assert len(set(victims)) == 3


def test_batches_of_any_size_and_killed_workers_give_the_same_bytes():
    """A short form of `tests/trials/kill_workers.py`."""
    problem = branchwise.read("examples/illustrative.yaml")
    people = kill_workers.table(problem, 300)
    expected = repr(branchwise.profiles(problem, people))
    with cluster("local:2") as client:
        for size in (1, 100):
            with kill_workers.batches_of(size):
                kill_workers.compare(problem, people, client, expected, 0.2, 1)


def test_a_cluster_gives_the_same_answers():
    """In one cluster, as starting one takes a second."""
    problem = branchwise.read("examples/illustrative.yaml")
    people = [{"profile": f"p{n}", "P(a1=ok)": n / 40} for n in range(1, 40)]
    with cluster("local:1") as client:
        at_once = branchwise.profiles(problem, people, executor=client)
        looked_into = branchwise.analyze(problem, only=SECTIONS, executor=client)

    assert repr(at_once) == repr(branchwise.profiles(problem, people))
    expected = branchwise.analyze(problem, only=SECTIONS)
    assert repr(looked_into.sections) == repr(expected.sections)


def test_processes_give_the_same_sections():
    """All that an analysis has unless asked otherwise."""
    problem = branchwise.read("examples/illustrative.yaml")
    with ProcessPoolExecutor(2) as executor:
        found = branchwise.analyze(problem, executor=executor)

    assert repr(found.sections) == repr(branchwise.analyze(problem).sections)


@pytest.mark.parametrize("address", ["local", "local:0", "localhost"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ExecutorError, match="write local:4"), cluster(address):
        pass


def test_nobody_at_home(monkeypatch):
    monkeypatch.setattr("branchwise.executors.cluster._SECONDS_TO_CONNECT", 0.2)
    address = "tcp://127.0.0.1:9"
    with (
        pytest.raises(ExecutorError, match="no cluster can be reached"),
        cluster(address),
    ):
        pass
