"""Trees in DOT, read back by another parser of that language."""

import re
from pathlib import Path

import pydot
import pytest

from branchwise import read, solve
from branchwise.report.tree_drawing.dot import (
    quoted_text,
    solution_dot,
    statement,
    tree_dot,
)
from branchwise.report.tree_drawing.lettering import cropped, legible
from problems.hostile_names import HOSTILE
from problems.trees import chain, single_tree, tosses

EXAMPLES = Path(__file__).parents[3] / "examples"

# The parser's own parser is newer than the parser.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot")

ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def shown(written):
    """What Graphviz makes of a quoted text: its escapes, then HTML entities."""
    text = re.sub(r"\\.", lambda match: ESCAPES[match[0]], written[1:-1])
    assert not re.search(r"&(?!amp;)", text)
    return text.replace("&amp;", "&")


def parsed(text):
    """The nodes with their labels, and the edges with theirs."""
    (graph,) = pydot.graph_from_dot_data(text)
    assert graph.get_type() == "digraph"
    nodes = {
        node.get_name(): shown(node.get_label())
        for node in graph.get_nodes()
        if re.fullmatch(r"n\d+", node.get_name())
    }
    edges = {
        (edge.get_source(), edge.get_destination()): shown(edge.get_label())
        for edge in graph.get_edges()
    }
    return nodes, edges


def test_every_node_and_every_edge_of_a_small_tree_is_there():
    solution = solve(read(EXAMPLES / "illustrative.yaml"))

    nodes, edges = parsed(solution_dot(solution))

    assert len(nodes) == solution.tree.num_nodes == 33
    assert len(edges) == 32
    assert nodes["n0"] == "a1"
    actions = [node.action for node in solution.tree.walk() if node.action]
    assert sorted(n for n in nodes.values() if not n.startswith("stop")) == sorted(
        actions
    )
    assert {child for _, child in edges} == set(nodes) - {"n0"}
    assert list(edges.values()).count("ok, 60 %") > 0


def test_a_tree_larger_than_any_memory_is_folded():
    nodes, edges = parsed(tree_dot(tosses(300)))

    assert 200 <= len(nodes) <= 500
    assert len(edges) == len(nodes) - 1
    assert any("more nodes" in label for label in nodes.values())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name):
    nodes, edges = parsed(tree_dot(single_tree(name), title=name))

    word = cropped(legible(name))
    assert nodes == {"n0": word, "n1": "stop with 10", "n2": "stop with 0"}
    assert edges == {("n0", "n1"): f"{word}, 50 %", ("n0", "n2"): "otherwise, 50 %"}


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_comes_back_from_its_quotes(name):
    assert shown(quoted_text(name)) == "\n".join(map(legible, name.split("\n")))


def test_likelier_edges_are_thicker():
    (graph,) = pydot.graph_from_dot_data(tree_dot(chain(1)))

    fail, ok = (float(e.get("penwidth").strip('"')) for e in graph.get_edges())
    assert ok > 3 * fail


def test_a_statement_has_its_attributes_in_brackets_where_there_are_any():
    box = {"shape": "box", "label": "drill"}

    assert statement("n0", box) == '  n0 [shape="box", label="drill"];'
    assert statement("n0 -> n1", {}) == "  n0 -> n1;"
