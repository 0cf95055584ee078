"""
Storm's best against the default engine: the eleven problems, and a ladder of larger
ones.

Both work in processes of their own, which they have to themselves, and what takes
little time is done five times over there, of which the fastest counts. What counts is
to parse the problem, to build and to solve; starting either program does not, nor does
finding rewarding sets for Storm.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import storm
from instances import STORM, TABLE_1
from page import count, read_results, seconds, table, times, write_results

from branchwise import write_text

WORKER = Path(__file__).with_name("canonical_worker.py")
LIMITS = {"quick": (20,), "usual": (120, 600), "full": (120, 600)}
"""Longer only where no way came to an end before, as the wrong ones take all of it."""
MOST_MB = 12_000
BEYOND = ("storm-40-12", "storm-40-15", "storm-35-15")
"""These take Storm more than two minutes, if it can do them at all."""


def measure(effort):
    """
    Let both solve each problem; give a row per problem.

    With full effort those are added that are not known yet, as they take hours.
    """
    ladder = [instance for instance in STORM if instance.name not in BEYOND]
    chosen = [*TABLE_1, *{"quick": [], "usual": ladder, "full": STORM}[effort]]
    known = read_results("storm") if effort == "full" else None
    rows = known["rows"] if known else []
    for instance in chosen:
        if any(row["name"] == instance.name for row in rows):
            continue
        rows.append(_row(instance, LIMITS[effort]))
        print(f"  {instance}: {_summary(rows[-1])}", flush=True)
        # This takes long; what is known stays known if somebody ends it.
        write_results("storm", {"effort": effort, "rows": rows})
    return {"rows": rows}


def _row(instance, limits):
    problem = instance.problem()
    ours = canonical(problem)
    for limit in limits:
        theirs = storm.best_of(problem, limit, MOST_MB)
        if not theirs.failure:
            break
    assert abs(ours["value"] - float(instance.expected_reward)) < 1e-9
    return {
        "name": instance.name,
        "actions": len(problem.actions),
        "budget": int(problem.budget["budget"]),
        "canonical": ours,
        "storm": {**asdict(theirs), "seconds": theirs.seconds},
    }


def canonical(problem, **options):
    """Solve a problem in a process of its own."""
    text = write_text(problem)
    done = subprocess.run(
        [sys.executable, str(WORKER)],
        input=json.dumps({"text": text, "options": options}),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def ratio(row):
    """Say how many times longer Storm takes; None where it gave up."""
    if row["storm"]["failure"]:
        return None
    return row["storm"]["seconds"] / row["canonical"]["seconds"]


def _summary(row):
    theirs = row["storm"]
    took = theirs["failure"] or f"{theirs['seconds']:.3g} s ({theirs['way']})"
    return f"Storm {took}, canonical {row['canonical']['seconds']:.3g} s"


def blocks(found):
    """Show what was found, by marker of the page."""
    header = ["", "N", "B", "Storm's best way", "its states", "Storm, s"]
    header += ["canonical states", "canonical, s", "faster by", "difference"]
    lines = []
    for row in found["rows"]:
        ours, theirs = row["canonical"], row["storm"]
        head = [row["name"], row["actions"], row["budget"]]
        states = [count(ours["num_states"]), seconds(ours["seconds"])]
        if theirs["failure"]:
            lines.append([*head, theirs["failure"], None, None, *states, None, None])
            continue
        missed = abs(ours["value"] - theirs["value"])
        lines.append(
            [
                *head,
                theirs["way"],
                count(theirs["num_states"]),
                seconds(theirs["seconds"]),
                *states,
                times(ratio(row)),
                f"{missed:.0e}" if missed else "0",
            ]
        )
    return {"storm": table(header, lines)}
