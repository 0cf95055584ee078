"""What a robust plan takes, beside the nominal plan of the same problem."""

from clock import fastest
from page.results_page import count, seconds, table, times
from registry.instances import TABLE_1

from branchwise import Adversary, solve

PROBLEMS = {"quick": 3, "usual": 6, "full": len(TABLE_1)}
DISTANCE = "5%"
GAMMAS = (1, 2, 4, None)
SEARCHES = ("exhaustive", "best-first")


def measure(effort):
    """Solve each problem nominally and against adversaries, both ways."""
    rows = []
    for instance in TABLE_1[: PROBLEMS[effort]]:
        for search in SEARCHES:
            rows.append(_row(instance, search))
            shown = ", ".join(f"{spent:.2g}" for spent in rows[-1]["robust"].values())
            print(f"  {instance.name} {search}: {shown}", flush=True)
    return {"distance": DISTANCE, "rows": rows}


def _row(instance, search):
    problem = instance.problem()

    def taken(adversary):
        return fastest(
            lambda: solve(
                problem, search=search, adversary=adversary, num_threads=1, verify=False
            )
        )

    nominal = taken(None)
    robust = {
        str(gamma): taken(Adversary(gamma, DISTANCE)).cpu_seconds for gamma in GAMMAS
    }
    return {
        "name": instance.name,
        "search": search,
        "states": nominal.answer.statistics.full_graph_states,
        "nominal": nominal.cpu_seconds,
        "robust": robust,
    }


def blocks(found):
    """Show the times nominally, and how many times that a robust plan takes."""
    header = ["problem", "search", "canonical states", "nominal"]
    header += ["no limit" if gamma is None else f"gamma {gamma}" for gamma in GAMMAS]
    lines = [
        [
            row["name"],
            row["search"],
            count(row["states"]),
            f"{seconds(row['nominal'])} s",
            *(times(row["robust"][str(g)] / row["nominal"]) for g in GAMMAS),
        ]
        for row in found["rows"]
    ]
    return {"robust": table(header, lines)}
