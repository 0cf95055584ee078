"""Limits are checked when they are made, and end engines that have no bounds."""

import math
from threading import Event

import pytest

from branchwise import LimitError
from branchwise.engine.limits import Limits, num_cores, watched
from branchwise.tree import Progress, Stage

REPORT = Progress(Stage.FULL_GRAPH, 1)


@pytest.mark.parametrize("gap", [-0.01, math.inf, math.nan])
def test_a_gap_is_a_share(gap):
    with pytest.raises(ValueError, match=f"a gap is a share from 0 up, not {gap}"):
        Limits(gap=gap)


@pytest.mark.parametrize("name", ["time_limit_seconds", "memory_limit_bytes"])
@pytest.mark.parametrize("limit", [0, -1, math.nan])
def test_a_limit_is_more_than_nothing(name, limit):
    with pytest.raises(ValueError, match=f"{name} must be more than 0, not {limit}"):
        Limits(**{name: limit})


def test_without_limits_nothing_ends_a_run():
    heard = []
    listen = watched(heard.append, Limits())

    for _ in range(1000):
        listen(REPORT)

    assert heard == [REPORT] * 1000
    assert not Limits().is_cancelled


def test_time_that_is_over_ends_a_run_after_its_report():
    heard = []
    listen = watched(heard.append, Limits(time_limit_seconds=1e-9))

    with pytest.raises(LimitError, match="time limit was met before there was a plan"):
        listen(REPORT)

    assert heard == [REPORT]


def test_memory_that_is_full_ends_a_run():
    """A process holds more than one byte."""
    listen = watched(lambda _: None, Limits(memory_limit_bytes=1))

    with pytest.raises(LimitError, match="memory limit was met before there was"):
        listen(REPORT)


def test_enough_time_and_memory_end_nothing():
    listen = watched(
        lambda _: None, Limits(time_limit_seconds=1e6, memory_limit_bytes=2**60)
    )

    listen(REPORT)


def test_an_event_ends_a_run_like_ctrl_c():
    cancel = Event()
    limits = Limits(cancel=cancel)
    cancel.set()

    assert limits.is_cancelled
    with pytest.raises(KeyboardInterrupt):
        watched(lambda _: None, limits)(REPORT)


def test_what_is_left_of_a_limit_is_never_nothing():
    assert Limits(time_limit_seconds=5).less(2).time_limit_seconds == 3
    assert Limits(time_limit_seconds=5).less(9).time_limit_seconds > 0
    assert Limits(gap=0.1).less(9) == Limits(gap=0.1)


def test_there_is_a_core_to_work_on():
    assert num_cores() >= 1
