"""
Builds of branchwise to compare: the work tree's, and that of an earlier commit.

Both cores are compiled alike, in `build/`; the package that is installed stays as it
is. What has been built before is used again.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from builds.compiled_core import build_core
from page.results_page import BENCHMARKS, ROOT

BASELINE = "fc95b71212578442065168d4c4c868e625e2b2e2"
"""The commit before the kernel for 64 states at a time."""
NEEDED = ("CMakeLists.txt", "cpp", "src")
BASELINES = ROOT / "build" / "baseline"
NOW = ROOT / "build" / "now"
WORKER = Path(__file__).with_name("canonical_worker.py")


class NoHistoryError(Exception):
    """The baseline cannot be made, as its commit is not at hand."""


@dataclass(frozen=True)
class EngineBuild:
    """
    A package and a compiled module that go together.

    Parameters
    ----------
    source
        The folder of the package, as it is for PYTHONPATH.
    core
        The compiled module; None for the one that lies in the package.
    """

    source: Path
    core: Path | None = None

    def solve(self, text, *, repeats=5, **options):
        """Solve a problem in a process of its own, up to so many times."""
        task = {"text": text, "options": options, "repeats": repeats}
        task["source"] = str(self.source)
        if self.core is not None:
            task["core"] = str(self.core)
        done = subprocess.run(
            [sys.executable, str(WORKER)],
            env={**os.environ, "PYTHONPATH": f"{self.source}{os.pathsep}{BENCHMARKS}"},
            input=json.dumps(task),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)


def work_tree():
    """Build what there is now."""
    core = build_core(ROOT, NOW, CMAKE_BUILD_TYPE="Release")
    return EngineBuild(ROOT / "src", core)


def baseline(commit=BASELINE, *, repository=ROOT, folder=BASELINES):
    """Build an earlier commit, or take what was built of it before."""
    tree = folder / commit[:7]
    if not tree.exists():
        _unpack(_archive(commit, repository), tree)
    core = build_core(tree, tree / "build", CMAKE_BUILD_TYPE="Release")
    return EngineBuild(tree / "src", core)


def _archive(commit, repository):
    command = ["git", "-C", str(repository), "archive", "--format=tar", commit]
    try:
        done = subprocess.run([*command, *NEEDED], capture_output=True, check=False)
    except FileNotFoundError:
        raise NoHistoryError("there is no git to take the baseline from") from None
    if done.returncode:
        raise NoHistoryError(
            f"the baseline, commit {commit[:7]}, is not in the history at hand\n"
            "    fix: measure in a clone that has it, as `git fetch --unshallow` makes"
        )
    return done.stdout


def _unpack(archive, tree):
    """Put it in place as a whole, so that what is there is never half of it."""
    tree.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        unpacked = Path(folder) / "tree"
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(unpacked, filter="data")
        unpacked.rename(tree)
