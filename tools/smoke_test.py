"""
Try every verb of the branchwise that is installed: `python tools/smoke_test.py`.

It needs nothing but that, and no network; the workflow of the wheels runs it where a
wheel was just installed. A verb whose extra is not there has to say how to get it;
with `--complete` all extras have to be there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_OIL: Final = """\
name: Oil
budget: 3
actions:
  test: {outcomes: {good: 0.4, bad: rest}}
  drill:
    cost: 2
    outcomes: {oil: 0.2, dry: rest}
    given: [{when: test=good, outcomes: {oil: 0.5, dry: rest}}]
rewards: [{when: drill=oil, value: 200}]
defenses: {fence: {cost: 1, forbids: [drill]}}
defense_budget: 1
"""

VERBS: Final[Mapping[str, str]] = {
    "generate": "generate random.yaml --actions 5 --budget 3",
    "check": "check oil.yaml",
    "solve": "solve oil.yaml --html plan.html --svg plan.svg --json plan.json",
    "evaluate": "evaluate oil.yaml --plan plan.json",
    "compare": "compare oil.yaml --budget 2",
    "simulate": "simulate oil.yaml --runs 100",
    "certify": "certify oil.yaml -o proof.json",
    "verify": "verify proof.json oil.yaml",
    "analyze": "analyze oil.yaml --only criticality,thresholds --html analysis.html",
    "profiles": "profiles oil.yaml people.csv --csv plans.csv",
    "batch": "batch oil.yaml random.yaml --csv batch.csv",
    "explain": "explain oil.yaml --action drill",
    "follow": "follow oil.yaml",
    "sets": "sets oil.yaml",
    "defend": "defend oil.yaml",
    "program": "program oil.yaml",
    "graph": "graph oil.yaml --svg graph.svg",
    "convert": "convert oil.yaml oil.xlsx",
    "schema": "schema solution",
    "studio": "studio oil.yaml --no-browser",
    "mcp": "mcp",
}
"""Every verb, in an order in which each finds what it needs."""

EXTRAS: Final = frozenset({"program", "studio", "mcp"})
"""Verbs that need an extra, and say so where it is not there."""

_INPUT: Final[Mapping[str, str]] = {"follow": "good\noil\n"}
_SERVES: Final = "studio"
_SECONDS: Final = 60


def main() -> int:
    """Try all verbs; return how many of them did not do what they should."""
    extras = frozenset() if "--complete" in sys.argv[1:] else EXTRAS
    num_failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        lay_out(place)
        for verb in VERBS:
            start = time.monotonic()
            trouble = tried(verb, place, extras)
            seconds = time.monotonic() - start
            print(f"{verb:9} {seconds:5.2f} s  {trouble or 'fine'}", flush=True)
            num_failed += bool(trouble)
    print(f"{len(VERBS) - num_failed} of {len(VERBS)} verbs are fine")
    return num_failed


def lay_out(folder: Path) -> None:
    """Write the files that the verbs read."""
    (folder / "oil.yaml").write_text(_OIL, encoding="utf-8")
    people = "P(test=good),name\n0.3,one\n0.6,two\n"
    (folder / "people.csv").write_text(people, encoding="utf-8")


def tried(verb: str, folder: Path, extras: frozenset[str] = EXTRAS) -> str:
    """
    Run a verb in a folder; return what is wrong, or nothing.

    The verbs among `extras` may do nothing but say how to get what they need.
    """
    command = [sys.executable, "-m", "branchwise", *VERBS[verb].split()]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        if verb == _SERVES:
            return _served(process, extras)
        _, errors = process.communicate(_INPUT.get(verb, ""), timeout=_SECONDS)
        return _judged(verb, process.returncode, errors, extras)


def _served(process: subprocess.Popen[str], extras: frozenset[str]) -> str:
    """Wait for the address of a page, or for why there is none; then end it."""
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    process.terminate()
    if " is open at http://" in line:
        return ""
    return _judged(_SERVES, process.wait(_SECONDS), process.stderr.read(), extras)


def _judged(verb: str, code: int, errors: str, extras: frozenset[str]) -> str:
    if code == 0 or (verb in extras and code == 2 and "pip install" in errors):
        return ""
    return f"exit code {code}: {errors.strip()[-500:]}"


if __name__ == "__main__":
    sys.exit(min(main(), 1))
