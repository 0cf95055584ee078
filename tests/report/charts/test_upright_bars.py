"""Distributions as pictures: every bar in its place, at any scale."""

import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from branchwise.report.charts.upright_bars import distribution_svg


def drawn(chances):
    picture = ET.fromstring(distribution_svg(chances))
    bars = [bar for bar in picture.iter("rect") if "bw-bar" in bar.get("class")]
    texts = [text.text for text in picture.iter("text")]
    return bars, texts


def test_bars_are_as_high_as_values_are_likely():
    bars, texts = drawn([(0, 0.75), (50, Fraction(1, 4))])

    heights = [float(bar.get("height")) for bar in bars]
    assert heights[0] == pytest.approx(3 * heights[1], abs=0.2)
    assert bars[0].find("title").text == "0: 75 %"
    assert "mean 12.5" in texts


def test_bars_stand_where_their_values_are():
    bars, _ = drawn([(0, 0.5), (10, 0.25), (40, 0.25)])

    places = [float(bar.get("x")) for bar in bars]
    assert places[2] - places[0] == pytest.approx(4 * (places[1] - places[0]), abs=0.5)


def test_many_values_are_put_together():
    bars, _ = drawn([(number, 0.001) for number in range(1000)])

    assert len(bars) == 40
    assert {bar.find("title").text.split(": ")[1] for bar in bars} == {"2.5 %"}


def test_what_earns_nothing_looks_different():
    bars, _ = drawn([(-5, 0.2), (0, 0.2), (5, 0.6)])

    muted = ["muted" in bar.get("class") for bar in bars]
    assert muted == [True, True, False]


@pytest.mark.parametrize(
    "values",
    [(1e17, 1e17 + 16), (0, 5e-324), (-1e299, 1e299), (1, 1 + 2**-52), (7, 7)],
    ids=str,
)
def test_any_scale_can_be_drawn(values):
    bars, _ = drawn([(number, 0.5) for number in values])

    assert len(bars) == 2
    for bar in bars:
        assert -30 < float(bar.get("x")) < 600
