"""News about the structure of a problem: new actions, other conditions, known facts."""

from dataclasses import replace
from fractions import Fraction

import pytest

from branchwise import Action, Follower, ProblemError, read_text, solve
from branchwise.errors import HistoryError
from branchwise.model import Given, problem_after

FIELD = """
budget: 4
hidden:
  field: {rich: 0.25, poor: rest}
actions:
  test:
    outcomes: {good: 0.2, bad: rest}
    given: [{when: field=rich, outcomes: {good: 0.8, bad: rest}}]
  drill:
    outcomes: {oil: 0.1, dry: rest}
    given: [{when: field=rich, outcomes: {oil: 0.7, dry: rest}}]
  sell: {outcomes: {sold: 0.9, no buyer: rest}, precluded_by: drill}
rewards:
  - {when: drill=oil, value: 200}
  - {when: sell=sold, value: 60}
"""


@pytest.fixture
def field():
    return read_text(FIELD)


def test_a_hidden_fact_that_becomes_known_is_all_that_is_believed(field):
    """In a rich field drilling is worth 0.7 * 200; in a poor one, 0.1 * 200."""
    follower = Follower(field, exact=True)

    follower.happened("field=rich")

    assert follower.state.knowledge == (1, 0)
    assert dict(follower.advice.facts)["field"] == {"rich": 1, "poor": 0}
    left = problem_after(field, "field=poor")
    assert solve(left, exact=True).expected_reward == Fraction(686, 10)


def test_what_is_known_of_a_poor_field_by_hand(field):
    """Sell first: 0.9 * (0.1 * 200 + 0.9 * 60) + 0.1 * 0.1 * 200 = 68.6."""
    follower = Follower(field, exact=True)
    follower.happened("field=poor")

    assert follower.advice.value == Fraction(686, 10)


def test_what_is_ruled_out_cannot_become_known():
    text = FIELD.replace("{good: 0.8, bad: rest}", "{good: 1, bad: 0}")
    follower = Follower(read_text(text))
    follower.happened("test=bad")

    with pytest.raises(HistoryError, match="ruled out by what has happened"):
        follower.happened("field=rich")
    with pytest.raises(HistoryError, match="`field` is never `middling`"):
        follower.happened("field=middling")


def test_an_action_may_come_to_require_something_else(field):
    follower = Follower(field)
    before = follower.advice.value

    change = follower.change_requirement("drill", "test=good")

    assert change.is_surprise
    assert follower.advice.value < before
    assert str(follower.problem.action("drill").requires) == "test=good"
    follower.undo()
    assert follower.advice.value == before


def test_an_action_may_come_to_be_ruled_out_by_something_else(field):
    """Without a preclusion one can still sell what was drilled."""
    follower = Follower(field)
    before = follower.advice.value

    follower.change_preclusion("sell", "never")

    assert follower.advice.value >= before
    assert [str(entry) for entry in follower.reported] == [
        "sell is precluded by nothing"
    ]


def test_there_may_be_a_new_action(field):
    """A sure sale of the field, once there was no buyer."""
    lease = Action("lease", outcomes={"signed": 1}, requires='sell="no buyer"')
    follower = Follower(field)
    before = follower.advice.value

    follower.add_action(lease)

    assert follower.problem.actions[-1] == lease
    assert follower.advice.value == pytest.approx(before)  # No reward asks for it yet.
    follower.change_requirement("drill", "lease=signed or not sell")
    assert follower.problem.action("drill").requires.holds({"lease": ["signed"]})


def test_a_new_action_may_be_written_as_in_a_file(field):
    follower = Follower(field)

    follower.add_action("lease", "{cost: 2, outcomes: {signed: 0.5, refused: rest}}")

    added = follower.problem.action("lease")
    assert added.cost["budget"] == 2
    assert added.outcome("refused").probability == Fraction(1, 2)


@pytest.mark.parametrize(
    ("tell", "error", "message"),
    [
        (lambda f: f.add_action("sell", "{}"), HistoryError, "there is an action"),
        (lambda f: f.add_action("lease"), HistoryError, "only a name is given"),
        (
            lambda f: f.add_action("lease", "{outcomes: {a: 0.5}}"),
            ProblemError,
            "actions.lease",
        ),
        (lambda f: f.change_requirement("drill", "a ="), HistoryError, "condition"),
        (lambda f: f.change_requirement("dril", "test"), HistoryError, "dril"),
        (
            lambda f: f.change_requirement("drill", "field=rich"),
            ProblemError,
            "hidden",
        ),
    ],
)
def test_news_that_make_no_sense_are_refused(field, tell, error, message):
    follower = Follower(field)

    with pytest.raises(error, match=message):
        tell(follower)
    assert follower.reported == ()


def test_news_survive_in_the_journal(field, tmp_path):
    path = tmp_path / "news.journal"
    with Follower(field, journal=path) as follower:
        follower.happened("field=rich")
        follower.change_requirement("drill", "test=good")
        follower.change_preclusion("sell", "never")
        follower.add_action(Action("lease", outcomes={"signed": 1}))
        problem, value = follower.problem, follower.advice.value

    with Follower.resume(path) as again:
        assert again.problem == problem
        assert again.advice.value == value
        assert again.state.knowledge == (1, 0)


def test_what_is_left_may_be_of_the_problem_as_it_is_known_now(field):
    """What has happened is judged by the problem as it was."""
    sell = replace(field.action("sell"), requires="test=good")
    now = field.with_action(sell)

    left = problem_after(field, 'sell="no buyer"', now=now)

    assert [action.name for action in left.actions] == ["test", "drill"]
    with pytest.raises(HistoryError, match="requires `test=good`"):
        problem_after(now, 'sell="no buyer"')


def test_the_problem_as_it_is_now_must_know_what_has_happened(field):
    actions = [action for action in field.actions if action.name != "test"]
    now = replace(field, actions=tuple(actions))
    with pytest.raises(HistoryError, match="no longer has test=good"):
        problem_after(field, "test=good", now=now)
    given = [replace(a, given=()) for a in field.actions]
    plain = replace(field, hidden=(), actions=tuple(given))
    with pytest.raises(HistoryError, match="other hidden facts"):
        problem_after(field, "test=good", now=plain)


def test_a_clause_of_a_new_action_may_ask_about_hidden_facts(field):
    """A second opinion that is always right."""
    survey = Action(
        "survey",
        outcomes={"yes": 0, "no": 1},
        given=[Given("field=rich", outcomes={"yes": 1, "no": 0})],
    )
    follower = Follower(field)
    follower.add_action(survey)
    follower.happened("survey=yes")

    assert follower.state.knowledge == (1, 0)
