"""What a cluster gains, and what it would take where there are a thousand machines."""

import tempfile
import time
from pathlib import Path

from page.results_page import ROOT, count, machine_text, seconds, table, times
from parts.individuals import _table

import branchwise._core as core
from branchwise import generate, profiles, read, solve
from branchwise.engine.limits import Limits
from branchwise.engine.lower import Lowered, core_objective
from branchwise.executors.cluster import cluster

PAGE = ROOT / "docs" / "explanation" / "internet-scale.md"
NUM_PROFILES = {"quick": 2_000, "usual": 10_000, "full": 10_000}
LARGE = {"quick": "hard-60", "usual": "hard-100", "full": "hard-100"}
BUDGETS = {"quick": range(9, 14), "usual": range(10, 17), "full": range(10, 19)}
MEMORY_BYTES = 400_000_000

# What a machine of a data center is taken to have.
CORES = 16
DISK_BYTES = 4e12
DISK_BYTES_PER_SECOND = 1e9
NETWORK_BYTES_PER_SECOND = 1.25e9
STATES = (10**9, 10**12)
MACHINES = (10, 100, 1_000)


def measure(effort):
    """Measure many small solves, one large one, and what states take."""
    found = {"profiles": [], "large": []}
    for number in (1, 2):
        with cluster(f"local:{number}") as client:
            found["profiles"].append(_profiles(client, number, NUM_PROFILES[effort]))
            found["large"].append(_large(client, number, LARGE[effort]))
        print(f"  {number} workers: {found['profiles'][-1]}", flush=True)
    found["states"] = _states(LARGE[effort])
    problem = read(ROOT / "benchmarks" / "instances" / "hard-60.yaml")
    found["growth"] = [_grown(problem, budget) for budget in BUDGETS[effort]]
    return found


def _spent(client, work):
    """Return what some work takes: the clock, and the CPU time here and there."""
    before, here = client.run(time.process_time), time.process_time()
    main, start = time.thread_time(), time.perf_counter()
    answer = work()
    clock, alone = time.perf_counter() - start, time.thread_time() - main
    client_seconds = time.process_time() - here
    after = client.run(time.process_time)
    workers = [after[each] - before[each] for each in before]
    return answer, {
        "seconds": clock,
        "thread_seconds": alone,
        "client_seconds": client_seconds,
        "worker_seconds": workers,
    }


def _profiles(client, number, num_profiles):
    problem = generate(25, 12, seed="profiles")
    people = _table(problem, ("probability",), num_profiles)
    profiles(problem, people[:50], executor=client)  # Workers load what they need.
    _, spent = _spent(client, lambda: profiles(problem, people, executor=client))
    return {"workers": number, "individuals": num_profiles, **spent}


def _large(client, number, name):
    problem = read(ROOT / "benchmarks" / "instances" / f"{name}.yaml")
    how = {"search": "exhaustive", "verify": False, "executor": client}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "states"
        solution, spent = _spent(
            client,
            lambda: solve(problem, spill=place, memory_limit_bytes=MEMORY_BYTES, **how),
        )
    value, states = solution.expected_reward, solution.statistics.full_graph_states
    return {
        "workers": number, "problem": name, "value": value, "states": states, **spent
    }  # fmt: skip


class _Owners:
    """Two owners in this process, who send each other half of all keys."""

    def __init__(self, problem, folder):
        half, all_ = core.NUM_BUCKETS // 2, core.NUM_BUCKETS
        self.buckets = core.BucketRange(0, half), core.BucketRange(half, all_)
        self.instance, self.folder = Lowered(problem).instance, Path(folder)
        self.spills = [self._spill(number) for number in (0, 1)]
        self.sent = {"keys": 0, "values": 0}
        self.ranks = {}

    def _spill(self, number):
        place = self.folder / str(number)
        place.mkdir()
        return core.Spill(self.instance, 1, str(place), number, self.buckets[number])

    def explore(self):
        while ranks := [s.next_rank for s in self.spills if s.next_rank is not None]:
            rank = max(ranks)
            for one, spill in enumerate(self.spills):
                first = spill.num_parts
                while spill.next_rank == rank:
                    listen = lambda *_: True  # noqa: E731
                    how = MEMORY_BYTES // 2, None, 5_000_000, None, None, listen
                    spill.expand(*how)
                self.ranks.setdefault(rank, []).extend(
                    (one, part) for part in range(first, spill.num_parts)
                )
            for one, part in self.ranks[rank]:
                path = self._file(1 - one)
                self.spills[one].export_keys(part, self.buckets[1 - one], path)
                self.sent["keys"] += Path(path).stat().st_size
                self.spills[1 - one].import_keys(one, part, path)
        for spill in self.spills:
            spill.end_exploring()

    def score(self, measurement):
        for rank in sorted(self.ranks):
            for one, part in self.ranks[rank]:
                path = self._file(one)
                self.spills[1 - one].export_values(one, part, measurement, path)
                self.sent["values"] += Path(path).stat().st_size
                self.spills[one].import_values(part, 1 - one, measurement, path)
            for one, part in reversed(self.ranks[rank]):
                self.spills[one].score(part, measurement, None, None, lambda *_: True)

    def _file(self, owner):
        return str(self.folder / str(owner) / "sent.tmp")

    def sizes(self):
        """Return what is on the disk, by the kind of file."""
        found = {}
        for file in self.folder.glob("*/*"):
            kind = file.suffix.partition("-")[0][1:] or "others"
            found[kind] = found.get(kind, 0) + file.stat().st_size
        return found


def _states(name):
    """Return what the states of a problem take of a core, on a disk and on a wire."""
    problem = read(ROOT / "benchmarks" / "instances" / f"{name}.yaml")
    measurement = core.Measurement(core_objective("fewest-nodes"), False)
    with tempfile.TemporaryDirectory() as folder:
        owners = _Owners(problem, folder)
        start = time.process_time()
        owners.explore()
        explored = time.process_time() - start
        sizes = owners.sizes()
        owners.score(measurement)
        scored = time.process_time() - start - explored
        sizes["values"] = owners.sizes()["values"]
        return {
            "problem": name,
            "states": sum(spill.num_states for spill in owners.spills),
            "explore_seconds": explored,
            "score_seconds": scored,
            "bytes": {kind: sizes[kind] for kind in ("keys", "states", "values")},
            "sent": owners.sent,
            "layers": len(owners.ranks),
        }


def _grown(problem, budget):
    limits = Limits(time_limit_seconds=300)
    found = solve(
        problem.with_budget(budget),
        search="exhaustive",
        verify=False,
        time_limit_seconds=limits.time_limit_seconds,
    )
    return {"budget": budget, "states": found.statistics.full_graph_states}


def speed_up(found):
    """Return how much faster two workers are by the clock, and on idle cores."""
    one, two = found
    clock = one["seconds"] / two["seconds"]
    # What the client does alone comes first and last; all else is shared by the cores.
    alone = [row["thread_seconds"] for row in found]
    shared = [row["client_seconds"] - row["thread_seconds"] for row in found]
    work = [sum(row["worker_seconds"]) for row in found]
    on_one = alone[0] + max(work[0], (work[0] + shared[0]) / 2)
    on_two = alone[1] + (work[1] + shared[1]) / 2
    free = alone[1] + max(two["worker_seconds"])
    return clock, on_one / on_two, on_one / free


def demand(states, num_states, machines):
    """Return what so many states take of so many machines, in seconds and bytes."""
    share = num_states / machines
    each = {kind: size / states["states"] for kind, size in states["bytes"].items()}
    kept = sum(each.values())
    cpu = (states["explore_seconds"] + states["score_seconds"]) / states["states"]
    # Keys go to their owners, and what they are worth comes back; it was half of them.
    sent = 2 * sum(states["sent"].values()) / states["states"] * (1 - 1 / machines)
    return {
        "states": num_states,
        "machines": machines,
        "cpu_seconds": share * cpu / CORES,
        "disk_bytes": share * kept,
        "disk_seconds": 3 * share * kept / DISK_BYTES_PER_SECOND,
        "network_bytes": share * sent,
        "network_seconds": share * sent / NETWORK_BYTES_PER_SECOND,
        # Each owner tells every other one something twice for each layer.
        "messages": 4 * states["layers"] * (machines * CORES) ** 2,
    }


def growth(found):
    """Return by how much one more unit of budget multiplies the states."""
    first, last = found[-3], found[-1]
    steps = last["budget"] - first["budget"]
    return (last["states"] / first["states"]) ** (1 / steps)


def blocks(found):
    """Show what was measured, and what follows."""
    return {
        "cluster machine": machine_text(found["machine"]),
        "cluster profiles": _both(found["profiles"], "individuals"),
        "cluster large": _both(found["large"], "states"),
        "cluster states": _states_table(found["states"]),
        "cluster growth": _growth_table(found["growth"]),
        "cluster demand": _demand_table(found["states"]),
    }


def _both(rows, counted):
    header = ["workers", counted, "seconds", "CPU seconds of the client"]
    header += ["alone", "CPU seconds of each worker"]
    lines = [
        [
            row["workers"],
            count(row[counted]),
            seconds(row["seconds"]),
            seconds(row["client_seconds"]),
            seconds(row["thread_seconds"]),
            ", ".join(seconds(each) for each in row["worker_seconds"]),
        ]
        for row in rows
    ]
    clock, two_cores, free = map(times, speed_up(rows))
    said = f"Two workers to one: {clock} by the clock of this run; {two_cores} by CPU "
    said += f"seconds, on two idle cores; {free} where the client has cores of its own."
    return f"{table(header, lines)}\n\n{said}"


def _states_table(states):
    number, both = states["states"], ("bytes", "sent")
    header = ["problem", "states", "layers", "CPU µs to explore", "CPU µs to score"]
    header += [f"bytes of {kind}" for kind in states["bytes"]]
    header += [f"{kind} sent" for kind in states["sent"]]
    line = [states["problem"], count(number), states["layers"]]
    line += [
        f"{states[f'{what}_seconds'] / number * 1e6:.2g}"
        for what in ("explore", "score")
    ]
    line += [f"{size / number:.3g}" for kind in both for size in states[kind].values()]
    return table(header, [line])


def _growth_table(rows):
    lines = [[row["budget"], count(row["states"])] for row in rows]
    said = f"One more unit of budget multiplies the states by {growth(rows):.2g}."
    return f"{table(['budget', 'states'], lines)}\n\n{said}"


def _demand_table(states):
    header = ["states", "machines", "CPU", "disk", "disk, time", "network"]
    header += ["network, time", "messages"]
    rows = [demand(states, n, m) for n in STATES for m in MACHINES]
    return table(header, [_demand_line(row) for row in rows])


def _demand_line(row):
    return [
        f"{row['states']:.0e}".replace("e+", "e"),
        count(row["machines"]),
        duration(row["cpu_seconds"]),
        size(row["disk_bytes"]) + (" (full)" if row["disk_bytes"] > DISK_BYTES else ""),
        duration(row["disk_seconds"]),
        size(row["network_bytes"]),
        duration(row["network_seconds"]),
        f"{row['messages']:.1e}".replace("e+0", "e"),
    ]


def duration(number):
    """Write seconds in the unit that fits."""
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if number >= length:
            return f"{number / length:.2g} {unit}"
    return f"{number:.2g} s"


def size(number):
    """Write bytes in the unit that fits."""
    for unit, length in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if number >= length:
            return f"{number / length:.3g} {unit}"
    return f"{number:.0f} B"
