"""
Every verb, struck at random moments, and what must be there afterwards.

    PYTHONPATH=tests python -m trials.kill_run --number 500 --seed 1

A verb runs as a process of its own in a folder of its own, where its files may be there
already from an earlier run. It is killed, asked to end, cut off from its reader, or it
runs into a full disk, a quota or a cap on its memory. Afterwards every file is absent,
old or complete; a journal holds everything that was answered; what was half-written is
gone; the exit code is one of those documented, and there is no traceback.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random

import branchwise

ROOT = Path(__file__).parents[2]
OLD = "an old file\n"
PATIENCE_SECONDS = 180

COIN = """\
actions:
  toss: {attempts: unlimited, outcomes: {heads: 0.5, tails: 0.5}}
  rest: {attempts: unlimited, outcomes: {slept: 0.5, awake: 0.5}}
budget: 300
rewards: [{when: toss=heads and toss=tails and rest=slept, value: 10}]
"""
ANSWERS = ("toss=heads", "toss=tails", "rest=slept", "rest=awake")

COMMANDS = {
    "solve": "solve medium.yaml --html a.html --json a.json --render a.svg",
    "search": "solve hard.yaml --search best-first --time-limit 2 --json b.json",
    "follow": "follow coin.yaml --journal c.journal",
    "simulate": "simulate medium.yaml -n 2000000 --json -",
    "defend": "defend shop.yaml --json d.json --html d.html",
    "certify": "certify medium.yaml -o e.json",
    "verify": "verify certificate.json problem.yaml",
    "analyze": "analyze problem.yaml --only derivatives,frontier --csv tables "
    "--html f.html --json f.json",
    "profiles": "profiles knee.yaml knee.csv --keep profile,age,sex,bmi --csv g.csv "
    "--json g.json --html g.html",
    "batch": "batch problem.yaml shop.yaml medium.yaml --csv p.csv --html p.html",
    "evaluate": "evaluate problem.yaml --plan rules.yaml --json m.json --html m.html",
    "compare": "compare problem.yaml --budget 3 --json n.json --html n.html",
    "explain": "explain problem.yaml --action a2 --json h.json --html h.html",
    "sets": "sets medium.yaml --all --json - --time-limit 2",
    "program": "program problem.yaml --json - --unvisited",
    "write-program": "program medium.yaml -o i.mps",
    "graph": "graph medium.yaml -o j.svg",
    "check": "check medium.yaml",
    "convert": "convert medium.yaml k.xlsx --force",
    "generate": "generate l.yaml --actions 60 --budget 20 --force",
    "schema": "schema solution",
}
SHOWING_JSON = ("simulate", "sets", "program", "schema")
_FILE = re.compile(r"\b[a-z]\.(?:html|json|svg|csv|mps|xlsx|yaml|journal)\b")

ATTACKS = ("kill", "terminate", "interrupt", "reader", "full", "quota", "memory")
_SIGNALS = {
    "kill": signal.SIGKILL,
    "terminate": signal.SIGTERM,
    "interrupt": signal.SIGINT,
}
_CODES = {
    "kill": {0, -signal.SIGKILL},
    "terminate": {0, 143, -signal.SIGTERM},
    "interrupt": {0, 130, -signal.SIGINT},
    "reader": {0},
    "full": {0, 2},
    "quota": {0, 2},
    "memory": {0, 2},
}


@dataclass
class Strike:
    """One run of a verb, and what strikes it when."""

    number: int
    verb: str
    attack: str
    seed: int
    has_old_files: bool
    folder: Path
    exit_code: int | None = None
    stderr: bytes = b""
    num_answered: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        old = ", over old files" if self.has_old_files else ""
        return f"{self.number}: {self.attack} at `{COMMANDS[self.verb]}`{old}"

    @property
    def command(self) -> list[str]:
        """The words of the command."""
        return [sys.executable, "-m", "branchwise", *shlex.split(COMMANDS[self.verb])]

    @property
    def files(self) -> list[Path]:
        """The files it may write, without those of a folder."""
        return [self.folder / name for name in _FILE.findall(COMMANDS[self.verb])]


def prepare(folder: Path) -> None:
    """Put the files there that verbs read."""
    examples = ROOT / "examples"
    instances = ROOT / "benchmarks" / "instances"
    for source, name in (
        (examples / "illustrative.yaml", "problem.yaml"),
        (examples / "web_shop.yaml", "shop.yaml"),
        (examples / "knee_pain.yaml", "knee.yaml"),
        (examples / "profiles" / "knee_pain.csv", "knee.csv"),
        (instances / "hard-60.yaml", "hard.yaml"),
    ):
        shutil.copy(source, folder / name)
    medium = branchwise.generate(actions=20, budget=10, seed=3)
    branchwise.write(medium, folder / "medium.yaml")
    (folder / "rules.yaml").write_text("rules: [{when: not a1, do: a1}]\n")
    (folder / "coin.yaml").write_text(COIN)
    problem = branchwise.read(folder / "problem.yaml")
    branchwise.certify(problem).write(folder / "certificate.json")


def strikes(number: int, seed: int, place: Path) -> list[Strike]:
    """Draw so many, evenly over verbs and attacks."""
    random = Random(seed)
    pairs = [(verb, attack) for verb in COMMANDS for attack in ATTACKS]
    random.shuffle(pairs)
    return [
        Strike(
            number=index,
            verb=pairs[index % len(pairs)][0],
            attack=pairs[index % len(pairs)][1],
            seed=random.getrandbits(32),
            has_old_files=random.random() < 0.5,
            folder=place / str(index),
        )
        for index in range(number)
    ]


def struck(
    strike: Strike, prepared: Path, *, seconds: float | None, from_start: bool = False
) -> Strike:
    """Run a verb, strike it, and look at what is left; the folder is then removed."""
    random = Random(strike.seed)
    shutil.copytree(prepared, strike.folder)
    (strike.folder / "tmp").mkdir()
    if strike.has_old_files:
        for file in strike.files:
            file.write_text(OLD)
        (strike.folder / "c.journal").unlink(missing_ok=True)
    usual = usual_seconds(strike.verb, prepared) if seconds is None else seconds
    _run(strike, random, random.uniform(0, 1.2 * usual), from_start=from_start)
    _examine(strike)
    if not strike.faults:
        shutil.rmtree(strike.folder)
    return strike


def _run(strike: Strike, random: Random, moment: float, *, from_start: bool) -> None:
    with _started(strike, random) as process:
        reader = threading.Thread(target=_read, args=(strike, process, random))
        reader.start()
        telling = threading.Thread(target=_keep_errors, args=(strike, process))
        telling.start()
        if strike.attack in _SIGNALS:
            _wait(process, moment)
            if strike.attack == "interrupt" and not from_start:
                _wait_until_listening(process)
            process.send_signal(_SIGNALS[strike.attack])
        try:
            strike.exit_code = process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            strike.faults.append(f"still running after {PATIENCE_SECONDS} s")
            process.kill()
        reader.join()
        telling.join()


def _started(strike: Strike, random: Random) -> subprocess.Popen[bytes]:
    command = strike.command
    stdout: int = subprocess.PIPE
    if strike.attack == "full" and random.random() < 0.5:
        stdout = os.open("/dev/full", os.O_WRONLY)
    elif strike.attack == "full":
        for file in strike.files:
            if file.suffix != ".journal" and random.random() < 0.7:
                file.unlink(missing_ok=True)
                file.symlink_to("/dev/full")
    elif strike.attack == "quota":
        blocks = random.choice([0, 0, 1, 4, 16, 64])
        command = _limited(f"ulimit -f {blocks}", command)
    elif strike.attack == "memory":
        room = random.uniform(1, 300) * 1024
        command = _limited(f"ulimit -v {int(_start_up_memory() + room)}", command)
    try:
        return subprocess.Popen(
            command,
            cwd=strike.folder,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(strike.folder / "tmp")},
        )
    finally:
        if stdout != subprocess.PIPE:
            os.close(stdout)


def _limited(limit: str, command: list[str]) -> list[str]:
    return ["sh", "-c", f"{limit}; exec {shlex.join(command)}"]


@cache
def _start_up_memory() -> int:
    """Return the kB of address space that the command line takes to say its version."""
    code = (
        "import branchwise.cli.plain, branchwise.cli.main, branchwise.solver;"
        "import branchwise._core, re;"
        "print(re.search('VmPeak:\\\\s*([0-9]+)', open('/proc/self/status').read())[1])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    return int(shown.stdout)


_usual: dict[str, float] = {}
_measuring = threading.Lock()


def usual_seconds(verb: str, prepared: Path) -> float:
    """Measure once how long a verb takes if it is left alone."""
    with _measuring:
        if verb == "follow":
            return 3.0
        if verb not in _usual:
            command = [sys.executable, "-m", "branchwise", *COMMANDS[verb].split()]
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(prepared, folder, dirs_exist_ok=True)
                start = time.monotonic()
                done = subprocess.run(
                    command, cwd=folder, capture_output=True, check=False
                )
                assert done.returncode == 0, (verb, done.stderr)
            _usual[verb] = time.monotonic() - start
        return _usual[verb]


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    with_patience = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < with_patience:
        time.sleep(0.002)


def _wait_until_listening(process: subprocess.Popen[bytes]) -> None:
    """Wait until the program has said which signals it answers itself."""
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            return
        caught = re.search(r"SigCgt:\s*([0-9a-f]+)", status)
        if caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.002)


def _read(strike: Strike, process: subprocess.Popen[bytes], random: Random) -> None:
    """Read what is shown; a reader who leaves early does so after a few bytes."""
    if strike.verb == "follow":
        _answer(strike, process, random)
        return
    assert process.stdin is not None
    process.stdin.close()
    if process.stdout is None:
        return
    if strike.attack == "reader":
        process.stdout.read(random.choice([0, 1, 10, 1000]))
        process.stdout.close()
        return
    shown = process.stdout.read()
    if process.wait() == 0 and strike.verb in SHOWING_JSON:
        _check(strike, "the standard output", lambda: json.loads(shown))


def _answer(strike: Strike, process: subprocess.Popen[bytes], random: Random) -> None:
    """Answer every question of `follow`, and count what was taken note of."""
    assert process.stdin is not None
    most = random.randint(1, 40)
    seen, num_said = b"", 0
    try:
        while process.stdout is not None:
            part = os.read(process.stdout.fileno(), 65536)
            if not part:
                break
            seen += part
            if not re.search(rb"(What came of it\? |> )$", seen):
                continue
            strike.num_answered = num_said
            if num_said >= most:
                if strike.attack == "reader":
                    process.stdout.close()
                break
            seen = b""
            os.write(process.stdin.fileno(), f"{random.choice(ANSWERS)}\n".encode())
            num_said += 1
        process.stdin.close()
    except OSError:
        pass
    if process.stdout is not None and not process.stdout.closed:
        process.stdout.read()


def _keep_errors(strike: Strike, process: subprocess.Popen[bytes]) -> None:
    assert process.stderr is not None
    strike.stderr = process.stderr.read()


def _examine(strike: Strike) -> None:
    """List everything that must not be."""
    allowed = _CODES[strike.attack]
    if strike.attack == "memory" and strike.stderr.startswith(b"OpenBLAS error"):
        allowed = {1}  # NumPy's library ends the process itself when it is loaded.
    if strike.exit_code is not None and strike.exit_code not in allowed:
        strike.faults.append(f"exit code {strike.exit_code}: {strike.stderr[-500:]!r}")
    told = strike.stderr.decode(errors="replace")
    if re.search(r"Traceback|Exception ignored|terminate called|Fatal", told):
        strike.faults.append(told[-2000:])
    elif strike.exit_code == 2 and not told.strip():
        strike.faults.append("no message")
    for file in strike.files:
        _examine_file(strike, file)
    if (strike.folder / "tables").exists():
        for table in (strike.folder / "tables").glob("*.csv"):
            _examine_file(strike, table)
    if strike.attack != "kill":
        strays = [*strike.folder.rglob(".branchwise-*"), *strike.folder.glob("tmp/*")]
        strike.faults += [f"{stray.name} is left" for stray in strays]
    elif any(strike.folder.rglob(".branchwise-*")):
        _run_again(strike)


def _examine_file(strike: Strike, file: Path) -> None:
    if file.is_symlink():  # A disk that is full holds nothing.
        return
    if not file.exists():
        if strike.has_old_files and file.suffix != ".journal":
            strike.faults.append(f"{file.name} was there and is gone")
        if file.suffix == ".journal" and strike.num_answered:
            strike.faults.append("the journal is gone")
        if strike.exit_code == 0:
            strike.faults.append(f"{file.name} is missing")
        return
    if file.suffix == ".journal":
        _check(strike, file.name, lambda: _check_journal(strike, file))
    elif not (strike.has_old_files and file.read_bytes() == OLD.encode()):
        _check(strike, file.name, lambda: CHECKS[file.suffix](file))
    elif strike.exit_code == 0:
        strike.faults.append(f"{file.name} is still the old one")


def _check_journal(strike: Strike, file: Path) -> None:
    if not branchwise.Follower.is_begun(file):
        assert not strike.num_answered, "what was answered is lost"
        return
    with branchwise.Follower.resume(file) as follower:
        kept = len(follower.reported)
    assert kept >= strike.num_answered, f"{kept} of {strike.num_answered} are kept"


def _check(strike: Strike, name: str, look: Callable[[], object]) -> None:
    try:
        look()
    except Exception as error:  # noqa: BLE001  # whatever keeps a file from being read
        strike.faults.append(f"{name} is not whole: {error!r}"[:500])


def _ends(text: str) -> Callable[[Path], None]:
    def check(file: Path) -> None:
        assert file.read_text(encoding="utf-8").endswith(text), f"no {text!r}"

    return check


def _check_table(file: Path) -> None:
    with file.open(newline="", encoding="utf-8") as text:
        widths = {len(row) for row in csv.reader(text)}
    assert len(widths) == 1, f"rows of {widths} cells"
    _ends("\n")(file)


CHECKS: dict[str, Callable[[Path], object]] = {
    ".json": lambda file: json.loads(file.read_text(encoding="utf-8")),
    ".html": _ends("</html>\n"),
    ".svg": _ends("</svg>\n"),
    ".mps": _ends("\nENDATA\n"),
    ".csv": _check_table,
    ".xlsx": branchwise.read,
    ".yaml": branchwise.read,
}


def _run_again(strike: Strike) -> None:
    """A file that a kill has left must not disturb the next run."""
    again = subprocess.run(
        strike.command,
        cwd=strike.folder,
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if again.returncode:
        strike.faults.append(f"the next run fails: {again.stderr[-500:]!r}")
    for file in strike.files:
        if not file.exists():
            strike.faults.append(f"the next run does not write {file.name}")


def run(
    number: int,
    seed: int,
    place: Path,
    *,
    seconds: float | None = None,
    from_start: bool = False,
) -> list[Strike]:
    """
    Strike so often; return those that did harm.

    The moment is drawn from as long as the verb takes when it is left alone, which is
    measured first, or from so many seconds.
    """
    prepared = place / "prepared"
    prepared.mkdir()
    prepare(prepared)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        drawn = strikes(number, seed, place)
        strike = partial(struck, seconds=seconds, from_start=from_start)
        done = pool.map(lambda each: strike(each, prepared), drawn)
        return [strike for strike in done if _told(strike).faults]


def _told(strike: Strike) -> Strike:
    if __name__ == "__main__":
        for fault in strike.faults:
            sys.stdout.write(f"{strike}\n    {fault}\n")
        sys.stdout.flush()
    return strike


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--from-start", action="store_true", help="interrupt while it is loaded, too"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        bad = run(
            options.number, options.seed, Path(place), from_start=options.from_start
        )
    sys.stdout.write(f"{options.number} strikes, {len(bad)} did harm\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(_main())
