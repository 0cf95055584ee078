"""Every problem in `examples/` names its source and reaches the optimum it names."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import evaluate, solve
from branchwise.formats import check_file

FOLDER = Path(__file__).parents[1] / "examples"
SUFFIXES = {".yaml", ".csv"}
FILES = sorted(
    path
    for path in FOLDER.rglob("*")
    if path.suffix in SUFFIXES and path.parent.name != "profiles"
)
DOCUMENTS = [path for path in FILES if path.suffix == ".yaml"]
OPTIMUM = re.compile(r"^# optimum: (?P<number>-?[\d./]*\d)$", re.MULTILINE)
SOURCE = re.compile(r"^# (?:Source|Made for branchwise)\b|\(.*\b\d{4}\)", re.MULTILINE)


def comment(path):
    """Give what stands above a problem; a table says it in the document of its name."""
    document = path.with_suffix(".yaml")
    lines = document.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    return "".join(lines[:first])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_example_reaches_the_optimum_it_names(path):
    problem, issues = check_file(path)
    optimum = Fraction(OPTIMUM.search(comment(path))["number"])

    solution = solve(problem, exact=True)
    is_cost = problem.objective == "least-cost"

    assert issues == ()
    assert (solution.expected_cost if is_cost else solution.expected_reward) == optimum
    assert evaluate(solution.tree, problem) == (-optimum if is_cost else optimum)


def test_there_are_problems_from_many_fields():
    """What a newcomer looks through; each folder is a field."""
    assert len(DOCUMENTS) >= 40
    assert len({path.parent for path in DOCUMENTS}) >= 10


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_example_names_its_source(path):
    assert SOURCE.search(comment(path))
