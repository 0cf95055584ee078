"""Actions and rewards that no plan can reach, and what is said to stop them."""

from branchwise.model.action import Action
from branchwise.model.problem import Reward
from problems.scanning import OPEN, SCAN, needing, warnings_of


def test_a_budget_that_pays_for_nothing_is_one_warning():
    [(path, what)] = warnings_of([SCAN], OPEN, budget="0.5")
    assert path == ("budget",)
    assert what == "the budget of 0.5 cannot pay for any action"


def test_an_action_dearer_than_the_whole_budget():
    action, rewards = needing(cost=9)
    first, second = warnings_of([SCAN, action], rewards, budget=5)
    assert first == (
        ("actions", "exploit", "cost"),
        "`exploit` can never be taken: it costs 9, more than the whole budget of 5",
    )
    assert "depends on `exploit`, which can never be taken" in second[1]


def test_a_reward_dearer_than_the_whole_budget():
    action, rewards = needing(cost=5)
    [(path, what)] = warnings_of([SCAN, action], rewards, budget=5)
    assert path == ("rewards", 0, "when")
    assert "cost 6 together, more than the whole budget of 5" in what


def test_a_circle_of_prerequisites_is_named_once():
    actions = [
        Action("log in", outcomes={"ok": 1}, requires="password"),
        Action("mail", outcomes={"ok": 1}, requires='"log in"'),
        Action("password", outcomes={"ok": 1}, requires="mail"),
    ]
    [(path, what), _] = warnings_of(actions, [Reward("mail", 1)])
    assert path == ("actions", "log in", "requires")
    assert "`log in -> password -> mail -> log in`" in what
    assert what.endswith("each needs another first")


def test_a_circle_with_a_way_in_is_no_circle():
    actions = [
        Action("log in", outcomes={"ok": 1}, requires="password or phish"),
        Action("password", outcomes={"ok": 1}, requires='"log in"'),
        Action("phish", outcomes={"clicked": 1}),
    ]
    assert warnings_of(actions, [Reward("password", 1)]) == []
