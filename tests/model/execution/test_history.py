"""Histories: what cannot have happened is refused, with the step and the reason."""

import pytest

from branchwise import read_text
from branchwise.errors import HistoryError
from branchwise.model import Happened, problem_after
from branchwise.model.execution.history import carried_out

PROBLEM = read_text("""
    budget: 6
    actions:
      scan: {cost: 2, outcomes: {open: 0.5, shut: rest}}
      enter:
        requires: scan=open
        outcomes: {in: 0.5, out: rest}
        given: [{when: alarm, outcomes: {out: 1}, cost: 2}]
      alarm: {precluded_by: enter=in, outcomes: {ring: 1}}
      probe: {attempts: 2, outcomes: {found: 0.5, nothing: rest}}
      dear: {cost: 5, outcomes: {done: 1}}
    rewards: [{when: enter=in, value: 10}]
    """)

REFUSED = {
    "scan=open, enter=in, alarm=ring": """\
history, step 3 `alarm=ring`: `alarm` is precluded by `enter=in`, which holds here
    fix: leave this out, or what rules it out""",
    "scan=shut, enter=in": """\
history, step 2 `enter=in`: `enter` requires `scan=open`, which does not hold here
    fix: say first what made it possible, or leave this out""",
    "scan=open, scan=shut": """\
history, step 2 `scan=shut`: `scan` can be taken once, and no attempt is left
    fix: leave this out, or raise `attempts`""",
    "probe=found, probe=found, probe=found": """\
history, step 3 `probe=found`: `probe` can be taken 2 times, and no attempt is left
    fix: leave this out, or raise `attempts`""",
    "scan=open, dear=done": """\
history, step 2 `dear=done`: `dear` costs 5, and 4 is left
    fix: raise the budget by 1""",
    "scna=open, enter=inn": """\
history, step 1 `scna=open`: there is no action `scna`; did you mean `scan`?
    fix: write `scan`
history, step 2 `enter=inn`: `enter` has no outcome `inn`; did you mean `in`?
    fix: write `in`""",
    "scan open": """\
history, character 6: `scan open` is no history: `open` is out \
of place: expected `=` and an outcome
    fix: write outcomes such as `a1=ok, a3=fail`; a name with spaces in quotes""",
}


@pytest.mark.parametrize("history", REFUSED)
def test_what_cannot_have_happened_is_refused_with_the_reason(history):
    with pytest.raises(HistoryError) as caught:
        problem_after(PROBLEM, history)

    assert str(caught.value) == REFUSED[history]


def test_an_outcome_that_has_probability_zero_there_is_refused():
    """The alarm leaves only one outcome, and needs the budget before it rings."""
    with pytest.raises(HistoryError) as caught:
        problem_after(PROBLEM, "alarm=ring, scan=open, enter=in, dear=done")

    assert str(caught.value).startswith(
        "history, step 3 `enter=in`: `enter=in` has probability 0 here\n"
        "    fix: what can come of `enter` is `out`"
    )


def test_another_order_is_taken_where_the_given_one_is_impossible():
    carried = carried_out(PROBLEM, "enter=out, alarm=ring, scan=open")

    events = [str(event) for event in carried.history]
    assert events == ["alarm=ring", "scan=open", "enter=out"]
    assert str(carried.state.left) == "1"


def test_the_order_given_decides_what_was_paid():
    """With the alarm entering costs 2, before it 1."""
    first = carried_out(PROBLEM, "scan=open, alarm=ring, enter=out")
    last = carried_out(PROBLEM, "scan=open, enter=out, alarm=ring")

    assert (str(first.state.left), str(last.state.left)) == ("1", "2")


def test_a_history_may_be_text_outcomes_or_several_of_them():
    whole = problem_after(PROBLEM, "scan=open, enter=out")

    assert problem_after(PROBLEM, ["scan=open", Happened("enter", "out")]) == whole
    assert problem_after(PROBLEM, ()) == problem_after(PROBLEM, "") == PROBLEM


def test_a_long_history_in_an_impossible_order_is_refused_in_time():
    """20 actions that would fit in any order, and one that never does."""
    actions = "".join(f"  a{i}: {{outcomes: {{x: 1}}}}\n" for i in range(20))
    problem = read_text(
        f"actions:\n{actions}  z: {{requires: not z, precluded_by: a0 or not a1, "
        "outcomes: {x: 1}}\n"
    )
    events = [f"a{i}=x" for i in range(20)]

    assert len(carried_out(problem, [*events, "z=x"]).history) == 21
    with pytest.raises(HistoryError, match="step 21 `z=x`: `z` is precluded by"):
        problem_after(problem, [*events, "z=x", "z=x"])
