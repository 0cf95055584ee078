"""`tools/try_wheel.py` tries a wheel where nothing can be compiled."""

import sys
from pathlib import Path

import pytest

import try_wheel

FINDS_NOTHING = """
import os, shutil
assert not any(map(shutil.which, ["cc", "c++", "gcc", "g++", "clang", "cmake", "node"]))
assert "PYTHONPATH" not in os.environ
"""


@pytest.fixture
def fresh(tmp_path):
    """Make a folder with an environment that has Python and nothing else."""
    programs = tmp_path / "fresh" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    return tmp_path


def test_a_step_finds_no_compiler_and_nothing_of_ours(fresh, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")

    assert try_wheel.ran(["-c", FINDS_NOTHING], fresh)


def test_a_step_that_fails_is_noticed(fresh, capsys):
    assert not try_wheel.ran(["-c", "raise SystemExit(3)"], fresh)
    assert "s  exit code 3: python -c raise" in capsys.readouterr().out


def test_the_last_step_excuses_no_missing_extra():
    wheel = Path("x.whl")

    *_, install, last = try_wheel.steps(wheel)
    assert install[-1] == "x.whl[mcp,program,studio]"
    assert last[-1] == "--complete"
