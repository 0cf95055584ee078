"""The mutants fit the sources, and the page about them is up to date."""

import pytest

from trials.mutant_list import EVERYWHERE, MUTANTS
from trials.mutants import PAGE, TOP, row, weakened


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_replaces_what_stands_once_in_its_file(mutant):
    text = (TOP / mutant.file).read_text("utf-8")

    assert text.count(mutant.find) == 1, "the rule has changed: change its mutant"
    assert weakened(mutant, text) != text


def test_every_mutant_has_a_name_of_its_own():
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def test_the_page_tells_of_every_mutant_what_kills_it():
    """`make mutants` writes it."""
    rows = PAGE.read_text("utf-8").splitlines()

    for mutant in MUTANTS:
        start = row(mutant, "").rpartition("| ")[0].rpartition("| ")[0]
        (found,) = [line for line in rows if line.startswith(f"| {mutant.name} |")]
        assert found.startswith(start.rstrip()), "write the page anew"
        assert not found.endswith("| survives |")


def test_the_tests_that_kill_are_there():
    for name in {*EVERYWHERE, *(mutant.tests[0] for mutant in MUTANTS)}:
        path, _, function = name.partition("::")
        assert (TOP / path).exists()
        if function:
            assert f"def {function}(" in (TOP / path).read_text("utf-8")
