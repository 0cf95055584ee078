"""The quick brute force says what the exact one does."""

import pytest

from oracles.oracle import Oracle
from oracles.quick_oracle import QuickOracle, TooManyStatesError
from problems.gadgets import gadget_oracles
from problems.strategies import seeded_documents


def agree(doc):
    exact, quick = Oracle(doc), QuickOracle(doc)

    value, nodes = quick.worked_out(quick.root)

    assert value == pytest.approx(float(exact.value(exact.root)), rel=1e-12, abs=1e-12)
    measures = {
        "fewest-nodes": nodes,
        "least-depth": quick.measures(quick.root).depth,
        "least-expected-cost": quick.measures(quick.root).cost,
        "fewest-expected-actions": quick.measures(quick.root).actions,
    }
    for objective, found in measures.items():
        assert found == pytest.approx(float(exact.worth(objective, exact.root))), doc
    assert len(quick.known) == len(exact.reachable())


def test_on_uniform_problems():
    for doc in seeded_documents(100, seed="quick", max_states=300):
        agree(doc)


def test_on_built_problems():
    for oracle in gadget_oracles(150, seed="quick"):
        agree(oracle.doc)


def test_without_an_action_is_the_document_without_it():
    for doc in seeded_documents(15, seed="banned", max_states=200):
        for index, name in enumerate(doc["actions"]):
            quick = QuickOracle(doc).without(index)
            banned = {
                other: body | {"precluded_by": {"all": []}} if other == name else body
                for other, body in doc["actions"].items()
            }
            exact = Oracle(doc | {"actions": banned})
            value = float(exact.value(exact.root))
            assert quick.value(quick.root) == pytest.approx(value)


def test_too_many_states_are_not_visited():
    doc = {
        "budget": "unlimited",
        "actions": {f"a{i}": {"outcomes": {"x": "0.5", "y": "0.5"}} for i in range(5)},
        "rewards": [{"when": "a0=x", "value": 1}],
    }
    oracle = QuickOracle(doc, most_states=100)

    with pytest.raises(TooManyStatesError):
        oracle.worked_out(oracle.root)
    assert QuickOracle(doc, most_states=243).worked_out(oracle.root) == (0.5, 3)
