"""Simulations as JSON: valid, and exact beside observed."""

import json

import pytest
from jsonschema import Draft202012Validator

from branchwise import (
    Action,
    Problem,
    Reward,
    read_text,
    simulate,
    simulation_document,
    simulation_json,
    simulation_schema,
)
from problems.hostile_names import SEEN
from problems.paper import illustrative
from problems.strategies import seeded_documents
from strict_schema import strict

VALIDATOR = Draft202012Validator(strict(simulation_schema()))


def written(*simulations):
    """Read the text back; NaN and Infinity are not JSON."""
    text = simulation_json(simulations)
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=pytest.fail)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(simulation_schema())


def test_exact_and_observed_stand_side_by_side():
    found = simulate(illustrative(), num_runs=1000, seed="x")
    document = written(found)

    VALIDATOR.validate(document)
    assert document == simulation_document([found])
    assert document["seed"] == "x"
    [policy] = document["policies"]
    assert policy["mean"] == found.mean
    assert policy["expected"]["net_rewards"]["mean"] == pytest.approx(8.43672)
    assert policy["expected"]["net_rewards"]["quantiles"][0] == [0.05, 0]
    assert policy["paths"][0]["happened"][0] == {"action": "a1", "outcome": "2"}


def test_random_problems_and_policies_follow_the_schema():
    for document in seeded_documents(15, "simulation json", max_states=100):
        problem = read_text(json.dumps(document), format="json")
        found = [
            simulate(problem, policy=name, num_runs=50)
            for name in ("optimal", "greedy-expected", "random")
        ]

        VALIDATOR.validate(written(*found))


@pytest.mark.parametrize("name", SEEN, ids=ascii)
def test_names_are_kept_as_they_are(name):
    toss = Action(name, outcomes={"heads": 1})
    problem = Problem([toss], [Reward(toss["heads"], 10)], name=name)

    document = written(simulate(problem, num_runs=2))

    assert document["problem"] == name
    [path] = document["policies"][0]["paths"]
    assert path["happened"] == [{"action": name, "outcome": "heads"}]
