"""How long each section of an analysis takes, beside fresh solves of its what-ifs."""

import time

from clock import fastest
from page.results_page import ROOT, count, machine_text, seconds, table, times
from registry.instances import INSTANCES

from branchwise import solve
from branchwise.analysis import SECTIONS, AnalysisOptions, WhatIfs
from branchwise.analysis.analyze import compute_section

PAGE = ROOT / "docs" / "explanation" / "analysis-measured.md"
NAMES = {
    "quick": ("table1-01",),
    "usual": ("table1-00", "table1-01", "large-60", "large-100", "large-200"),
}
NAMES["full"] = NAMES["usual"]


def measure(effort):
    """Work out every section of every problem, each with what-ifs of its own."""
    rows = []
    for name in NAMES[effort]:
        (instance,) = (each for each in INSTANCES if each.name == name)
        problem = instance.problem()
        fresh = fastest(
            lambda p=problem: solve(p, num_threads=1, verify=False), repeats=3
        )
        for section in SECTIONS:
            rows.append(_row(instance, problem, section, fresh.cpu_seconds))
            print(f"  {name} {section}: {rows[-1]['seconds']:.3g} s", flush=True)
    return {"rows": rows}


def _row(instance, problem, section, fresh_seconds):
    what_ifs = WhatIfs(problem)
    start, worked = time.perf_counter(), time.process_time()
    compute_section(section, what_ifs, AnalysisOptions())
    return {
        "name": instance.name,
        "actions": len(problem.actions),
        "section": section,
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - worked,
        "warm": what_ifs.num_warm,
        "afresh": what_ifs.num_afresh,
        "fresh_seconds": fresh_seconds,
    }


def blocks(found):
    """Show times, numbers of what-ifs, and how many times that fresh solves take."""
    header = ["problem", "actions", "section", "T", "T CPU"]
    header += ["what-ifs warm", "afresh", "fresh solves / T CPU"]
    lines = [
        [
            row["name"],
            count(row["actions"]),
            row["section"],
            f"{seconds(row['seconds'])} s",
            f"{seconds(row['cpu_seconds'])} s",
            count(row["warm"]),
            count(row["afresh"]),
            times(_ratio(row)),
        ]
        for row in found["rows"]
    ]
    return {
        "analysis machine": machine_text(found["machine"]),
        "analysis": table(header, lines),
    }


def _ratio(row):
    num_what_ifs = row["warm"] + row["afresh"]
    if not num_what_ifs:
        return None
    return num_what_ifs * row["fresh_seconds"] / row["cpu_seconds"]
