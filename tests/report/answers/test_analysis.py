"""An analysis as text: what its tables mean stands above them."""

from fractions import Fraction

from branchwise import analyze, read_text, report
from branchwise.analysis import AnalysisOptions
from branchwise.report.answers.analysis import VIEWS

TIED = """
budget: 2
actions:
  left: {cost: 2, outcomes: {ok: 1/2, no: rest}}
  right: {cost: 2, outcomes: {ok: 1/2, no: rest}}
rewards: [{when: left=ok, value: 8}, {when: right=ok, value: 8}]
"""


def lines_of(text, section, **options):
    problem = read_text(text, format="yaml")
    asked = AnalysisOptions(**options)
    return list(report.lines(analyze(problem, only=[section], options=asked)))


def test_every_section_says_in_a_line_what_it_tells():
    for view in VIEWS.values():
        assert 0 < len(view.NOTE) < 80
        assert view.NOTE[0].islower()


def test_the_note_stands_between_the_title_and_the_table():
    lines = lines_of(TIED, "derivatives")

    start = lines.index("Derivatives")
    assert lines[start + 1] == VIEWS["derivatives"].NOTE
    assert lines[start + 2].split() == (
        "number now derivative if it falls by 1 % allowable increase".split()
    )


def test_a_derivative_is_told_once_unless_its_sides_differ():
    """Whichever is likelier counts: 8 for each unit more, nothing for each one less."""
    rows = {line.split("  ")[0]: line.split() for line in lines_of(TIED, "derivatives")}

    assert rows["P(left=ok)"][-4:] == ["0.5", "8", "0", "0.04"]


def test_a_cost_that_may_not_rise_has_a_room_of_nothing():
    rows = {line.split("  ")[0]: line.split() for line in lines_of(TIED, "derivatives")}

    assert Fraction(rows["cost of left"][-1]) == 0


def test_a_section_without_numbers_says_so_instead_of_an_empty_table():
    text = """
budget: 1
actions: {a: {outcomes: {ok: 1}}}
rewards: [{when: a=ok, value: 0}]
"""
    assert lines_of(text, "tornado")[-1] == "there is no number to vary"
    free = text.replace("{outcomes", "{cost: 0, outcomes")
    assert lines_of(free, "thresholds")[-1] == "there is no number to vary"
