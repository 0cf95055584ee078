"""Outcomes, and how far their probabilities may move."""

from fractions import Fraction

from branchwise.model import Outcome
from branchwise.model.outcome import with_slack


def ends(outcomes):
    return [(each.low, each.high) for each in outcomes]


def test_the_only_outcome_without_an_interval_takes_what_the_others_leave():
    ok = Outcome("ok", 0.6, low=0.5, high=0.8)

    _, fail = with_slack([ok, Outcome("no", 0.4)])

    assert (fail.low, fail.high) == (Fraction(1, 5), Fraction(1, 2))


def test_of_several_without_an_interval_only_the_rest_takes_what_is_left():
    ok = Outcome("ok", 0.6, low=0.5, high=0.8)
    others = [Outcome("no", 0.2), Outcome("late", 0.2)]

    assert ends(with_slack([ok, *others], rest="late"))[1:] == [
        (Fraction(1, 5), Fraction(1, 5)),
        (0, Fraction(3, 10)),
    ]
    assert ends(with_slack([ok, *others]))[1:] == [(Fraction(1, 5), Fraction(1, 5))] * 2


def test_without_intervals_nothing_moves():
    assert ends(with_slack([Outcome("ok", 0.6), Outcome("no", 0.4)])) == [
        (None, None),
        (None, None),
    ]
