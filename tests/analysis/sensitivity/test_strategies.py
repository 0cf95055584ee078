"""Strategy regions: what each first action is worth is what brute force says."""

import json
from collections import namedtuple

import pytest

from branchwise import analyze, read_text
from branchwise.analysis.parameter import find_parameter
from oracles.oracle import Oracle
from problems.profile_documents import document_of
from problems.strategies import seeded_documents

Column = namedtuple("Column", "parameter")  # as individuals have them


def test_every_first_action_is_worth_what_brute_force_says():
    """
    At the root, each step is worth what the oracle gains by it. Actions that no reward
    waits for are not looked at; no bound is below the truth, and the best is among all.
    """
    num_points = num_regions = 0
    for document in seeded_documents(4, "strategies", max_states=120, max_actions=5):
        problem = read_text(json.dumps(document), "json")
        found = analyze(problem, only=["strategies"])
        if "strategies" not in found.sections:
            continue
        for curve in found.sections["strategies"].curves[:2]:
            column = Column(find_parameter(problem, curve.parameter))
            for place in sorted({each.value for each in curve.points})[::6]:
                oracle = Oracle(document_of(document, {column: place}))
                gains = {s.action: oracle.gain(s) for s in oracle.steps(oracle.root)}
                gains[None] = oracle.reward(oracle.root)
                here = [each for each in curve.points if each.value == place]
                for each in here:
                    truth = float(gains[each.first_action])
                    if each.is_bound:
                        assert each.expected_reward >= truth - 1e-9
                    else:
                        assert each.expected_reward == pytest.approx(truth, abs=1e-9)
                best = max(each.expected_reward for each in here)
                assert best == pytest.approx(float(max(gains.values())), abs=1e-9)
                num_points += len(here)
            num_regions += len(curve.regions) > 1
    assert num_points > 25
    assert num_regions > 0


WAGER = """
budget: 1
actions:
  risky: {outcomes: {ok: 0.4, no: rest}}
  safe: {outcomes: {ok: 1}}
rewards: [{when: risky=ok, value: 10}, {when: safe=ok, value: 3}]
"""


def test_regions_are_worked_out_by_hand():
    """Risky is worth 10 p, safe 3: they change places at p = 0.3."""
    found = analyze(read_text(WAGER), only=["strategies"])
    curve = found.sections["strategies"].of("P(risky=ok)")

    regions = [(float(r.low), float(r.high), r.first_action) for r in curve.regions]
    assert regions == [
        (0, pytest.approx(0.3), "safe"),
        (pytest.approx(0.3), 1, "risky"),
    ]
    for point in curve.of("risky"):
        assert point.expected_reward == pytest.approx(10 * float(point.value))
    assert {point.expected_reward for point in curve.of("safe")} == {3}
    assert curve.first_actions[:2] == ["safe", "risky"]


def test_thresholds_that_change_the_first_action_come_first_and_are_mapped():
    """
    A cost of more than 1 is too much. Then p changes from 0.4 to 0.3 and 10 to 7.5, by
    a quarter each, and 3 to 4 by a third.
    """
    found = analyze(read_text(WAGER), only=["thresholds", "two-way"])
    ranked = [each.parameter for each in found.sections["thresholds"].ranked]
    mapped = found.sections["two-way"]

    assert set(ranked[1:3]) == {"P(risky=ok)", "reward of risky=ok"}
    assert {mapped.x_parameter, mapped.y_parameter} == set(ranked[1:3])
    assert mapped.is_nearest
    assert {cell.first_action for cell in mapped.cells} == {"risky", "safe"}
