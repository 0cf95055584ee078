"""Paths: short, and where they would be in full but for what no eye can see."""

import math
import re
from itertools import pairwise

import pytest

from branchwise.report.charts.pen import dots_path, line_path, stepped_path

CURVE = [(x / 4, 90 + 80 * math.sin(x / 150) + x % 3 / 50) for x in range(1600)]


def places_of(path):
    """Follow a path by hand: where it comes to, one place after the other."""
    places, command = [], ""
    words = re.findall(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)", path)
    while words:
        command = words.pop(0) if words[0].isalpha() else command
        x, y = places[-1] if places else (0.0, 0.0)
        if command == "M":
            places.append((float(words.pop(0)), float(words.pop(0))))
        elif command in "lm":
            places.append((x + float(words.pop(0)), y + float(words.pop(0))))
        elif command == "h":
            places.append((x + float(words.pop(0)), y))
        elif command == "v":
            places.append((x, y + float(words.pop(0))))
    return places


def away(place, line):
    """How far a place is from the nearest point of a line, walked in small steps."""
    walked = (
        (a[0] + (b[0] - a[0]) * n / 50, a[1] + (b[1] - a[1]) * n / 50)
        for a, b in pairwise(line)
        if a[0] - 3 <= place[0] <= b[0] + 3
        for n in range(51)
    )
    return min(math.dist(place, each) for each in walked)


def test_a_line_is_short_and_nowhere_off_by_what_can_be_seen():
    path = line_path(CURVE)

    followed = places_of(path)
    assert len(path) < 800
    assert len(followed) > 20
    assert max(away(place, followed) for place in CURVE[::10]) < 0.5
    assert followed[0] == pytest.approx(CURVE[0], abs=0.1)
    assert followed[-1] == pytest.approx(CURVE[-1], abs=0.1)


def test_a_jump_stays_a_jump():
    """A thin spike is no line between its neighbors."""
    assert places_of(line_path([(0, 0), (5, 0), (5, 9), (5.2, 0), (9, 0)])) == [
        pytest.approx(each) for each in [(0, 0), (5, 0), (5, 9), (5.2, 0), (9, 0)]
    ]


def test_one_place_and_places_that_are_the_same_are_drawn():
    assert line_path([(3.25, 4)]) == "M3.2 4"
    assert line_path([(3, 4), (3, 4)]) == "M3 4l0 0"
    assert stepped_path([(3, 4), (3, 4)]) == "M3 4"
    assert dots_path([]) == ""


def test_steps_go_through_every_place():
    places = [(0.0, 9.0), (0.5, 8.5), (0.5, 3.0), (20.25, 3.0), (30.0, -1.5)]

    followed = places_of(stepped_path(places))

    for place in places:
        assert min(math.dist(place, each) for each in followed) <= 0.1


def test_dots_are_where_they_are_to_half_a_step():
    places = [(x * 1.7 % 40, x * 2.9 % 31) for x in range(200)]

    followed = places_of(dots_path(places))

    for place in places:
        assert min(math.dist(place, each) for each in followed) <= 0.71
