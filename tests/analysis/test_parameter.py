"""Parameters: every number of a problem, by name, and what becomes of it."""

import json
from fractions import Fraction

import pytest

from branchwise import read_text, validate
from branchwise.analysis import parameters
from branchwise.analysis.parameter import find_parameter
from problems.paper import illustrative
from problems.strategies import seeded_documents


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def test_names_are_unique_and_find_their_number():
    for document in seeded_documents(40, "parameters", max_states=200):
        problem = problem_of(document)
        names = [each.name for each in parameters(problem)]
        assert len(set(names)) == len(names), document["name"]
        for each in parameters(problem):
            assert find_parameter(problem, each.name) == each


def test_a_changed_number_is_what_it_was_changed_to():
    for document in seeded_documents(25, "changed parameters", max_states=200):
        problem = problem_of(document)
        for each in parameters(problem):
            new = each.value(problem) * Fraction(7, 8)
            changed = each.changed(problem, new)
            assert each.value(changed) == new, each.name
            assert each.changed(changed, each.value(problem)) == problem
            errors = [i for i in validate(changed) if i.severity == "error"]
            assert errors == [], each.name


def test_other_outcomes_keep_their_proportions():
    text = """
actions: {a: {outcomes: {x: 0.5, y: 0.3, z: 0.2}}}
rewards: [{when: a=x, value: 1}]
"""
    problem = read_text(text, format="yaml")
    changed = find_parameter(problem, "P(a=x)").changed(problem, Fraction(0))

    probabilities = [o.probability for o in changed.action("a").outcomes]
    assert probabilities == [0, Fraction(3, 5), Fraction(2, 5)]


def test_an_unknown_name_gets_a_hint():
    with pytest.raises(ValueError) as caught:
        find_parameter(illustrative(), "P(a1=3)")

    assert str(caught.value) == (
        "there is no parameter `P(a1=3)`; did you mean `P(a1=2)`?"
    )
