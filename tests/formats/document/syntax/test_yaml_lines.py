"""Plain lines are read as the parser reads them, or left to it."""

import random
from pathlib import Path

import pytest

from branchwise import generate, write_text
from branchwise.errors import FormatError
from branchwise.formats.document.syntax.yaml_document import yaml_nodes
from branchwise.formats.document.syntax.yaml_lines import line_nodes

ROOT = Path(__file__).parents[4]
EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))
STARTS = ("", "", "", "- ", "-  ")
KEYS = (
    "",
    "a: ",
    "a: ",
    "b c: ",
    "'q': ",
    '"r": ',
    "a:",
    "a:",
    "a:   ",
    "<<: ",
    "-5: ",
)
VALUES = (
    "", "", "", "x", "x y", "'q'", '"a b"', "{a: b}", "{ a: b , c: {d: e} }", "[x, y]",
    "[]", "{}", "[x, [y]]", "0.5", "-1", "x [1, 2]", "[x]]", "{a: b", "{a: b}}", "# c",
    "x # c", "x#c", "é", "&a x", "*a", "!t x", "|", "a: b", "{a, b}", "[a,]", "[a: b]",
    "{'a': 1}", "x\ty", "...", "---", "- x", "%x", "@", "''", "x\x85y", "{a: }", "~",
)  # fmt: skip


def parsed(text):
    try:
        return yaml_nodes(text, "x.yaml")
    except FormatError:
        return None, []


def random_text(chance):
    lines = [
        " " * chance.choice([0, 0, 0, 1, 2, 2, 2, 4, 4])
        + chance.choice(STARTS)
        + chance.choice(KEYS)
        + chance.choice(VALUES)
        for _ in range(chance.randint(1, 8))
    ]
    end = chance.choice(["\n", "\n", "\r\n"])
    return end.join(lines) + chance.choice(["", end, end + end])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_read_alike(path):
    text = path.read_text(encoding="utf-8")
    plain = line_nodes(text, "x.yaml")
    assert plain is None or (plain, []) == parsed(text)


def test_most_examples_are_plain():
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    assert 2 * sum(line_nodes(text, "") is not None for text in texts) > len(texts)


def test_random_lines_are_read_alike_or_left_to_the_parser():
    chance = random.Random(1)
    num_plain = 0
    for _ in range(30_000):
        text = random_text(chance)
        plain = line_nodes(text, "x.yaml")
        if plain is not None:
            num_plain += 1
            assert (plain, []) == parsed(text), text
    assert num_plain > 150


def test_problem_files_with_one_wrong_character_are_read_alike():
    """Most of these are plain, so that the fast way is taken and can be wrong."""
    chance = random.Random(2)
    marks = "".join(chr(c) for c in range(32, 127)) + "\n\t\xa0\x85é\ufeff"
    num_plain = num_tried = 0
    for seed in range(60):
        whole = write_text(generate(6, seed=seed), "yaml")
        for _ in range(60):
            at = chance.randrange(len(whole))
            text = (
                whole[:at] + chance.choice(marks) + whole[at + chance.randint(0, 1) :]
            )
            plain = line_nodes(text, "x.yaml")
            num_tried += 1
            if plain is not None:
                num_plain += 1
                assert (plain, []) == parsed(text), text
    assert num_plain > num_tried / 4


def test_places_and_quotes_are_kept():
    text = "a:\n  - {b c: 'd', e: [f]}\n  - g: 1  # one\n    h: 2\ni: \"j\"\n"
    root = line_nodes(text, "x.yaml")
    (_, items), (_, last) = root.entries
    flow, block = items.items
    assert str(items.place) == "x.yaml:2:3"
    assert str(flow.place) == "x.yaml:2:5"
    assert [str(key.place) for key, _ in flow] == ["x.yaml:2:6", "x.yaml:2:16"]
    assert flow.entries[0][1].is_quoted
    assert str(block.entries[1][0].place) == "x.yaml:4:5"
    assert (last.text, last.is_quoted, last.is_verbatim) == ("j", True, True)
    assert root == parsed(text)[0]


@pytest.mark.parametrize(
    "text",
    ["", "# nothing", "- a", "a:", "a: b\n  c", "a: {b: c", "a: [b]]", "  a: b\n c: d",
     "a: b\n- c", "a: |\n  b", "a: &b c", "x" * 1_100 + ": 1", "a: b: c", "a:\n\tb: c",
     "a: {" + "x" * 1_100 + ": 1}", "a: [{b: c}", "a: [b", "a: [",
     "a: " + "[" * 30 + "]" * 30],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_parser(text):
    assert line_nodes(text, "x.yaml") is None


def test_a_small_map_of_texts_is_what_its_entries_say():
    root = line_nodes("actions: {a: 0.5, b c: 1/2}\nname: {}", "x.yaml")
    small, empty = (value for _, value in root)
    assert list(small.texts()) == ["a", "0.5", "b c", "1/2"]
    assert [(k.text, v.text) for k, v in small] == [("a", "0.5"), ("b c", "1/2")]
    assert [str(v.place) for _, v in small] == ["x.yaml:1:14", "x.yaml:1:24"]
    assert (small.is_empty, empty.is_empty) == (False, True)
