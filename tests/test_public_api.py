"""The public names, and nothing else."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import branchwise

ROOMS = [
    f"branchwise.{name}"
    for name in (
        "adversary", "analysis", "certificate", "engine", "follow", "formats", "model",
        "program", "reference", "report", "rewarding", "risk", "space", "tree",
    )
]  # fmt: skip

PUBLIC = """
    UNLIMITED Action Adversary ArraySpace ArrayTransitions AtLeast AtMost
    AvailableAction BranchwiseError CVaR Counter DecisionRules
    DecisionTree Defense ExponentialUtility Follower FormatError Given Hidden LimitError
    Problem ProblemError Reward Solution Solver StateSpace Status Transition
    UtilityTable all_of analyze any_of at_least batch certify compare count deadline
    defend environment evaluate evaluation explain generate left outlook parameter
    profiles read read_text render schema simulate solve validate verify write
    write_text
    """.split()


def test_the_package_offers_exactly_these_names():
    assert sorted(branchwise.__all__) == sorted(PUBLIC)
    assert dir(branchwise) == sorted(PUBLIC)


def test_every_public_name_is_there():
    for name in branchwise.__all__:
        assert getattr(branchwise, name) is not None


def test_every_public_object_says_what_it_is():
    for name in branchwise.__all__:
        assert getattr(branchwise, name).__doc__, name


def public_names(package):
    """The names that type checkers see, by the module each comes from."""
    stub = Path(package.__file__).with_suffix(".pyi")
    source = stub.read_text(encoding="utf-8")
    prefix = f"{package.__name__}."
    return {
        alias.name: node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module.startswith(prefix)
        for alias in node.names
    }


@pytest.mark.parametrize("name", ["branchwise", *ROOMS])
def test_every_name_comes_from_where_type_checkers_see_it(name):
    package = import_module(name)
    typed = public_names(package)

    assert sorted(typed) == sorted(package.__all__) == dir(package)
    for public, home in typed.items():
        assert getattr(package, public) is getattr(import_module(home), public)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        branchwise.sovle  # noqa: B018
