"""Score programs as JSON: valid, and the same as the solution."""

import json

import pytest
from jsonschema import Draft202012Validator

from branchwise import (
    program_document,
    program_json,
    program_schema,
    read_text,
    score_program,
)
from problems.paper import illustrative
from problems.strategies import seeded_documents
from strict_schema import strict

VALIDATOR = Draft202012Validator(strict(program_schema()))


def written(solution, **options):
    """Read the text back; NaN and Infinity are not JSON."""
    text = program_json(solution, **options)
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=pytest.fail)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(program_schema())


def test_every_state_is_there_with_its_actions():
    solution = score_program(illustrative(), graph="full").solve()

    document = written(solution, is_complete=True)

    VALIDATOR.validate(document)
    assert document == program_document(solution, is_complete=True)
    assert [state["column"] for state in document["states"]] == [
        f"s{number}" for number in range(168)
    ]
    root = document["states"][0]
    assert root["score"] == document["expected_reward"] == pytest.approx(8.43672)
    assert root["state"] == "nothing yet, 6 left"
    assert {a["name"] for a in root["actions"] if a["is_optimal"]} == {"a1", "a2"}


def test_random_problems_follow_the_schema():
    for document in seeded_documents(15, "program json", max_states=60):
        problem = read_text(json.dumps(document), format="json")
        found = written(score_program(problem).solve(), is_complete=True)

        VALIDATOR.validate(found)
        for state in found["states"]:
            taken = sum(action["probability"] for action in state["actions"])
            assert taken + state["stops"] == pytest.approx(state["probability"])
