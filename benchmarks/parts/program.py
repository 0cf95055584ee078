"""How long the score program takes, beside dynamic programming on the same states."""

from clock import fastest
from page.fit import fit
from page.plots import Series, chart
from page.results_page import ROOT, count, machine_text, seconds, table, times
from registry.instances import STORM, TABLE_1

from branchwise import LimitError, Solver, solve
from branchwise.program import score_program

PAGE = ROOT / "docs" / "explanation" / "score-program-measured.md"
TITLE = "Seconds to the scores of all states against the number of states"
METHODS = {
    "presolve": {"presolve": True},
    "interior point": {"presolve": False, "method": "ipm"},
    "simplex": {"presolve": False, "method": "simplex"},
}
"""The ways HiGHS goes; with presolve, nothing is left for a method to do."""

# One problem of 35 actions, and the paper's own full graphs of a few others.
LADDER = next(instance for instance in STORM if instance.name == "storm-35-15")
BUDGETS = {"quick": range(8, 13), "usual": range(8, 17), "full": range(8, 18)}
FULL = [i for i in TABLE_1 if i.name in ("table1-03", "table1-04", "table1-05")]
# Power laws are fitted to the rows from here on, and say what these sizes would take.
LARGE = 2_000
SIZES = (10_000, 100_000, 1_000_000)
LIMITS = {"quick": 20, "usual": 180, "full": 1800}


def measure(effort):
    """Go up the ladder, each method until it takes longer than the limit."""
    limit = LIMITS[effort]
    return {
        "time_limit_seconds": limit,
        "ladder": _rows([_canonical(b) for b in BUDGETS[effort]], limit),
        "full": _rows([_full(i) for i in FULL if effort != "quick"], limit),
    }


def _canonical(budget):
    """What to measure at a budget: the program of the canonical states."""
    problem = LADDER.problem().with_budget(budget)

    def prepared():
        stating = fastest(lambda: score_program(problem))
        solver = Solver(problem)
        solver.solve(search="exhaustive")
        again = fastest(lambda: solver.solve(search="exhaustive"))
        return stating, again

    return f"budget {budget}", prepared


def _full(instance):
    """What to measure of a problem: the program of the paper's full graph."""
    problem = instance.problem()

    def prepared():
        stating = fastest(lambda: score_program(problem, graph="full"))
        return stating, fastest(lambda: solve(problem, engine="paper", verify=False))

    return instance.name, prepared


def _rows(tasks, limit):
    rows, alive = [], dict(METHODS)
    for name, prepared in tasks:
        stating, dynamic = prepared()
        row = {
            "name": name,
            "states": stating.answer.num_columns,
            "rows": stating.answer.num_rows,
            "stating": stating.seconds,
            "dynamic programming": dynamic.seconds,
        }
        for method, options in list(alive.items()):
            found = _solved(stating.answer, dynamic.answer, options, limit)
            row[method] = found
            if found is None:
                del alive[method]
        rows.append(row)
        shown = [f"{m} {seconds(_taken(row, m))}" for m in METHODS]
        print(f"  {name}: {row['states']:,} states; {', '.join(shown)}", flush=True)
    return rows


def _solved(program, solution, options, limit):
    """Solve the program; None if that takes longer than the limit."""
    try:
        run = fastest(lambda: program.solve(time_limit_seconds=limit, **options))
    except LimitError:
        return None
    found = run.answer
    expected = float(solution.expected_reward)
    return {
        "seconds": run.seconds,
        "iterations": found.iterations,
        "nonzeros": found.num_nonzeros,
        "difference": abs(found.expected_reward - expected) / expected,
    }


def blocks(found):
    """Show the times, by marker of the page."""
    every = [row.get(m) for row in found["ladder"] + found["full"] for m in METHODS]
    known = [solved for solved in every if solved]
    off = max(solved["difference"] for solved in known)
    return {
        "machine": machine_text(found["machine"]),
        "ladder": _table(found["ladder"], "budget"),
        "full": _table(found["full"], "problem"),
        "laws": _laws(found["ladder"]),
        "agreement": "The expected rewards of the program and of the engines differ "
        f"by no more than {off:.0e} of themselves.",
        "limit": f"A method is left out once it has taken longer than "
        f"{found['time_limit_seconds']:,} seconds.",
    }


def _table(rows, first):
    lines = []
    for row in rows:
        presolved = row["presolve"]
        lines.append(
            [
                row["name"].removeprefix("budget "),
                count(row["states"]),
                count(row["rows"]),
                count(presolved and presolved["nonzeros"]),
                seconds(row["stating"]),
                seconds(row["dynamic programming"]),
                *(seconds(_taken(row, method)) for method in METHODS),
                times(_ratio(row)),
            ]
        )
    header = [first, "states", "rows", "nonzeros", "T states", "T dynamic"]
    header += [*(f"T {method}" for method in METHODS), "presolve / dynamic"]
    return table(header, lines)


def _taken(row, method):
    solved = row.get(method)
    return solved and solved["seconds"]


def _ratio(row):
    taken = _taken(row, "presolve")
    return taken and taken / row["dynamic programming"]


def _points(rows, method):
    """Give states and seconds, where the method came to its end."""
    return [(r["states"], _taken(r, method)) for r in rows if _taken(r, method)]


def _laws(rows):
    lines = []
    for method in METHODS:
        points = [point for point in _points(rows, method) if point[0] >= LARGE]
        if len(points) > 1:
            law = fit(points)
            guesses = (seconds(law(size)) for size in SIZES)
            lines.append([method, f"{law.slope:.2f}", *guesses])
    header = ["", "slope", *(f"{count(size)} states" for size in SIZES)]
    return table(header, lines)


def pictures(found):
    """Draw the ladder; names of files without their ending."""
    rows = found["ladder"]
    points = {method: _points(rows, method) for method in METHODS}
    points["dynamic"] = [(row["states"], row["dynamic programming"]) for row in rows]
    series = [Series(name, each, each) for name, each in points.items()]
    return {"score-program": chart(TITLE, series, x="states", y="seconds")}
