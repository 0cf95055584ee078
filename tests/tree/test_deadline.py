"""A deadline ends walks over a plan, and what is left out is said to be."""

import json

import pytest

from branchwise import (
    LimitError,
    Problem,
    Reward,
    deadline,
    render,
    solution_json,
    solution_lines,
    solve,
)
from branchwise.model.action import Action
from branchwise.tree.deadline import Deadline, in_time, seconds_left


@pytest.fixture(params=["canonical", "paper"])
def solution(request):
    """A coin tossed up to 300 times: 601 nodes in a row."""
    toss = Action("toss", outcomes={"heads": 0.01, "tails": 0.99}, attempts=300)
    problem = Problem([toss], [Reward(toss["heads"], 10)], budget=300)
    return solve(problem, engine=request.param)


def test_without_a_deadline_all_is_passed_on():
    assert list(in_time(range(1000))) == list(range(1000))


def test_what_is_past_the_deadline_is_not_passed_on():
    with deadline(1e-9), pytest.raises(LimitError, match="the time limit was met"):
        list(in_time(range(1000)))


def test_a_deadline_holds_as_long_as_its_block_and_no_longer():
    with deadline(60):
        assert 0 < seconds_left() <= 60

    assert seconds_left() == float("inf")


def test_a_later_deadline_inside_an_earlier_one_changes_nothing():
    with deadline(60), deadline(1e9):
        assert seconds_left() <= 60


def test_the_answer_is_told_in_words_even_when_the_time_is_over(solution):
    with deadline(1e-9):
        lines = list(solution_lines(solution, detail="answer"))

    assert lines[1].startswith("expected reward 9.5")
    assert lines[2] == (
        "what it pays, and how likely, is left out, as the time limit was met"
    )


def test_the_likely_part_of_a_tree_is_shown_even_when_the_time_is_over(solution):
    with deadline(1e-9):
        text = "\n".join(solution_lines(solution))

    assert "toss (worth " in text
    assert "more nodes (reached with" in text
    assert "601 nodes" in text


def test_a_whole_tree_is_cut_off_when_the_time_is_over(solution):
    with deadline(1e-9):
        lines = list(solution_lines(solution, detail="full"))

    assert "... the rest is left out, as the time limit was met" in lines
    assert len(lines) < 601


def test_data_ends_where_the_time_is_over(solution):
    """Half of the first hundred states are decisions, half of their outcomes end."""
    with deadline(1e-9):
        document = json.loads(solution_json(solution))

    policy = document["policy"]
    ids = [state["id"] for state in policy]
    led_to = [each["to"] for state in policy for each in state["outcomes"]]
    assert ids == list(range(100))
    assert set(led_to) - {None} == set(ids[1:])
    assert None in led_to
    assert document["tree"]["nodes"] == 601


@pytest.mark.parametrize("kind", ["html", "svg", "dot", "mmd"])
def test_a_file_that_there_is_no_time_for_is_not_written(solution, kind, tmp_path):
    with deadline(1e-9), pytest.raises(LimitError, match="the time limit was met"):
        render(solution, tmp_path / f"plan.{kind}")

    assert list(tmp_path.iterdir()) == []


def test_a_deadline_that_is_far_away_changes_nothing(solution):
    with deadline(1e6):
        timed = list(solution_lines(solution)), solution_json(solution)

    assert timed == (list(solution_lines(solution)), solution_json(solution))


def test_a_deadline_leaves_a_share_of_its_time_and_never_nothing():
    assert Deadline().time_limit_seconds() is None
    assert 20 < Deadline.after(60).time_limit_seconds(0.5) <= 30
    assert Deadline.after(-5).time_limit_seconds() == 0.001


def test_a_deadline_that_is_over_raises_what_it_is_asked_to_say():
    Deadline().check()
    Deadline.after(60).check()

    with pytest.raises(LimitError, match="too late"):
        Deadline.after(0).check("too late")
