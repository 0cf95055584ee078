"""No certificate proves what was once said of problems that smallest sets get wrong."""

import json
from dataclasses import replace

import pytest

import branchwise
from branchwise.certificate.checker import RejectedError, check
from opened_sooner import OPENED_SOONER


@pytest.fixture(params=OPENED_SOONER)
def case(request):
    return OPENED_SOONER[request.param]


@pytest.fixture
def document(case):
    problem = branchwise.read_text(case.text)
    return json.loads(branchwise.certify(problem).text())


def test_the_checker_accepts_what_the_reference_finds(case, document):
    problem = branchwise.read_text(case.text)
    exact = branchwise.solve(problem, engine="reference", exact=True).expected_reward

    assert exact == case.right
    assert check(json.dumps(document)) == (case.right, case.right)


def test_the_checker_rejects_what_was_said(case, document):
    assert case.wrong < case.right
    document["claim"] = dict.fromkeys(("at_least", "at_most"), str(case.wrong))

    with pytest.raises(RejectedError, match="at_most: the bounds prove no less than"):
        check(json.dumps(document))


def test_the_checker_rejects_bounds_that_leave_the_opener_out(case, document):
    """They prove something of the problem without it, and nothing of this one."""
    problem = branchwise.read_text(case.text)
    actions = [
        replace(action, requires=branchwise.any_of())
        if action.name == case.opener
        else action
        for action in problem.actions
    ]
    without = branchwise.certify(replace(problem, actions=tuple(actions)))
    assert without.upper_bound < case.right

    lame = json.loads(without.text())
    with pytest.raises(RejectedError):
        check(json.dumps(lame | {"problem": document["problem"]}))
