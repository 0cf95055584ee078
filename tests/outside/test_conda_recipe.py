"""The recipe of the conda package says what `pyproject.toml` says."""

import re
import tomllib
from pathlib import Path

import yaml

import branchwise

ROOT = Path(__file__).parents[2]
RECIPE = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def normal(requirements):
    """Return requirements as conda spells them: in lower case, with a blank."""
    return {re.sub(r"\s*([<>=])", r" \1", r, count=1).lower() for r in requirements}


def test_it_needs_what_the_package_needs():
    run = set(RECIPE["requirements"]["run"]) - {"python"}
    host = set(RECIPE["requirements"]["host"]) - {"python", "pip"}

    assert run == normal(PROJECT["project"]["dependencies"])
    assert host == normal(PROJECT["build-system"]["requires"])


def test_it_is_of_this_version_and_for_the_same_pythons():
    assert RECIPE["context"]["version"] == branchwise.__version__
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert RECIPE["build"]["skip"] == ['match(python, "<3.11")']
