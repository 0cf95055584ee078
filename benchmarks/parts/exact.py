"""What an exact answer takes, beside one in floats."""

from fractions import Fraction

from clock import fastest
from page.results_page import count, seconds, table, times
from registry.instances import HARD, MIXED, MIXED_EASY, STORM, TABLE_1

from branchwise import solve

CHOSEN = {
    "quick": (*TABLE_1[4:], *STORM[:4], *MIXED_EASY[:4]),
    "usual": (*TABLE_1, *STORM, *MIXED, HARD[0]),
    "full": (*TABLE_1, *STORM, *MIXED, HARD[0]),
}


def measure(effort):
    """Solve each problem in floats and in fractions, in turns."""
    rows = []
    for instance in CHOSEN[effort]:
        rows.append(_row(instance))
        ratio = rows[-1]["exact"] / rows[-1]["floats"]
        print(f"  {instance.name}: {ratio:.1f} times", flush=True)
    return {"rows": rows}


def _row(instance):
    problem = instance.problem()

    def taken(*, exact):
        return fastest(lambda: solve(problem, exact=exact, num_threads=1, verify=False))

    floats, exact = taken(exact=False), taken(exact=True)
    answer = exact.answer
    assert answer.engine == "canonical", answer.reason
    assert isinstance(answer.expected_reward, Fraction)
    if instance.expected_reward is not None:
        assert answer.expected_reward == instance.expected_reward, instance
    return {
        "name": instance.name,
        "states": answer.statistics.full_graph_states,
        "reduced": answer.statistics.reduced_graph_states,
        "digits": len(str(answer.expected_reward.denominator)),
        "floats": floats.cpu_seconds,
        "exact": exact.cpu_seconds,
    }


def blocks(found):
    """Show both times, and how many times the one the other is."""
    header = [
        "problem", "canonical states", "on optimal plans", "digits of the denominator",
        "floats", "fractions", "times",
    ]  # fmt: skip
    lines = [
        [
            row["name"],
            count(row["states"]),
            count(row["reduced"]),
            row["digits"],
            f"{seconds(row['floats'])} s",
            f"{seconds(row['exact'])} s",
            times(row["exact"] / row["floats"]),
        ]
        for row in found["rows"]
    ]
    return {"exact": table(header, lines)}
