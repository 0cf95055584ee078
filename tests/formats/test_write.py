"""Tests for writing problem files: pretty, readable elsewhere, whole or not at all."""

import json
import os
import stat
from pathlib import Path

import pytest
import yaml

from branchwise.errors import FormatError, ProblemError
from branchwise.formats.atomic import write_atomically
from branchwise.formats.read import read, read_text
from branchwise.formats.write import write, write_text
from branchwise.model.action import Action
from branchwise.model.budget import UNLIMITED
from branchwise.model.problem import Problem, Reward
from problems.rewording import AWKWARD

PRETTY = """\
name: Illustrative example
budget: 6
actions:
  a1:
    outcomes: {fail: 0.4, ok: 0.6}
  a3:
    cost: 2.5
    outcomes: {'no': 2/3, 'yes': 1/3}
  a4:
    requires: a1=ok or a3=yes
    precluded_by: a4=fail
    attempts: 3
    outcomes: {fail: 0.7, ok: 0.3}
    given:
      - when: a1=fail and not a3
        outcomes: {fail: 0.5, ok: 0.5}
        cost: 0
  my action:
    requires: '"my action"=ok'
    attempts: unlimited
    outcomes: {ok: 1}
rewards:
  - {when: a4=ok, value: 50}
  - {when: '"my action"=ok or a1', value: 7}
combine: sum
cost_weight: 0.25
"""


def names_in(folder):
    return [entry.name for entry in folder.iterdir()]


def test_yaml_is_written_as_a_person_would():
    assert write_text(read_text(PRETTY)) == PRETTY


def test_resources_are_written_by_name():
    text = (
        "budget: {money: 10, days: unlimited}\n"
        "actions:\n  a:\n    cost: {money: 3, days: 1/3}\n    outcomes: {x: 1}\n"
        "  b:\n    cost: 0\n    outcomes: {x: 1}\n"
        "cost_weight: {money: 2}\n"
    )
    assert write_text(read_text(text)) == text


def test_a_single_named_resource_needs_no_name_in_costs():
    text = (
        "budget: {money: 10}\nactions:\n  a:\n    outcomes: {x: 1}\n"
        "  b:\n    cost: 3\n    outcomes: {x: 1}\ncost_weight: 2\n"
    )
    assert write_text(read_text(text)) == text


def test_json_is_one_line_for_what_is_small():
    text = write_text(read_text(PRETTY), "json")
    assert '      "outcomes": {"no": "2/3", "yes": "1/3"}\n' in text
    assert '    {"when": "a4=ok", "value": 50},\n' in text
    document = json.loads(text)
    assert document["actions"]["a3"]["cost"] == 2.5
    assert list(document)[:3] == ["name", "budget", "actions"]


def test_json_numbers_are_text_where_a_float_would_change_them():
    probabilities = {"x": "0.12345678901234567890", "y": "rest"}
    problem = Problem([Action("a", outcomes=probabilities, cost=0.25)])
    written = json.loads(write_text(problem, "json"))["actions"]["a"]
    assert written["outcomes"]["x"] == "0.1234567890123456789"
    assert written["cost"] == 0.25


@pytest.mark.parametrize("name", AWKWARD)
def test_other_readers_of_yaml_see_text_where_we_do(name):
    action = Action(name, outcomes={name: "1/2", "other": 0.5})
    problem = Problem([action], [Reward(action[name], 3)], name=name, budget={name: 4})
    text = write_text(problem)
    assert read_text(text) == problem
    seen = yaml.safe_load(text)
    assert seen["name"] == name
    assert list(seen["actions"]) == [name]
    assert list(seen["actions"][name]["outcomes"]) == [name, "other"]
    assert seen["actions"][name]["outcomes"]["other"] == 0.5
    assert seen["rewards"] == [{"when": str(action[name]), "value": 3}]


@pytest.mark.parametrize("word", ["y", "N", "Yes", "OFF", "Null", "1_000", "0o17", "é"])
def test_words_that_mean_something_elsewhere_are_quoted(word):
    text = write_text(Problem([Action("a", outcomes={word: 1})]))
    assert (f"'{word}': 1" in text) == (word != "é")


def test_a_title_may_have_several_lines():
    problem = Problem([Action("a", outcomes={"x": 1})], name="One:\n\ttwo # three")
    for form in ("yaml", "json"):
        assert read_text(write_text(problem, form), form) == problem


def test_a_long_condition_stays_on_its_line():
    actions = [Action(f"a{n}", outcomes={"x": 1}) for n in range(200)]
    condition = " and ".join(f"a{n}=x" for n in range(200))
    text = write_text(Problem(actions, [Reward(condition, 1)]))
    assert f"  - {{when: {condition}, value: 1}}\n" in text


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_problem_that_contradicts_itself_is_not_written(tmp_path, form):
    broken = Problem([Action("a", outcomes={"x": 0.5})])
    with pytest.raises(ProblemError):
        write(broken, tmp_path / f"oil.{form}")
    with pytest.raises(ProblemError):
        write_text(broken, form)
    assert list(tmp_path.iterdir()) == []


def test_a_number_that_could_not_be_read_back_is_not_written():
    for value in (10**1000, 10**9000):
        problem = Problem([Action("a", outcomes={"x": 1})], [Reward("a", value)])
        with pytest.raises(FormatError, match="too long to write"):
            write_text(problem)


def test_an_unknown_end_or_format_is_refused(tmp_path):
    problem = Problem([Action("a", outcomes={"x": 1})])
    with pytest.raises(FormatError, match=r"`\.txt` is not the end"):
        write(problem, tmp_path / "oil.txt")
    with pytest.raises(ValueError, match="there is no format 'toml'"):
        write_text(problem, "toml")
    with pytest.raises(ValueError, match="xlsx is not text"):
        write_text(problem, "xlsx")


@pytest.mark.parametrize("name", ["oil.yaml", "oil.json", "OIL.YML"])
def test_what_is_written_is_read_back(tmp_path, name):
    problem = Problem([Action("a", outcomes={"x": 1}, attempts=2)], budget=UNLIMITED)
    write(problem, tmp_path / name)
    assert read(tmp_path / name) == problem


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "oil.yaml"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new: é")
    assert path.read_bytes() == "new: é".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names_in(tmp_path) == ["oil.yaml"]


def test_a_new_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").write_text("")
    write_atomically(tmp_path / "new", b"x")
    modes = {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.yaml").write_text("old")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    write_atomically(tmp_path / "link.yaml", "new")
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "real.yaml").read_text() == "new"


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, failing):
    path = tmp_path / "oil.yaml"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(FormatError, match="cannot be written: No space left"):
        write_atomically(path, "new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["oil.yaml"]


def test_an_interruption_leaves_no_half_file(tmp_path, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "oil.yaml", "new")
    assert names_in(tmp_path) == []


def test_a_missing_folder_says_how_to_make_it(tmp_path):
    with pytest.raises(FormatError) as caught:
        write_atomically(tmp_path / "out" / "oil.yaml", "x")
    (issue,) = caught.value.issues
    assert issue.what == f"there is no folder `{tmp_path / 'out'}`"
    assert issue.fix == f"make it first: `mkdir -p {tmp_path / 'out'}`"


def test_a_folder_is_not_replaced(tmp_path):
    with pytest.raises(FormatError, match="this is a folder"):
        write_atomically(tmp_path, "x")


def test_a_device_is_written_to_and_not_replaced():
    write_atomically("/dev/null", "x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_comment_is_what_it_is_whatever_it_says(tmp_path):
    """No line of it may be taken for a key, a property, or the end of the comment."""
    problem = read_text(PRETTY)
    said = [
        "budget: 7",
        "  // property: Pmax=? [F a]",
        "a\nbudget: 8\r\u2028x",
        "",
        "y" * 99,
    ]
    for name in ("commented.yaml", "commented.prism"):
        path = tmp_path / name
        write(problem, path, said)
        plain = write_text(problem, path.suffix[1:])
        assert [
            each for each in path.read_text().splitlines() if each in plain.splitlines()
        ] == plain.splitlines()
    assert read(tmp_path / "commented.yaml") == problem
    for format_ in ("json", "csv", "stix"):
        with pytest.raises(ValueError, match="has no comments; write one of yaml, pri"):
            write_text(problem, format_, said)
    with pytest.raises(ValueError, match="xlsx has no comments"):
        write(problem, tmp_path / "commented.xlsx", said)
