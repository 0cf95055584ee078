"""Whatever is written is read back as the same problem, in every format."""

import json
from random import Random

import pytest
import yaml
from hypothesis import given, settings

from branchwise import Action, Problem
from branchwise.formats.read import read, read_text
from branchwise.formats.write import write, write_text
from problems.measured_documents import measured_documents
from problems.robust_documents import robust_documents
from problems.strategies import (
    awkward_names,
    conditions_as_text,
    documents,
    seeded_documents,
)
from problems.treatment import SEARCH, TREATMENT
from problems.wide_documents import wide_oracles

FORMATS = ["yaml", "json", "csv", "xlsx"]
COUNTS = {"yaml": 100, "json": 100, "csv": 60, "xlsx": 15}


def problems(count, seed):
    """Problems that use the whole format, half of them with awkward names."""
    random = Random(seed)
    for number, document in enumerate(seeded_documents(count, seed, max_states=500)):
        named = awkward_names(document, random) if number % 2 else document
        yield read_text(json.dumps(conditions_as_text(named, random)), "json")


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_is_read_back(form, tmp_path):
    path = tmp_path / f"problem.{form}"
    for problem in problems(COUNTS[form], seed="round trip"):
        write(problem, path)
        assert read(path) == problem


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("text", [TREATMENT, SEARCH])
def test_what_states_hold_besides_outcomes_is_read_back(text, form, tmp_path):
    path = tmp_path / f"problem.{form}"
    problem = read_text(text, "yaml")
    write(problem, path)
    assert read(path) == problem
    changes = {name: 4 for name in problem.parameters if name in {"most", "visit"}}
    again = read(path).with_parameters(changes)
    assert again == problem.with_parameters(changes)
    assert (again != problem) == bool(changes)


@pytest.mark.parametrize("form", FORMATS)
def test_random_problems_whose_states_hold_more_are_read_back(form, tmp_path):
    path = tmp_path / f"problem.{form}"
    for oracle in wide_oracles(COUNTS[form], "round trip"):
        problem = read_text(json.dumps(oracle.doc), "json")
        write(problem, path)
        assert read(path) == problem


@pytest.mark.parametrize("form", FORMATS)
def test_intervals_and_distances_are_read_back(form, tmp_path):
    path = tmp_path / f"problem.{form}"
    for document in robust_documents(COUNTS[form] // 3, "unsure", max_states=500):
        problem = read_text(json.dumps(document), "json")
        write(problem, path)
        assert read(path) == problem


@pytest.mark.parametrize("form", FORMATS)
def test_ranges_and_sample_sizes_are_read_back(form, tmp_path):
    path = tmp_path / f"problem.{form}"
    for document in measured_documents(COUNTS[form] // 3, "ranged", max_states=500):
        problem = read_text(json.dumps(document), "json")
        write(problem, path)
        assert read(path) == problem


@pytest.mark.parametrize("form", ["yaml", "json", "csv"])
def test_resources_called_like_the_parts_of_an_interval_stay_resources(form):
    names = ("value", "low", "high")
    action = Action("a", outcomes={"ok": 1}, cost=dict.fromkeys(names, "1 [0, 2]"))
    problem = Problem(
        [action], budget=dict.fromkeys(names, 5), cost_weight={"value": 1, "high": 2}
    )
    assert read_text(write_text(problem, form), form) == problem


@pytest.mark.parametrize("form", ["yaml", "json", "csv"])
def test_writing_again_changes_nothing(form):
    for problem in problems(30, seed="twice"):
        text = write_text(problem, form)
        assert write_text(read_text(text, form), form) == text


@settings(max_examples=50, deadline=None)
@given(documents(max_states=200))
def test_yaml_and_json_mean_the_same(document):
    as_json = read_text(json.dumps(document), "json")
    as_yaml = read_text(yaml.safe_dump(document, sort_keys=False))
    assert as_json == as_yaml
    for form in ("yaml", "json"):
        assert read_text(write_text(as_json, form), form) == as_json
