"""Counters, hidden facts and comparisons as Python writes them."""

import re

import pytest

from branchwise import (
    Action,
    Counter,
    Given,
    Hidden,
    Problem,
    ProblemError,
    Reward,
    count,
    left,
    parameter,
    read_text,
    validate,
)


@pytest.fixture
def parts():
    most = parameter("most", 3)
    disease = Hidden("disease", outcomes={"present": "0.3", "absent": "rest"})
    doses = Counter("doses", low=0, high=most, start=most)
    harm = Counter("harm", low=0, high=5)
    test = Action(
        "test",
        outcomes={"positive": "0.2", "negative": "rest"},
        given=[
            Given(disease["present"], outcomes={"positive": "0.9", "negative": "rest"})
        ],
    )
    treat = Action(
        "treat",
        outcomes={
            "better": "0.1",
            "worse": {"probability": "0.2", "effects": {harm: 1}, "cost": 4},
            "fatal": {"probability": "0.01 [0, 0.02]", "ends": "lose"},
            "same": {"probability": "rest"},
        },
        attempts=float("inf"),
        requires=(doses >= 1) & (harm < most) & (left("budget") > 2) & test["positive"],
        effects={doses: -1},
    )
    return disease, doses, harm, test, treat


FILE = """\
parameters: {most: 3}
budget: 20
hidden: {disease: {present: 0.3, absent: 0.7}}
counters: {doses: {start: most, range: 0..most}, harm: {range: 0..5}}
actions:
  test:
    outcomes: {positive: 0.2, negative: 0.8}
    given: [{when: disease=present, outcomes: {positive: 0.9, negative: 0.1}}]
  treat:
    attempts: unlimited
    requires: doses >= 1 and harm < most and left(budget) > 2 and test=positive
    effects: {doses: -1}
    outcomes:
      better: 0.1
      worse: {probability: 0.2, effects: {harm: 1}, cost: 4}
      fatal: {probability: "0.01 [0, 0.02]", ends: lose}
      same: rest
rewards:
  - {when: treat=better and disease=present, value: 10}
  - {when: count(treat=same) <= 2 and count(treat) >= 1 and test, value: 1}
  - {per: harm, value: -3}
combine: sum
"""


def test_a_problem_made_in_python_is_the_same_as_that_of_the_file(parts):
    disease, doses, harm, test, treat = parts
    made = Problem(
        [test, treat],
        [
            Reward(treat["better"] & disease["present"], 10),
            Reward(
                (count(treat["same"]) <= 2) & (count(treat) >= 1) & test.attempted, 1
            ),
            Reward(per=harm, value=-3),
        ],
        budget=20,
        hidden=[disease],
        counters=[doses, harm],
        combine="sum",
    )
    assert made == read_text(FILE)
    assert validate(made) == ()
    fewer = made.with_parameters(most=2)
    assert fewer == read_text(FILE.replace("most: 3", "most: 2"))
    assert fewer.counter("doses").start == 2


def test_a_counter_stays_within_its_range_and_starts_as_near_to_0_as_that_allows():
    assert Counter("c", low=2, high=3).start == 2
    assert Counter("c", low=-3, high=-1).start == -1
    assert Counter("c", low=-3, high=3).start == 0
    assert Counter("c", low=0, high=3).after(2, 5) == 3
    low = parameter("low", 1)
    moved = Problem([], counters=[Counter("c", low=low, high=9)]).with_parameters(low=4)
    assert moved.counter("c").start == 4


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ({"x": {"effects": {}}}, "the outcome 'x' has no probability"),
        ({"x": {"probability": 1, "end": "lose"}}, "has no part 'end'; did you mean"),
        ({"x": "rest", "y": {"probability": "rest"}}, "only one outcome may be `rest`"),
    ],
)
def test_an_outcome_part_by_part_that_is_none_is_refused(outcomes, message):
    with pytest.raises(ValueError, match=message):
        Action("a", outcomes=outcomes)


@pytest.mark.parametrize("wrong", [3, "treat", None])
def test_only_outcomes_and_actions_can_be_counted(wrong):
    with pytest.raises(TypeError, match="can be counted"):
        count(wrong)


def test_python_problems_are_checked_as_files_are():
    doses = Counter("doses", low=0, high=2.5, start=7)
    bad = {"probability": 1, "effects": {"doses": 0.5, "harm": 1}, "ends": "soon"}
    action = Action("a", outcomes={"x": bad}, requires=doses >= 1)
    found = "\n".join(map(str, validate(Problem([action], counters=[doses]))))
    for words in (
        "whole numbers, not 2.5",
        "by 0.5, not by a whole",
        "no counter `harm`",
    ):
        assert words in found
    assert "`soon` is no ending" in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("range: 0..99999999999999999999", "as much as 99999999999999999999: numbers"),
        ("range: -9007199254740993..1", "as much as -9007199254740993: numbers"),
        ("range: 0..3}, d: {range: 0..1, start: 9", "`d` starts at 9, outside"),
    ],
)
def test_numbers_that_no_engine_counts_are_refused(text, message):
    text = f"counters: {{c: {{{text}}}}}\nactions: {{a: {{outcomes: {{ok: 1}}}}}}"

    with pytest.raises(ProblemError, match=re.escape(message)):
        read_text(text, "yaml")


def test_changes_that_no_engine_counts_are_refused():
    text = "counters: {c: {range: 0..3}}\nactions: {a: {outcomes: {ok: 1}, effects: "

    with pytest.raises(ProblemError, match=r"beyond 2\^53 are not counted"):
        read_text(f"{text}{{c: -{10**30}}}}}}}", "yaml")
