"""Tests for reading YAML text as nodes."""

import sys

import pytest
import yaml

from branchwise.errors import FormatError
from branchwise.formats.document.nodes import ListNode, MapNode, TextNode
from branchwise.formats.document.syntax import yaml_document
from branchwise.formats.document.syntax.yaml_document import yaml_nodes


@pytest.fixture(params=["C", "Python"], autouse=True)
def loader(request, monkeypatch):
    """Both of PyYAML's parsers must give the same nodes and the same messages."""
    kind = yaml.CSafeLoader if request.param == "C" else yaml.SafeLoader
    monkeypatch.setattr(yaml_document, "_LOADER", kind)


def plain(node):
    """A node as plain Python, for comparing."""
    if isinstance(node, TextNode):
        return node.text
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node}


def parsed(text):
    root, issues = yaml_nodes(text, "oil.yaml")
    assert issues == []
    return root


def message(text):
    with pytest.raises(FormatError) as caught:
        yaml_nodes(text, "oil.yaml")
    return str(caught.value)


def test_every_scalar_stays_text():
    words = "yes no on 1 012 1:30 2024-01-01 0x1F 1e3 ~ null 0.10 .inf".split()
    assert plain(parsed(f"a: [{', '.join(words)}]")) == {"a": words}
    assert list(plain(parsed("{yes: 1, null: 2, ~: 3, 012: 4}"))) == [
        "yes",
        "null",
        "~",
        "012",
    ]


def test_nothing_is_told_from_quoted_text():
    nodes = parsed("[, ~, null, '', '~', \"null\"]".replace("[,", "['x',")).items
    assert [node.is_nothing for node in nodes] == [False, True, True] + [False] * 3


def test_places_are_lines_and_columns_from_one():
    root = parsed("é: 1\nlist:\n  - {a: b}\n")
    (_, one), (key, items) = root.entries
    assert str(one.place) == "oil.yaml:1:4"
    assert str(key.place) == "oil.yaml:2:1"
    assert str(items.items[0].place) == "oil.yaml:3:5"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("k: a=x and b", "1:13"),
        ("k: 'a=x and b'", "1:14"),
        ('k: "a=x and b"', "1:14"),
        ("k: 'a=x and b''s'", "1:4"),
        ("k: a=x\n  and b", "1:4"),
        ("k: |\n  a=x and b", "1:4"),
    ],
)
def test_a_character_has_a_column_where_the_text_is_verbatim(text, position):
    """`b` is the tenth character of `a=x and b`, and so at offset 8 + 1."""
    ((_, value),) = parsed(text)
    assert value.place_at(9).position == position


def test_repeated_keys_are_all_there():
    root = parsed("a: 1\na: 2")
    assert [(key.text, value.text) for key, value in root] == [("a", "1"), ("a", "2")]


def test_a_version_directive_and_document_marks_are_fine():
    assert plain(parsed("%YAML 1.2\n---\na: 1\n...\n")) == {"a": "1"}


def test_an_alias_stands_for_what_its_anchor_marks():
    odds = {"ok": "1"}
    assert plain(parsed("a: &odds {ok: 1}\nb: *odds")) == {"a": odds, "b": odds}


def test_aliases_that_explode_are_refused():
    """Nine levels of nine aliases each would be over 300 million values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, 10):
        aliases = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"a{level}: &a{level} [{aliases}]")
    found = message("\n".join(lines))
    assert "written out, the aliases give over 1,000,000 values" in found
    assert found.startswith("oil.yaml:7:")


def test_aliases_that_only_nest_are_refused_when_too_deep():
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 200)]
    assert "nested more than 100 levels" in message("\n".join(lines))


def test_an_anchor_that_contains_itself_is_refused():
    found = message("a: &a [1, *a]")
    assert found.startswith("oil.yaml:1:11 a.1: `*a` stands inside `&a` itself")


def test_an_alias_without_anchor_is_refused():
    found = message("a: &odds 1\nb: *odd")
    assert "oil.yaml:2:4 b: `*odd` refers to no `&odd` above" in found
    assert "did you mean `odds`?" in found


@pytest.mark.parametrize("bracket", ["[", "{a: ", "- "])
def test_ten_megabytes_of_nesting_are_refused_at_once(bracket, monkeypatch):
    """Only the events of the first hundred levels are ever asked for."""
    taken = []
    take = yaml_document._Reader.take
    monkeypatch.setattr(
        yaml_document._Reader,
        "take",
        lambda self, event: (taken.append(1), take(self, event)),
    )
    text = bracket * (10_000_000 // len(bracket))
    if yaml_document._LOADER is yaml.SafeLoader:
        text = text[:100_000]  # The Python parser checks every character first.
    found = message(text)
    assert "nested more than 100 levels deep" in found
    assert len(taken) < 400
    assert len(found) < 400


def test_nesting_below_the_limit_is_read():
    assert isinstance(parsed("[" * 100 + "]" * 100), ListNode)
    assert sys.getrecursionlimit() >= 100


def test_tags_are_refused_and_read_past():
    root, issues = yaml_nodes("a: !!int 3\nb: {c: !x y}\nd: !z [1]", "oil.yaml")
    assert plain(root) == {"a": "3", "b": {"c": "y"}, "d": ["1"]}
    assert [issue.where for issue in issues] == [
        "oil.yaml:1:4 a",
        "oil.yaml:2:8 b.c",
        "oil.yaml:3:4 d",
    ]
    assert issues[0].what == "`!!int` is a tag, and this format has none"
    assert issues[0].fix.startswith("remove `!!int`")


def test_a_key_that_is_no_text_is_refused_and_read_past():
    root, issues = yaml_nodes("? [a]\n: 1\nb: 2", "oil.yaml")
    assert plain(root) == {"b": "2"}
    assert issues[0].what == "a list stands where a key belongs"


def test_several_documents_are_refused():
    found = message("a: 1\n---\nb: 2")
    assert found.startswith("oil.yaml:2:1: a second document starts here")


@pytest.mark.parametrize("text", ["", "   \n", "# only a comment\n", "---\n"])
def test_an_empty_document_is_nothing(text):
    assert parsed(text).is_nothing


def test_no_value_runs_or_becomes_an_object():
    root, issues = yaml_nodes("a: !!python/object/apply:os.getcwd []", "oil.yaml")
    assert isinstance(root, MapNode)
    assert len(issues) == 1


SYNTAX = {
    'requires: "my action"=ok': (
        '1:11: there is text after the closing quote: `requires: "my action"=ok`',
        "put the whole value in single quotes: `'\"my action\"=ok'`",
    ),
    '- {when: "my action"=ok, value: 1}': (
        "1:10: there is text after the closing quote",
        "put the whole value in single quotes: `'\"my action\"=ok'`",
    ),
    "- {when: 'my action'=ok or \"b, c\"=x, value: 1}": (
        "1:10: there is text after the closing quote",
        "put the whole value in single quotes: `'''my action''=ok or \"b, c\"=x'`",
    ),
    'a: "x" and y  # "z"': (
        "1:4: there is text after",
        "put the whole value in single quotes: `'\"x\" and y'`",
    ),
    "a: 'it's'": ("1:4: there is text after", 'in double quotes: `"it\'s"`'),
    "a:\n\tb: 1": ("2:1: a tab indents this line: `b: 1`", "indent with spaces"),
    "a: 1\n\tb: 2": ("2:1: a tab indents this line", "indent with spaces"),
    "a: %x": ("1:4: `%` cannot start a value: `a: %x`", "put the value in quotes"),
    "a: @x": ("1:4: `@` cannot start a value", "put the value in quotes"),
    "a: `x`": ("1:4: a backtick cannot start a value", "put the value in quotes"),
    "a: *": ("1:4: `*` starts an alias in YAML", "put the value in quotes"),
    "a: &\n b": ("1:4: `&` starts an anchor in YAML", "put the value in quotes"),
    "a: !y!z 3": ("1:4: `!` starts a tag in YAML", "put the value in quotes"),
    "a: >x": ("1:4: `>` starts a block of text", "put the value in quotes"),
    "a: [1, 2\nb: 3": ("1:4: a bracket is opened and never closed", "with `]`"),
    "a: {x: 1": ("1:4: a bracket is opened and never closed", "with `}`"),
    "[": ("1:1: a bracket is opened and never closed", "with `]`"),
    "a: [,]": ("1:5: there is nothing before this comma", "remove the comma"),
    "a: {b: x y: 3}": ("1:11: `: 3}` does not fit inside", "separate entries"),
    "a: ]": ("1:4: `]` closes a bracket that was never opened", "remove it"),
    "a: {b: 1}}": ("1:10: `}` closes a bracket that was never opened", "remove"),
    'a: "abc\nb: 1': ("1:4: a quote is opened and never closed: `a:", 'with `"`'),
    "a: 'abc\nb: 1": ("1:4: a quote is opened and never closed", "with `'`"),
    r'a: "\q"': ("a backslash in double quotes starts", r"write `\\`"),
    r'a: "\U00110000"': ("a backslash in double quotes starts", r"write `\\`"),
    "a: b: c": ("1:5: a second `: ` is out of place: `a: b: c`", "in quotes"),
    "budget:6\nactions: x": ("1:7: a space is missing after", "`budget: 6`"),
    "a: 1\n b: 2": ("2:3: this line is indented deeper", "line it up"),
    "a:\n  b: 1\n c: 2": ("3:2: this line is not lined up", "indentation"),
    "  a: 1\nb: 2": ("2:1: this line is not lined up", "indentation"),
    "a: - b": ("1:4: a list cannot start here", "on the next line"),
    "- a\nb: 1": ("2:1: a key stands among list items", "start the line with"),
    "a: 1\n- b": ("2:1: a list item stands among keys", "indent the list"),
    "a: b\nfoo\nc: d": ("2:1: a key without a colon: `foo`", "`foo: ...`"),
    "%YAML 3.0\n---\na: 1": ("1:1: this directive is not understood", "%YAML 1.2"),
}


@pytest.mark.parametrize("text", SYNTAX)
def test_what_does_not_parse_is_said_in_our_words(text):
    what, fix = SYNTAX[text]
    first, second = message(text).split("\n    fix: ")
    assert first.startswith("oil.yaml:")
    assert what in first
    assert fix in second


def test_a_long_line_is_shortened_in_the_message():
    assert len(message("a: [" + "x, " * 10_000)) < 300
