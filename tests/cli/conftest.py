"""Problem files, and ways to call the command line on them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from branchwise.cli.main import program

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def example(folder):
    """The paper's illustrative example, as a file in the folder."""
    return Path(shutil.copy(EXAMPLES / "illustrative.yaml", folder)).name


@pytest.fixture
def independent(folder):
    """Actions that do not depend on each other, as many as asked for."""

    def write(count):
        actions = "".join(
            f"  a{i}: {{outcomes: {{fail: 0.4, ok: 0.6}}}}\n" for i in range(count)
        )
        rewards = "".join(
            f"  - {{when: a{i}=ok, value: {i + 1}}}\n" for i in range(count)
        )
        text = f"combine: sum\nactions:\n{actions}rewards:\n{rewards}"
        (folder / "independent.yaml").write_text(text)
        return "independent.yaml"

    return write


@pytest.fixture
def run():
    """Call the command line in this process; unexpected exceptions are raised."""

    def call(*arguments, **options):
        runner = CliRunner(catch_exceptions=False)
        return runner.invoke(program, [str(each) for each in arguments], **options)

    return call


@pytest.fixture
def start():
    """Start the command line in a process of its own."""
    processes = []

    def popen(*arguments, environment=None, **options):
        command = [sys.executable, "-m", "branchwise", *map(str, arguments)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen(
            command, env={**os.environ, **(environment or {})}, **options
        )
        processes.append(process)
        return process

    yield popen
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()
