"""What an assistant gets for what it asks; how it is asked is in `test_server.py`."""

import json
import re
import shutil
from pathlib import Path
from threading import Event

import jsonschema
import pytest

import branchwise
from branchwise.assistant.results import RESULT_SCHEMA
from branchwise.assistant.tools import TOOLS, call
from branchwise.formats.file_limits import LARGEST_FILE

ROOT = Path(__file__).parents[2]
EXAMPLES, INSTANCES = ROOT / "examples", ROOT / "benchmarks" / "instances"
OIL = (EXAMPLES / "oil_wildcatter.yaml").read_text(encoding="utf-8")
SHOP = (EXAMPLES / "web_shop.yaml").read_text(encoding="utf-8")


def ask(name, **given):
    result = call(name, given, Event())
    jsonschema.Draft202012Validator(RESULT_SCHEMA).validate(result.data)
    assert result.is_error == (not result.data["ok"] and name != "check")
    return result


def test_there_are_eight_tools_and_their_schemas_are_schemas():
    assert [tool.name for tool in TOOLS] == (
        "check solve explain analyze simulate defend convert schema".split()
    )
    for tool in TOOLS:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)


@pytest.mark.parametrize(
    ("name", "given", "kind", "words"),
    [
        ("solve", {"document": OIL}, "solution", "expected reward 22.5"),
        ("solve", {"document": OIL, "aim": "cvar=25%"}, "solution", "CVaR"),
        ("solve", {"document": OIL, "after": "test=open"}, "solution", "32.8571"),
        ("solve", {"document": OIL, "budget": 5}, "solution", "best to do nothing"),
        ("solve", {"document": OIL, "robust": True}, "solution", "worst case 22.5"),
        ("explain", {"document": OIL, "action": "drill"}, "explanation", "2.5 less"),
        ("analyze", {"document": OIL}, "analysis", "Criticality"),
        ("simulate", {"document": OIL, "runs": 50}, "simulation", "22.5"),
        ("defend", {"document": SHOP}, "interdiction", "defense"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_answers_are_text_and_data_as_their_schema_says(name, given, kind, words):
    """The wildcatter is worth 22.5, and 20 where he drills at once (Raiffa)."""
    result = ask(name, **given)

    jsonschema.Draft202012Validator(branchwise.schema(kind)).validate(
        result.data["result"]
    )
    assert words in result.text
    assert "cut" not in result.data


def test_what_is_wrong_with_a_document_is_what_check_is_for():
    result = ask(
        "check", document="actions:\n  drill: {outcomes: {oil: 0.4, dry: 0.5}}"
    )

    assert not result.data["ok"]
    [issue] = [i for i in result.data["issues"] if i["severity"] == "error"]
    assert (issue["line"], issue["column"]) == (2, 11)
    assert issue["path"] == ["actions", "drill", "outcomes"]
    assert issue["cause"] == "0.4 + 0.5 = 0.9, not 1"
    assert result.text.startswith("document:2:11 actions.drill.outcomes: 0.4 + 0.5")


def test_a_sound_document_is_described_with_its_warnings():
    result = ask("check", document=f"{OIL}budget: 5\n")
    sound = ask("check", document=OIL)

    assert result.data["ok"]
    assert {issue["severity"] for issue in result.data["issues"]} == {"warning"}
    assert "budget: 5" in result.text
    assert sound.data["issues"] == []
    assert sound.text.startswith("ok: name: Oil wildcatter, actions: 2, rewards: 2")


BROKEN = """\
name: Landing
budgt: 8
actions:
  scout:
    cost: 2 hours
    outcomes: {clear: 0.7, mined: 0.2}
  land:
    cost: 3
    requires: scuot=clear or sweep=done
    attempts: 0
    outcomes: {ashore: 0.8, lost: rest}
  sweep:
    requires: scout=mine
    outcomes: {done: 0.6, not done: rest}
rewards:
  - {when: land=ashor, value: 100}
"""


def repaired(text, issue):
    """Do what an issue says, by nothing but its place, its cause and its fix."""
    lines = text.splitlines()
    number, column = issue["line"] - 1, issue["column"] - 1
    line = lines[number]
    new = re.search("write `([^`]+)`", issue["fix"])
    new = new or re.search("a number such as `([^`]+)`", issue["fix"])
    key, colon, _ = new[1].partition(":")
    old = issue["culprit"] or re.match("[^,}:]*", line[column:])[0]
    if colon:
        old = re.search(rf"{key}: [^,}}]*", line)[0]
    at = line.index(old, column)
    lines[number] = line[:at] + new[1] + line[at + len(old) :]
    return "\n".join(lines) + "\n"


def test_a_broken_file_can_be_repaired_from_the_messages_alone():
    text, num_edits = BROKEN, 0
    while issues := ask("check", document=text).data["issues"]:
        text = repaired(text, issues[0])
        num_edits += 1
        assert num_edits <= 7, text

    assert ask("solve", document=text).data["result"]["first_action"] == "scout"


def test_every_error_says_where_why_and_what_to_write():
    asked = [
        ask("solve", document=BROKEN),
        ask("solve"),
        ask("solve", document=OIL, path="oil.yaml"),
        ask("solve", path="nowhere.yaml"),
        ask("solve", document="#" * (LARGEST_FILE + 1)),
        ask("solve", document=OIL, after="drill=gold"),
        ask("solve", document=OIL, budget={"gold": 3}),
        ask("solve", document=OIL, parameters={"rate": 3}),
        ask("solve", document=OIL, aim="fun"),
        ask("explain", document=OIL, action="dril"),
        ask("defend", document=OIL),
        ask("convert", document=OIL, to="xlsx"),
        ask("plan", document=OIL),
    ]
    for result in asked:
        assert result.is_error
        assert "result" not in result.data
        for issue in result.data["issues"]:
            assert issue["place"]
            assert issue["cause"]
            assert issue["fix"]
            assert issue["fix"] in result.text


def test_only_files_in_the_folder_are_read(tmp_path, monkeypatch):
    folder = tmp_path / "plans"
    folder.mkdir()
    outside = tmp_path / "secret.yaml"
    outside.write_text(OIL, encoding="utf-8")
    shutil.copy(outside, folder / "oil.yaml")
    (folder / "link.yaml").symlink_to(outside)
    monkeypatch.chdir(folder)

    assert ask("check", path="oil.yaml").data["ok"]
    assert ask("check", path=str(folder / "oil.yaml")).data["ok"]
    for path in ("../secret.yaml", str(outside), "link.yaml", "a\0b.yaml"):
        [issue] = ask("check", path=path).data["issues"]
        assert issue["cause"] == "it is outside of the folder that may be read"
    for path in ("-", ".", "oil", "..", "/dev/stdin"):
        assert not ask("check", path=path).data["ok"]


def test_a_file_that_is_broken_is_reported_at_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text("actions:\n  drill: {outcomes: {oil: 2}}\n")

    [issue] = ask("check", path="a.yaml").data["issues"]

    assert issue["place"] == "a.yaml:2:27 actions.drill.outcomes.oil"
    assert (issue["line"], issue["column"]) == (2, 27)


def test_long_lists_are_cut_and_say_so():
    """The plan for the first problem of the paper's table 1 has 226 states."""
    path = INSTANCES / "table1-00.yaml"
    result = ask("solve", document=path.read_text(encoding="utf-8"))

    assert result.data["cut"] == {"policy": 226}
    assert len(result.data["result"]["policy"]) == 200
    jsonschema.Draft202012Validator(branchwise.schema("solution")).validate(
        result.data["result"]
    )
    assert len(json.dumps(result.data)) < 300_000
    assert len(result.text) < 25_000


def test_a_problem_is_converted_and_read_again():
    text = ask("convert", document=OIL, to="json").data["result"]["text"]

    assert ask("solve", document=text, format="json").data["result"]["exact"] is None
    assert "mdp" in ask("convert", document=OIL, to="prism").text
    assert '"attack-flow"' in ask("convert", document=OIL, to="stix").text
    assert ask("schema").data["result"] == branchwise.schema("problem")


def test_a_file_of_another_tool_is_read_and_what_was_assumed_is_said():
    tree = (
        "<adtree><node refinement='disjunctive'><label>in</label>"
        "<node><label>mail</label></node></node></adtree>"
    )
    result = ask("solve", document=tree, format="xml")

    assumed = [issue["cause"] for issue in result.data["issues"]]
    assert len(assumed) == 2
    assert "of 0.5" in assumed[0]
    assert "`cost of a step` says, 1" in assumed[1]
    assert result.data["result"]["first_action"] == "mail"


def test_what_is_cancelled_ends_with_what_there_is():
    cancel = Event()
    cancel.set()
    document = (INSTANCES / "hard-100.yaml").read_text(encoding="utf-8")

    result = call("solve", {"document": document}, cancel)

    assert result.data["result"]["status"] == "interrupted"
