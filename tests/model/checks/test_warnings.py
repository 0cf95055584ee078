"""What may be said but can hardly be meant."""

import pytest

from branchwise.model.action import Action, Given
from branchwise.model.problem import Reward
from problems.scanning import OPEN, SCAN, exploit, needing, warnings_of


def test_no_rewards_is_one_warning():
    [(path, what)] = warnings_of([SCAN, exploit()], [])
    assert path == ("rewards",)
    assert what == "there are no rewards: the best plan is to do nothing"


def test_unused_actions_are_those_that_lead_to_no_reward():
    """`wait` is named only by `exploit`, which no reward names."""
    wait = Action("wait", outcomes={"done": 1})
    found = warnings_of([SCAN, wait, exploit(requires="wait")], OPEN)
    assert [path for path, _ in found] == [("actions", "wait"), ("actions", "exploit")]
    assert all("is unused" in what for _, what in found)


@pytest.mark.parametrize(
    "options",
    [
        {"requires": "exploit=shell"},
        {"precluded_by": "exploit=shell"},
        {"given": [Given("exploit=shell", cost=0)]},
    ],
)
def test_an_action_that_changes_one_that_counts_is_used(options):
    scan = Action("scan", outcomes={"open": 1}, **options)
    assert warnings_of([scan, exploit()], OPEN) == []


def test_certain_and_impossible_outcomes():
    sure = Action("scan", outcomes={"open": 1, "closed": 0})
    assert warnings_of([sure], OPEN) == [
        (
            ("actions", "scan", "outcomes"),
            "`open` is certain: `closed` cannot happen",
        )
    ]
    odd = Action("scan", outcomes={"open": "0.5", "closed": "0.5", "filtered": 0})
    [(_, what)] = warnings_of([odd], OPEN)
    assert what == "`filtered` cannot happen: the probability is 0"
    given = [Given("scan", outcomes={"closed": 1})]
    changing = Action(
        "scan", outcomes={"open": 1, "closed": 0}, attempts=2, given=given
    )
    assert warnings_of([changing], OPEN) == []
    assert warnings_of([Action("scan", outcomes={"open": 1})], OPEN) == []


def test_clauses_that_never_count():
    given = [
        Given("scan=open", cost=2),
        Given("scan=open", cost=3),
        Given("scan=open and not scan", cost=2),
        Given("always", cost=4),
        Given("scan=closed", cost=5),
    ]
    action, rewards = needing(given=given)
    found = warnings_of([SCAN, action], rewards)
    assert [path[3:] for path, _ in found] == [(1, "when"), (2, "when"), (4, "when")]
    assert "clause 1 comes before it and has the same condition" in found[0][1]
    assert "clause 4 comes before it and always holds" in found[2][1]


def test_of_two_rewards_for_the_same_the_smaller_never_counts():
    rewards = [Reward("scan=open", 5), *OPEN, Reward("scan=open", 7)]
    found = warnings_of([SCAN], rewards)
    assert [path for path, _ in found] == [
        ("rewards", 0, "value"),
        ("rewards", 2, "value"),
    ]
    assert warnings_of([SCAN], rewards, combine="sum") == []


def test_a_reward_of_nothing():
    [(path, _)] = warnings_of([SCAN], [*OPEN, Reward("scan=closed", 0)])
    assert path == ("rewards", 1, "value")
