"""What a state space of one's own takes: state by state, in arrays, and in Python."""

import json
import math
import subprocess
import sys
from pathlib import Path

from page.results_page import count, seconds, table, times

WORKER = Path(__file__).with_name("space_worker.py")

WAYS = ("arrays", "plain", "reference")
PATIENTS = {"quick": (20, 40), "usual": (20, 40, 68), "full": (20, 40, 68)}
MOST_OF_REFERENCE = 40


def measure(effort):
    """Solve each trial in each way, in a process of its own."""
    rows = []
    for patients in PATIENTS[effort]:
        for way in WAYS:
            if way != "reference" or patients <= MOST_OF_REFERENCE:
                rows.append(_row(way, patients))
                print(
                    f"  {way} {patients}: {rows[-1]['cpu_seconds']:.2f} s", flush=True
                )
    return {"rows": rows}


def _row(way, patients):
    command = [sys.executable, WORKER, way, str(patients)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    row = json.loads(done.stdout)
    assert row["states"] == math.comb(patients + 4, 4)
    return row


def blocks(found):
    """Show what each way takes, and how many times what arrays take."""
    header = [
        "patients", "states", "way", "CPU time", "states per second", "memory", "times",
    ]  # fmt: skip
    arrays = {r["patients"]: r for r in found["rows"] if r["way"] == "arrays"}
    lines = [
        [
            row["patients"],
            count(row["states"]),
            row["way"],
            f"{seconds(row['cpu_seconds'])} s",
            count(int(round(row["states"] / row["cpu_seconds"], -3))),
            f"{row['megabytes']:.0f} MB",
            times(row["cpu_seconds"] / arrays[row["patients"]]["cpu_seconds"]),
        ]
        for row in found["rows"]
    ]
    return {"spaces": table(header, lines)}
