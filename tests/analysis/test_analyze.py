"""Analyses: the sections asked for, and what is refused."""

import json
import sys
from pathlib import Path
from threading import Event

import pytest

from branchwise import Problem, ProblemError, Status, analyze, read, report, solve
from branchwise.analysis import SECTIONS, AnalysisOptions, Table
from branchwise.report.page.analysis import analysis_page
from problems.paper import illustrative

OPTIMAL_ONLY = ("frontier", "thresholds", "strategies", "two-way", "information")

HARD = Path(__file__).parents[2] / "benchmarks" / "instances" / "hard-60.yaml"


def test_every_section_is_there_unless_some_are_asked_for():
    found = analyze(illustrative(4))

    # Costs are not weighed here, so all but cost-effectiveness.
    assert tuple(found.sections) == SECTIONS[:-1]
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
    reported = []

    with pytest.raises(ValueError):
        analyze(
            illustrative(), options=AnalysisOptions(**options), progress=reported.append
        )

    assert reported == []


def test_what_is_not_reached_in_the_time_is_named_with_the_reason():
    found = analyze(read(HARD), only=OPTIMAL_ONLY, time_limit_seconds=0.4)

    assert found.status is found.solution.status is Status.TIME_LIMIT
    assert not found.sections
    assert tuple(found.unreached) == OPTIMAL_ONLY
    assert all("could not be proven" in reason for reason in found.unreached.values())
    document = report.document(found)
    assert document["status"] == "time limit"
    assert document["expected_reward"] < document["upper_bound"]
    for reported in ("\n".join(report.lines(found)), analysis_page(found)):
        assert "could not be proven in the time" in reported


def test_what_is_done_stays_when_it_is_stopped():
    cancel = Event()

    def stop_at_draws(progress):
        if progress.num_all == 77:
            cancel.set()

    found = analyze(
        illustrative(4),
        options=AnalysisOptions(num_draws=77),
        progress=stop_at_draws,
        cancel=cancel,
    )

    assert found.status is Status.INTERRUPTED
    assert tuple(found.unreached) == ("uncertainty", "information", "risk")
    assert (*found.sections, *found.unreached) == SECTIONS[:-1]
    assert set(found.unreached.values()) == {"interrupted before it was worked out"}


def test_every_section_has_tables_that_json_can_hold():
    found = analyze(illustrative(4), options=AnalysisOptions())

    json.dumps(report.document(found), allow_nan=False)
    for section in found.sections.values():
        names = [table.name for table in section.tables()]
        assert len(set(names)) == len(names) > 0


def test_data_frames_say_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(ImportError) as caught:
        Table.of("rows", ["x"], [[1]]).frame()

    assert str(caught.value) == ("data frames need pandas; fix: pip install pandas")
