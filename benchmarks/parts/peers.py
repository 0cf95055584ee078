"""
Peers on small problems: scikit-decide's solvers, and Storm with its start included.

scikit-decide searches in C++, and asks Python what can be done at a state. It gets the
problem without actions that no rewarding set needs, and has a minute per solver. Its
start is not counted. Storm and `branchwise solve` are commands that are started from
nothing, in turns, and print their answer; the fastest of several runs counts.

scikit-decide is installed into build/peers when this is run for the first time. Quick
effort starts commands only, which takes a minute, and keeps what is known of its
solvers.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from page.results_page import (
    BENCHMARKS,
    ROOT,
    count,
    machine_text,
    read_results,
    seconds,
    table,
    times,
)
from parts.storm import canonical
from peers import storm_models
from registry.instances import TABLE_1

from branchwise import generate, read, write, write_text

PEERS = BENCHMARKS / "peers"
ENVIRONMENT = ROOT / "build" / "peers"
SOLVERS = ("AO*", "ILAO*", "LRTDP", "LDFS")
MOST_SECONDS = {"quick": 20, "usual": 60, "full": 600}
STARTS = {"quick": 3, "usual": 7, "full": 15}
SMALL = ("table1-04", "table1-05", "table1-06", "table1-07", "table1-08", "table1-09")


def problems():
    """Return the problems by name, from small to large."""
    found = {"illustrative": read(ROOT / "examples" / "illustrative.yaml")}
    for actions in (8, 10, 12, 15):
        drawn = generate(actions, budget=actions // 2 + 1, seed=1)
        found[f"generated-{actions:02}"] = drawn
    for instance in TABLE_1:
        if instance.name in (*SMALL, "table1-10"):
            found[instance.name] = instance.problem()
    return found


def measure(effort):
    """Let all solve each problem; give a row per problem."""
    last = read_results("peers") if effort == "quick" else None
    known = {row["name"]: row for row in last["rows"]} if last else {}
    rows = []
    for name, problem in problems().items():
        if name in known:
            rows.append({**known[name], "starts": starts(problem, STARTS[effort])})
        else:
            rows.append(_row(installed(), name, problem, effort))
        print(f"  {name}: {_summary(rows[-1])}", flush=True)
    return {"rows": rows}


def installed():
    """Return the Python that has scikit-decide, which is installed if need be."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        wanted = str(PEERS / "requirements.txt")
        install = [str(python), "-m", "pip", "install", "--quiet", "-r", wanted]
        subprocess.run(install, check=True)
    return python


def _row(python, name, problem, effort):
    before = canonical(problem, num_threads=1)
    decided = {
        solver: decide(python, problem, solver, MOST_SECONDS[effort])
        for solver in SOLVERS
    }
    after = canonical(problem, num_threads=1)
    ours = min(before, after, key=lambda run: run["cpu_seconds"])
    for found in decided.values():
        missed = abs(found.get("value", ours["value"]) - ours["value"])
        assert missed <= 1e-6 * abs(ours["value"]), (name, decided)
    return {
        "name": name,
        "actions": len(problem.actions),
        "canonical": ours,
        "decide": decided,
        "starts": starts(problem, STARTS[effort]),
    }


def decide(python, problem, solver, most_seconds, *, is_blind=True):
    """Let one solver of scikit-decide work for so many CPU seconds at most."""
    text = write_text(storm_models.without_unused_actions(problem), "json")
    task = {"text": text, "solver_name": solver, "is_blind": is_blind}
    done = subprocess.run(
        [str(python), str(PEERS / "decide_worker.py")],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{BENCHMARKS}"},
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CPU, (most_seconds, most_seconds)
        ),
    )
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"failure": f"none in {most_seconds} s"}
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def starts(problem, repeats):
    """Start each command several times, in turns; give the least that each takes."""
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(problem, Path(folder))
        for _ in range(repeats):
            for name, command in commands.items():
                took = _taken(command)
                old = best.get(name, took)
                best[name] = {each: min(old[each], took[each]) for each in took}
    return best


def _commands(problem, folder):
    """What to start, by name: a command line each."""
    file = folder / "problem.yaml"
    write(problem, file)
    solve = [sys.executable, "-m", "branchwise", "solve", str(file)]
    commands = {"branchwise": solve, "unchecked": [*solve, "--no-verify"]}
    for way in ("naive", "pruned"):
        model = getattr(storm_models, way)(problem)
        file = folder / f"{way}.prism"
        file.write_text(model.text, encoding="utf-8")
        start = str(PEERS / "storm_start.py")
        commands[f"storm {way}"] = [sys.executable, start, str(file), model.property]
    return commands


def _taken(command):
    """Run a command; give its CPU seconds, and how long it took by the clock."""
    # As if it were installed: what has been compiled once is not compiled again.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(ROOT / "build/pycache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, capture_output=True, check=True, env=environment)
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu_seconds": worked, "seconds": clock}


def _summary(row):
    took = {
        name: found.get("failure") or f"{found['cpu_seconds']:.3g}"
        for name, found in row["decide"].items()
    }
    started = {name: f"{t['cpu_seconds']:.3g}" for name, t in row["starts"].items()}
    return f"{took}, canonical {row['canonical']['cpu_seconds']:.3g}; {started}"


def blocks(found):
    """Show what was found, by marker of the page."""
    decide_header = ["", "N", *SOLVERS, "its states", "canonical states"]
    start_header = ["", "branchwise", "unchecked", "Storm", "Storm / branchwise"]
    clocks = ["branchwise, clock", "Storm, clock"]
    rows = found["rows"]
    return {
        "peers decide": table(
            [*decide_header, "canonical", "times"], [_decide_line(row) for row in rows]
        ),
        "peers start": table(
            [*start_header, *clocks], [_start_line(row) for row in rows]
        ),
        "peers machine": machine_text(found["machine"]),
    }


def _decide_line(row):
    runs = [row["decide"][solver] for solver in SOLVERS]
    done = [run for run in runs if "failure" not in run]
    ours = row["canonical"]
    best = min((run["cpu_seconds"] for run in done), default=None)
    return [
        row["name"],
        row["actions"],
        *(run.get("failure") or seconds(run["cpu_seconds"]) for run in runs),
        count(max((run["num_states"] for run in done), default=None)),
        count(ours["num_states"]),
        seconds(ours["cpu_seconds"]),
        times(best and best / ours["cpu_seconds"]),
    ]


def _start_line(row):
    took = row["starts"]
    ours = took["branchwise"]
    theirs = min((took["storm naive"], took["storm pruned"]), key=_worked)
    return [
        row["name"],
        seconds(_worked(ours)),
        seconds(_worked(took["unchecked"])),
        seconds(_worked(theirs)),
        times(_worked(theirs) / _worked(ours)),
        seconds(ours["seconds"]),
        seconds(theirs["seconds"]),
    ]


def _worked(taken):
    return taken["cpu_seconds"]
