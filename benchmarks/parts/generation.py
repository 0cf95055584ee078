"""
The canonical engine of the work tree against that of an earlier commit, in one run.

Both are built alike and take turns, each run in a process of its own; the best of
several rounds counts. So what else the machine does falls on both, and the ratios can
be trusted where the seconds cannot.
"""

import statistics
import time
from functools import partial
from operator import itemgetter

from builds import engine_build
from page.results_page import count, machine_text, seconds, table, write_results
from registry.instances import ADVISING, HARD, LARGE, MIXED, MIXED_HARD, STORM, TABLE_1

ROUNDS = {"quick": 1, "usual": 3, "full": 5}
PATIENCE_SECONDS = 90
"""What has taken longer than this is not measured once more."""
SEARCHES = ("auto", "exhaustive", "best-first")
MOST_TIMES = 5
"""A search that takes so many times as long as the best one is cut off."""
SHARE_TO_FINISH = 0.2
"""What a run keeps of its time limit, at most, to put its plan together."""
LEAST_LIMIT_SECONDS = 2.0
MOST_SECONDS = 600
CPU = itemgetter("solve_cpu_seconds")
CLOCK = itemgetter("solve_seconds")
MARKS = (1, 5, 10)
OPTIMA = {"hard-60": 31.482, "hard-100": 36.0688}
"""What the best plans are worth, to the digits given."""
TOLERANCE = 1e-9

EXPLORED = {
    "quick": (*TABLE_1[-3:], *MIXED[:2]),
    "usual": (*TABLE_1, *STORM, *MIXED, *ADVISING, HARD[0]),
    "full": (*TABLE_1, *STORM, *MIXED, *ADVISING, HARD[0]),
}
SEARCHED = {effort: (*chosen, *LARGE) for effort, chosen in EXPLORED.items()}
EARLY = {"quick": HARD[:1], "usual": HARD, "full": HARD}
MOST_CONDITIONED = MIXED_HARD[8]
_THREADED = (
    ("exhaustive", (HARD[0], MOST_CONDITIONED, *ADVISING[:2])),
    ("best-first", (LARGE[2], STORM[-2])),
    ("auto", (HARD[0],)),  # which it deepens
)
THREADED = {
    "quick": (("exhaustive", MIXED[:1]), ("best-first", TABLE_1[2:3])),
    "usual": _THREADED,
    "full": (("exhaustive", MIXED_HARD), *_THREADED),
}
"""By search, the problems that two threads are tried on."""


def measure(effort):
    """Build both, let them take turns in each part, and write down what is known."""
    builds = {"before": engine_build.baseline(), "after": engine_build.work_tree()}
    rounds = ROUNDS[effort]
    parts = {
        "exploring": lambda: exploring(builds, EXPLORED[effort], rounds),
        "auto": lambda: choosing(builds["after"], SEARCHED[effort], rounds),
        "early": lambda: early(builds, EARLY[effort], rounds),
        "threads": lambda: threads(builds, THREADED[effort], rounds),
    }
    found = {"baseline": engine_build.BASELINE[:7]}
    for name, part in parts.items():
        print(f"  {name}:", flush=True)
        found[name] = part()
        # This takes long; what is known stays known if it is ended.
        write_results("generation", {"effort": effort, **found})
    return found


def in_turns(runs, rounds, key):
    """
    Do all of several things in turn, and give of each the run that took least.

    Examples
    --------
    >>> ahead = iter([3, 1, 2, 5])
    >>> in_turns({"a": lambda: next(ahead), "b": lambda: next(ahead)}, 2, abs)
    {'a': 2, 'b': 1}
    """
    begin = time.perf_counter()
    best = {}
    for _ in range(rounds):
        for name, run in runs.items():
            found = run()
            if name not in best or key(found) < key(best[name]):
                best[name] = found
        if time.perf_counter() - begin > PATIENCE_SECONDS:
            break
    return best


def _text(instance):
    return instance.file.read_text(encoding="utf-8")


def exploring(builds, chosen, rounds):
    """Explore every state with one thread, before and after."""
    rows = []
    for instance in chosen:
        runs = {
            name: partial(explore, build, _text(instance), 1)
            for name, build in builds.items()
        }
        found = in_turns(runs, rounds, CPU)
        check_same(instance, found)
        rows.append({"name": instance.name, **found})
        print(f"    {instance}: {_faster(found, CPU):.2f} times as fast", flush=True)
    return rows


def explore(build, text, num_threads):
    """Explore all states of a problem."""
    return build.solve(text, search="exhaustive", num_threads=num_threads)


def check_same(instance, found):
    """Make sure that both have found the same, and what the registry says."""
    before, after = found["before"], found["after"]
    for each in (before, after):
        assert each["status"] == "optimal", f"{instance}: {each['status']}"
    states = before["num_states"], after["num_states"]
    assert states[0] == states[1], f"{instance}: {states} states"
    values = [before["value"], after["value"]]
    if instance.expected_reward is not None:
        values.append(float(instance.expected_reward))
    assert max(values) - min(values) < TOLERANCE, f"{instance}: {values}"


def choosing(build, chosen, rounds):
    """Let `auto` and both searches solve each problem, with one thread."""
    rows = []
    for instance in chosen:
        found = in_turns(_searches(build, instance), rounds, CPU)
        rows.append({"name": instance.name, "searches": found})
        ratio = to_best(rows[-1])
        shown = "cut off" if ratio is None else f"{ratio:.2f} times the best"
        print(f"    {instance}: auto {shown}", flush=True)
    return rows


def _searches(build, instance):
    """
    Give the searches to run, none for much longer than the best before it.

    But `auto` has all the time there is, as a time limit changes what it does.
    """
    text, known = _text(instance), {}

    def run(search):
        if search in known and known[search]["is_cut_off"]:
            return known[search]
        done = [CPU(found) for found in known.values() if not found["is_cut_off"]]
        limit = MOST_SECONDS if search == "auto" else time_limit(done)
        how = {"search": search, "num_threads": 1, "time_limit_seconds": limit}
        found = build.solve(text, **how)
        found["is_cut_off"] = found["status"] != "optimal"
        if search in known and found["is_cut_off"]:
            return known[search]
        known[search] = found
        return found

    return {search: partial(run, search) for search in SEARCHES}


def time_limit(done):
    """
    Give the time for another search after some are done, so many seconds each.

    Examples
    --------
    >>> time_limit([]), time_limit([0.01]), time_limit([16, 20])
    (600, 2.0, 100.0)
    """
    if not done:
        return MOST_SECONDS
    limit = MOST_TIMES * min(done) / (1 - SHARE_TO_FINISH)
    return min(max(limit, LEAST_LIMIT_SECONDS), MOST_SECONDS)


def to_best(row):
    """Return the time of `auto` by that of the best search; None if not known."""
    searches = row["searches"]
    others = [searches[name] for name in SEARCHES[1:]]
    done = [CPU(found) for found in others if not found["is_cut_off"]]
    if not done or searches["auto"]["is_cut_off"]:
        return None
    return CPU(searches["auto"]) / min(done)


def early(builds, chosen, rounds, marks=MARKS):
    """Look at the plan in hand after some seconds, with all threads there are."""
    rows = []
    for instance in chosen:
        for mark in marks:
            runs = {
                name: partial(
                    build.solve, _text(instance), repeats=1, time_limit_seconds=mark
                )
                for name, build in builds.items()
            }
            # The best plan is that of the run that other work has held up least.
            found = in_turns(runs, rounds, lambda plan: -plan["value"])
            rows.append({"name": instance.name, "seconds": mark, **found})
            shown = " and ".join(f"{plan['value']:.4f}" for plan in found.values())
            print(f"    {instance} after {mark:g} s: {shown}", flush=True)
    return rows


def threads(builds, chosen, rounds):
    """Solve with one thread and with two, by the clock."""
    rows = []
    for search, instances in chosen:
        for instance in instances:
            runs = {
                f"{name}, {number}": partial(
                    build.solve, _text(instance), search=search, num_threads=number
                )
                for name, build in builds.items()
                for number in (1, 2)
            }
            found = in_turns(runs, rounds, CLOCK)
            rows.append({"name": instance.name, "search": search, **found})
            gained = [f"{two_threads(rows[-1], name):.2f}" for name in builds]
            print(f"    {instance}, {search}: faster by {' and '.join(gained)}")
    return rows


def two_threads(row, name):
    """Say how many times faster two threads are than one."""
    return CLOCK(row[f"{name}, 1"]) / CLOCK(row[f"{name}, 2"])


def blocks(found):
    """Show what was found, by marker of the page; parts not measured are left."""
    tables = {
        "exploring": _exploring_table,
        "auto": _auto_table,
        "early": _early_table,
        "threads": _threads_table,
    }
    shown = {
        f"generation {name}": write(found[name])
        for name, write in tables.items()
        if name in found
    }
    if "machine" in found:
        shown["generation machine"] = (
            f"Baseline: commit {found['baseline']}. {machine_text(found['machine'])}"
        )
    return shown


def _faster(row, key):
    return key(row["before"]) / key(row["after"])


def _exploring_table(rows):
    header = ["", "states", "before, states/s", "after, states/s", "faster by"]
    header += ["exploring alone", "bytes per state before", "after"]
    lines = [
        [
            row["name"],
            count(row["after"]["num_states"]),
            *(count(_speed(row[name])) for name in ("before", "after")),
            _two_digits(_faster(row, CPU)),
            _two_digits(_faster(row, itemgetter("explore_seconds"))),
            *(_bytes_per_state(row[name]) for name in ("before", "after")),
        ]
        for row in rows
    ]
    ratios = [_faster(row, CPU) for row in rows]
    return "\n\n".join([table(header, lines), _spread("Faster", ratios)])


def _speed(found):
    return round(found["num_states"] / CPU(found))


def _bytes_per_state(found):
    return round(found["num_bytes"] / found["num_states"])


def _spread(what, ratios):
    """
    Say in a sentence how ratios spread.

    Examples
    --------
    >>> _spread("Faster", [2, 8, 4])
    'Faster by 4.00x in the middle, 2.00x at least and 8.00x at most.'
    """
    middle, least, most = (
        _two_digits(choose(ratios)) for choose in (statistics.median, min, max)
    )
    return f"{what} by {middle} in the middle, {least} at least and {most} at most."


def _auto_table(rows):
    header = ["", *(f"`{search}`, s" for search in SEARCHES), "`auto` by the best"]
    lines = [
        [
            row["name"],
            *(_cpu_text(row["searches"][search]) for search in SEARCHES),
            _two_digits(to_best(row)),
        ]
        for row in rows
    ]
    known = [ratio for row in rows if (ratio := to_best(row)) is not None]
    if not known:
        return table(header, lines)
    worst = f"{_two_digits(max(known))} at most"
    text = f"`auto` takes {_two_digits(statistics.median(known))} of the best in the "
    return "\n\n".join([table(header, lines), f"{text}middle, and {worst}."])


def _cpu_text(found):
    more = "more than " if found["is_cut_off"] else ""
    return f"{more}{seconds(CPU(found))}"


def _two_digits(ratio):
    return None if ratio is None else f"{ratio:.2f}x"


def _early_table(rows):
    header = ["", "after, s", "plan before", "plan after", "bound before"]
    header += ["bound after", "share of the optimum before", "after"]
    lines = []
    for row in rows:
        plans = [row["before"], row["after"]]
        optimum = OPTIMA.get(row["name"])
        lines.append(
            [
                row["name"],
                f"{row['seconds']:g}",
                *(f"{plan['value']:.4f}" for plan in plans),
                *(f"{plan['upper_bound']:.4f}" for plan in plans),
                *(_share(plan["value"], optimum) for plan in plans),
            ]
        )
    return table(header, lines)


def _share(value, optimum):
    return None if optimum is None else f"{value / optimum:.1%}".replace("%", " %")


def _threads_table(rows):
    header = ["", "search", "states"]
    header += ["before, 1 thread, s", "2 threads, s", "faster by"]
    header += ["after, 1 thread, s", "2 threads, s", "faster by"]
    lines = []
    for row in rows:
        line = [row["name"], f"`{row['search']}`"]
        line.append(count(row["after, 1"]["num_states"]))
        for name in ("before", "after"):
            line += [seconds(CLOCK(row[f"{name}, {number}"])) for number in (1, 2)]
            line.append(_two_digits(two_threads(row, name)))
        lines.append(line)
    return table(header, lines)
