"""Two-way maps: every cell is what a solve of its own says."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise import analyze, read, read_text
from branchwise.analysis import two_way
from branchwise.analysis.options import AnalysisOptions
from problems.paper import illustrative

ATTACK = Path(__file__).parents[3] / "examples" / "cyber" / "attack_flow.yaml"
OIL = Path(__file__).parents[3] / "examples" / "oil_wildcatter.yaml"


def test_the_wildcatter_is_mapped_as_worked_out_by_hand():
    """
    With t and d as the costs of the test and of drilling (Raiffa 1968 has 10 and 70),
    drilling at once is worth 90 - d, and testing first 0.35 of 102.857 - d, if that is
    more than nothing, and 0.24 of 157.5 - d, less t.
    """
    found = two_way(read(OIL), ("cost of test", 0, 20), ("cost of drill", 40, 120))

    assert len(found.cells) == 13 * 13
    for cell in found.cells:
        t, d = float(cell.x), float(cell.y)
        closed, opened = 0.24 * max(157.5 - d, 0), 0.35 * max(3600 / 35 - d, 0)
        worth = {"test": opened + closed - t, "drill": 90 - d, None: 0.0}
        assert cell.expected_reward == pytest.approx(max(worth.values()), abs=1e-9)
        assert worth[cell.first_action] == pytest.approx(max(worth.values()), abs=1e-9)


def test_cells_lie_at_equal_steps_ends_included():
    found = two_way(
        illustrative(), ("P(a1=2)", 0, 1), ("reward of a7=2", 50, 100), num_steps=2
    )

    half = Fraction(1, 2)
    assert [(cell.x, cell.y) for cell in found.cells] == [
        (x, y) for y in (50, 75, 100) for x in (0, half, 1)
    ]
    assert (found.x_value, found.y_value) == (Fraction(3, 5), 100)


def test_the_section_maps_what_matters_most_or_what_is_asked_for():
    chosen = analyze(illustrative(), only=["two-way"]).sections["two-way"]
    # One percent of these two does most, of all that help.
    assert {chosen.x_parameter, chosen.y_parameter} == {"P(a4=2)", "P(a1=2)"}

    ranges = {"reward of a5=2": (0, 100), "P(a2=2)": (0, 1)}
    options = AnalysisOptions(ranges=ranges)
    asked = analyze(illustrative(), only=["two-way"], options=options)
    found = asked.sections["two-way"]
    assert [found.x_parameter, found.y_parameter] == list(ranges)


def test_a_map_is_not_colored_by_what_is_as_good():
    """Where `a4` never succeeds, `a1` is as good a start as any: that is no region."""
    found = analyze(illustrative(), only=["two-way"]).sections["two-way"]

    assert {cell.first_action for cell in found.cells} == {"a1"}


def test_numbers_with_regions_come_before_those_that_change_the_end_of_a_range():
    """
    Only below 0.08 another plan is better by P(exfiltration=out), which is less than a
    cell. What costs 3 instead of 1 does not fit into the budget of other steps.
    """
    found = analyze(read(ATTACK), only=["two-way"]).sections["two-way"]

    assert {found.x_parameter, found.y_parameter} == {
        "cost of spearphishing",
        'cost of "credential dumping"',
    }
    shares = Counter(cell.first_action for cell in found.cells)
    assert min(shares["spearphishing"], shares["valid accounts"]) > 13
    assert not found.is_nearest


def test_numbers_that_change_each_other_are_not_mapped_together():
    ranges = {"P(a4=1)": (0, 1), "P(a4=2)": (0, 1), "reward of a5=2": (0, 100)}
    options = AnalysisOptions(ranges=ranges)
    found = analyze(illustrative(), only=["two-way"], options=options)

    mapped = found.sections["two-way"]
    assert (mapped.x_parameter, mapped.y_parameter) == ("P(a4=1)", "reward of a5=2")


def test_one_range_is_mapped_against_what_matters_most():
    options = AnalysisOptions(ranges={"P(a4=2)": (0, "1/2")})
    found = analyze(illustrative(), only=["two-way"], options=options)

    mapped = found.sections["two-way"]
    assert (mapped.x_parameter, mapped.y_parameter) == ("P(a4=2)", "P(a1=2)")
    assert (mapped.cells[-1].x, mapped.cells[-1].y) == (
        Fraction(1, 2),
        Fraction(25, 26),
    )


def test_with_fewer_than_two_probabilities_there_is_no_map():
    text = """
actions: {a: {outcomes: {ok: 1}}}
rewards: [{when: a=ok, value: 1}]
"""
    found = analyze(read_text(text, format="yaml"), only=["two-way"])

    assert found.sections["two-way"].cells == ()


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (("P(a1=2)", 0, 1), ("P(a1=2)", 0, 1), "as one changes, so does the other"),
        (("P(a1=1)", 0, 1), ("P(a1=2)", 0, 1), "as one changes, so does the other"),
        (("P(a9=2)", 0, 1), ("P(a1=2)", 0, 1), "there is no parameter `P(a9=2)`"),
        (("P(a2=2)", 2, 3), ("P(a1=2)", 0, 1), "cannot range from 2 to 3"),
    ],
)
def test_what_cannot_be_mapped_is_refused(x, y, message):
    with pytest.raises(ValueError) as caught:
        two_way(illustrative(), x, y)

    assert message in str(caught.value)


def test_cells_come_as_a_data_frame():
    found = two_way(illustrative(), ("P(a1=2)", 0, 1), ("P(a4=2)", 0, 1), num_steps=1)

    assert list(found.frame()["x"]) == [0, 1, 0, 1]
