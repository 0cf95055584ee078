"""What planning for many individuals takes, beside solving for each by itself."""

import random
import time
from pathlib import Path

from page import ROOT, count, machine_text, seconds, table, times

from branchwise import generate, parameters, profiles, read, solve
from branchwise.analysis.profile_numbers import ProfileNumbers
from branchwise.analysis.profile_table import read_profiles

PAGE = ROOT / "docs" / "explanation" / "analysis-measured.md"
NUM_PROFILES = {"quick": 500, "usual": 10_000, "full": 10_000}
NUM_ALONE = {"quick": 20, "usual": 100, "full": 1000}
NUM_COLUMNS = 6


def problems():
    """Name the problems: one of ours, and random ones of the paper's kind."""
    yield "knee pain", read(Path(ROOT / "examples" / "knee_pain.yaml"))
    for actions, budget in ((8, 5), (12, 8), (25, 12)):
        yield f"random {actions}-{budget}", generate(actions, budget, seed="profiles")


def kinds():
    """Name what individuals differ in; costs change what can be paid for."""
    yield "odds", ("probability",)
    yield "odds and rewards", ("probability", "reward")
    yield "odds and costs", ("probability", "cost")


def measure(effort):
    """Plan for everybody at once, and for some of them one by one."""
    rows = []
    for name, problem in problems():
        for what, wanted in kinds():
            num = NUM_PROFILES[effort]
            if len(problem.actions) > 20 and "cost" in wanted:
                num //= 10
            rows.append(_row(name, problem, what, _table(problem, wanted, num), effort))
            print(f"  {name}, {what}: {rows[-1]['seconds']:.1f} s", flush=True)
    return {"rows": rows}


def _table(problem, kinds, num):
    """Draw the numbers of individuals around those of the problem."""
    chance = random.Random(f"{problem.name}/{kinds}")
    found = [each for each in parameters(problem) if each.kind in kinds]
    # Of two odds, one is what the other leaves.
    found = list({(e.kind, e.action, e.clause, e.number): e for e in found}.values())
    chosen = chance.sample(found, min(NUM_COLUMNS, len(found)))
    return [
        {each.name: _cell(chance, each, problem) for each in chosen} for _ in range(num)
    ]


def _cell(chance, parameter, problem):
    now = float(parameter.value(problem))
    number = round(now * chance.uniform(0.5, 1.5), 3)
    return min(number, 0.999) if parameter.kind == "probability" else number


def _row(name, problem, what, rows, effort):
    start = time.perf_counter()
    found = profiles(problem, rows)
    spent = time.perf_counter() - start
    some = rows[: NUM_ALONE[effort]]
    read_rows = read_profiles(problem, some)
    numbers = ProfileNumbers(problem, read_rows.columns)
    start = time.perf_counter()
    for profile in read_rows.profiles:
        solve(numbers.problem_of(profile.overrides))
    alone = (time.perf_counter() - start) / len(some)
    return {
        "problem": name,
        "actions": len(problem.actions),
        "differ": what,
        "profiles": len(rows),
        "plans": len(found.plans),
        "seconds": spent,
        "alone": alone * len(rows),
    }


def blocks(found):
    """Show the seconds, how many individuals a second, and what solving alone takes."""
    header = ["problem", "actions", "individuals differ in", "individuals", "plans"]
    header += ["seconds", "a second", "one by one", "times faster"]
    lines = [
        [
            row["problem"],
            row["actions"],
            row["differ"],
            count(row["profiles"]),
            count(row["plans"]),
            seconds(row["seconds"]),
            count(round(row["profiles"] / row["seconds"])),
            seconds(row["alone"]),
            times(row["alone"] / row["seconds"]),
        ]
        for row in found["rows"]
    ]
    return {
        "individuals": table(header, lines),
        "individuals machine": machine_text(found["machine"]),
    }
