"""Pictures of trees: what they show, how they fold, and that names stay names."""

import re
from xml.etree import ElementTree as ET

import pytest

from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.tree_drawing.svg import solution_svg, tree_svg
from branchwise.report.tree_drawing.svg_pieces import text
from branchwise.solver import solve
from branchwise.tree.choices.policy import Decision
from branchwise.tree.decision_tree import DecisionTree
from problems.hostile_names import HOSTILE
from problems.trees import chain, single_tree, tosses

SVG = "{http://www.w3.org/2000/svg}"


def drawn(tree, **options):
    """The picture, read back by an XML parser."""
    return ET.fromstring(tree_svg(tree, **options))


def texts(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def marks(picture, kind):
    return [
        g for g in picture.iter(f"{SVG}g") if g.get("class") == f"bw-node bw-{kind}"
    ]


def single(name, outcome):
    """One action with one uncertain outcome that pays 10."""
    action = Action(name, outcomes={outcome: "1/2", "otherwise": "1/2"})
    problem = Problem([action], [Reward(action[outcome], 10)], name=name)
    return solve(problem)


def test_shows_every_node_of_a_small_tree():
    """Three steps: 3 decisions, 3 failures without reward, 1 success."""
    picture = drawn(chain(3))

    assert len(marks(picture, "first")) == 1
    assert len(marks(picture, "decision")) == 2
    assert len(marks(picture, "nothing")) == 3
    assert len(marks(picture, "reward")) == 1
    assert marks(picture, "stub") == []
    assert texts(picture).count("99 %") == 3


def test_says_what_it_shows_to_those_who_do_not_see_it():
    picture = drawn(chain(3), title="Three steps")

    assert picture.get("role") == "img"
    assert picture.find(f"{SVG}title").text == "Decision tree: Three steps"
    description = picture.find(f"{SVG}desc").text
    assert description == (
        "Its expected reward is 0.970299. First step 0. After fail (1 %): then stop; "
        "ok (99 %): then step 1. The tree has 7 nodes."
    )


def test_likelier_edges_are_thicker():
    picture = drawn(chain(1))

    widths = [float(p.get("stroke-width")) for p in picture.iter(f"{SVG}path")]
    assert max(widths) > 3 * min(widths)


def test_a_tree_larger_than_any_memory_is_folded():
    """2^301 - 1 nodes, of which the likeliest 200 are shown."""
    picture = drawn(tosses(300))

    shown = [*marks(picture, "first"), *marks(picture, "decision")]
    assert 200 <= len(shown) <= 400
    assert marks(picture, "stub")
    assert "about 4.07e+90 nodes" in picture.find(f"{SVG}desc").text


def test_stubs_count_what_they_leave_out():
    """Of 2^5 - 1 = 31 nodes, 3 are shown, and two stubs hide the other 28."""
    picture = drawn(tosses(4), max_nodes=3)

    stubs = [mark.find(f"{SVG}text").text for mark in marks(picture, "stub")]
    assert stubs == ["… 14 more nodes", "… 14 more nodes"]


def test_a_chain_of_5_000_steps_can_be_drawn_whole():
    picture = drawn(chain(5_000), max_nodes=20_000)

    assert len(marks(picture, "decision")) == 4_999
    assert len(marks(picture, "nothing")) == 5_000


def test_doing_nothing_is_a_picture_too():
    idle = DecisionTree({0: Decision(None, (), value=0, reward=0)}, 0)
    picture = drawn(idle)

    assert texts(picture) == ["0"]
    assert "do nothing" in picture.find(f"{SVG}desc").text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name):
    picture = ET.fromstring(tree_svg(single_tree(name), title=name))

    known = {"svg", "title", "desc", "rect", "g", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == known
    everything = "".join(picture.itertext())
    assert "\u202e" not in everything
    assert "\x07" not in everything


def test_long_names_are_cropped_and_shown_in_full_at_a_closer_look():
    picture = ET.fromstring(solution_svg(single("x" * 500, "y" * 500)))

    assert "x" * 23 + "…" in texts(picture)
    assert "y" * 23 + "…" in texts(picture)
    (first,) = marks(picture, "first")
    assert "x" * 500 in first.find(f"{SVG}title").text


def test_stands_alone():
    text = solution_svg(single("drill", "oil"))

    for forbidden in ("<style", "<script", "href", "url(", "@import"):
        assert forbidden not in text
    assert not re.search(r"\son\w+=", text)
    assert text.count("http") == 1  # the namespace


def test_text_of_others_is_escaped():
    assert text("a < b") == "a &lt; b"
