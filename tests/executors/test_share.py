"""Work shared out comes back whole and in order, whatever becomes of the workers."""

import os
import pickle
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import branchwise
from branchwise.errors import ExecutorError, LimitError, ProblemError
from branchwise.executors import share as sharing
from branchwise.executors.executor import own_version
from branchwise.executors.share import answers, share
from branchwise.tree.solution import Status


def squares(numbers, cancel):
    return [number * number for number in numbers]


def too_late(numbers, cancel):
    raise LimitError(f"not {numbers[0]}")


def end(numbers, cancel):
    os._exit(len(numbers))


class AtOnce:
    """Does everything when it is submitted, and writes down how much that was."""

    def __init__(self, fails=0, version=None):
        self.sizes = []
        self._fails, self._version = fails, version

    def submit(self, function, work, questions, sign):
        self.sizes.append(len(pickle.loads(questions)))
        future = Future()
        if self._fails:
            self._fails -= 1
            future.set_exception(KilledWorker("a worker is gone"))
        else:
            reply = function(work, questions, sign)
            future.set_result(reply._replace(version=self._version or reply.version))
        return future


class KilledWorker(Exception):  # noqa: N818 - it is called so by Dask
    """What Dask raises where it has lost a worker several times."""


def test_answers_come_in_the_order_of_the_questions():
    with ProcessPoolExecutor(2) as executor:
        assert share(squares, range(500), executor) == [n * n for n in range(500)]
    assert share(squares, [], AtOnce()) == []


def test_batches_grow_until_they_are_worth_sending():
    executor = AtOnce()
    share(squares, range(20_000), executor)

    assert sum(executor.sizes) == 20_000
    assert executor.sizes[0] == 1
    assert max(executor.sizes) > 500
    assert len(executor.sizes) < 200


def test_batches_take_half_a_second_and_no_more(monkeypatch):
    monkeypatch.setattr(sharing, "_SECONDS_PER_BATCH", 0.02)
    executor = AtOnce()
    share(slow_squares, range(300), executor)

    assert max(executor.sizes) <= 40


def slow_squares(numbers, cancel):
    time.sleep(0.001 * len(numbers))
    return squares(numbers, cancel)


def test_what_is_lost_with_a_worker_is_done_again():
    executor = AtOnce(fails=7)

    assert share(squares, range(50), executor) == [n * n for n in range(50)]


def test_work_that_ends_every_worker_is_given_up():
    with pytest.raises(ExecutorError, match="one after another with the same work"):
        share(squares, range(5), AtOnce(fails=1_000))


def test_a_pool_whose_process_dies_says_so():
    with (
        ProcessPoolExecutor(1) as executor,
        pytest.raises(
            ExecutorError, match=r"a process of the executor died.*\n *fix: "
        ),
    ):
        share(end, range(5), executor)


def test_an_executor_that_was_shut_down_is_no_surprise():
    executor = ThreadPoolExecutor(1)
    executor.shutdown()

    with pytest.raises(RuntimeError, match="shutdown"):
        share(squares, range(5), executor)


def test_an_error_of_the_work_is_raised_as_it_is():
    with ProcessPoolExecutor(1) as executor, pytest.raises(LimitError, match="not 0"):
        share(too_late, range(5), executor)


def test_errors_with_issues_travel():
    with ProcessPoolExecutor(1) as executor, pytest.raises(ProblemError, match="fix: "):
        share(unsound, range(1), executor)


def unsound(numbers, cancel):
    raise ProblemError.of("actions.a", f"wrong {numbers[0]}", "right it")


def test_workers_of_another_version_are_refused():
    assert f"branchwise {branchwise.__version__} on Python 3." in own_version()
    with pytest.raises(
        ExecutorError, match=r"has branchwise 0\.0\.1.*\n *fix: install"
    ):
        share(squares, range(5), AtOnce(version="branchwise 0.0.1 on Python 3.9"))


def test_who_looks_may_end_it():
    seen = []

    def look(number):
        seen.append(number)
        if number > 10:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as executor, pytest.raises(KeyboardInterrupt):
        share(slow_squares, range(10_000), executor, look)
    assert seen == sorted(seen)
    assert seen[-1] < 10_000


def test_who_stops_asking_calls_off_the_rest():
    with ThreadPoolExecutor(1) as executor:
        some = answers(slow_squares, range(100_000), executor)
        first = next(some)
        some.close()

    assert first == (0, 0)


def test_what_cannot_run_anything_is_no_executor():
    with pytest.raises(TypeError, match="not str"):
        share(squares, range(5), "local:4")


def test_who_interrupts_profiles_has_those_that_are_done():
    problem = branchwise.read("examples/illustrative.yaml")
    people = [{"profile": f"p{n}", "P(a1=ok)": n / 3000} for n in range(1, 3000)]

    def stop(progress):
        if progress.num_states > 20:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor:
        found = branchwise.profiles(problem, people, progress=stop, executor=executor)

    assert found.status == Status.INTERRUPTED
    assert 20 < len(found.individuals) < found.num_all == 2999
