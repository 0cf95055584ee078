"""
A program of a user, in which `mypy --strict` and `pyright` find nothing.

`make lint` checks it against the sources, and the workflow of the wheels against what
is installed, where only the stubs and `py.typed` tell of types.
"""

from fractions import Fraction
from pathlib import Path
from typing import assert_type

import branchwise
from branchwise import Action, Given, Problem, Reward, Solution, Status
from branchwise.analysis import Analysis
from branchwise.errors import Issue


def planned() -> Solution:
    """Build a problem and solve it."""
    test = Action("test", cost=10, outcomes={"good": 0.4, "bad": "rest"})
    drill = Action(
        "drill",
        cost=70,
        requires=test["good"] | test["bad"],
        outcomes={"oil": "1/5", "dry": "rest"},
        given=[Given(test["good"], outcomes={"oil": 0.6, "dry": "rest"})],
    )
    problem = Problem([test, drill], [Reward(drill["oil"], 200)], budget=100)
    return branchwise.solve(problem, exact=True, time_limit_seconds=5)


def stated() -> list[object]:
    """Write numbers as one likes: type checkers know what is meant."""
    return [
        Problem([], parameters={"p": 0.3, "q": "1/2"}, budget={"days": 3, "km": "1/2"}),
        branchwise.UtilityTable({0: 0, "1/2": 0.5}),
        branchwise.Hidden("ore", outcomes={"rich": 0.4, "poor": "rest"}),
        branchwise.Defense("fence", changes={"drill": {"oil": 0.1, "dry": "rest"}}),
    ]


def shown(solution: Solution, folder: Path) -> list[str]:
    """Ask the solution for all that a program may want."""
    assert_type(solution.first_action, str | None)
    assert_type(solution.status, Status)
    worth: float | Fraction = solution.expected_reward
    branchwise.render(solution, folder / "plan.html")
    lines = [*branchwise.report.lines(solution), f"{worth:.2f}"]
    assert_type(lines, list[str])
    return lines


def asked(problem: Problem) -> Analysis:
    """Ask questions of a problem."""
    explanation = branchwise.explain(problem, "drill")
    simulation = branchwise.simulate(problem, num_runs=100)
    worths: list[float | Fraction] = [explanation.best.value, simulation.mean]
    branchwise.render(explanation, Path(f"{worths[0]:.2f}.html"))
    return branchwise.analyze(problem, only=["criticality"])


def checked(path: Path) -> tuple[Problem | None, tuple[Issue, ...]]:
    """Read a file and say what is wrong with it."""
    try:
        return branchwise.read(path), ()
    except branchwise.FormatError as error:
        return None, error.issues
