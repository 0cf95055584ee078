"""No certificate proves what was once said of problems that smallest sets get wrong."""

import json
from dataclasses import replace

import pytest

import branchwise
from branchwise.certificate.checker import RejectedError, check
from problems.counterexamples import COUNTEREXAMPLES, WRONG_VALUES


@pytest.fixture(params=WRONG_VALUES)
def case(request):
    return COUNTEREXAMPLES[request.param]


@pytest.fixture
def document(case):
    problem = branchwise.read_text(case.text)
    return json.loads(branchwise.certify(problem).text())


def test_the_checker_accepts_what_the_reference_finds(case, document):
    problem = branchwise.read_text(case.text)
    exact = branchwise.solve(problem, engine="reference", exact=True).expected_reward

    assert exact == case.value
    assert check(json.dumps(document)) == (case.value, case.value)


def test_the_checker_rejects_what_was_said(case, document):
    assert case.said < case.value
    document["claim"] = dict.fromkeys(("at_least", "at_most"), str(case.said))

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
    assert without.upper_bound < case.value

    lame = json.loads(without.text())
    with pytest.raises(RejectedError):
        check(json.dumps(lame | {"problem": document["problem"]}))
