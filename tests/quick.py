"""Which tests `make quick` runs: all but those that take long, as listed here."""

from functools import cache
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
    "smoke_test",
    "try_wheel",
    "strategies",
    "subprocess",
    "witness",
}
"""What a quick test does not import: processes, a browser, Storm, random problems."""

LONG_FIXTURES = {"benchmark", "chromium", "start"}
"""Fixtures that measure, or start a browser or a process."""

LONG_PLACES = {
    "agreement",  # random problems, against brute force
    "trials",
    "explicit",
    "test_deadline.py",
    "test_features.py",
    "test_generate.py",
    "test_known_values.py",
    "test_own_space_doors.py",
    "test_wide_doors.py",
    "adversary",  # HiGHS
    "test_defend.py",
    "test_program.py",
    "program",
    "rewarding",
    "test_sets.py",  # long searches, and files of many megabytes
    "test_analyze.py",
    "test_build.py",
    "test_certify.py",
    "test_defenses.py",
    "test_explanation.py",
    "test_grid.py",
    "test_information.py",
    "test_uncertainty.py",
    "test_spread.py",
    "test_dot.py",
    "test_docs.py",  # a compiler
}
"""Folders and files of tests that take long without importing any of it."""


def is_quick(item):
    asked = getattr(item, "fixturenames", ())
    return (
        is_quick_place(item.path, item.config.rootpath)
        and LONG_FIXTURES.isdisjoint(asked)
        and is_quick_module(getattr(item, "module", None))
    )


@cache
def is_quick_place(path, root):
    return LONG_PLACES.isdisjoint(path.relative_to(root).parts)


@cache
def is_quick_module(module):
    return TAKES_LONG.isdisjoint(imported(module))


def imported(module):
    """Return the modules that a module has names from, without their packages."""
    for value in vars(module).values() if module else ():
        is_module = isinstance(value, ModuleType)
        name = value.__name__ if is_module else getattr(value, "__module__", None)
        yield str(name).rpartition(".")[2]
