"""What-ifs: the answers of separate solves, in order, whatever the threads."""

import json
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Event, Timer

import pytest

from branchwise import LimitError, Status, read, read_text, solve
from branchwise.analysis import WhatIfs
from branchwise.analysis.parameter import parameters
from branchwise.model.conditions.condition import NEVER
from branchwise.tree import Progress, Stage
from problems.paper import illustrative
from problems.strategies import seeded_documents

HARD = Path(__file__).parents[2] / "benchmarks" / "instances" / "hard-60.yaml"


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def variations(problem):
    """Fewer resources, other weights, actions removed or freed."""
    yield problem
    yield replace(problem, cost_weight=type(problem.cost_weight)({}))
    for action in problem.actions:
        yield problem.with_action(replace(action, requires=NEVER))
        yield problem.with_action(replace(action, precluded_by=NEVER))


@pytest.mark.parametrize("num_threads", [1, 2])
def test_values_are_those_of_separate_solves(num_threads):
    for document in seeded_documents(25, "what if", max_states=300):
        problem = problem_of(document)
        asked = list(variations(problem))

        found = WhatIfs(problem, num_threads=num_threads).values(asked)

        assert found == pytest.approx(
            [float(solve(each).expected_reward) for each in asked], abs=1e-9
        ), document["name"]


def test_solutions_come_in_the_order_of_the_questions():
    budgets = [3, 6, 4, 3, 5]
    what_ifs = WhatIfs(illustrative(6), num_threads=2)

    found = what_ifs.solve(illustrative(budget) for budget in budgets)

    assert [each.tree.num_nodes for each in found] == [11, 33, 15, 11, 23]


def test_a_difference_that_is_rounding_is_none():
    problem = illustrative()
    first, *others = problem.actions
    third = replace(first, outcomes=tuple(reversed(first.outcomes)))

    gains = WhatIfs(problem).gains([replace(problem, actions=(third, *others))])

    assert gains == [0.0]


def test_progress_counts_what_is_solved():
    reported = []
    what_ifs = WhatIfs(illustrative(), progress=reported.append)
    what_ifs.values([illustrative(budget) for budget in (3, 4, 5)])

    counted = [each for each in reported if each.stage is Stage.WHAT_IFS]
    assert counted == [
        Progress(Stage.WHAT_IFS, number, num_all=3) for number in (0, 1, 2)
    ]


def certainties(problem):
    """Probabilities at both ends of what they may be."""
    for each in parameters(problem):
        if each.kind == "probability":
            yield each.changed(problem, Fraction(0))
            yield each.changed(problem, Fraction(1))


def test_plans_start_as_those_of_separate_solves_where_probabilities_are_certain():
    for document in seeded_documents(25, "certain", max_states=300):
        problem = problem_of(document)
        asked = list(certainties(problem))

        found = WhatIfs(problem, num_threads=1).starts(asked)

        for start, changed in zip(found, asked, strict=True):
            solution = solve(changed)
            worth = float(solution.expected_reward)
            assert start.expected_reward == pytest.approx(worth, abs=1e-9)
            assert start.first_action == solution.first_action, document["name"]


def test_a_plan_that_is_not_proven_is_no_base():
    what_ifs = WhatIfs(read(HARD), time_limit_seconds=0.3)

    assert what_ifs.solution.status is Status.TIME_LIMIT
    with pytest.raises(LimitError, match="could not be proven in the time"):
        what_ifs.values([what_ifs.problem.with_budget(3)])


def test_a_cancelled_analysis_ends_like_ctrl_c():
    problem, cancel = illustrative(), Event()
    what_ifs = WhatIfs(problem, cancel=cancel, num_threads=1)
    hard = read(HARD)
    Timer(0.5, cancel.set).start()
    start = time.monotonic()

    with pytest.raises(KeyboardInterrupt):
        what_ifs.solve([hard, hard.with_budget(14)])

    assert time.monotonic() - start < 15
    cancel.clear()
    assert what_ifs.values([problem]) == [pytest.approx(8.43672)]
