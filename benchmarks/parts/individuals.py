"""What planning for many individuals takes, beside solving for each by itself."""

import random
import time
from pathlib import Path

from page.results_page import ROOT, count, machine_text, seconds, table, times

from branchwise import generate, profiles, read, solve
from branchwise.analysis import parameters
from branchwise.analysis.individuals.profile_numbers import ProfileNumbers
from branchwise.analysis.individuals.profile_table import read_profiles

PAGE = ROOT / "docs" / "explanation" / "analysis-measured.md"
NUM_PROFILES = {"quick": 500, "usual": 10_000, "full": 10_000}
NUM_ALONE = {"quick": 20, "usual": 100, "full": 1000}
NUM_COLUMNS = 6


def problems():
    """Name the problems: one of ours, and random ones of the paper's kind."""
    yield "knee pain", read(Path(ROOT / "examples" / "knee_pain.yaml"))
    for actions, budget in ((12, 8), (25, 12)):
        yield f"random {actions}-{budget}", generate(actions, budget, seed="profiles")


def kinds():
    """Name what individuals differ in; costs change what can be paid for."""
    yield "probabilities", ("probability",)
    yield "probabilities and rewards", ("probability", "reward")
    yield "probabilities and costs", ("probability", "cost")


def measure(effort):
    """Plan for everybody at once, and for some of them one by one."""
    rows = []
    for name, problem in problems():
        for what, wanted in kinds():
            # With costs of their own they take longer, all of them alike.
            num = NUM_PROFILES[effort] // (10 if "cost" in wanted else 1)
            rows.append(_row(name, problem, what, _table(problem, wanted, num), effort))
            print(f"  {name}, {what}: {rows[-1]['seconds']:.1f} s", flush=True)
    return {"rows": rows}


def _table(problem, kinds, num):
    """Draw the numbers of individuals around those of the problem."""
    chance = random.Random(f"{problem.name}/{kinds}")
    found = [each for each in parameters(problem) if each.kind in kinds]
    # Of two probabilities, one is what the other leaves.
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
    start, start_cpu = time.perf_counter(), time.process_time()
    found = profiles(problem, rows)
    spent, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    some = rows[: NUM_ALONE[effort]]
    read_rows = read_profiles(problem, some)
    numbers = ProfileNumbers(problem, read_rows.columns)
    start_cpu = time.process_time()
    for profile in read_rows.profiles:
        solve(numbers.problem_of(profile.overrides), num_threads=1, verify=False)
    alone = (time.process_time() - start_cpu) / len(some)
    return {
        "problem": name,
        "actions": len(problem.actions),
        "differ": what,
        "profiles": len(rows),
        "plans": len(found.plans),
        "seconds": spent,
        "cpu_seconds": cpu,
        "alone": alone * len(rows),
    }


def blocks(found):
    """Show what it takes, in all and for each, beside solving for each alone."""
    header = ["problem", "actions", "individuals differ in", "individuals", "plans"]
    header += ["seconds", "CPU seconds", "CPU ms each", "one by one", "times less"]
    lines = [
        [
            row["problem"],
            row["actions"],
            row["differ"],
            count(row["profiles"]),
            count(row["plans"]),
            seconds(row["seconds"]),
            seconds(row["cpu_seconds"]),
            f"{1000 * row['cpu_seconds'] / row['profiles']:.2g}",
            seconds(row["alone"]),
            times(row["alone"] / row["cpu_seconds"]),
        ]
        for row in found["rows"]
    ]
    return {
        "individuals": table(header, lines),
        "individuals machine": machine_text(found["machine"]),
    }
