"""What charts share: round marks, and what is written at them."""

from branchwise.report.charts.canvas import marks, rounded_ends, scale


def test_marks_are_round_numbers_within_a_range():
    assert marks(0.3, 9.7) == [2.5, 5.0, 7.5]
    assert marks(-0.1, 0.1) == [-0.1, -0.05, 0.0, 0.05, 0.1]


def test_rounded_ends_lie_around_the_numbers_and_zero():
    assert rounded_ends([3, 9.7]) == (0.0, 10.0)
    assert rounded_ends([-1, 2]) == (-1.0, 2.0)


def test_a_scale_has_values_unless_they_would_read_alike():
    assert scale(1, 3, 2, base=1) == ([(1.0, "1"), (2.0, "2"), (3.0, "3")], False)

    close, is_relative = scale(1, 1 + 3e-8, 3, base=1)
    assert [text for _, text in close] == ["0", "+1e-08", "+2e-08", "+3e-08"]
    assert is_relative
