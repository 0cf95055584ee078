"""
Trees for Mermaid, read back by a grammar that allows nothing but what we write.

Mermaid itself is no Python package. That it shows every label as written was checked
once with Mermaid 11 in a browser, for all of the hostile names.
"""

import re
import string
from pathlib import Path

import pytest

from branchwise import read, solve
from branchwise.report.tree_drawing.lettering import cropped, legible
from branchwise.report.tree_drawing.mermaid import (
    quoted_text,
    solution_mermaid,
    tree_mermaid,
)
from problems.hostile_names import HOSTILE
from problems.trees import single_tree, tosses

EXAMPLES = Path(__file__).parents[3] / "examples"

TEXT = r'"(?:[^"#\n]|#\d+;)+"'
NODE = re.compile(rf"  (n\d+)(?:\[\[|\(\[|\[|>)({TEXT})(?:\]\]|\]\)|\]):::(\w+)")
EDGE = re.compile(rf"  (n\d+) (?:-->|-\.->)\|({TEXT})\| (n\d+)")
LOOK = re.compile(r"  classDef (\w+) [a-z]+:[#\w ]+(?:,[a-z-]+:[#\w ]+)*")
HARMLESS = set(string.ascii_letters + string.digits + " .,%")


def shown(written):
    """What Mermaid makes of a quoted text."""
    inside = written[1:-1]
    plain = re.sub(r"#\d+;|<br>", "", inside)
    assert not [c for c in plain if c.isascii() and c not in HARMLESS]
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), inside)


def parsed(text):
    """The nodes with their labels, and the edges with theirs."""
    lines = text.splitlines()
    if lines[0] == "---":
        assert re.fullmatch(r'title: "[ -~]*"', lines[1])
        assert lines[2] == "---"
        lines = lines[3:]
    assert lines[0] == "flowchart LR"
    nodes, edges, kinds, looks = {}, {}, set(), set()
    for line in lines[1:]:
        if node := NODE.fullmatch(line):
            nodes[node[1]] = shown(node[2])
            kinds.add(node[3])
        elif edge := EDGE.fullmatch(line):
            edges[edge[1], edge[3]] = shown(edge[2])
        else:
            looks.add(LOOK.fullmatch(line)[1])
    assert kinds == looks
    return nodes, edges


def test_every_node_and_every_edge_of_a_small_tree_is_there():
    solution = solve(read(EXAMPLES / "illustrative.yaml"))

    nodes, edges = parsed(solution_mermaid(solution))

    assert len(nodes) == solution.tree.num_nodes == 33
    assert nodes["n0"] == "a1"
    assert {child for _, child in edges} == set(nodes) - {"n0"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name):
    nodes, edges = parsed(tree_mermaid(single_tree(name), title=name))

    word = cropped(legible(name))
    assert nodes == {"n0": word or " ", "n1": "stop with 10", "n2": "stop with 0"}
    assert edges == {("n0", "n1"): f"{word}, 50 %", ("n0", "n2"): "otherwise, 50 %"}


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_comes_back_from_its_quotes(name):
    assert shown(quoted_text(name)) == (
        "<br>".join(map(legible, name.split("\n"))) or " "
    )


def test_a_folded_tree_stays_within_what_mermaid_reads():
    """It refuses more than 50,000 characters or 500 edges by default."""
    text = tree_mermaid(tosses(300), title="x" * 500)

    nodes, edges = parsed(text)
    assert len(text) < 50_000
    assert len(edges) == len(nodes) - 1 < 500
    assert any("more nodes" in label for label in nodes.values())
