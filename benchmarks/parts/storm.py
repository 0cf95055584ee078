"""
Storm's best against the default engine: the eleven problems, and a ladder of larger
ones.

Both work in processes of their own, with one thread, and take turns: the engine works
before Storm and after it. What takes little time is done five times over there, of
which the fastest counts. What counts is to parse the problem, to build and to solve;
starting either program does not, nor does finding rewarding sets for Storm.

Which way is best for Storm is known from the last time; with full effort all are tried
again, which takes hours.
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
)
from peers import storm
from registry.instances import STORM, TABLE_1

from branchwise import write_text

LIMITS = (120, 600)
"""Longer only where no way came to an end before, as the wrong ones take all of it."""
MOST_MB = 12_000


def measure(effort):
    """Let both solve each problem; give a row per problem."""
    known = None if effort == "full" else read_results("storm")
    ways = {row["name"]: row["storm"]["way"] for row in known["rows"]} if known else {}
    rows = []
    for instance in TABLE_1 if effort == "quick" else (*TABLE_1, *STORM):
        rows.append(_row(instance, ways.get(instance.name)))
        print(f"  {instance}: {_summary(rows[-1])}", flush=True)
    return {"rows": rows}


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
