"""
Kill the client, workers or all of a cluster at random moments of one large problem.

Run it on its own, with any problem file, or a random problem::

    PYTHONPATH=tests python -m trials.kill_cluster --kills 10 --seed 1

After each kill what is gone is started again, with the same folder. The answer has to
be that of the engine in memory, node by node.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import branchwise
from dask_processes import dask_processes

VICTIMS = ("client", "worker", "workers", "scheduler", "all")


def client(file, address, folder, target, *words):
    """Start a client that solves a file with the workers of a cluster."""
    command = [sys.executable, "-m", "branchwise", "solve", file, "--quiet"]
    command += ["--cluster", address, "--spill", folder / "states", *words]
    command += ["--search", "exhaustive", "--json", target]
    return subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def kill(victim, process, processes, chance):
    """Kill what is named; the client too where it could not go on without."""
    if victim in ("client", "all"):
        process.send_signal(signal.SIGKILL)
    if victim in ("worker", "workers", "all"):
        number = 1 if victim == "worker" else len(processes.workers)
        for worker in chance.sample(processes.workers, number):
            processes.kill(worker)
    if victim in ("scheduler", "all"):
        processes.kill(processes.scheduler)


def answer(target):
    """What an answer says of the plan, without what it took."""
    document = json.loads(target.read_text())
    return {name: document[name] for name in ("expected_reward", "status", "tree")}


def run(file, folder, number, chance, within, *words):
    """Kill so often, within some seconds each time; return what happened."""
    told = []
    with dask_processes(folder) as processes:
        process = client(file, processes.address, folder, folder / "out.json", *words)
        for _ in range(number):
            try:
                process.wait(chance.uniform(0.0, within))
                break
            except subprocess.TimeoutExpired:
                victim = chance.choice(VICTIMS)
            kill(victim, process, processes, chance)
            if victim == "scheduler":
                said = process.communicate(timeout=120)[0].decode()
                assert process.returncode == 2, said
                assert "cluster" in said, said
                assert "Traceback" not in said, said
            told.append(victim)
            processes.start()
            if process.poll() is not None or victim in ("client", "all"):
                process.wait()
                known = processes.address, folder, folder / "out.json"
                process = client(file, *known, *words)
        said = process.communicate(timeout=3600)[0].decode()
        assert process.returncode == 0, said
    return told


def main(arguments=None):
    """Run the trial; an answer that differs ends it with an error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--within", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--file", help="a problem; a random one unless given")
    parser.add_argument("--memory-limit", default="400MB")
    chosen = parser.parse_args(arguments)
    chance = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = chosen.file
        if file is None:
            file = folder / "problem.yaml"
            branchwise.write(branchwise.generate(40, 15, seed=chosen.seed), file)
        start = time.monotonic()
        words = "--memory-limit", chosen.memory_limit
        told = run(file, folder, chosen.kills, chance, chosen.within, *words)
        spent = time.monotonic() - start
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "branchwise", "solve", str(file), "--quiet"]
        command += ["--search", "exhaustive", "--json", str(folder / "alone.json")]
        subprocess.run(command, check=True, env=environment, capture_output=True)
        assert answer(folder / "out.json") == answer(folder / "alone.json")
    sys.stdout.write(
        f"killed {', '.join(told) or 'nothing'}; {spent:.0f} s; as alone\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
