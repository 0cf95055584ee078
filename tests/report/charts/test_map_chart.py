"""Maps: every cell drawn, colors that mean one thing, a legend for each."""

from xml.etree import ElementTree as ET

import pytest

from branchwise.report.charts.map_chart import Cell, map_chart


def cells(num_kinds):
    return [
        Cell(x / 10, float(y), f"action {(x + y) % num_kinds}", f"<{x}, {y}>")
        for y in range(11)
        for x in range(11)
    ]


@pytest.mark.parametrize(("num_kinds", "num_shown"), [(1, 1), (3, 3), (11, 8)])
def test_every_cell_and_every_color_is_there(num_kinds, num_shown):
    root = ET.fromstring(map_chart(cells(num_kinds), (0.5, 3), ("p", "cost")))

    rects = [rect.attrib["class"] for rect in root.iter("rect")]
    assert len(rects) == 121 + num_shown
    assert len(set(rects)) == num_shown
    texts = [text.text for text in root.iter("text")]
    assert ("other actions" in texts) is (num_kinds > 7)
    assert {"p", "cost"} <= set(texts)


def test_where_we_are_stays_on_the_map():
    root = ET.fromstring(map_chart(cells(2), (7.0, -3.0), ("p", "cost")))

    [dot] = root.iter("circle")
    assert 70 <= float(dot.attrib["cx"]) <= 490
    assert 34 <= float(dot.attrib["cy"]) <= 454
