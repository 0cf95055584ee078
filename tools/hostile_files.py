"""Read hostile files, as many as wanted, and say which of them hurt."""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from trials import hostile_files

MOST_SECONDS = 10.0
MOST_LINES = 25


def main() -> int:
    """Run the command line on each file; return how many of them hurt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=MOST_SECONDS)
    options = parser.parse_args()
    files = itertools.chain(
        hostile_files.worst(), hostile_files.variations(options.seed)
    )
    num_hurt = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, make in itertools.islice(files, options.count):
            path = Path(folder, name)
            path.write_bytes(make())
            told = _complaint(path, options.seconds)
            path.unlink()
            num_hurt += bool(told)
            print(f"{name}: {told or 'fine'}", flush=True)
    print(f"{options.count - num_hurt} of {options.count} are fine")
    return min(num_hurt, 100)


def _complaint(path: Path, most_seconds: float) -> str:
    """Say what is wrong with how a file is read; nothing where all is well."""
    command = f"ulimit -v 1500000; {sys.executable} -m branchwise check {path}"
    began = time.monotonic()
    try:
        run = subprocess.run(
            ["sh", "-c", command],
            capture_output=True,
            text=True,
            check=False,
            timeout=10 * most_seconds,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    seconds = time.monotonic() - began
    if run.returncode not in {0, 2} or "Traceback" in run.stderr:
        return f"exit code {run.returncode}: {run.stderr[-300:]}"
    if len(run.stderr.splitlines()) > MOST_LINES:
        return f"{len(run.stderr.splitlines())} lines"
    return f"{seconds:.1f} seconds" if seconds > most_seconds else ""


if __name__ == "__main__":
    sys.exit(main())
