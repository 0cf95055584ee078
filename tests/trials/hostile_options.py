"""
Hostile values for every option of every verb, and what must come of them.

    PYTHONPATH=tests python -m trials.hostile_options --number 3000 --seed 1

Each value is tried in a process of its own, forked from this one, with limits on time
and memory. It must end with exit code 0 or 2 and without a traceback, it must not say
too much or send control characters to a terminal, and leave no file half-written.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click

from branchwise.cli.main import main, program

ROOT = Path(__file__).parents[2]

SECONDS = 60
MEMORY = 4 * 2**30
MOST_TOLD = 50_000  # a name of 10,000 characters that are not UTF-8 is shown as codes

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
_UNSEEN = re.compile("[\u200b\ufeff]")

VALUES = (
    "",
    " ",
    "\t\n",
    "0",
    "-0",
    "-1",
    "-12345678901234567890123456",
    "+1",
    "1e3",
    "1e400",
    "1e-400",
    "0x10",
    "1_000",
    "1,000",
    "12345678901234567890123456",
    "9" * 400,
    "9" * 5_000,
    "0." + "0" * 5_000 + "1",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "2147483648",
    "4294967297",
    "nan",
    "inf",
    "-inf",
    "infinity",
    "1e999%",
    "12345678901234567890123456%",
    "12345678901234567890123456TB",
    "99999999999h",
    "1/0",
    "0/0",
    "1/3",
    "\u0661\u0662\u0663",
    "\uff11\uff12",
    "\u00b2",
    "\u00bd",
    "\udcff",
    "a\udcffb=\udcfe",
    "\udc80" * 2_000,
    "x" * 10_000,
    "(" * 10_000,
    "not " * 3_000 + "a1",
    "a1=ok and " * 3_000 + "a1=ok",
    "a1=ok," * 3_000,
    "=" * 5_000,
    ":" * 5_000,
    "..",
    "=..",
    "a1=ok",
    "a1=nan",
    "P(a1=ok)=0..1",
    "P(a1=ok)=nan..inf",
    "P(a1=ok)=12345678901234567890123456..0",
    "money=1",
    "=1",
    "table=0:0,0:1",
    "table=" + ",".join(f"{i}:{i}" for i in range(2_000)),
    "cvar=nan",
    "cvar=0",
    "at-least=1e400",
    "exponential=1e-300",
    "exponential=12345678901234567890123456",
    "a1=ok:nan:inf",
    "a1=ok:90%:80%:12345678901234567890123456",
    "\x1b[31mred\x1b[0m",
    "\x07\x08\x7f\x9b31m",
    "\u202egpj.exe",
    "\u200b",
    "\ufeff",
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; '",
    "--help",
    "-",
    "--",
    "-h",
    "/",
    "/dev/null",
    "/dev/full",
    "/proc/self/mem",
    "missing/folder/file.html",
    "x" * 300 + ".json",
    "\udcff.html",
    "\x1b[31m.csv",
    "plan.html",
    "plan.json",
    "tables",
    "fewest-nodes",
    "unlimited",
    "1-12345678901234567890123456",
    "5-1",
)
"""Among them good ones, as what is accepted must work."""

BASES = {
    "solve": ("FILE",),
    "follow": ("FILE",),
    "evaluate": ("FILE", "--plan", "PLAN"),
    "compare": ("FILE", "--budget", "3"),
    "simulate": ("FILE", "--runs", "1000"),
    "defend": ("FILE",),
    "certify": ("FILE",),
    "verify": ("CERTIFICATE",),
    "analyze": ("FILE", "--only", "derivatives,uncertainty", "--draws", "5"),
    "profiles": ("FILE", "TABLE"),
    "batch": ("FILE",),
    "explain": ("FILE", "--action", "a1"),
    "sets": ("FILE",),
    "program": ("FILE",),
    "graph": ("FILE",),
    "check": ("FILE",),
    "convert": ("FILE", "TARGET"),
    "generate": ("TARGET",),
    "schema": (),
}
"""A command of every verb that works, and does not take long."""

FILES = {
    "FILE": "problem.yaml",
    "CERTIFICATE": "certificate.json",
    "PLAN": "plan.yaml",
    "TABLE": "table.csv",
    "TARGET": "made.yaml",
}

PROBLEM = """\
name: Hostile
budget: 3
actions:
  a1: {outcomes: {ok: 0.6, fail: rest}}
  a2: {requires: a1=ok, outcomes: {ok: 0.5, fail: rest}}
  a3: {outcomes: {ok: 0.1, fail: rest}}
rewards:
  - {when: a2=ok, value: 50}
  - {when: a3=ok, value: 10}
defenses:
  wall: {forbids: [a2]}
"""


@dataclass(frozen=True)
class Case:
    """A command with a hostile value in it."""

    verb: str
    place: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        shown = " ".join(a if len(a) < 60 else f"{a[:50]}..." for a in self.arguments)
        return ascii(f"{self.verb} {shown}")


@dataclass(frozen=True)
class Ending:
    """What became of a case."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    files: frozenset[str]

    def faults(self, verb: str) -> list[str]:
        """List what must not be."""
        faults = []
        allowed = {0, 1, 2} if verb == "verify" else {0, 2}
        if self.exit_code is None:
            faults.append(f"still running after {SECONDS} s")
        elif self.exit_code not in allowed:
            faults.append(f"exit code {self.exit_code}")
        if b"Traceback" in self.stderr or b"Exception ignored" in self.stderr:
            faults.append(self.stderr.decode(errors="replace").strip()[-300:])
        if self.exit_code == 2 and not self.stderr.strip():
            faults.append("no message")
        if len(self.stderr) > MOST_TOLD:
            faults.append(f"a message of {len(self.stderr)} bytes")
        told, shown = (s.decode(errors="replace") for s in (self.stderr, self.stdout))
        if _CONTROL.search(told + shown) or _UNSEEN.search(told):
            faults.append("a control character is shown")
        strays = [name for name in self.files if ".branchwise-" in name]
        faults += [
            f"{name} is left" for name in [*strays, "pwned"] if name in self.files
        ]
        return faults


def cases(number: int, seed: int) -> list[Case]:
    """Draw so many cases, evenly from all places that take a value."""
    random = Random(seed)
    places = list(_places())
    combined = [(place, value) for place in places for value in VALUES]
    random.shuffle(combined)
    # Where more are asked for than there are, a second hostile value comes along.
    while len(combined) < number:
        combined.append((random.choice(places), random.choice(VALUES)))
    found = [_case(verb, param, value) for (verb, param), value in combined[:number]]
    return [
        case if index < len(places) * len(VALUES) else _doubled(case, random)
        for index, case in enumerate(found)
    ]


def _places() -> Iterator[tuple[str, click.Parameter]]:
    context = click.Context(program)
    for verb in program.list_commands(context):
        if verb in {"mcp", "studio"}:
            continue  # They serve until they are ended.
        command = program.get_command(context, verb)
        assert command is not None
        for param in command.params:
            if not (isinstance(param, click.Option) and param.is_flag):
                yield verb, param


def _case(verb: str, param: click.Parameter, value: str) -> Case:
    base = list(BASES[verb])
    if isinstance(param, click.Option):
        option = param.opts[0]
        if option in base:
            del base[base.index(option) : base.index(option) + 2]
        companions = ["--robust"] if param.name in {"gamma", "distance"} else []
        return Case(verb, option, (*base, *companions, f"{option}={value}"))
    place = {"certificate": "CERTIFICATE", "table": "TABLE", "target": "TARGET"}
    name = place.get(str(param.name), "FILE")
    if name in base:
        base[base.index(name)] = value
    else:
        base.append(value)
    options = [each for each in base if each is not value]
    # What looks like an option is one only in front of `--`.
    where = sum(each in FILES for each in options[: base.index(value)])
    files = [each for each in options if each in FILES]
    files.insert(where, value)
    rest = [each for each in options if each not in FILES]
    return Case(verb, name, (*rest, "--", *files))


def _doubled(case: Case, random: Random) -> Case:
    _, param = random.choice([p for p in _places() if p[0] == case.verb])
    more = _case(case.verb, param, random.choice(VALUES)).arguments[-1:]
    is_option = more[0].startswith("--")
    return Case(case.verb, case.place, (*(more if is_option else ()), *case.arguments))


def prepare(folder: Path) -> None:
    """Put the files there that the verbs read."""
    (folder / FILES["FILE"]).write_text(PROBLEM)
    (folder / FILES["PLAN"]).write_text("rules: [{when: not a1, do: a1}]\n")
    (folder / FILES["TABLE"]).write_text("P(a1=ok)\n0.3\n0.7\n")
    ending = ended(("certify", "FILE", "-o", "CERTIFICATE"), folder)
    assert ending.exit_code == 0, ending.stderr


def ended(arguments: tuple[str, ...], folder: Path) -> Ending:
    """Run a command in a process of its own, with limits."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            _become(arguments, folder, out.fileno(), err.fileno())
        code = _waited(child, start + SECONDS)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        files = frozenset(each.name for each in folder.iterdir())
        return Ending(code, out.read(), err.read(), seconds, files)


def _become(arguments: tuple[str, ...], folder: Path, out: int, err: int) -> Any:
    """Be the command line until it ends; never return."""
    code = 99
    try:
        os.chdir(folder)
        nowhere = os.open(os.devnull, os.O_RDONLY)
        for number, stream in enumerate((nowhere, out, err)):
            os.dup2(stream, number)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            mode = "r" if number == 0 else "w"
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.argv = ["branchwise", *(FILES.get(each, each) for each in arguments)]
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException:  # noqa: BLE001  # this is what we are looking for
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _waited(child: int, deadline: float) -> int | None:
    while time.monotonic() < deadline:
        ended_child, status = os.waitpid(child, os.WNOHANG)
        if ended_child:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def tried(case: Case, prepared: Path) -> list[str]:
    """Try a case in a copy of a folder, and list what must not be."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "work"
        shutil.copytree(prepared, folder)
        ending = ended((case.verb, *case.arguments), folder)
    return ending.faults(case.verb)


def _run() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--number", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bad, slowest = 0, (0.0, "")
    with tempfile.TemporaryDirectory() as place:
        prepared = Path(place)
        prepare(prepared)
        for case in cases(options.number, options.seed):
            start = time.monotonic()
            faults = tried(case, prepared)
            slowest = max(slowest, (time.monotonic() - start, str(case)))
            for fault in faults:
                bad += 1
                sys.stdout.write(f"{case}\n    {fault}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{options.number} commands, {bad} faults, slowest {slowest}\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(_run())
