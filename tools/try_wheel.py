"""
Try a wheel where nothing can be compiled: `python tools/try_wheel.py dist/*.whl`.

It is installed into a fresh environment, from wheels alone and without a compiler on
the path. There the demo is solved and drawn and every verb is tried, first alone, then
with the extras that some verbs need.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Final

from smoke_test import EXTRAS

ROOT: Final = Path(__file__).resolve().parents[1]
_LED_ASTRAY: Final = frozenset({"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"})
"""Variables by which Python would find more than is in the fresh environment."""


def main() -> int:
    """Try the wheel; return how many steps failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="the wheel to try")
    wheel = parser.parse_args().wheel.resolve()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "fresh", with_pip=True)
        return sum(not ran(step, place) for step in steps(wheel))


def steps(wheel: Path) -> list[list[str]]:
    """Return what Python is to run in the fresh environment, one after the other."""
    install = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    demo = ["solve", str(ROOT / "examples" / "illustrative.yaml"), "--quiet"]
    verbs = str(ROOT / "tools" / "smoke_test.py")
    return [
        [*install, str(wheel)],
        ["-m", "branchwise", *demo, "--html", "demo.html"],
        [verbs],
        [*install, f"{wheel}[{','.join(sorted(EXTRAS))}]"],
        [verbs, "--complete"],
    ]


def ran(step: list[str], place: Path) -> bool:
    """Run a step; print how long it took, and return whether it worked."""
    programs = place / "fresh" / ("Scripts" if os.name == "nt" else "bin")
    start = time.monotonic()
    done = subprocess.run(
        [str(programs / "python"), *step], check=False, cwd=place, env=bare(programs)
    )
    seconds = time.monotonic() - start
    verdict = f"exit code {done.returncode}" if done.returncode else "fine"
    print(f"{seconds:5.1f} s  {verdict}: python {' '.join(step)}", flush=True)
    return done.returncode == 0


def bare(programs: Path) -> dict[str, str]:
    """Return our environment with nothing on the path but Python and its packages."""
    kept = {n: said for n, said in os.environ.items() if n not in _LED_ASTRAY}
    return {**kept, "PATH": str(programs)}


if __name__ == "__main__":
    sys.exit(min(main(), 1))
