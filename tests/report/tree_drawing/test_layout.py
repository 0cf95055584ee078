"""The layout of trees: nothing overlaps, parents stand beside their children."""

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from branchwise.report.tree_drawing.layout import depths, tidy

GAP = 6.0


@st.composite
def trees(draw):
    """A random tree, as the children of each node, with a size for each node."""
    count = draw(st.integers(1, 40))
    children = [[] for _ in range(count)]
    for node in range(1, count):
        children[draw(st.integers(max(0, node - 12), node - 1))].append(node)
    sizes = [draw(st.integers(1, 60)) for _ in range(count)]
    return children, sizes


def columns(children):
    """The nodes of each depth, from one side to the other."""
    level = [0]
    while level:
        yield level
        level = [child for node in level for child in children[node]]


@given(trees())
def test_nodes_of_one_column_keep_their_order_and_distance(tree):
    children, sizes = tree
    places = tidy(children, sizes, GAP)

    for column in columns(children):
        for left, right in pairwise(column):
            room = (sizes[left] + sizes[right]) / 2 + GAP
            assert places[right] - places[left] >= room - 1e-6


@given(trees())
def test_parents_stand_in_the_middle_of_their_children(tree):
    children, sizes = tree
    places = tidy(children, sizes, GAP)

    for node, below in enumerate(children):
        if below:
            middle = (places[below[0]] + places[below[-1]]) / 2
            assert abs(places[node] - middle) < 1e-6


@given(trees())
def test_parents_can_stand_beside_their_first_child(tree):
    children, sizes = tree
    places = tidy(children, sizes, GAP, anchor=0)

    for node, below in enumerate(children):
        if below:
            assert abs(places[node] - places[below[0]]) < 1e-6
    for column in columns(children):
        for left, right in pairwise(column):
            room = (sizes[left] + sizes[right]) / 2 + GAP
            assert places[right] - places[left] >= room - 1e-6


@given(trees())
def test_the_picture_starts_at_zero(tree):
    children, sizes = tree
    places = tidy(children, sizes, GAP)

    starts = [place - size / 2 for place, size in zip(places, sizes, strict=True)]
    assert abs(min(starts)) < 1e-9


def test_a_small_subtree_between_large_ones_stands_in_the_middle():
    """The middle child is a leaf; the outer ones have three children each."""
    children = [[1, 2, 3], [4, 5, 6], [], [7, 8, 9], *([] for _ in range(6))]

    places = tidy(children, [10] * 10, GAP)

    assert places[2] == places[0] == (places[1] + places[3]) / 2


def test_mirrored_trees_get_mirrored_pictures():
    children = [[1, 2], [3, 4], [], [], [5, 6], [], []]
    mirrored = [[1, 2], [], [3, 4], [5, 6], [], [], []]

    places = tidy(children, [10] * 7, GAP)
    mirror = tidy(mirrored, [10] * 7, GAP)

    width = max(places) + 5
    assert sorted(places) == sorted(width - place for place in mirror)


def test_a_chain_of_50_000_levels_needs_no_recursion():
    chain = [[node + 1] for node in range(49_999)] + [[]]

    assert tidy(chain, [10] * 50_000, GAP) == [5.0] * 50_000
    assert depths(chain)[-1] == 49_999


def test_a_tree_of_100_000_nodes_is_laid_out_in_seconds():
    """A full binary tree; linear time takes well under a second on any machine."""
    count = 2**17 - 1
    children = [[n for n in (2 * k + 1, 2 * k + 2) if n < count] for k in range(count)]

    start = time.process_time()
    places = tidy(children, [10] * count, GAP)

    assert time.process_time() - start < 20
    assert max(places) == 2**16 * 16 - GAP - 5


def test_a_parent_of_two_stands_between_them_or_beside_the_first():
    children, sizes = [[1, 2], [], []], [10, 10, 10]

    assert tidy(children, sizes, gap=6) == [13.0, 5.0, 21.0]
    assert tidy(children, sizes, gap=6, anchor=0) == [5.0, 5.0, 21.0]


def test_depths_count_the_nodes_above():
    assert depths([[1, 2], [], [3], []]) == [0, 1, 1, 2]
