"""
Kill a studio at random moments, and see that nothing it acknowledged is lost.

Run it on its own to strike as often as wanted::

    PYTHONPATH=tests python -m trials.studio_kill --number 100 --seed 1
"""

import argparse
import signal
import subprocess
import sys
import tempfile
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Timer
from urllib.parse import urlsplit

from branchwise.studio.desk import Desk, journal_of
from studio.studios import Asking

FIRST = (
    "# kept as it is\nbudget: 6\nactions:\n  a: {outcomes: {ok: 0.50, bad: rest}}\n"
    "rewards:\n  - {when: a=ok, value: 1}\n"
)
LONGEST_SECONDS = 0.4
_SHARE_OF_PINS = 0.2
_MOST_PINS = 5


def run(number, seed, folder):
    """Strike so often, and return what was wrong each time; nothing if all is well."""
    random = Random(seed)
    path = Path(folder, "problem.yaml")
    path.write_text(FIRST)
    faults = []
    for strike in range(number):
        acknowledged, sent = _struck(path, random)
        desk = Desk(path)
        try:
            found = desk.text, tuple(pin.name for pin in desk.pins)
            if found not in {acknowledged, sent}:
                faults.append(f"strike {strike}: lost {acknowledged!r}: {found!r}")
        finally:
            desk.close()
    faults += _undone(path)
    return faults


def _struck(path, random):
    """
    Edit until the server is killed.

    Return document and scenarios as they were last acknowledged, and as the edit under
    way would make them.
    """
    command = [sys.executable, "-m", "branchwise", "studio", str(path), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            address = server.stdout.readline().split(" at ")[1].strip()
            assert urlsplit(address).hostname == "127.0.0.1"
            asked = Asking(address)
            known = asked.document()
            kill = Timer(
                random.uniform(0, LONGEST_SECONDS), server.send_signal, [signal.SIGKILL]
            )
            kill.start()
            return _edited(asked, known, random)
        finally:
            server.kill()


def _edited(asked, known, random):
    text, version = known["text"], known["version"]
    pins = tuple(pin["name"] for pin in known["pins"])
    for number in range(10_000):
        if random.random() < _SHARE_OF_PINS:
            what, said, sent = _pinned(text, pins, number)
        else:
            what, said, after = _edit(text, version, random, number)
            sent = after, pins
        try:
            status, document = asked.post(what, **said)
        except (OSError, HTTPException, ValueError):
            return (text, pins), sent
        assert status == 200, document
        text, version = document["text"], document["version"]
        pins = tuple(pin["name"] for pin in document["pins"])
    raise AssertionError("it was never killed")


def _pinned(text, pins, number):
    """Keep a scenario, or let go of the first of many."""
    if len(pins) < _MOST_PINS:
        return "pin", {"name": f"S{number}"}, (text, (*pins, f"S{number}"))
    return "unpin", {"number": 0}, (text, pins[1:])


def _edit(text, version, random, number):
    """Return something to ask for, and what the text is to be then."""
    kind = random.choice(["budget", "budget", "probability", "save"])
    if kind == "save":
        return "save", {}, text
    old = text.partition("budget: ")[2].partition("\n")[0]
    if kind == "budget":
        edit = {"path": ["budget"], "put": str(number + 7)}
        after = text.replace(f"budget: {old}\n", f"budget: {number + 7}\n")
    else:
        edit = {"path": ["actions", "a", "cost"], "put": str(number + 1)}
        start, _, rest = text.partition("a: {")
        rest = rest.partition("outcomes")[2]
        after = f"{start}a: {{cost: {number + 1}, outcomes{rest}"
    return "edit", {"version": version, "edits": [edit]}, after


def _undone(path):
    """Undo all the way; return what is wrong with where that leads."""
    desk = Desk(path)
    try:
        while desk.can_undo:
            desk.undo(desk.version)
        return [] if desk.text == FIRST else [f"undone it is {desk.text!r}"]
    finally:
        desk.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = run(options.number, options.seed, folder)
        kept = len(journal_of(Path(folder, "problem.yaml")).read_bytes().splitlines())
    said = [*faults, f"{options.number} strikes, {len(faults)} faults", f"{kept} lines"]
    sys.stdout.write("\n".join([*said, ""]))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
