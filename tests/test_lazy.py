"""Rooms that offer names which are loaded when they are first used."""

import subprocess
import sys

import pytest

import branchwise.analysis


def test_every_name_of_the_room_is_there():
    for name in branchwise.analysis.__all__:
        assert getattr(branchwise.analysis, name) is not None
    assert dir(branchwise.analysis) == sorted(branchwise.analysis.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Tornados'"):
        branchwise.analysis.Tornados  # noqa: B018


def test_the_room_loads_nothing_that_is_not_used():
    code = "import sys, branchwise.analysis; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert not [name for name in loaded if name.startswith("branchwise.analysis.")]
