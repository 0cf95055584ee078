"""How many attacker's problems the best defenses take, beside trying every set."""

import time
from random import Random

from page.results_page import count, seconds, table

from branchwise import defend, generate, solve
from branchwise.model import defended

SEEDS = {"quick": 5, "usual": 10, "full": 30}
# Actions, budget, defenses, defender's budget.
SIZES = ((25, 15, 20, 5), (20, 12, 20, 5))
SAMPLE = 20


def measure(effort):
    """Defend random problems, and estimate what trying every set would take."""
    rows = []
    for size in SIZES:
        for seed in range(1, SEEDS[effort] + 1):
            rows.append(_row(size, seed))
            row = rows[-1]
            print(
                f"  {size}, seed {seed}: {row['solved']} of {row['sets']:,} sets, "
                f"{row['cpu_seconds']:.1f} s",
                flush=True,
            )
    return {"rows": rows}


def problem_of(size, seed):
    actions, budget, defenses, defense_budget = size
    return generate(
        actions, budget, seed=seed, defenses=defenses, defense_budget=defense_budget
    )


def _row(size, seed):
    problem = problem_of(size, seed)
    start, worked = time.perf_counter(), time.process_time()
    answer = defend(problem, worths=False)
    took, cpu_seconds = time.perf_counter() - start, time.process_time() - worked
    return {
        "size": list(size),
        "seed": seed,
        "before": float(answer.value_before),
        "after": float(answer.value),
        "chosen": len(answer.chosen),
        "nodes": answer.statistics.num_nodes,
        "solved": answer.statistics.num_solved,
        "sets": answer.statistics.num_sets,
        "seconds": took,
        "cpu_seconds": cpu_seconds,
        "cpu_seconds_of_one": _one(problem, seed),
    }


def _one(problem, seed):
    """What one attacker's problem takes, on average over random sets."""
    random = Random(f"defenses {seed}")
    names = [defense.name for defense in problem.defenses]
    worked = time.process_time()
    for _ in range(SAMPLE):
        chosen = random.sample(names, int(problem.defense_budget))
        solve(defended(problem, chosen), verify=False)
    return (time.process_time() - worked) / SAMPLE


def blocks(found):
    """Show what was found, by marker of the page."""
    header = ["actions", "defenses", "defender's budget", "problems", "sets each"]
    header += ["attacker's problems", "most", "s", "most, s", "every set, s"]
    lines = []
    for size in SIZES:
        rows = [row for row in found["rows"] if row["size"] == list(size)]
        every = [row["sets"] * row["cpu_seconds_of_one"] for row in rows]
        lines.append(
            [
                size[0],
                size[2],
                size[3],
                len(rows),
                count(rows[0]["sets"]),
                count(_median(row["solved"] for row in rows)),
                count(max(row["solved"] for row in rows)),
                seconds(_median(row["cpu_seconds"] for row in rows)),
                seconds(max(row["cpu_seconds"] for row in rows)),
                count(round(_median(every))),
            ]
        )
    return {"defenses": table(header, lines)}


def _median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
