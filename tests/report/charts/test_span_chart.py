"""Charts of bars: readable, within their frame, and safe."""

import re
from xml.etree import ElementTree as ET

from branchwise.report.charts.canvas import NARROW
from branchwise.report.charts.span_chart import Bar, Row, moves_chart, span_chart

SVG = re.compile(r'x="(-?[\d.]+)"')


def rows(number):
    return [
        Row(
            f"action {n} with a rather long name <b>",
            (
                Bar(10, 10 - n, "loss", f"without it {10 - n}", f"-{n}"),
                Bar(10, 10 + 2 * n, "gain", "always ok", f"+{2 * n}"),
            ),
        )
        for n in range(number)
    ]


def test_every_row_has_its_label_and_bars():
    root = ET.fromstring(span_chart(rows(25), 10, "A chart"))

    texts = [text.text for text in root.iter("text")]
    assert len([text for text in texts if text.startswith("action")]) == 25
    assert len(list(root.iter("rect"))) == 50
    assert root.attrib["aria-label"] == "A chart"


def test_nothing_leaves_the_frame():
    for number in (1, 25, 200):
        svg = span_chart(rows(number), 10, "A chart")
        width, height = map(
            float, re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups()
        )
        assert height > number * 20
        for x in map(float, SVG.findall(svg)):
            assert 0 <= x <= width


def test_a_chart_of_nothing_but_the_base_is_drawn():
    svg = span_chart([Row("a", (Bar(3, 3, "gain", ""),))], 3, "Flat")

    assert "now 3" in svg


def test_long_names_keep_their_end():
    label = "escalate privileges on the host with the number 042"
    svg = span_chart([Row(label, (Bar(3, 4, "gain", ""),))], 3, "Long")

    assert ">escalate privilege\N{HORIZONTAL ELLIPSIS}with the number 042<" in svg


def test_names_that_differ_in_the_middle_are_still_told_apart():
    names = [f"escalate privileges on host {n} of the network segment" for n in "123"]
    svg = span_chart([Row(n, (Bar(3, 4, "gain", ""),)) for n in names], 3, "Alike")

    labels = re.findall(">(escalate.*?)<", svg)
    assert len(set(labels)) == 3


def test_bars_that_go_the_same_way_have_one_text_for_both():
    """As where either end of a range is worth more, since one plans anew."""
    bars = Bar(3, 5, "gain", "", "0.6"), Bar(3, 4, "plain", "", "0.4")
    svg = span_chart([Row("a", bars)], 3, "Same way")

    assert re.findall(r">([\d., ]+)</text>", svg).count("0.4, 0.6") == 1
    assert ">0.6<" not in svg


def test_a_narrow_chart_keeps_within_its_frame():
    svg = span_chart(rows(12), 10, "A chart", width=NARROW)

    assert 'viewBox="0 0 350 ' in svg
    assert all(0 <= x <= NARROW for x in map(float, SVG.findall(svg)))


def test_marks_that_would_read_alike_show_changes_instead():
    base = 0.000237922
    svg = span_chart([Row("a", (Bar(base, base + 5e-12, "gain", ""),))], base, "Near")

    marks = re.findall(r'text-anchor="middle">([^<]*)<', svg)
    assert marks == ["0", "+1e-12", "+2e-12", "+3e-12", "+4e-12", "+5e-12", marks[-1]]


def test_where_no_number_moves_anything_it_is_said_in_words():
    chart = moves_chart([], 5.0, "How far each number moves it", "Tornado chart")

    assert chart == "<p>No number moves the expected reward.</p>"
