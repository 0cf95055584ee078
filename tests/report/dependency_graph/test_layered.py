"""Layered pictures: nothing overlaps, no wire runs through a box, few wires cross."""

from itertools import combinations, pairwise
from random import Random

import pytest

from branchwise.report.dependency_graph.layered import (
    lay_out,
    num_crossings,
    ordered,
    spread,
)
from branchwise.report.dependency_graph.layers import Box, Wire, laid, layers, with_more


def random_graph(seed, count=25):
    random = Random(seed)
    edges = {
        tuple(random.sample(range(count), 2)) for _ in range(random.randint(5, 50))
    }
    places = layers(count, [edge for edge in edges if edge[0] < edge[1]])
    boxes = [Box(random.randint(20, 80), random.randint(20, 60), n) for n in places]
    wires = [
        Wire(a, b, random.uniform(-8, 8), random.uniform(-8, 8), random.choice("ab"))
        for a, b in sorted(edges)
    ]
    return boxes, wires


def rectangles(boxes, picture):
    return [
        (x, y, x + box.width, y + box.height)
        for box, (x, y) in zip(boxes, picture.corners, strict=True)
    ]


@pytest.mark.parametrize("seed", range(25))
def test_boxes_do_not_overlap_and_stay_on_the_page(seed):
    boxes, wires = random_graph(seed)
    picture = lay_out(boxes, wires)
    for one, other in combinations(rectangles(boxes, picture), 2):
        assert (
            one[2] <= other[0]
            or other[2] <= one[0]
            or one[3] <= other[1]
            or other[3] <= one[1]
        )
    for left, top, right, bottom in rectangles(boxes, picture):
        assert left >= 0 <= top + 1e-6
        assert right <= picture.width + 1e-6
        assert bottom <= picture.height + 1e-6


@pytest.mark.parametrize("seed", range(25))
def test_wires_lead_from_box_to_box_and_through_none(seed):
    boxes, wires = random_graph(seed)
    picture = lay_out(boxes, wires)
    sides = rectangles(boxes, picture)
    for wire, route in zip(wires, picture.routes, strict=True):
        for number, (x, y), down in (
            (wire.source, route[0], wire.leaves),
            (wire.target, route[-1], wire.enters),
        ):
            left, top, right, bottom = sides[number]
            assert x in {left, right}
            assert y == pytest.approx((top + bottom) / 2 + down)
        others = [s for n, s in enumerate(sides) if n not in {wire.source, wire.target}]
        for (x, y), (end, _) in list(pairwise(route))[::2]:
            for left, top, right, bottom in others:
                is_beside = max(x, end) <= left or min(x, end) >= right
                assert len(route) == 2 or is_beside or not top < y < bottom


@pytest.mark.parametrize("seed", range(10))
def test_ordering_crosses_fewer_wires_than_the_order_given(seed):
    slots, _ = laid(*random_graph(seed))
    given = [[] for _ in range(1 + max(slot.layer for slot in slots))]
    for slot in slots:
        given[slot.layer].append(slot)

    assert num_crossings(ordered(slots)) <= num_crossings(given)


def test_crossings_are_counted_as_by_hand():
    boxes = [Box(1, 1, 0)] * 3 + [Box(1, 1, 1)] * 3
    wires = [Wire(0, 5), Wire(1, 4), Wire(2, 3), Wire(0, 3)]
    slots, _ = laid(boxes, wires)

    assert num_crossings([slots[:3], slots[3:]]) == 3
    assert num_crossings(ordered(slots)) <= 1


def test_a_circle_has_layers_too():
    assert layers(3, [(0, 1), (1, 2), (2, 0)]) == [0, 1, 2]


def test_spreading_keeps_gaps_and_moves_no_more_than_it_must():
    wanted, gaps = [5.0, 4.0, 3.0, 50.0], [1.0, 2.0, 1.0]
    places = spread(wanted, gaps, [1.0] * 4)

    assert all(
        lower - upper >= gap - 1e-9
        for upper, lower, gap in zip(places, places[1:], gaps, strict=False)
    )
    assert places[3] == 50.0
    assert sum(places[:3]) == pytest.approx(sum(wanted[:3]))


def test_a_layer_is_one_more_than_the_last_that_leads_there_and_late_ones_wait():
    edges = [(0, 1), (1, 2), (3, 2), (2, 1), (4, 3)]

    assert layers(5, edges, late=[3]) == [0, 1, 2, 1, 0]


def test_edges_are_added_unless_they_close_a_cycle():
    added = with_more([(0, 1), (1, 2)], [(2, 0), (0, 3), (3, 2)])

    assert added == [(0, 1), (1, 2), (0, 3), (3, 2)]


def test_two_boxes_stand_side_by_side_and_their_wire_is_straight():
    picture = lay_out([Box(20, 10, 0), Box(20, 10, 1)], [Wire(0, 1)])

    assert picture.corners == ((0.0, 0.0), (72.0, 0.0))
    assert picture.routes == (((20.0, 5.0), (20.0, 5.0), (72.0, 5.0), (72.0, 5.0)),)


def test_places_that_are_in_each_others_way_stand_around_their_mean():
    assert spread([0, 0, 10], [2, 2], [1, 1, 1]) == [-1.0, 1.0, 10.0]
