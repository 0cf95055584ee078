"""What is under way elsewhere ends soon after it is not wanted any more."""

import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from tempfile import gettempdir
from threading import Event, Thread

import pytest

import branchwise
from branchwise.executors.cluster import cluster
from branchwise.executors.share import answers, share
from slow_work import wait_until, waiting


def called_off(executor, tmp_path):
    """Share out what waits, and call it off once it has begun."""
    begun = tmp_path / "work.begun"

    def look(_):
        if begun.exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        share(waiting, [str(begun)], executor, look)
    wait_until(begun.with_suffix(".over").exists)


def halt_files():
    return set(Path(gettempdir()).glob("branchwise-*.halt"))


def test_threads_and_processes_stop(tmp_path):
    with ThreadPoolExecutor(1) as executor:
        called_off(executor, tmp_path)
    before = halt_files()
    with ProcessPoolExecutor(1) as executor:
        called_off(executor, tmp_path)
        # The process goes on to do other things, and no file is left for good.
        assert share(squares, [3], executor) == [9]
        list(answers(squares, [4], executor))
    assert halt_files() <= before


def squares(numbers, cancel):
    return [number * number for number in numbers]


@pytest.mark.filterwarnings("ignore")  # Dask tells of its own changes
def test_workers_of_a_cluster_are_free_again(tmp_path, hard_folder):
    """A worker stops, whether the wish to end comes as Ctrl-C or as an event."""
    with cluster("local:1") as client:
        called_off(client, tmp_path)
        (worker,) = client.scheduler_info()["workers"]

        cancel = Event()
        timer = Thread(target=lambda: (busy(client), cancel.set()))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            branchwise.batch(hard_folder, cancel=cancel, executor=client)
        timer.join()
        assert client.submit(abs, -1).result(timeout=30) == 1
        # The same one: it was not ended to get it back.
        assert list(client.scheduler_info()["workers"]) == [worker]


def busy(client):
    wait_until(lambda: any(client.processing().values()))
    time.sleep(0.5)  # It has begun to explore.


@pytest.fixture
def hard_folder(tmp_path):
    """A problem that takes minutes."""
    folder = tmp_path / "hard"
    folder.mkdir()
    hard = branchwise.generate(100, 20, seed="hard", or_share=1)
    branchwise.write(hard, folder / "hard.yaml")
    return folder
