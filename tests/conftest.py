"""What all tests rely on, wherever they are run."""

import gc
import re
import signal
import sys

from quick import is_quick

NOT_ON_WINDOWS = re.compile(
    r"^(import (fcntl|pty|resource|stormpy|termios)|from oracles\.witness import .*)$",
    re.MULTILINE,
)
"""Limits on resources, terminals, and Storm: what there is not on Windows."""


def pytest_configure():
    """
    Have signals do what they usually do.

    Where they are ignored, as `nohup` and the background of a shell do it, so would the
    processes that tests start and interrupt.
    """
    usual = {"SIGINT": signal.default_int_handler}
    usual |= dict.fromkeys(("SIGHUP", "SIGTERM"), signal.SIG_DFL)
    for name, handler in usual.items():
        number = getattr(signal, name, None)  # Windows has no SIGHUP.
        if number and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_ignore_collect(collection_path):
    """Leave out what a system cannot even import."""
    if sys.platform != "win32" or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    return True if NOT_ON_WINDOWS.search(text) else None


def pytest_collection_modifyitems(items):
    """
    Mark what `make quick` runs, and let those begin that may take longest.

    They say so themselves, by the time they are given. At the end, one process would
    still have them to do while the others have nothing left.
    """
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)
    for item in items:
        if is_quick(item):
            item.add_marker("quick")


def pytest_collection_finish():
    """
    Let Python's search for circular garbage pass by what stays: modules and tests.

    They are more than a million objects, and it looked at all of them again and again:
    a sixth of the time that the tests took. It also looks less often, as there is room.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 20)
