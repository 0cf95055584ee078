"""A small problem of scanning and exploiting, for tests of what is wrong with it."""

from branchwise.model.action import Action
from branchwise.model.checks.validate import validate
from branchwise.model.problem import Problem, Reward

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


def only_issue(*actions, rewards=OPEN, **options):
    """Give the one issue of a problem that has exactly one."""
    issues = validate(Problem([SCAN, *actions], rewards, **options))
    assert len(issues) == 1, issues
    return issues[0]
