"""States in files: what that costs beside memory, and how fast layers are explored."""

import json
import subprocess
import sys
from pathlib import Path

from page.plots import Series, chart
from page.results_page import count, seconds, table
from registry.instances import MANY_STATES

# By effort: what is solved in memory and in files, and within how many bytes.
COMPARED = {
    "quick": ("hard-60", 150_000_000),
    "usual": ("hard-100", 600_000_000),
    "full": ("hard-100", 600_000_000),
}
ALONE_BYTES = 2_000_000_000  # for what is solved in files alone
LEAST_SECONDS = 0.05  # of a layer that is drawn
TITLE = "States that are expanded in a second, by the rank of their layer"
WORKER = Path(__file__).parent / "spill_worker.py"


def measure(effort):
    """Solve in memory and in files in turn, each in a process of its own."""
    name, limit = COMPARED[effort]
    rows = [_apart(name, None), _apart(name, limit), _apart(name, None)]
    if len({row["answer"] for row in rows}) > 1:
        raise AssertionError(f"in files, {name} has another answer than in memory")
    if effort != "quick":
        rows += [_apart(each.name, ALONE_BYTES) for each in MANY_STATES]
    return {"rows": rows}


def _apart(name, limit):
    """Solve a problem in another process, whose memory is looked at."""
    print(f"  {name}, {limit or 'in memory'}", flush=True)
    command = [sys.executable, WORKER, name, str(limit or 0)]
    said = subprocess.run(
        command, capture_output=True, check=True, cwd=WORKER.parents[1]
    )
    return json.loads(said.stdout)


def blocks(found):
    """Show what was found, by marker of the page."""
    header = ["", "states", "limit, MB", "most held, MB", "s", "CPU s", "parts"]
    header += ["disk, MB"]
    lines = [
        [
            row["name"],
            count(row["states"]),
            "in memory" if row["limit"] is None else round(row["limit"] / 1e6),
            round(row["peak_bytes"] / 1e6),
            seconds(row["seconds"]),
            seconds(row["cpu_seconds"]),
            row.get("parts"),
            round(row["disk_bytes"] / 1e6) if "disk_bytes" in row else None,
        ]
        for row in found["rows"]
    ]
    return {"spill": table(header, lines)}


def pictures(found):
    """Draw the throughput layer by layer; names of files without their ending."""
    series = []
    for row in found["rows"]:
        points = [
            (1 + rank, states / took)
            for rank, states, took in row.get("layers", ())
            if took >= LEAST_SECONDS
        ]
        if points:
            series.append(Series(row["name"], points=points))
    if not series:
        return {}
    return {"engines-spill": chart(TITLE, series, x="rank", y="states in a second")}
