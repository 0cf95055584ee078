"""What plans are worth that go by the strongest rewarding sets only, ever more of them.

Seconds are of CPU time, of one thread, and include listing the sets and the bound.
"""

import time

from page.results_page import count, seconds, table
from registry.instances import HARD

from branchwise import Solver, Status

LIMITS = {"quick": 2, "usual": 30, "full": 120}
GROWING = "ever more"
ALL = "all actions"


def measure(effort):
    """Ask one solver for ever more sets; then let it grow them, and do without."""
    limit, rows = LIMITS[effort], []
    for instance in HARD:
        problem = instance.problem()
        rows += _steps(instance.name, problem, limit)
        for name, wanted in ((GROWING, "auto"), (ALL, None)):
            how = {"rewarding_sets": wanted, "time_limit_seconds": limit}
            solver = Solver(problem, num_threads=1)
            rows.append(_row(instance.name, name, solver, 0, how))
        print(f"  {instance}: {rows[-3]['value']:.4f}", flush=True)
    return {"time_limit_seconds": limit, "rows": rows}


def _steps(name, problem, limit):
    """Ask for 1, 2, 4, ... sets, until all are in or the time did not do."""
    solver = Solver(problem, num_threads=1)
    expanded, number, rows = 0, 1, []
    while not rows or rows[-1]["status"] == Status.LOWER_BOUND.value:
        how = {"rewarding_sets": number, "time_limit_seconds": limit}
        row = _row(name, number, solver, expanded, how)
        if row["sets"] < number:
            break
        expanded += row["new"]
        if row["status"] == Status.LOWER_BOUND.value:
            fresh = Solver(problem, num_threads=1).solve(**how)
            row["alone"] = fresh.statistics.expanded_states
        rows.append(row)
        number *= 2
    return rows


def _row(name, wanted, solver, expanded, how):
    start = time.process_time()
    solution = solver.solve(**how)
    return {
        "name": name,
        "wanted": wanted,
        "sets": solution.statistics.rewarding_sets,
        "value": float(solution.expected_reward),
        "upper_bound": float(solution.upper_bound),
        "gap": solution.relative_gap,
        "status": solution.status.value,
        "seconds": time.process_time() - start,
        "new": solution.statistics.expanded_states - expanded,
        "alone": None,
    }


def blocks(found):
    """Show what was found, by marker of the page."""
    header = ["", "sets", "plan", "bound", "gap", "CPU s", "", "expanded anew", "alone"]
    lines = [
        [
            row["name"],
            row["wanted"],
            f"{row['value']:.4f}",
            f"{row['upper_bound']:.4f}",
            f"{row['gap']:.1%}".replace("%", " %"),
            seconds(row["seconds"]),
            row["status"],
            count(row["new"]),
            count(row["alone"]),
        ]
        for row in found["rows"]
    ]
    return {"sets": table(header, lines)}
