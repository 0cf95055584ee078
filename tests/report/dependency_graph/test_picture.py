"""Pictures of dependency graphs: what they show, and that names stay names."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pydot
import pytest

from branchwise import Action, Problem, Reward, generate, read
from branchwise.model.budget import Amounts
from branchwise.report.dependency_graph.boxes import ActionBox, boxes, cost_words
from branchwise.report.dependency_graph.dependencies import Gate, dependencies
from branchwise.report.dependency_graph.picture import dependency_svg
from branchwise.report.dependency_graph.text import (
    dependency_dot,
    dependency_mermaid,
)
from branchwise.report.tree_drawing.lettering import cropped, legible
from problems.hostile_names import HOSTILE

EXAMPLES = Path(__file__).parents[3] / "examples"

SVG = "{http://www.w3.org/2000/svg}"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:pydot")


def drawn(problem):
    """The picture, read back by an XML parser."""
    return ET.fromstring(dependency_svg(problem))


def texts(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def marks(picture, style):
    return [e for e in picture.iter() if e.get("class") == style]


def single(name):
    """One action with a hostile name and a hostile outcome, needed by another."""
    action = Action(name, outcomes={name: "1/2", "otherwise": "1/2"})
    other = Action("other", outcomes={"ok": 1}, requires=action[name])
    return Problem([action, other], [Reward(other["ok"], 10)], name=name)


def test_the_illustrative_example_shows_what_the_papers_figure_shows():
    picture = drawn(read(EXAMPLES / "illustrative.yaml"))

    words = texts(picture)
    assert [w for w in words if w in {"AND", "OR"}] == ["OR", "AND", "AND", "OR"]
    assert {"50", "10", "100", "60 %", "cost 1", *(f"a{i}" for i in range(1, 8))} <= {
        *words
    }
    assert len(marks(picture, "bw-box")) == 7
    assert len(marks(picture, "bw-star")) == 4  # one in the legend
    assert len(marks(picture, "bw-rules-out")) == 2 * 2  # line and bar; the legend
    assert "changes probabilities, costs or counters" not in words


def test_says_what_it_shows_to_those_who_do_not_see_it():
    picture = drawn(read(EXAMPLES / "illustrative.yaml"))

    assert picture.get("role") == "img"
    title, description = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
    assert title.text == "Dependency graph: Illustrative example"
    assert description.text.startswith("7 actions and 3 rewards. a4 needs a1=ok or")
    assert "a5 is ruled out by a3; " in description.text
    ids = picture.get("aria-labelledby").split()
    assert ids == [title.get("id"), description.get("id")]


@pytest.mark.parametrize("count", [12, 60])
def test_words_fit_into_their_boxes(count):
    problem = generate(count, 15, seed=1, preclusions=0.2, repeats=0.2, rewards=2)
    picture = drawn(problem)

    shapes = boxes(dependencies(problem))
    actions = [box for box in shapes if isinstance(box, ActionBox)]
    frames = marks(picture, "bw-box")
    assert len(frames) == len(actions) == count
    for box, frame in zip(actions, frames, strict=True):
        assert float(frame.get("width")) >= box.width - 0.1


@pytest.mark.parametrize("name", [n for n in HOSTILE if n.strip()])
def test_hostile_names_stay_text(name):
    picture = drawn(single(name))

    known = {"svg", "title", "desc", "rect", "g", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == known
    assert cropped(legible(name)) in texts(picture)
    everything = "".join(picture.itertext())
    assert "\u202e" not in everything
    assert "\x07" not in everything


@pytest.mark.parametrize("name", [n for n in HOSTILE if n.strip()])
def test_hostile_names_stay_text_for_graphviz_and_mermaid(name):
    problem = single(name)
    (graph,) = pydot.graph_from_dot_data(dependency_dot(problem))
    text = dependency_mermaid(problem)

    assert len([n for n in graph.get_nodes() if n.get_name()[1:].isdigit()]) == 3
    assert len(graph.get_edges()) == 2
    quoted = r'"(?:[^"#\n<]|#\d+;|<br>)*"'
    title = r'---\ntitle: "[ -~]*"\n---\n'
    statements = rf"(?:  n\d+ ?(?:\[{quoted}\]|\{{\{{{quoted}\}}\}}:::reward|"
    statements += rf"-->(?:\|{quoted}\|)? n\d+)\n)+(?:  classDef [\w #:,]+\n)+"
    assert re.fullmatch(f"{title}flowchart LR\n{statements}", text)


def test_every_item_and_link_is_there_for_graphviz():
    problem = generate(25, 15, seed=3, preclusions=0.2, conditioning=0.2)
    graph = dependencies(problem)

    (parsed,) = pydot.graph_from_dot_data(dependency_dot(problem))

    nodes = [n for n in parsed.get_nodes() if n.get_name()[1:].isdigit()]
    assert len(nodes) == len(graph.items)
    assert len(parsed.get_edges()) == len(graph.links)
    gates = [n for n in nodes if (n.get("shape") or "").strip('"') == "circle"]
    assert len(gates) == sum(isinstance(item, Gate) for item in graph.items)
    dashed = [e for e in parsed.get_edges() if e.get("style") == '"dashed"']
    assert len(dashed) == sum(k.relation.value == "rules out" for k in graph.links)


def test_an_action_with_many_outcomes_shows_those_that_matter():
    labels = {f"o{i}": "1/10" for i in range(10)}
    roll = Action("roll", outcomes=labels)
    picture = drawn(Problem([roll], [Reward(roll["o7"], 1)]))

    words = texts(picture)
    assert "o7" in words
    assert "… 9 other outcomes" in words
    assert "o3" not in words


def test_long_values_stand_below_their_star_and_penalties_are_hollow():
    roll = Action("roll", outcomes={"low": "1/2", "high": "1/2"})
    rewards = [Reward(roll["high"], 1_000_000), Reward(roll["low"], -5)]
    picture = drawn(Problem([roll], rewards, combine="sum"))

    assert "1,000,000" in texts(picture)
    assert len(marks(picture, "bw-lost")) == 1


def test_stands_alone():
    text = dependency_svg(read(EXAMPLES / "phishing.yaml"))

    for forbidden in ("<style", "<script", "href", "url(", "@import"):
        assert forbidden not in text
    assert text.count("http") == 1  # the namespace


def test_conditions_that_lead_in_a_circle_can_be_drawn():
    half = {"no": "1/2", "ok": "1/2"}
    a = Action("a", outcomes=half, requires="b=ok or c=ok")
    b = Action("b", outcomes=half, requires="a=ok or c=ok", precluded_by="c=no")
    c = Action("c", outcomes=half, precluded_by="b")
    problem = Problem([a, b, c], [Reward("a=ok and b=ok", 1), Reward("not c", 2)])

    assert len(marks(drawn(problem), "bw-box")) == 3


def test_a_cost_names_its_resources_unless_there_is_one_without_a_name():
    assert cost_words(Amounts(2)) == "cost 2"
    assert cost_words(Amounts(0)) == "free"
    assert cost_words(Amounts({"money": 3, "days": "1/2"})) == "cost 3 money, 0.5 days"
