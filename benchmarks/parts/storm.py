"""
Storm's best against the default engine: the eleven problems, and a ladder of larger
ones.

Both work in processes of their own, with one thread, and take turns: the engine works
before Storm and after it. What takes little time is done five times over there, of
which the fastest counts. What counts is to parse the problem, to build and to solve;
starting either program does not, nor does finding rewarding sets for Storm.

Which way is best for Storm is known from the last time; with full effort all are tried
again, which takes hours. `--largest` measures the five that take Storm most, in the
ways known to be best, which takes ten minutes where nothing else is going on. Every row
is kept as soon as it is measured: ended and started again, `--largest` goes on with
those that it has not come to.
"""

from dataclasses import asdict

from builds.engine_build import EngineBuild
from page.results_page import (
    ROOT,
    count,
    machine_text,
    read_results,
    seconds,
    table,
    times,
    write_results,
)
from peers import storm
from registry.instances import STORM, TABLE_1

from branchwise import write_text

LIMITS = (120, 600)
"""Longer only where no way came to an end before, as the wrong ones take all of it."""
MOST_MB = 12_000


LARGEST = {
    "storm-40-15": "symbolic, small tables",
    "storm-30-16": "symbolic",
    "storm-35-13": "symbolic",
    "storm-40-12": "symbolic",
    "storm-35-15": "symbolic",
}
"""The five with the most states of Storm's, the best way for each, and quick ones
first: found with full effort."""


def measure(effort):
    """Let both solve each problem; give a row per problem."""
    last = read_results("storm") or {"effort": "", "rows": []}
    known = {row["name"]: row for row in last["rows"]}
    chosen = _chosen(effort, known, last)
    ways = {} if effort == "full" else {n: r["storm"]["way"] for n, r in known.items()}
    rows = {} if effort == "full" else known
    for instance in chosen:
        way = LARGEST.get(instance.name) or ways.get(instance.name)
        is_new = {"is_new": True} if effort == "largest" else {}
        rows[instance.name] = _row(instance, way) | is_new
        print(f"  {instance}: {_summary(rows[instance.name])}", flush=True)
        write_results("storm", {"effort": "broken off", "rows": in_order(rows)})
    return {"rows": in_order(rows)}


def _chosen(effort, known, last):
    """The instances to measure; of the largest those that an earlier run has not."""
    if effort == "quick":
        return TABLE_1
    if effort != "largest":
        return (*TABLE_1, *STORM)
    by_name = {instance.name: instance for instance in STORM}
    largest = [by_name[name] for name in LARGEST]
    rows = [known.get(name, {}) for name in LARGEST]
    missing = [i for i, row in zip(largest, rows, strict=True) if not row.get("is_new")]
    if last["effort"] == "broken off" and missing:
        return missing
    for row in rows:
        row.pop("is_new", None)
    return largest


def in_order(rows):
    """List the rows by the order of the instances."""
    names = [instance.name for instance in (*TABLE_1, *STORM)]
    return [rows[name] for name in names if name in rows]


def _row(instance, way):
    problem = instance.problem()
    before = canonical(problem, num_threads=1)
    theirs = _storm(problem, way)
    after = canonical(problem, num_threads=1)
    ours = min(before, after, key=lambda run: run["cpu_seconds"])
    assert abs(ours["value"] - float(instance.expected_reward)) < 1e-9
    clock_seconds = theirs.build_seconds + theirs.check_seconds
    return {
        "name": instance.name,
        "actions": len(problem.actions),
        "budget": int(problem.budget["budget"]),
        "canonical": ours,
        "storm": {**asdict(theirs), "clock_seconds": clock_seconds},
    }


def _storm(problem, way):
    """Let Storm go the way that is best, or all if none is known."""
    if way in storm.WAYS:
        limits = {"time_limit_seconds": LIMITS[-1], "memory_limit_mb": MOST_MB}
        return storm.run(problem, way, **limits)
    for limit in LIMITS:
        found = storm.best_of(problem, limit, MOST_MB)
        if not found.failure:
            break
    return found


def canonical(problem, **options):
    """Solve a problem in a process of its own."""
    return EngineBuild(ROOT / "src").solve(write_text(problem), **options)


def ratio(row):
    """Return how many times more Storm works; None where it gave up."""
    if row["storm"]["failure"]:
        return None
    return row["storm"]["cpu_seconds"] / row["canonical"]["cpu_seconds"]


def _summary(row):
    theirs = row["storm"]
    took = theirs["failure"] or f"{theirs['cpu_seconds']:.3g} s ({theirs['way']})"
    return f"Storm {took}, canonical {row['canonical']['cpu_seconds']:.3g} s"


def blocks(found):
    """Show what was found, by marker of the page."""
    header = ["", "N", "B", "Storm's best way", "its states", "Storm, CPU s", "clock"]
    header += ["canonical states", "canonical, CPU s", "clock", "less work by"]
    lines = [_line(row) for row in found["rows"]]
    return {
        "storm": table([*header, "difference"], lines),
        "storm machine": machine_text(found["machine"]),
    }


def _line(row):
    """Show a row; of one that was broken off some figures may be missing."""
    ours, theirs = row["canonical"], row["storm"]
    head = [row["name"], row["actions"], row["budget"]]
    states = [count(ours["num_states"])]
    states += [seconds(ours["cpu_seconds"]), seconds(ours["seconds"])]
    if theirs["failure"]:
        return [*head, theirs["failure"], None, None, None, *states, None, None]
    return [
        *head,
        theirs["way"],
        count(theirs["num_states"]),
        seconds(theirs["cpu_seconds"]),
        seconds(theirs.get("clock_seconds")),
        *states,
        times(ratio(row)),
        _difference(ours["value"], theirs.get("value")),
    ]


def _difference(ours, theirs):
    if theirs is None:
        return None
    return f"{abs(ours - theirs):.0e}" if ours != theirs else "0"
