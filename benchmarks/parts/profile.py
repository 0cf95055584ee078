"""
Where the canonical engine's time goes: instructions per state, counted by callgrind.

The core is built again with the optimizations of a release and with its symbols, in
`build/profile`; the package that is installed stays as it is. Needs valgrind and
binutils; without them this part is left out.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from builds import callgrind
from builds.compiled_core import build_core
from page.results_page import BENCHMARKS, ROOT, count, table
from registry.instances import TABLE_1

BUILD = ROOT / "build" / "profile"
DRIVER = BENCHMARKS / "builds" / "profile_driver.py"
CHOSEN = {"quick": (TABLE_1[8],), "usual": (TABLE_1[2], TABLE_1[1]), "full": TABLE_1}

GROUPS = {
    "load a state, list its actions": "load refresh available reward rank find_live "
    "evaluate_now holds_now variant_now affords",
    "take an action, decide and propagate": "start take forget find_open propagate "
    "sweep_decisions report_to_owners simplify",
    "bound costs, drop what is out of reach": "note_prices sweep_costs cost_of "
    "cheapest dearest most_of_part drop_what_is_out_of_reach",
    "find rewarding sets within reach": "find_reach sought_lanes affords_set "
    "reach_nodes evaluate_sets holds_under",
    "mark what may help, drop the rest": "mark find_relevant mark_rewards mark_below "
    "mark_inside_any mark_inside_all mark_action want want_at_once want_not "
    "drop_what_is_of_no_use",
    "cap budget and attempts": "cap_attempts cap_budget",
    "write, hash and find keys": "store put put_tail transpose key_hash take_steps "
    "find_known first_slot enter slot_of grow keep expand gain_of",
    "score": "score choose measured option_score option_value",
    "order the states": "explore expand_block share",
}
"""Functions of the core by what they are for; small ones count with their callers."""

_GROUP_OF = {name: g for g, names in GROUPS.items() for name in names.split()}
_CLASSES = "Residual|LaneWork|ResidualLanes|CanonicalGraph|Scoring|Explorer"
_FUNCTION = re.compile(rf"(?:{_CLASSES})\b[^(]*::(\w+)\b")
_FREE = re.compile(r"\bbranchwise::(?:\(anonymous namespace\)::)?(\w+)\(")


def measure(effort):
    """Count instructions on a few problems; None if there is nothing to count with."""
    missing = [tool for tool in ("valgrind", "addr2line") if not shutil.which(tool)]
    if missing:
        print(f"  left out: there is no {missing[0]}", flush=True)
        return None
    core = _built_core()
    rows = []
    for instance in CHOSEN[effort]:
        print(f"  {instance}", flush=True)
        rows.append(_row(instance, core))
    return {"rows": rows}


def _built_core():
    """Build the compiled module with symbols, and nothing else changed."""
    return build_core(
        ROOT,
        BUILD,
        CMAKE_BUILD_TYPE="RelWithDebInfo",
        CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O3 -g -DNDEBUG",
    )


def _row(instance, core):
    with tempfile.TemporaryDirectory() as folder:
        output, result = Path(folder) / "profile", Path(folder) / "result"
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no"]
        command += ["--toggle-collect=branchwise::CanonicalEngine::explore*"]
        command += ["--dump-instr=yes", "--cache-sim=yes", "--quiet"]
        command += [f"--callgrind-out-file={output}", sys.executable, str(DRIVER)]
        command += [str(core), str(instance.file), str(result)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        with output.open(encoding="utf-8") as lines:
            profile = callgrind.read(lines, core.name)
        known = json.loads(result.read_text(encoding="utf-8"))
    groups, total = _by_group(profile, core)
    taken = [n for name, n in profile.calls.items() if "Residual::take(" in name]
    return {
        "name": instance.name,
        **known,
        "children": sum(taken),
        "instructions": groups,
        "l1_misses": total["D1mr"] + total["D1mw"],
        "memory_misses": total["DLmr"] + total["DLmw"],
        "data_accesses": total["Dr"] + total["Dw"],
    }


def _by_group(profile, core):
    chains = callgrind.inline_chains(core, profile.by_address)
    groups, total = Counter(), Counter()
    for address, counts in profile.by_address.items():
        groups[_group(chains.get(address, ()))] += counts["Ir"]
        total.update(counts)
    for counts in profile.by_function.values():
        groups["the standard library, and the rest"] += counts["Ir"]
        total.update(counts)
    return dict(groups), total


def _group(chain):
    """Return the group of the innermost function that has one."""
    for function in chain:
        for pattern in (_FUNCTION, _FREE):
            for name in pattern.findall(function):
                if name in _GROUP_OF:
                    return _GROUP_OF[name]
    return "the standard library, and the rest"


def blocks(found):
    """Show what was found, by marker of the page."""
    rows = found["rows"]
    names = [*GROUPS, "the standard library, and the rest"]
    lines = [
        [name, *(_per_state(row, row["instructions"].get(name, 0)) for row in rows)]
        for name in names
    ]
    totals = [sum(row["instructions"].values()) for row in rows]
    per = [_per_state(row, total) for row, total in zip(rows, totals, strict=True)]
    lines.append(["together", *per])
    if all(row["children"] for row in rows):
        pairs = zip(totals, rows, strict=True)
        each = [count(round(total / row["children"])) for total, row in pairs]
        lines.append(["children per state", *(_ratio(row, "children") for row in rows)])
        lines.append(["instructions per child", *each])
    lines.append(
        [
            "bytes into the first cache, per state",
            *(_per_state(row, row["l1_misses"] * 64) for row in rows),
        ]
    )
    lines.append(
        [
            "bytes from memory, per state",
            *(_per_state(row, row["memory_misses"] * 64) for row in rows),
        ]
    )
    kept = [_per_state(row, row["num_bytes"]) for row in rows]
    lines.append(["bytes kept, per state", *kept])
    header = ["", *(f"{row['name']}, {row['states']:,} states" for row in rows)]
    return {"profile": table(header, lines)}


def _per_state(row, number):
    return count(round(number / row["states"]))


def _ratio(row, name):
    return f"{row[name] / row['states']:.1f}"
