"""Certificates of small problems, to be checked and to be tampered with."""

import json
from pathlib import Path

import pytest

import branchwise

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


@pytest.fixture(scope="session")
def illustrative():
    """The paper's example, whose best plan is worth 105459/12500."""
    return branchwise.read(Path(__file__).parents[2] / "examples/illustrative.yaml")


@pytest.fixture
def document(illustrative):
    """Its certificate, as plain lists and maps that a test may change."""
    return json.loads(branchwise.certify(illustrative).text())
