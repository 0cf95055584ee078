"""Rewarding sets as JSON: valid, complete, and honest about limits."""

import json
from itertools import islice
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from branchwise.errors import LimitError
from branchwise.formats.read import read, read_text
from branchwise.report.answers.sets_json import sets_document, sets_json, sets_schema
from branchwise.rewarding.sets import RewardingSets
from problems.strategies import seeded_documents
from strict_schema import strict

EXAMPLES = Path(__file__).parents[3] / "examples"


VALIDATOR = Draft202012Validator(strict(sets_schema()))


def written(sets, **limits):
    """Read the text back; NaN and Infinity are not JSON."""
    text = "".join(sets_json(sets, **limits))
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=pytest.fail)


@pytest.fixture
def paper():
    return RewardingSets(read(EXAMPLES / "illustrative.yaml"))


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(sets_schema())


def test_the_four_sets_of_the_paper(paper):
    document = written(paper)

    VALIDATOR.validate(document)
    assert document["format"] == "branchwise-rewarding-sets"
    assert document["version"] == 1
    assert document["num_sets"] == 4
    assert document["complete"] is True
    assert document["unused_actions"] == []
    assert document["perfect_information"] == paper.perfect_information
    first, second, third, fourth = document["rewarding_sets"]
    assert first == {
        "reward": 50,
        "cost": 3,
        "probability": 0.108,
        "needs": [
            {"action": "a1", "outcome": "ok"},
            {"action": "a4", "outcome": "ok"},
            {"action": "a5", "outcome": "ok"},
        ],
        "order": ["a1", "a4", "a5"],
    }
    assert second["order"] == ["a3", "a7"]
    assert sorted(third["order"]) == ["a1", "a2", "a4", "a6"]
    assert sorted(fourth["order"]) == ["a2", "a3", "a4", "a6"]


def test_text_and_data_are_the_same(paper):
    assert written(paper) == sets_document(paper)


def test_a_limit_is_told(paper):
    document = written(paper, limit=2)

    VALIDATOR.validate(document)
    assert [each["reward"] for each in document["rewarding_sets"]] == [50, 100]
    assert document["num_sets"] == 4
    assert document["complete"] is False


@pytest.mark.parametrize("limit", [4, 5, None])
def test_a_limit_that_leaves_out_nothing_is_complete(paper, limit):
    assert written(paper, limit=limit)["complete"] is True


def test_no_sets_are_a_complete_list(paper):
    document = written(RewardingSets(paper.problem.with_budget(1)))

    VALIDATOR.validate(document)
    assert document["rewarding_sets"] == []
    assert document["complete"] is True
    assert document["unused_actions"] == [f"a{i}" for i in range(1, 8)]
    assert document["perfect_information"] == 0


def test_sets_that_could_not_be_counted_are_not_complete():
    document = written(None)

    VALIDATOR.validate(document)
    assert document == sets_document(None)
    assert document["rewarding_sets"] == []
    assert document["num_sets"] is None
    assert document["complete"] is False
    assert document["unused_actions"] is None
    assert document["perfect_information"] is None


def test_a_limit_met_on_the_way_is_not_complete(paper, monkeypatch):
    def broken(self):
        yield from islice(found, 1)
        raise LimitError("the time is up")

    found = list(paper)
    monkeypatch.setattr(RewardingSets, "__iter__", broken)
    document = written(paper)

    VALIDATOR.validate(document)
    assert len(document["rewarding_sets"]) == 1
    assert document["complete"] is False
    assert document["num_sets"] == 4


def test_time_that_is_up_is_not_complete(paper):
    document = written(paper, time_limit_seconds=-1)

    VALIDATOR.validate(document)
    assert document["rewarding_sets"] == []
    assert document["complete"] is False


def test_several_resources_are_told_one_by_one():
    problem = read_text(
        "budget: {money: 9, days: 9}\n"
        "actions: {walk: {cost: {days: 1/2}, outcomes: {there: 1}}}\n"
        "rewards: [{when: walk=there, value: 10}]"
    )

    document = written(RewardingSets(problem))

    VALIDATOR.validate(document)
    assert document["rewarding_sets"][0]["cost"] == {"money": 0, "days": 0.5}


def test_names_are_written_as_they_are():
    problem = read_text(
        "actions: {試掘: {outcomes: {'<oil>': 1}}}\n"
        "rewards: [{when: 試掘='<oil>', value: 1}]"
    )

    text = "".join(sets_json(RewardingSets(problem)))

    assert '"needs": [{"action": "試掘", "outcome": "<oil>"}]' in text


@pytest.mark.parametrize("seed", range(5))
def test_any_problem_makes_a_valid_document(seed):
    for drawn in seeded_documents(10, f"sets {seed}", max_states=300):
        problem = read_text(json.dumps(drawn), format="json")

        document = written(RewardingSets(problem), limit=None)

        VALIDATOR.validate(document)
        sets = document["rewarding_sets"]
        assert document["complete"] is True
        assert document["num_sets"] == len(sets)
        strengths = [each["reward"] * each["probability"] for each in sets]
        assert strengths == pytest.approx(sorted(strengths, reverse=True))
        used = {name for each in sets for name in each["order"]}
        assert not used & set(document["unused_actions"])
