"""What is written once and stands in several places is changed where it is meant."""

import pytest

from branchwise.errors import FormatError
from branchwise.studio.reading import reading_of
from branchwise.studio.text.names import splices_of
from branchwise.studio.text.spans import spans_of

TEXT = (
    "actions:\n"
    "  a: &a # first\n"
    "    cost: &c 2\n"
    "    outcomes: &o {ok: 0.5, bad: rest}\n"
    "  b: *a\n"
    "  c: {cost: *c, outcomes: *o}\n"
)


def edited(text, **edit):
    for splice in splices_of(text, edit, is_json=False):
        text = splice.apply(text)
    return text


def test_what_an_alias_leads_to_is_changed_there_only():
    text = edited(TEXT, path=["actions", "c", "outcomes", "ok"], put="0.7")
    assert text == TEXT.replace("outcomes: *o}", "outcomes: {ok: 0.7, bad: rest}}")
    text = edited(TEXT, path=["actions", "b", "outcomes", "ok"], put="0.7")
    assert text == TEXT.replace(
        "  b: *a\n", "  b:\n    cost: 2\n    outcomes: {ok: 0.7, bad: rest}\n"
    )
    text = edited(TEXT, path=["actions", "c", "cost"], put="3")
    assert text == TEXT.replace("cost: *c", "cost: 3")


def test_what_has_an_anchor_is_changed_wherever_it_stands():
    text = edited(TEXT, path=["actions", "a", "cost"], put="3")
    assert text == TEXT.replace("&c 2", "&c 3")
    text = edited(TEXT, path=["actions", "a", "outcomes", "ok"], put="0.7")
    assert text == TEXT.replace("ok: 0.5", "ok: 0.7")


def test_what_goes_leaves_its_copies_behind():
    text = edited(TEXT, path=["actions", "a"], remove=True)
    copy = "{cost: 2, outcomes: {ok: 0.5, bad: rest}}"
    wanted = f"{{actions: {{b: {copy}, c: {copy}}}}}"
    assert spans_of(text).plain() == spans_of(wanted).plain()


def test_the_page_sees_what_an_alias_stands_for_and_where_it_is_written():
    reading = reading_of(TEXT)
    actions = dict(reading.outline["map"])["actions"]["map"]
    assert actions[0][1] == actions[1][1] == actions[2][1]
    assert {"path": ["actions", "b"], "name": "a", "of": ["actions", "a"]} in (
        reading.shared
    )


def test_aliases_that_stand_for_very_much_stay_as_they_are():
    nine = [", ".join([f"*a{n}"] * 9) for n in range(8)]
    lines = ["a0: &a0 [1]", *(f"a{n}: &a{n} [{s}]" for n, s in enumerate(nine, 1))]
    chain = ["b0: &b0 [1]", *(f"b{n}: &b{n} [*b{n - 1}]" for n in range(1, 3000))]
    for text in ("\n".join(lines), "\n".join(chain)):
        assert "alias" in str(reading_of(text).outline)
    with pytest.raises(FormatError, match="only the text itself"):
        edited("\n".join(lines) + "\nx: *a8", path=["x", 0], put="2")
    with pytest.raises(FormatError, match="only the text itself"):
        edited("\n".join(chain) + "\nx: *b2999", path=["x", 0], put="2")
