"""Turns: threads wait for each other, and none for itself."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from branchwise.engine.canonical import Turns
from branchwise.errors import BusyError


def test_a_caller_whose_turn_is_not_over_is_refused_and_later_served():
    turns = Turns()

    with turns.taken(), pytest.raises(BusyError, match="still at work"):
        turns.taken().__enter__()

    with turns.taken() as waited:
        assert waited >= 0


def test_another_thread_waits_for_its_turn_and_knows_how_long():
    turns, is_taken, is_over = Turns(), Event(), Event()

    def hold():
        with turns.taken():
            is_taken.set()
            is_over.wait(10)

    with ThreadPoolExecutor(2) as pool:
        holding = pool.submit(hold)
        is_taken.wait(10)
        waiting = pool.submit(lambda: turns.taken().__enter__())
        assert not waiting.done()
        is_over.set()
        holding.result(10)
        assert waiting.result(10) >= 0


def test_an_error_ends_a_turn():
    turns = Turns()

    with pytest.raises(ZeroDivisionError), turns.taken():
        raise ZeroDivisionError

    with turns.taken():
        pass
