"""Advice in words: short, true, and on any page."""

from dataclasses import replace

import pytest

from branchwise import UNLIMITED, report
from branchwise.follow import Advice, Change
from branchwise.model import Amounts, Budget

ADVICE = Advice(
    action="drill",
    probabilities=(("oil", 0.2), ("dry well", 0.8)),
    cost=Amounts({"money": 2, "days": 1}),
    value=40.0,
    reward=0.0,
    left=Budget({"money": 3, "days": 4}),
    is_proven=True,
)
STOP = replace(ADVICE, action=None, probabilities=(), value=7.0, reward=7.0)


def test_an_action_comes_with_its_price_its_worth_and_its_probabilities():
    assert list(report.lines(ADVICE)) == [
        "Do drill (costs 2 money, 1 day; 3 money, 4 days left), worth 40 from here.",
        "  1  oil       20 %",
        "  2  dry well  80 %",
    ]


def test_what_is_not_limited_is_not_left():
    advice = replace(ADVICE, cost=Amounts(0), left=Budget(UNLIMITED), is_proven=False)

    assert next(report.lines(advice)) == (
        "Do drill (costs nothing), worth 40 from here, not proven to be the best."
    )


def test_outcomes_called_like_numbers_are_not_numbered():
    advice = replace(ADVICE, probabilities=(("2", 0.5), ("1", 0.5)))

    assert list(report.lines(advice))[1:] == ["  2  50 %", "  1  50 %"]


@pytest.mark.parametrize(
    ("reward", "words"),
    [(7.0, "this pays 7."), (-3.0, "this pays -3."), (0.0, "nothing more to gain.")],
)
def test_stopping_says_what_it_pays(reward, words):
    [line] = report.lines(replace(STOP, reward=reward))

    assert line.startswith("Stop here: ")
    assert line.endswith(words)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (ADVICE, ADVICE, "Still drill, worth 40 as before."),
        (
            ADVICE,
            replace(ADVICE, value=50.5),
            "Still drill, worth 50.5 instead of 40 (+10.5).",
        ),
        (ADVICE, STOP, "Now stop instead of drill, worth 7 instead of 40 (-33)."),
        (STOP, ADVICE, "Now drill instead of stop, worth 40 instead of 7 (+33)."),
    ],
)
def test_a_change_says_what_was_and_what_is(before, after, words):
    assert list(report.lines(Change(before, after, is_surprise=True))) == [words]


def test_long_names_are_cut_but_numbers_are_not():
    advice = replace(ADVICE, action="x" * 500, probabilities=(("y" * 500, 1.0),))

    first, second = report.lines(advice, width=40, is_ascii=True)

    assert first.endswith("worth 40 from here.")
    assert len(second) <= 40
    assert "..." in second
    assert second.endswith("100 %")


def test_amounts_without_a_name_stand_alone():
    advice = replace(ADVICE, cost=Amounts(2), left=Budget(3))

    first, *_ = report.lines(advice)

    assert first == "Do drill (costs 2, 3 left), worth 40 from here."
