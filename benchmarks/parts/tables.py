"""
The paper's Tables 1 and 2 beside ours: each engine on the eleven problems.

The paper's problems are not published, so its figures are for others of the same size;
see `instances.py`.
"""

from clock import fastest
from page.results_page import count, machine_text, seconds, table, times
from registry.instances import TABLE_1

from branchwise import solve

MOST_FOR_REFERENCE = {"quick": 20_000, "usual": 200_000, "full": 10**9}
"""Larger full graphs take the engine `reference` minutes."""

ENGINES = ("reference", "paper", "canonical")
LARGE_HALF = sorted(TABLE_1, key=lambda i: -i.counts.full_graph_states)[:5]


def measure(effort):
    """Solve each problem with every engine; give a row per problem."""
    rows = []
    for instance in TABLE_1:
        print(f"  {instance}", flush=True)
        rows.append(_row(instance, effort))
    return {"rows": rows}


def _row(instance, effort):
    problem = instance.problem()
    repeats = 1 if effort == "quick" else 5
    runs = {
        "canonical": {"engine": "canonical"},
        "canonical, one thread": {"engine": "canonical", "num_threads": 1},
        "canonical, exhaustive": {"engine": "canonical", "search": "exhaustive"},
        "canonical, best-first": {"engine": "canonical", "search": "best-first"},
        "paper": {"engine": "paper"},
        "paper, one thread": {"engine": "paper", "num_threads": 1},
    }
    if effort != "quick" or instance.counts.full_graph_states < 200_000:
        runs["paper, naive"] = {"engine": "paper", "naive": True}
    if instance.counts.full_graph_states <= MOST_FOR_REFERENCE[effort]:
        runs["reference"] = {"engine": "reference"}
    row = {"name": instance.name, "actions": len(problem.actions)}
    row["budget"] = int(problem.budget["budget"])
    for name, options in runs.items():
        row[name] = _run(problem, options, repeats)
        missed = abs(row[name]["value"] - float(instance.expected_reward))
        assert missed < 1e-12, f"{name} is wrong about {instance} by {missed}"
    return row


def _run(problem, options, repeats):
    took = fastest(lambda: solve(problem, verify=False, **options), repeats=repeats)
    found = took.answer.statistics
    return {
        **took.times(),
        "value": float(took.answer.expected_reward),
        "status": took.answer.status.value,
        "sets": found.rewarding_sets,
        "states": found.full_graph_states,
        "reduced": found.reduced_graph_states,
        "nodes": found.tree_nodes,
        "expanded": found.expanded_states,
        "num_bytes": found.num_bytes,
        "stages": {
            "sets": found.seconds.rewarding_sets,
            "full": found.seconds.full_graph,
            "reduced": found.seconds.reduced_graph,
            "tree": found.seconds.tree,
        },
    }


def blocks(found):
    """Show what was found, by marker of the page."""
    rows = list(zip(TABLE_1, found["rows"], strict=True))
    return {
        "machine": machine_text(found["machine"]),
        "table 1": _table_1(rows),
        "table 2": _table_2(rows),
        "canonical": _canonical(rows),
        "paper engine": _paper_engine(rows),
    }


def _table_1(rows):
    header = ["", "N", "B", "value", "T sets", "T FG", "T RG", "T DT", "T total"]
    header += ["FG", "RG", "DT", "sets"]
    lines = []
    for index, (instance, row) in enumerate(rows):
        paper = instance.paper
        head = [row["actions"], row["budget"]]
        lines.append([f"{index}, paper's", *head, *_paper_cells(paper)])
        lines += [
            [f"`{engine}`", *head, *_our_cells(row[engine])]
            for engine in ENGINES
            if engine in row
        ]
    return table(header, lines)


def _table_2(rows):
    header = ["", "N", "B", "value", "T FG", "T RG", "T DT", "T total"]
    header += ["FG", "RG", "DT"]
    lines = []
    for index, (instance, row) in enumerate(rows):
        paper, head = instance.paper, [row["actions"], row["budget"]]
        if paper.naive_counts:
            cells = _cells(
                paper.expected_reward, paper.naive_seconds, paper.naive_counts
            )
            lines.append([f"{index}, paper's", *head, *_without_sets(cells)])
        if "paper, naive" in row:
            name = "`paper`" if paper.naive_counts else f"{index}, `paper`"
            lines.append([name, *head, *_without_sets(_our_cells(row["paper, naive"]))])
    return table(header, lines)


def _without_sets(cells):
    return [cells[0], *cells[2:-1]]


def _paper_cells(paper):
    return _cells(paper.expected_reward, paper.seconds, paper.counts)


def _cells(value, took, counts):
    stages = [took.rewarding_sets, took.full_graph, took.reduced_graph, took.tree]
    return [
        value,
        *map(seconds, [*stages, took.total]),
        *map(count, [counts.full_graph_states, counts.reduced_graph_states]),
        *map(count, [counts.tree_nodes, counts.rewarding_sets]),
    ]


def _our_cells(run):
    stages = run["stages"]
    shown = [stages[name] or None for name in ("sets", "full", "reduced", "tree")]
    counts = [run[name] for name in ("states", "reduced", "nodes", "sets")]
    value = f"{run['value']:.6f}"
    return [value, *map(seconds, [*shown, run["seconds"]]), *map(count, counts)]


def _canonical(rows):
    header = ["", "full graph, paper's way", "canonical states", "fewer by"]
    header += ["expanded best first", "seconds", "one thread", "best first"]
    header += ["faster than the paper"]
    lines = []
    for index, (instance, row) in enumerate(rows):
        run, searched = row["canonical"], row["canonical, best-first"]
        full = instance.counts.full_graph_states
        lines.append(
            [
                index,
                count(full),
                count(run["states"]),
                times(full / run["states"]),
                count(searched["expanded"]),
                seconds(run["seconds"]),
                seconds(row["canonical, one thread"]["seconds"]),
                seconds(searched["seconds"]),
                times(instance.paper.seconds.total / run["seconds"]),
            ]
        )
    return table(header, lines)


def _paper_engine(rows):
    header = ["", "N", "`reference`, states/s", "`paper`, states/s", "faster by"]
    header += ["with one thread", "finding the full graph", "than the paper by"]
    header += ["naive, states/s", "bytes per state", "naive"]
    lines = []
    for index, (instance, row) in enumerate(rows):
        published = instance.paper.counts.full_graph_states
        names = ("reference", "paper", "paper, naive", "paper, one thread")
        slow, fast, naive, alone = map(row.get, names)
        rates = [_rate(run) for run in (slow, fast, naive)]
        lines.append(
            [
                index,
                row["actions"],
                count(rates[0] and round(rates[0])),
                count(round(rates[1])),
                times(rates[0] and rates[1] / rates[0]),
                times(slow and slow["cpu_seconds"] / alone["cpu_seconds"]),
                times(slow and slow["stages"]["full"] / alone["stages"]["full"]),
                times(rates[1] / published * instance.paper.seconds.total),
                count(rates[2] and round(rates[2])),
                *map(_bytes_per_state, (fast, naive)),
            ]
        )
    return table(header, lines)


def _rate(run):
    """Return the states of the full graph by all the time it took, sets included."""
    return run and run["states"] / run["seconds"]


def _bytes_per_state(run):
    if not run or not run["num_bytes"]:
        return None
    return round(run["num_bytes"] / run["states"])
