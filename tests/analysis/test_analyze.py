"""Analyses: the sections asked for, and what is refused."""

import json
import sys

import pytest

from branchwise import (
    SECTIONS,
    AnalysisOptions,
    Problem,
    ProblemError,
    Table,
    analysis_document,
    analyze,
    solve,
)
from paper import illustrative


def test_every_section_is_there_unless_some_are_asked_for():
    found = analyze(illustrative(4))

    assert tuple(found.sections) == SECTIONS
    assert found.solution.expected_reward == solve(illustrative(4)).expected_reward


def test_sections_come_in_their_own_order_and_once():
    last_first = [*reversed(SECTIONS), SECTIONS[0]]

    assert tuple(analyze(illustrative(3), only=last_first).sections) == SECTIONS


def test_an_unknown_section_is_refused_with_a_hint():
    with pytest.raises(ValueError) as caught:
        analyze(illustrative(), only=["critcality"])

    assert str(caught.value) == (
        "there is no section `critcality`; did you mean `criticality`?"
    )


def test_a_problem_that_contradicts_itself_is_refused():
    with pytest.raises(ProblemError):
        analyze(Problem([]))


@pytest.mark.parametrize(
    "options",
    [{"ranges": {"P(a1=2)": (0, 2)}}, {"sample_size": 0}, {"num_draws": 0}],
)
def test_options_that_do_not_fit_are_refused_before_any_work(options):
    told = []

    with pytest.raises(ValueError):
        analyze(
            illustrative(), options=AnalysisOptions(**options), progress=told.append
        )

    assert told == []


def test_every_section_has_tables_that_json_can_hold():
    found = analyze(illustrative(4), options=AnalysisOptions())

    json.dumps(analysis_document(found), allow_nan=False)
    for section in found.sections.values():
        names = [table.name for table in section.tables()]
        assert len(set(names)) == len(names) > 0


def test_data_frames_say_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(ImportError) as caught:
        Table.of("rows", ["x"], [[1]]).frame()

    assert str(caught.value) == (
        "data frames need pandas; fix: pip install 'branchwise[pandas]'"
    )
