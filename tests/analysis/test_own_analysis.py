"""Analyses of state spaces of one's own: each number is what brute force finds."""

from fractions import Fraction
from threading import Event

import pytest
from jsonschema import Draft202012Validator

from branchwise import Status, analyze, report, schema
from branchwise.analysis import risk_frontier
from problems.own_spaces import ArrayTrial, BoundedTrial, RandomSpace, Trial
from strict_schema import strict

near = pytest.approx


def varied(space, change):
    """What the best plan is worth where a change is made of each action's branches."""
    other = RandomSpace(0, space.num_states)
    other.rewards = space.rewards
    other.options = [
        [
            (name, branches, cost, charge)
            for name, given, cost, charge in options
            if (branches := change(name, given)) is not None
        ]
        for options in space.options
    ]
    return other.value(0)[0]


def always(action, label):
    def change(name, branches):
        sure = [
            (o, Fraction(1), child)
            for o, share, child in branches
            if o == label and share
        ]
        return sure if name == action and sure else branches

    return change


def labels_of(space, action):
    """The outcomes that an action may have, at the states that can be reached."""
    reached, found = {0}, set()
    for state in range(space.num_states):  # Actions lead to higher ones.
        for name, branches, *_ in space.options[state] if state in reached else ():
            reached |= {child for *_, child in branches}
            found |= {label for label, share, _ in branches if name == action and share}
    return found


def test_what_actions_mean_is_what_brute_force_finds():
    num_used = num_gains = 0
    for seed in range(40):
        space = RandomSpace(f"critical {seed}", num_states=9)
        found = analyze(space, only=["criticality"]).sections["criticality"]

        value = space.value(0)[0]
        assert found.expected_reward == near(float(value))
        for each in found.actions:
            without = varied(space, lambda n, b, a=each.action: b if n != a else None)
            assert each.loss_removed == near(float(value - without))
            gains = {
                label: float(varied(space, always(each.action, label)) - value)
                for label in labels_of(space, each.action)
            }
            assert each.gain_certain == near(max(gains.values()))
            assert each.gain_certain == near(gains[each.best_outcome])
            assert each.loss_failing == near(-min(gains.values()))
            assert each.loss_failing == near(-gains[each.worst_outcome])
            num_used += each.probability_used > 0
            num_gains += each.gain_certain > 0
    assert num_used > 40
    assert num_gains > 30


def test_risk_is_that_of_the_frontier_alone():
    space = RandomSpace("risky", num_states=10)

    risk = analyze(space).sections["risk"]

    for frontier in risk.frontiers:
        alone = risk_frontier(space, frontier.aim)
        assert [plan.worth for plan in frontier.plans] == near(
            [plan.worth for plan in alone.plans]
        )


@pytest.mark.parametrize("kind", [Trial, ArrayTrial, BoundedTrial])
def test_every_kind_of_space_has_text_page_data_and_tables(kind):
    found = analyze(kind(3))

    assert set(found.sections) == {"criticality", "risk"}
    assert next(iter(report.lines(found))) == "state space"
    assert "state space" in report.html(found)
    Draft202012Validator(strict(schema("analysis"))).validate(report.document(found))
    assert report.document(found)["problem"] == "state space"
    assert {table.name for table in report.tables(found)} >= {"criticality-actions"}


def test_what_only_problems_have_is_named_with_the_reason():
    found = analyze(Trial(2), only=["tornado", "risk"])

    assert set(found.sections) == {"risk"}
    assert "no named numbers" in found.unreached["tornado"]
    assert found.status is Status.OPTIMAL


def test_it_ends_at_a_limit_and_when_cancelled():
    stop = Event()
    stop.set()

    cancelled = analyze(Trial(4), cancel=stop)
    late = analyze(Trial(9), time_limit_seconds=0)

    assert cancelled.status is Status.INTERRUPTED
    assert set(cancelled.unreached) == {"criticality", "risk"}
    assert late.status is Status.TIME_LIMIT
    assert set(late.unreached) == {"criticality", "risk"}
    with pytest.raises(ValueError, match="`gap` takes a problem"):
        analyze(Trial(2), gap=0.1)
