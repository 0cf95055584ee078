"""Gains of lifted conditions: those of fresh solves, or between bounds around them."""

import json

import pytest

from branchwise import AnalysisOptions, WhatIfs, read_text, solve
from branchwise.analysis.critical_actions.criticality import criticality_section
from branchwise.analysis.critical_actions.lift_gains import lift_gains
from branchwise.analysis.critical_actions.lifting import lifts
from problems.strategies import seeded_documents


def problems(number, seed):
    for document in seeded_documents(number, seed, max_states=300):
        yield read_text(json.dumps(document), format="json")


def fresh_gains(problem, found):
    base = float(solve(problem).expected_reward)
    return [float(solve(each.problem).expected_reward) - base for each in found]


def test_without_a_limit_gains_are_those_of_fresh_solves():
    for problem in problems(25, "lifted"):
        found = list(lifts(problem))

        gains = lift_gains(WhatIfs(problem), found, {}, None)

        assert [each.lower for each in gains] == pytest.approx(
            fresh_gains(problem, found), abs=1e-9
        )
        assert all(each.lower == each.upper for each in gains)


@pytest.mark.parametrize("most_states", [1, 8, 40])
def test_with_few_states_gains_lie_between_the_bounds(most_states):
    for problem in problems(15, "lifted a little"):
        found = list(lifts(problem))

        gains = lift_gains(WhatIfs(problem), found, {}, most_states)

        for gain, exact in zip(gains, fresh_gains(problem, found), strict=True):
            assert gain.lower - 1e-9 <= exact <= gain.upper + 1e-9


def test_bounds_do_not_depend_on_the_number_of_threads():
    options = AnalysisOptions(most_states=60)
    for problem in problems(10, "lifted by two"):
        one, two = (
            criticality_section(WhatIfs(problem, num_threads=n), options)
            for n in (1, 2)
        )

        assert one == two
