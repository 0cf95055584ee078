"""Edits change what they should and nothing else."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from branchwise.errors import FormatError
from branchwise.studio.text.edits import put, remove, rename
from branchwise.studio.text.spans import spans_of

EXAMPLES = [p for p in sorted(Path("examples").glob("*.yaml")) if p.stem != "tireworld"]


def test_a_cost_replaced_keeps_comments_and_spelling():
    text = "budget: 6 # days\nactions:\n  a: {cost: 1.50, outcomes: {ok: 1}} # x\n"
    after = put(text, ("actions", "a", "cost"), "2").apply(text)
    assert after == text.replace("1.50", "2")


def test_keys_are_added_where_people_write_them():
    text = (
        "actions:\n  a:\n    outcomes: {ok: 1}\nrewards:\n  - {when: a=ok, value: 1}\n"
    )
    text = put(text, ("budget",), "6").apply(text)
    text = put(text, ("name",), "Mine").apply(text)
    text = put(text, ("actions", "b", "outcomes"), {"ok": "0.5", "no": "rest"}).apply(
        text
    )
    text = put(text, ("actions", "b", "requires"), "a=ok").apply(text)
    text = put(text, ("rewards", 1), {"when": "b=ok", "value": "3"}).apply(text)
    text = put(text, ("combine",), "sum").apply(text)
    assert text == (
        "name: Mine\nbudget: 6\nactions:\n  a:\n    outcomes: {ok: 1}\n  b:\n"
        "    requires: a=ok\n    outcomes: {ok: 0.5, 'no': rest}\nrewards:\n"
        "  - {when: a=ok, value: 1}\n  - {when: b=ok, value: 3}\ncombine: sum\n"
    )


def test_a_document_is_built_from_nothing():
    text = ""
    text = put(text, ("name",), "New").apply(text)
    text = put(text, ("actions", "a", "outcomes", "ok"), "0.6").apply(text)
    text = put(text, ("actions", "a", "outcomes", "fail"), "0.4").apply(text)
    text = put(text, ("rewards", 0), {"when": "a=ok", "value": "1"}).apply(text)
    assert text == (
        "name: New\nactions:\n  a:\n    outcomes: {ok: 0.6, fail: 0.4}\n"
        "rewards:\n  - {when: a=ok, value: 1}\n"
    )


def test_what_is_emptied_goes_and_can_come_back():
    text = (
        "actions:\n  a:\n    outcomes: {ok: 1}\nrewards:\n  - {when: a=ok, value: 1}\n"
    )
    text = remove(text, ("rewards", 0)).apply(text)
    assert text == "actions:\n  a:\n    outcomes: {ok: 1}\n"
    text = remove(text, ("actions", "a")).apply(text)
    assert text == "actions: {}\n"
    text = put(text, ("actions", "b", "outcomes"), {"ok": "1"}).apply(text)
    assert text == "actions:\n  b:\n    outcomes: {ok: 1}\n"


def test_an_outcome_that_was_a_number_gets_more_to_say():
    text = "actions:\n  a:\n    outcomes: {ok: 0.60, fail: rest}\n"
    after = put(text, ("actions", "a", "outcomes", "ok", "ends"), "lose").apply(text)
    assert "{ok: {probability: 0.60, ends: lose}, fail: rest}" in after


def test_json_stays_json():
    text = (
        '{\n  "budget": 6,\n  "actions": {\n    "a": {"outcomes": {"ok": 1}}\n  }\n}\n'
    )
    added = {"outcomes": {"x": "0.5", "y": "1/2"}}
    text = put(text, ("actions", "b"), added, is_json=True).apply(text)
    text = put(text, ("name",), "J", is_json=True).apply(text)
    assert text == (
        '{\n  "name": "J",\n  "budget": 6,\n  "actions": {\n'
        '    "a": {"outcomes": {"ok": 1}},\n'
        '    "b": {"outcomes": {"x": 0.5, "y": "1/2"}}\n  }\n}\n'
    )


def test_line_ends_of_windows_stay():
    text = "budget: 6\r\nactions:\r\n  a:\r\n    outcomes: {ok: 1}\r\n"
    after = put(text, ("actions", "a", "cost"), "2").apply(text)
    assert after == text.replace("  a:\r\n", "  a:\r\n    cost: 2\r\n")


def test_a_name_is_changed_where_it_stands():
    text = "actions:\n  a: # first\n    outcomes: {ok: 1}\n"
    assert rename(text, ("actions", "a"), "no: b").apply(text) == text.replace(
        "a: #", "'no: b': #"
    )


def paths(span, path=()):
    if path:
        yield path
    for key, value in span.entries:
        yield from paths(value, (*path, key.text))
    for number, value in enumerate(span.items):
        yield from paths(value, (*path, number))


VALUES = st.one_of(
    st.sampled_from(["0.5", "rest", "1/3", "30%", "a=ok or b", '"x y"=1', "no", "- x"]),
    st.text(max_size=8),
    st.just({"outcomes": {"ok": "0.5", "no": {"probability": "rest", "cost": "2"}}}),
    st.just([{"when": "a=ok", "cost": "2"}]),
)


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(data=st.data())
def test_random_edits_change_what_they_should_and_can_be_taken_back(data):
    """What an edit leaves alone is compared by the edit itself, as data."""
    first = text = data.draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8")
    taken_back = []
    for _ in range(data.draw(st.integers(1, 6))):
        root = spans_of(text)
        known = [*paths(root)] if root else [("actions", "a")]
        path = data.draw(st.sampled_from(known))
        try:
            match data.draw(st.sampled_from(["put", "add", "remove", "rename"])):
                case "put":
                    splice = put(text, path, data.draw(VALUES))
                case "add":
                    splice = put(text, (*path[:-1], "new"), data.draw(VALUES))
                case "remove":
                    splice = remove(text, path)
                case _:
                    splice = rename(text, path, data.draw(st.text(max_size=5)))
        except FormatError:
            continue
        taken_back.append(splice.inverse(text))
        after = splice.apply(text)
        assert after[: splice.start] == text[: splice.start]
        tail = text[splice.end :]
        assert after.endswith(tail)
        text = after
    for splice in reversed(taken_back):
        text = splice.apply(text)
    assert text == first


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_number_of_the_examples_can_be_edited(path):
    text = path.read_text(encoding="utf-8")
    leaves = [p for p in paths(spans_of(text)) if spans_of(text).at(p).kind == "text"]
    for each in leaves[:40]:
        splice = put(text, each, "0.123")
        assert len(splice.apply(text).splitlines()) <= len(text.splitlines())
