"""Analyses of all that a problem may have, and of problems with next to nothing."""

import json
from random import Random

import jsonschema
import pytest

from branchwise import analyze, read_text, report
from branchwise.analysis import SECTIONS, AnalysisOptions, parameters, two_way
from branchwise.report.csv_text import table_csv
from branchwise.report.page.analysis import analysis_page
from oracles.oracle import number, value
from problems.strategies import awkward_names, random_document, seeded_documents

FEW_DRAWS = AnalysisOptions(num_draws=5)

BARE = {
    "no reward": "actions: {a: {outcomes: {ok: 0.5, no: rest}}}\nrewards: []",
    "nothing to gain": """
actions: {a: {outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: a=ok, value: 0}]""",
    "nothing to spend": """
budget: 0
actions: {a: {outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: a=ok, value: 3}]""",
    "too little to spend": """
budget: 1/7
actions: {a: {cost: 0.3, outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: a=ok, value: 3}]""",
    "nothing left to chance": """
budget: 2
actions: {a: {outcomes: {ok: 1, no: 0}}, b: {requires: a=ok, outcomes: {ok: 1}}}
rewards: [{when: b=ok, value: 3}]""",
    "never possible": """
budget: 2
actions:
  a: {requires: b=ok, outcomes: {ok: 1}}
  b: {requires: a=ok, outcomes: {ok: 1}}
rewards: [{when: b=ok, value: 3}]""",
    "only penalties": """
budget: 2
combine: sum
actions: {a: {outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: a=ok, value: -3}, {when: a, value: -1}]""",
    "a penalty to end": """
budget: 1
combine: sum
actions: {a: {outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: not a=ok, value: -3}]""",
    "repeats and defenses": """
budget: 3
actions: {a: {attempts: 3, outcomes: {ok: 0.5, no: rest}}}
rewards: [{when: a=ok, value: 3}]
defenses: {lock: {forbids: a}}""",
    "intervals": """
budget: 1
actions: {a: {outcomes: {ok: "0.5 [0.4, 0.7]", no: rest}}}
rewards: [{when: a=ok, value: 3}]""",
}


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def tell_in_every_way(problem):
    """Text, JSON, CSV and a page: each can be made, and all its numbers are numbers."""
    found = analyze(problem, options=FEW_DRAWS, num_threads=1)
    # Where several resources are weighed, or none, it is not clear what counts as cost.
    weighed = [each for each in problem.budget if problem.cost_weight.of(each)]
    is_costed = len(weighed) == 1
    assert tuple(found.sections) == (SECTIONS if is_costed else SECTIONS[:-1])
    document = report.document(found)
    jsonschema.validate(document, report.schema("analysis"))
    for section in found.sections.values():
        tables = [table_csv(table) for table in section.tables()]
        for reported in tables:
            assert not {"nan", "inf", "-inf"} & set(
                reported.replace("\n", ",").split(",")
            )
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert all("\n" not in line for line in report.lines(found, width=80))
    assert analysis_page(found).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("kind", BARE)
def test_next_to_nothing_is_reported_too(kind):
    tell_in_every_way(read_text(BARE[kind], format="yaml"))


@pytest.mark.parametrize("portion", range(6))
def test_whatever_a_problem_has_is_reported(portion):
    random = Random(f"every feature {portion}")
    document = random_document(random, max_actions=4, max_states=60)

    tell_in_every_way(problem_of(awkward_names(document, random)))


def test_every_cell_of_a_map_is_worth_what_brute_force_says():
    num_cells = 0
    for document in seeded_documents(8, "maps", max_states=40, without={"given"}):
        problem = problem_of(document)
        numbers = {each.name: each for each in parameters(problem)}
        rewards = [n for n, each in numbers.items() if each.kind == "reward"]
        weights = [n for n, each in numbers.items() if each.kind == "cost_weight"]
        across, upward = (rewards[0], 1, 30), (weights[0], 0, 2)

        for cell in two_way(problem, across, upward, num_steps=2).cells:
            changed = json.loads(json.dumps(document))
            changed["rewards"][0]["value"] = str(cell.x)
            changed["cost_weight"] = weighted(document, cell.y)
            assert cell.expected_reward == pytest.approx(float(value(changed)))
            num_cells += 1
    assert num_cells == 8 * 9


def weighted(document, weight):
    """The weights of a document, with another one of its first resource."""
    before, budget = document.get("cost_weight", 0), document["budget"]
    if not isinstance(budget, dict):
        return str(weight)
    if not isinstance(before, dict):
        before = dict.fromkeys(budget, before)
    weights = {name: str(number(w)) for name, w in before.items()}
    return weights | {next(iter(budget)): str(weight)}
