"""Tests for reading JSON text as nodes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchwise.errors import FormatError
from branchwise.formats.document.nodes import ListNode, TextNode
from branchwise.formats.document.syntax.json_document import json_nodes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def parsed(text):
    root, issues = json_nodes(text, "oil.json")
    assert issues == []
    return root


def message(text):
    with pytest.raises(FormatError) as caught:
        parsed(text)
    return str(caught.value)


def matches(node, value):
    if isinstance(node, TextNode):
        if isinstance(value, str):
            return node.is_quoted and node.text == value
        return not node.is_quoted and (node.text or "null") == json.dumps(value)
    if isinstance(node, ListNode):
        same_length = len(node.items) == len(value)
        return same_length and all(map(matches, node.items, value))
    keys = [key.text for key, _ in node]
    values = [item for _, item in node]
    return keys == list(value) and all(map(matches, values, value.values()))


@settings(deadline=None)
@given(VALUES, st.sampled_from([None, 0, 3]), st.booleans())
def test_reads_what_python_writes(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    if not ascii_only and any("\ud800" <= c <= "\udfff" for c in text):
        return
    assert matches(parsed(text), value)


def test_numbers_keep_their_text():
    texts = ["0.10", "1E+3", "-0", "1.000000000000000000001"]
    items = parsed(f"[{', '.join(texts)}]").items
    assert [item.text for item in items] == texts


def test_null_is_nothing_but_quoted_null_is_text():
    nothing, text = parsed('[null, "null"]').items
    assert nothing.is_nothing
    assert not text.is_nothing


def test_repeated_keys_are_all_there():
    root = parsed('{"a": 1, "a": 2}')
    assert [value.text for _, value in root] == ["1", "2"]


def test_places_are_lines_and_columns_from_one():
    root = parsed('{\n  "é": 1,\n  "b": "x y"\n}')
    (first, one), (_, text) = root.entries
    assert [n.place.position for n in (root, first, one)] == ["1:1", "2:3", "2:8"]
    assert text.place_at(2).position == "3:11"  # `y`, past the quote and `x `


def test_an_escaped_text_has_only_a_start():
    (node,) = parsed(r'["\u00e9 y"]').items
    assert node.text == "é y"
    assert node.place_at(2) == node.place


def test_deep_nesting_is_refused_at_once():
    assert isinstance(parsed("[" * 100 + "]" * 100), ListNode)
    found = message("[" * 10_000_000)
    assert found.startswith("oil.json:1:101: nested more than 100 levels deep")
    assert len(found) < 300


WRONG = {
    '{"a": 1,}': ("1:8: a comma stands before `}`: `{", "remove the comma"),
    "[1, ]": ("1:3: a comma stands before `]`", "remove the comma"),
    "[1 2]": ("1:4: a comma is missing before `2`", "write `,`"),
    '{"a": 1 "b": 2}': ("1:9: a comma is missing", "write `,`"),
    '{"a" 1}': ("1:6: a colon is missing before `1`", "write `:`"),
    "{a: 1}": ("1:2: the key `a` has no quotes", 'write `"a"`'),
    "{'a': 1}": ("1:2: JSON has no single quotes", 'write `"` for'),
    "[1, 'x']": ("1:5: JSON has no single quotes", 'write `"` for'),
    "// hi\n{}": ("1:1: JSON has no comments: `// hi`", "save the file as YAML"),
    "{} # hi": ("1:4: JSON has no comments", "save the file as YAML"),
    "[1, /* x */ 2]": ("1:5: JSON has no comments", "save the file as YAML"),
    "[True]": ("1:2: `True` is not JSON", "write `true`"),
    "[None]": ("1:2: `None` is not JSON", "write `null`"),
    "[01]": ("1:2: `01` is not a JSON number", '`"01"`'),
    "[.5]": ("1:2: `.5` is not a JSON number", '`".5"`'),
    "[30%]": ("1:2: `30%` is not a JSON number", '`"30%"`'),
    "[1/3]": ("1:2: `1/3` is not a JSON number", '`"1/3"`'),
    "[foo]": ("1:2: `foo` has no quotes", "double quotes"),
    "[,1]": ("1:2: a value is missing before `,`", "add it"),
    '{"a": 1': ("1:1: a bracket is opened and never closed", "with `}`"),
    '{"a": ': ("the file ends too early", "add it"),
    "{": ("the file ends too early", "`}`"),
    '["abc': ("1:2: a quote is opened and never closed", 'with `"`'),
    '["a\nb"]': ("1:4: a line break or tab stands inside", r"write `\n`"),
    r'["\q"]': ("1:3: a backslash starts something unknown", r"write `\\`"),
    r'["\ud800"]': ("half of a surrogate pair", "write the character itself"),
    "{} x": ("1:4: `x` stands after the end of the document", "remove it"),
    "{}}": ("1:3: `}` stands after the end of the document", "remove it"),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_parse_is_said_in_our_words(text):
    what, fix = WRONG[text]
    first, second = message(text).split("\n    fix: ")
    assert first.startswith("oil.json:")
    assert what in first
    assert fix in second


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_not_finite_are_left_to_the_builder(word):
    """There the message can say what they were meant for."""
    assert parsed(f"[{word}]").items[0].text == word


def test_a_long_list_is_not_read_to_its_end():
    root, _ = json_nodes("[" + "[]," * 200_000, "oil.json")
    assert isinstance(root, ListNode)
