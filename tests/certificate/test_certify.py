"""Certificates prove what the brute force finds, on problems of every kind."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import branchwise
from branchwise.certificate import proof as room
from branchwise.certificate.checker import check
from oracles import oracle
from problems.strategies import seeded_documents

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
PORTION = 20


def problem_of(document):
    return branchwise.read_text(json.dumps(document), "json")


def test_the_illustrative_example_is_proven_exactly(illustrative):
    certificate = branchwise.certify(illustrative)

    assert check(certificate.text()) == (Fraction(105459, 12500),) * 2
    assert certificate.is_optimal
    assert certificate.relative_gap == 0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_proven_exactly(path):
    problem = branchwise.read(path)
    if path.stem == "tireworld":  # Whole, it has 65,000 states for the checker.
        problem = problem.with_budget(5)
    certificate = branchwise.certify(problem)
    verdict = branchwise.verify(certificate, problem)

    exact = branchwise.solve(problem, exact=True).expected_reward
    assert verdict.is_accepted, verdict.text
    assert verdict.lower_bound == verdict.upper_bound == exact


@pytest.mark.parametrize("portion", range(15))
def test_random_problems_are_proven_exactly(portion):
    for document in seeded_documents(PORTION, f"certify/{portion}", max_states=150):
        problem = problem_of(document)
        verdict = branchwise.verify(branchwise.certify(problem), problem)

        assert verdict.is_accepted, (document, verdict.text)
        value = oracle.value(document)
        assert (verdict.lower_bound, verdict.upper_bound) == (value, value), document


@pytest.mark.parametrize("portion", range(5))
def test_bounds_found_best_first_hold_the_true_value(portion, monkeypatch):
    """No problem is small enough any more, so that all are searched best first."""
    monkeypatch.setattr(room, "_MOST_STATES_FOR_A_GAP", 0)
    for document in seeded_documents(PORTION, f"gap/{portion}", max_states=150):
        problem = problem_of(document)
        certificate = branchwise.certify(problem, gap=0.05)
        verdict = branchwise.verify(certificate, problem)

        assert verdict.is_accepted, (document, verdict.text)
        value = oracle.value(document)
        assert verdict.lower_bound <= value <= verdict.upper_bound, document
        assert certificate.relative_gap <= 0.05 + 1e-9, document


def test_a_search_that_is_stopped_proves_its_gap(monkeypatch):
    """Seven more states are not enough for a proof, but for bounds they are."""
    problem = branchwise.generate(25, 12, seed=7)
    best = branchwise.solve(problem).expected_reward
    monkeypatch.setattr(room, "_MOST_STATES", 7)
    certificate = branchwise.certify(problem)
    verdict = branchwise.verify(certificate)

    assert verdict.is_accepted
    assert certificate.gap > 0
    assert verdict.lower_bound <= best + 1e-9
    assert verdict.upper_bound >= best - 1e-9


def test_long_numbers_are_rounded_outward(monkeypatch, illustrative):
    monkeypatch.setattr(room, "_LONGEST_NUMBER", 1)
    monkeypatch.setattr(room, "_FINEST", Fraction(1, 1000))
    certificate = branchwise.certify(illustrative)

    assert branchwise.verify(certificate).is_accepted
    assert certificate.lower_bound < Fraction(105459, 12500) < certificate.upper_bound


def test_the_same_problem_has_the_same_certificate(illustrative):
    first, second = (branchwise.certify(illustrative).text() for _ in range(2))

    assert first == second


def test_a_certificate_of_another_problem_is_rejected(illustrative):
    certificate = branchwise.certify(illustrative)
    verdict = branchwise.verify(certificate, illustrative.with_budget(5))

    assert not verdict.is_accepted
    assert verdict.text == "REJECTED: it is about another problem"


def test_a_problem_that_contradicts_itself_is_refused():
    with pytest.raises(branchwise.ProblemError):
        branchwise.certify(branchwise.Problem([]))
