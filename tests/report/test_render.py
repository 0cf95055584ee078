"""Rendering to files: the suffix decides, and examples stay as they are shown."""

import json
from pathlib import Path

import pytest

import branchwise
from branchwise import report
from branchwise.errors import FormatError
from branchwise.formats.read import read
from branchwise.report.answer import render
from branchwise.solver import solve

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "illustrative.yaml"


@pytest.fixture(scope="module")
def illustrative():
    return solve(read(EXAMPLE), exact=True)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("plan.html", "<!DOCTYPE html>"),
        ("plan.SVG", "<svg "),
        ("plan.dot", "digraph tree {"),
        ("plan.gv", "digraph tree {"),
        ("plan.mmd", '---\ntitle: "Illustrative example"\n---\nflowchart LR\n'),
        ("plan.txt", "Illustrative example"),
        ("plan.json", "{"),
    ],
)
def test_the_suffix_decides_what_is_written(illustrative, tmp_path, name, start):
    render(illustrative, tmp_path / name)

    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_json_can_be_read_back(illustrative, tmp_path):
    render(illustrative, tmp_path / "plan.json")

    document = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    assert document["format"] == "branchwise-solution"


def test_an_unknown_suffix_names_the_known_ones(illustrative, tmp_path):
    path = tmp_path / "plan.htm"

    with pytest.raises(FormatError) as caught:
        render(illustrative, path)

    assert str(caught.value) == (
        f"{path}: there is nothing to write to a `.htm` file; did you mean `.html`?\n"
        "    fix: let the name end in one of `.html`, `.svg`, `.dot`, `.gv`, `.mmd`, "
        "`.silver.json`, `.txt`, `.json`"
    )
    assert not path.exists()


def test_a_name_without_suffix_is_asked_for_one(illustrative, tmp_path):
    with pytest.raises(FormatError, match="does not tell what to write"):
        render(illustrative, tmp_path / "plan")


def test_a_folder_that_is_not_there_is_named(illustrative, tmp_path):
    with pytest.raises(FormatError, match="there is no folder"):
        render(illustrative, tmp_path / "missing" / "plan.svg")


def test_the_tree_of_the_paper_has_as_many_nodes_as_its_figure(illustrative):
    """33 nodes for budget 6."""
    assert illustrative.tree.num_nodes == 33


def test_the_picture_in_the_readme_is_the_one_we_draw(tmp_path):
    """Draw it again with ``branchwise.render`` after a change of the picture."""
    oil = solve(read(ROOT / "examples" / "oil_wildcatter.yaml"))
    render(oil, tmp_path / "oil.svg")

    drawn = (tmp_path / "oil.svg").read_text(encoding="utf-8")
    shown = ROOT / "docs" / "images" / "oil_wildcatter.svg"
    assert drawn == shown.read_text(encoding="utf-8")


def test_the_graph_in_the_docs_is_the_one_we_draw(tmp_path):
    """Draw it again with ``branchwise graph`` after a change of the picture."""
    render(read(EXAMPLE), tmp_path / "graph.svg")

    drawn = (tmp_path / "graph.svg").read_text(encoding="utf-8")
    shown = ROOT / "docs" / "images" / "illustrative-graph.svg"
    assert drawn == shown.read_text(encoding="utf-8")


def test_a_problem_is_rendered_as_a_graph_only(tmp_path):
    with pytest.raises(FormatError) as caught:
        render(read(EXAMPLE), tmp_path / "graph.html")

    assert "let the name end in one of `.svg`, `.dot`, `.gv`, `.mmd`" in str(
        caught.value
    )


def answers():
    """One answer of each kind that is neither a solution nor a problem."""
    problem = read(EXAMPLE)
    yield "analysis", branchwise.analyze(problem, only=["criticality"])
    yield "explanation", branchwise.explain(problem, "a3")
    yield "interdiction", branchwise.defend(read(ROOT / "examples" / "web_shop.yaml"))
    yield "profiles", branchwise.profiles(problem, [{"profile": "Ann", "budget": 2}])


def test_every_answer_is_written_as_what_it_is(tmp_path):
    for noun, answer in answers():
        for suffix in ("html", "txt", "json"):
            render(answer, tmp_path / f"{noun}.{suffix}")

        page = (tmp_path / f"{noun}.html").read_text(encoding="utf-8")
        text = (tmp_path / f"{noun}.txt").read_text(encoding="utf-8")
        data = (tmp_path / f"{noun}.json").read_text(encoding="utf-8")
        assert page.startswith("<!DOCTYPE html>")
        assert text == "".join(f"{line}\n" for line in report.lines(answer))
        assert data == report.json(answer)


def test_only_profiles_are_written_as_a_table(tmp_path):
    for noun, answer in answers():
        path = tmp_path / f"{noun}.csv"
        if noun == "profiles":
            render(answer, path)
            first_row = path.read_text(encoding="utf-8").splitlines()[1]
            assert first_row.startswith("Ann,")
        else:
            with pytest.raises(FormatError, match=r"of `\.html`, `\.txt`, `\.json`$"):
                render(answer, path)
