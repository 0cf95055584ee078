"""Every contradiction is found, at once, with its path, its value and its fix."""

import pickle
from fractions import Fraction

import pytest

from branchwise.errors import ProblemError
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import UNLIMITED
from branchwise.model.checks.validate import checked, validate
from branchwise.model.problem import Problem, Reward
from problems.scanning import OPEN, SCAN, exploit, needing, only_issue


def test_a_sound_problem_has_no_issues():
    action, rewards = needing(requires="scan=open", cost=2)
    problem = Problem([SCAN, action], rewards, budget=6)
    assert validate(problem) == ()
    assert checked(problem) is problem


def test_what_was_found_sound_is_not_checked_again_but_what_is_made_of_it_is():
    action, rewards = needing(requires="scan=open", cost=2)
    problem = Problem([SCAN, action], rewards, budget=6)
    assert not problem.is_known_sound
    checked(problem)
    assert problem.is_known_sound
    assert problem == Problem([SCAN, action], rewards, budget=6)
    assert pickle.loads(pickle.dumps(problem)) == problem
    changed = problem.with_action(exploit(requires="scna=open"))
    with pytest.raises(ProblemError, match="scna"):
        checked(changed)
    assert not changed.is_known_sound


def test_checked_raises_every_error_and_no_warning():
    problem = Problem([exploit(requires="scna=open", cost=-1)], [Reward("exploit", -1)])
    with pytest.raises(ProblemError) as caught:
        checked(problem)
    assert [issue.path for issue in caught.value.issues] == [
        ("actions", "exploit", "cost"),
        ("actions", "exploit", "requires"),
        ("rewards", 0, "value"),
    ]
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.issues == caught.value.issues
    checked(Problem([SCAN]))  # Only a warning: there are no rewards.


def test_errors_come_in_the_order_of_the_file_and_before_any_warning():
    actions = [
        exploit(cost={"mony": 1}),
        Action("wait", outcomes={"done": "0.5"}, cost={"days": 1}),
    ]
    problem = Problem(
        actions,
        [Reward("wait=dnoe", 1), Reward("wait", 0)],
        budget={"money": -1, "days": 2},
        combine="mean",
        cost_weight={"euros": 1},
    )
    assert [issue.path for issue in validate(problem)] == [
        ("budget", "money"),
        ("actions", "exploit", "cost", "mony"),
        ("actions", "wait", "outcomes"),
        ("rewards", 0, "when"),
        ("combine",),
        ("cost_weight", "euros"),
    ]


def test_where_is_the_path_with_dots():
    issue = only_issue(exploit(requires="scan=opne"))
    assert issue.where == "actions.exploit.requires"
    assert issue.culprit == "opne"


def test_clauses_are_held_to_the_same_probabilities():
    given = [
        Given("scan=open", outcomes={"shell": "0.5", "crash": "0.4"}),
        Given("scan=closed", outcomes={"shel": 1}),
        Given("scan"),
        Given("scan=opne", cost=-1),
    ]
    issues = validate(Problem([SCAN, exploit(given=given)], OPEN))
    assert [issue.path[3:] for issue in issues] == [
        (3, "cost"),
        (0, "outcomes"),
        (1, "outcomes", "shel"),
        (2,),
        (3, "when"),
    ]
    assert "did you mean `shell`?" in issues[2].what
    assert issues[3].what == "this clause changes nothing"


def test_duplicate_actions_and_labels():
    twice = (Outcome("oil", Fraction(1, 2)), Outcome("oil", Fraction(1, 2)))
    issues = validate(Problem([SCAN, SCAN, Action("drill", outcomes=twice)], OPEN))
    assert [issue.path for issue in issues] == [
        ("actions", "scan"),
        ("actions", "drill", "outcomes", "oil"),
    ]


def test_nothing_to_do_and_nothing_that_may_come_of_it():
    assert validate(Problem([]))[0].what == "there are no actions"
    assert only_issue(Action("drill", outcomes={})).what == "there are no outcomes"


@pytest.mark.parametrize("attempts", [0, -1, 1.5, 3.0, True, -UNLIMITED])
def test_attempts_are_whole_and_at_least_one(attempts):
    issue = only_issue(exploit(attempts=attempts))
    assert issue.path == ("actions", "exploit", "attempts")
    assert str(attempts) in issue.what


def test_negative_rewards_are_for_sums():
    rewards = [*OPEN, Reward("scan=closed", -5)]
    issue = only_issue(rewards=rewards)
    assert issue.path == ("rewards", 1, "value")
    assert issue.what == "-5 never pays under `combine: max`"
    assert validate(Problem([SCAN], rewards, combine="sum")) == ()
