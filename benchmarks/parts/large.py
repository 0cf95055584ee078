"""How the gap closes on problems that no full graph can hold."""

import time

from page.plots import Series, chart
from page.results_page import count, seconds, table
from registry.instances import LARGE

from branchwise import solve

LIMITS = {"quick": 5, "usual": 60, "full": 600}
MOST_BYTES = 6 * 2**30
MOST_POINTS = 200
MARKS = (0.1, 1, 10, 60)
TITLE = "The gap between the plan in hand and the bound, as it closes"


def measure(effort):
    """Search each problem best first, and write down the bounds on the way."""
    rows = []
    for instance in LARGE:
        rows.append(_trace(instance, LIMITS[effort]))
        print(f"  {instance}: {rows[-1]['status']}, {rows[-1]['gap']:.2%}", flush=True)
    return {"time_limit_seconds": LIMITS[effort], "rows": rows}


def _trace(instance, time_limit_seconds):
    problem = instance.problem()
    points = []
    start = time.perf_counter()

    def note(progress):
        if progress.upper_bound is not None:
            passed = time.perf_counter() - start
            bounds = float(progress.lower_bound), float(progress.upper_bound)
            points.append((round(passed, 4), progress.num_states, *bounds))

    solution = solve(
        problem,
        search="best-first",
        time_limit_seconds=time_limit_seconds,
        memory_limit_bytes=MOST_BYTES,
        verify=False,
        progress=note,
    )
    took = time.perf_counter() - start
    last = float(solution.expected_reward), float(solution.upper_bound)
    points.append((round(took, 4), solution.statistics.full_graph_states, *last))
    return {
        "name": instance.name,
        "actions": len(problem.actions),
        "budget": int(problem.budget["budget"]),
        "status": solution.status.value,
        "seconds": took,
        "gap": solution.relative_gap,
        "value": last[0],
        "upper_bound": last[1],
        "states": solution.statistics.full_graph_states,
        "expanded": solution.statistics.expanded_states,
        "num_bytes": solution.statistics.num_bytes,
        "points": _thinned(points),
    }


def _thinned(points):
    """Keep the first of about as many spans of time, each a little longer."""
    kept, due = [], 0.0
    for point in points[:-1]:
        if point[0] >= due:
            kept.append(point)
            due = point[0] * (1 + 8 / MOST_POINTS)
    return [*kept, points[-1]]


def gap_at(points, passed):
    """Return the gap after some seconds, as a share; None if not looked at before."""
    known = [point for point in points if point[0] <= passed]
    if not known:
        return None
    _, _, lower, upper = known[-1]
    return (upper - lower) / upper if upper else 0.0


def blocks(found):
    """Show what was found, by marker of the page."""
    marks = [m for m in MARKS if m < found["time_limit_seconds"]]
    header = ["", "N", "B", *(f"gap after {m:g} s" for m in marks)]
    header += ["in the end", "after, s", "plan in hand", "bound", "states", "MB"]
    lines = []
    for row in found["rows"]:
        gaps = [_percent(gap_at(row["points"], m)) for m in marks]
        lines.append(
            [
                row["name"],
                row["actions"],
                row["budget"],
                *gaps,
                _percent(row["gap"]),
                seconds(row["seconds"]),
                f"{row['value']:.4f}",
                f"{row['upper_bound']:.4f}",
                count(row["states"]),
                round(row["num_bytes"] / 1e6),
            ]
        )
    return {"large": table(header, lines)}


def _percent(share):
    return None if share is None else f"{share:.2%}".replace("%", " %")


LEAST_SHOWN = 1  # per cent


def pictures(found):
    """Draw how the gaps close; names of files without their ending."""
    series = []
    for row in found["rows"]:
        # A gap that is closed has no place on this scale: it ends at the bottom.
        line = [
            (passed, max(LEAST_SHOWN, 100 * (upper - lower) / upper))
            for passed, _, lower, upper in row["points"]
            if upper > 0 and passed > 0
        ]
        if line:
            series.append(Series(f"{row['actions']} actions", line=line))
    if not series:
        return {}
    return {
        "engines-gaps": chart(
            TITLE, series, x="seconds", y="gap, %", y_from=LEAST_SHOWN
        )
    }
