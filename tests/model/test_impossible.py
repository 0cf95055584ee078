"""Actions and rewards that no plan can reach, and what is said to stop them."""

from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.model.validate import validate

SCAN = Action("scan", outcomes={"open": "0.3", "closed": "0.7"})
OPEN = [Reward("scan=open", 10)]


def exploit(**options):
    return Action("exploit", **{"outcomes": {"shell": "0.5", "crash": "0.5"}} | options)


def needing(name="exploit", **options):
    """Give an action whose success a reward needs, so that it is not unused."""
    return exploit(**options), [Reward(f"{name} and scan=open", 10)]


def warnings_of(actions, rewards, **options):
    issues = validate(Problem(actions, rewards, **options))
    assert all(issue.severity == "warning" for issue in issues), issues
    return [(issue.path, issue.what) for issue in issues]


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
