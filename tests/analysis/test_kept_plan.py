"""Plans within a gap: every section that keeps one says what evaluating it gives."""

import json
from fractions import Fraction

import pytest

from branchwise import Status, analyze, evaluate, read_text, report, solve
from branchwise.analysis import AnalysisOptions, derivatives, tornado
from branchwise.analysis.critical_actions.criticality import always
from branchwise.analysis.parameter import parameters
from branchwise.analysis.sensitivity import uncertainty as draws_of
from branchwise.errors import PlanError
from branchwise.report.page.analysis import analysis_page
from branchwise.risk.aims import AtLeast, CVaR
from problems.paper import illustrative
from problems.strategies import seeded_documents
from problems.treatment import TREATMENT

STEP = Fraction(1, 10**6)


@pytest.fixture(scope="module")
def kept():
    """Analyses of problems whose plans are within a gap, and not proven optimal."""
    documents = seeded_documents(60, "kept plans", max_states=150)
    problems = [read_text(json.dumps(each), format="json") for each in documents]
    near = [each for each in problems if is_near(solve(each, gap=0.9))]
    assert len(near) > 10
    options = AnalysisOptions(num_draws=5)
    return [analyze(problem, gap=0.9, options=options) for problem in near]


def is_near(solution):
    return solution.status is Status.WITHIN_GAP


def worth(analysis, problem):
    """Evaluate the very plan in another problem; None where it is not allowed there."""
    try:
        return float(evaluate(analysis.solution.tree, problem))
    except PlanError:
        return None


def named(problem):
    return {each.name: each for each in parameters(problem)}


def test_the_status_says_so_and_what_needs_the_optimum_says_why(kept):
    for found in kept:
        assert found.status is Status.WITHIN_GAP
        assert tuple(found.sections) == (
            "criticality",
            "derivatives",
            "tornado",
            "uncertainty",
            "risk",
        )
        assert all(section.is_plan_kept for section in found.sections.values())
        assert all("needs the optimum" in why for why in found.unreached.values())
        base = pytest.approx(worth(found, found.problem), abs=1e-9)
        assert float(found.solution.expected_reward) == base
        document = report.document(found)
        assert document["plan_kept"]
        json.dumps(document, allow_nan=False)


def test_actions_that_fail_or_succeed_change_the_plan_as_evaluating_it_says(kept):
    for found in kept:
        base = float(found.solution.expected_reward)
        for each in found.sections["criticality"].actions:
            assert each.loss_removed is None
            if each.worst_outcome is None:
                continue
            action = found.problem.action(each.action)
            sure = {
                label: worth(found, always(found.problem, action, label)) - base
                for label in action.labels
                if all(
                    any(o.label == label and o.probability for o in table)
                    for table in (action.outcomes, *(c.outcomes for c in action.given))
                    if table
                )
            }
            assert -each.loss_failing == pytest.approx(min(sure.values()), abs=1e-6)
            assert each.gain_certain == pytest.approx(max(sure.values()), abs=1e-6)


def test_actions_are_ranked_for_a_kept_plan_with_hidden_facts_too():
    open_ended = TREATMENT.partition("finish:")[0]
    problem = read_text(open_ended, "yaml")
    found = analyze(problem, gap=0.9, only=["criticality"])
    assert is_near(found.solution)
    assert not found.unreached

    base, tried = float(found.solution.expected_reward), 0
    for each in found.sections["criticality"].actions:
        if each.worst_outcome is None:
            continue
        failing = always(problem, problem.action(each.action), each.worst_outcome)
        assert base - each.loss_failing == pytest.approx(worth(found, failing))
        tried += 1
    assert tried >= 2


def test_derivatives_are_those_of_the_plan_itself(kept):
    for found in kept:
        problem, known = found.problem, named(found.problem)
        base = worth(found, problem)
        for each in found.sections["derivatives"].derivatives:
            parameter, increase = known[each.parameter], each.allowable_increase
            if increase is not None and increase < STEP:
                continue
            more = worth(found, parameter.changed(problem, each.value + STEP))
            if more is not None:
                slope = (more - base) / float(STEP)
                assert each.right == pytest.approx(slope, rel=1e-3, abs=1e-3)


def test_the_tornado_has_what_the_plan_is_worth_at_either_end(kept):
    for found in kept:
        problem, known = found.problem, named(found.problem)
        for each in found.sections["tornado"].swings:
            parameter = known[each.parameter]
            for end, reward in (
                (each.low, each.reward_low),
                (each.high, each.reward_high),
            ):
                expected = worth(found, parameter.changed(problem, end))
                assert reward == pytest.approx(expected, abs=1e-6), each.parameter
            assert each.first_action_low == found.solution.first_action


def test_a_plan_that_no_longer_fits_the_budget_has_no_worth():
    """The plan may spend all of the budget of 6, so that no action may cost more."""
    ranges = {"cost of a1": (Fraction(1, 2), Fraction(3, 2))}
    options = AnalysisOptions(ranges=ranges)
    found = analyze(illustrative(), only=["tornado"], options=options, gap=0.5)

    swing = found.sections["tornado"].of("cost of a1")
    dearer = named(found.problem)["cost of a1"].changed(found.problem, swing.high)
    assert worth(found, dearer) is None
    assert (swing.reward_low, swing.reward_high) == (pytest.approx(8.43672), None)
    assert swing.size == 0
    for shown in ("\n".join(report.lines(found)), analysis_page(found)):
        assert "too costly" in shown


def test_draws_are_worth_what_the_plan_is_worth_with_them(kept):
    for found in kept[:10]:
        section = found.sections["uncertainty"]
        sizes = {
            (s.action, s.clause): float(s.sample_size) for s in section.sample_sizes
        }
        for number, draw in enumerate(section.draws):
            drawn = draws_of._drawn(found.problem, sizes, 0, number)
            assert draw.expected_reward == pytest.approx(worth(found, drawn), abs=1e-6)


def test_aims_are_met_as_the_plan_meets_them_and_no_plan_exceeds_the_bound(kept):
    aims = CVaR("25%"), AtLeast(1)
    options = AnalysisOptions(aims=aims)
    for near in kept[:10]:
        best = analyze(near.problem, only=["risk"], options=options).sections["risk"]
        within = analyze(near.problem, only=["risk"], options=options, gap=0.9)
        risk = within.sections["risk"]
        assert not risk.frontiers
        for aim, answer, other in zip(aims, risk.answers, best.answers, strict=False):
            rewards = answer.aim.rewards
            assert answer.aim.worth == pytest.approx(
                float(aim.worth(rewards)), abs=1e-9
            )
            assert answer.aim.worth <= other.aim.worth + 1e-9
            assert other.aim.worth <= answer.aim.upper_bound + 1e-9


def test_text_and_page_say_it_in_every_section(kept):
    found = kept[0]
    for shown in ("\n".join(report.lines(found)), analysis_page(found)):
        assert "bout a plan within " in shown
        assert "hat this plan is worth with one number at either end" in shown
        assert "eeds the optimum at every pair of values" in shown


def test_a_single_section_takes_a_gap_too(kept):
    problem = kept[0].problem

    assert tornado(problem, gap=0.9).is_plan_kept
    assert not tornado(problem).is_plan_kept
    assert derivatives(problem, gap=0.9).is_plan_kept
    assert not derivatives(problem).is_plan_kept
