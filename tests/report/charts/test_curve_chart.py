"""Curves: within their frame, with texts that do not lie on each other."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from branchwise.report.charts.curve_chart import Curve, Dot, Upright, curve_chart
from branchwise.report.tree_drawing.lettering import text_width

POINTS = [(0.0, 0.0), (2.0, 3.0), (3.0, 6.6), (6.0, 8.4)]


def test_a_stepped_curve_goes_up_only_at_its_points():
    root = ET.fromstring(curve_chart(Curve(POINTS, is_stepped=True), "budget", "Steps"))

    drawn = [p for p in root.iter("path") if "bw-curve" in p.get("class")]
    [path] = [p.attrib["d"] for p in drawn]
    assert re.sub(r"[\d. ]", "", path) == "M" + "hv-" * 3
    assert root.attrib["aria-label"] == "Steps"


@pytest.mark.parametrize("number", [1, 8, 60])
def test_texts_at_the_top_have_room(number):
    uprights = [
        Upright(6 * n / number, f"a long action {n}", "") for n in range(number)
    ]
    svg = curve_chart(Curve(POINTS, uprights=uprights), "p", "Curve")
    root = ET.fromstring(svg)

    shown = [t for t in root.iter("text") if t.get("class") == "bw-outcome"]
    spans = []
    for text in shown:
        half = text_width(text.text, 12) / 2
        x = float(text.attrib["x"])
        spans.append((x - half, x + half))
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert all(left >= 0 and right <= 760.1 for left, right in spans)
    assert spans
    lines = [p for p in root.iter("path") if p.get("class") == "bw-upright"]
    assert len(lines) == number


def test_a_flat_curve_and_a_single_point_are_drawn():
    for points in ([(1.0, 5.0)], [(0.0, 5.0), (1.0, 5.0)]):
        svg = curve_chart(Curve(points, dots=[Dot(1.0, 5.0, "<here>")]), "p", "Flat")
        assert "&lt;here&gt;" in svg


def test_rewards_that_would_read_alike_are_written_from_the_lowest_on():
    low = 0.000237922
    svg = curve_chart(Curve([(0.0, low), (1.0, low + 4e-12)]), "p", "Near")

    texts = [text.text for text in ET.fromstring(svg).iter("text")]
    assert "expected reward above 0.000237922" in texts
    assert texts[:5] == ["0", "+1e-12", "+2e-12", "+3e-12", "+4e-12"]
