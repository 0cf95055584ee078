"""What all tests rely on, wherever they are run, and which of them are quick."""

import signal
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent

TAKES_LONG = {
    "browser",
    "differences",
    "gadgets",
    "hostile_files",
    "hypothesis",
    "kill_run",
    "measured_documents",
    "profile_documents",
    "robust_documents",
    "strategies",
    "subprocess",
    "witness",
}
"""What a quick test does not import: processes, a browser, Storm, random problems."""

LONG_PLACES = {
    "adversary",  # HiGHS
    "cli/test_defend.py",
    "cli/test_program.py",
    "report/test_program_json.py",
    "report/test_program_text.py",
    "rewarding",
    "cli/test_sets.py",  # long searches, and files of many megabytes
    "formats/test_build.py",
    "model/test_spread.py",
    "report/test_dot.py",
    "test_docs.py",  # a compiler
}
"""Where tests take long without importing any of it."""


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
    """Leave out what only runs where there are limits on resources: not on Windows."""
    if sys.platform != "win32" or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    return True if "\nimport resource\n" in text else None


def pytest_collection_modifyitems(items):
    """Mark what `make quick` runs."""
    for item in items:
        if is_quick(item):
            item.add_marker("quick")


def is_quick(item):
    if item.path.is_relative_to(HERE):
        place = item.path.relative_to(HERE)
        if not LONG_PLACES.isdisjoint({place.as_posix(), place.parts[0]}):
            return False
    asked = getattr(item, "fixturenames", ())
    if "chromium" in asked or "start" in asked or "benchmark" in asked:
        return False
    return TAKES_LONG.isdisjoint(imported(getattr(item, "module", None)))


def imported(module):
    """Give the modules that a module has names from."""
    for value in vars(module).values() if module else ():
        if isinstance(value, ModuleType):
            yield value.__name__
        else:
            yield getattr(value, "__module__", None)
