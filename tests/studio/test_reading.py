"""What is wrong with a text is shown where it is, with an edit that puts it right."""

from pathlib import Path

import pytest

from branchwise.studio.desk import Desk
from branchwise.studio.reading import reading_of


def repaired(tmp_path, text):
    desk = Desk(tmp_path / "problem.yaml", text)
    issue = reading_of(text).issues[0]
    desk.edit(desk.version, [issue["repair"]])
    desk.close()
    return desk.text, text[issue["from"] : issue["to"]]


REPAIRED = {
    "actions: {a: {outcomes: {ok: 0.6, bad: 0.3}}}\nrewards: [{when: a=ok, value: 1}]":
        ("bad: 0.3", "bad: rest"),
    "actions: {a: {outcomes: {ok: 1}}}\nrewards: [{when: a=okk, value: 1}]":
        ("okk", "ok"),
    "actions: {a: {costs: 2, outcomes: {ok: 1}}}\nrewards: [{when: a=ok, value: 1}]":
        ("costs", "cost"),
    "actions: {a: {outcomes: {ok: 60, b: rest}}}\nrewards: [{when: a=ok, value: 1}]":
        ("60", "60%"),
    "combine: summ\nactions: {a: {outcomes: {ok: 1}}}\nrewards: [{when: a, value: 1}]":
        ("summ", "sum"),
}  # fmt: skip


@pytest.mark.parametrize("text", REPAIRED, ids=range(len(REPAIRED)))
def test_a_button_puts_right_what_has_one_fix(text, tmp_path):
    after, _ = repaired(tmp_path, text)
    old, new = REPAIRED[text]
    assert after == text.replace(old, new)
    assert not [i for i in reading_of(after).issues if i["severity"] == "error"]


@pytest.mark.parametrize(
    "path", sorted(Path("tests/messages").glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_broken_problem_is_read_and_its_repairs_can_be_applied(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    for issue in reading_of(text).issues:
        assert 0 <= issue["from"] <= issue["to"] <= len(text)
        if issue["repair"]:
            desk = Desk(tmp_path / path.name, text)
            desk.edit(desk.version, [issue["repair"]])
            after = reading_of(desk.text).issues
            assert issue["what"] not in {each["what"] for each in after}
            desk.undo(desk.version)
            assert desk.text == text
            desk.close()
            Path(f"{tmp_path / path.name}.studio").unlink()


def test_conditions_are_taken_apart_into_groups():
    text = "actions: {a: {requires: 'b=x and (c or not d=y)', outcomes: {ok: 1}}}"
    outline = reading_of(text).outline
    requires = outline["map"][0][1]["map"][0][1]["map"][0][1]
    assert requires["condition"] == {
        "all": [
            {"action": "b", "outcome": "x"},
            {"any": [{"action": "c"}, {"not": {"action": "d", "outcome": "y"}}]},
        ]
    }
