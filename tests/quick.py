"""Which tests `make quick` runs: all but those that take long, as listed here."""

from types import ModuleType

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

LONG_FIXTURES = {"benchmark", "chromium", "start"}
"""Fixtures that measure, or start a browser or a process."""

LONG_PLACES = {
    "adversary",  # HiGHS
    "test_defend.py",
    "test_program.py",
    "program",
    "rewarding",
    "test_sets.py",  # long searches, and files of many megabytes
    "test_build.py",
    "test_spread.py",
    "test_dot.py",
    "test_docs.py",  # a compiler
}
"""Folders and files of tests that take long without importing any of it."""


def is_quick(item):
    place = item.path.relative_to(item.config.rootpath)
    asked = getattr(item, "fixturenames", ())
    return (
        LONG_PLACES.isdisjoint(place.parts)
        and LONG_FIXTURES.isdisjoint(asked)
        and TAKES_LONG.isdisjoint(imported(getattr(item, "module", None)))
    )


def imported(module):
    """Return the modules that a module has names from, without their packages."""
    for value in vars(module).values() if module else ():
        is_module = isinstance(value, ModuleType)
        name = value.__name__ if is_module else getattr(value, "__module__", None)
        yield str(name).rpartition(".")[2]
