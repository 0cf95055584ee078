import pytest

from branchwise import read
from branchwise.report import dependency_dot, dependency_svg
from branchwise.report.answers.problem import ProblemAnswer


def test_the_graph_is_printed_for_graphviz(run, example):
    result = run("graph", example)

    assert result.exit_code == 0, result.stderr
    assert result.stdout == dependency_dot(read(example))


@pytest.mark.parametrize("suffix", ProblemAnswer.formats)
def test_the_suffix_decides_what_is_drawn(run, example, folder, suffix):
    result = run("graph", example, "-o", f"graph.{suffix}")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"wrote graph.{suffix}: 7 actions, 3 rewards, budget 6\n"
    starts = {"svg": "<svg ", "mmd": "---\n"}
    written = (folder / f"graph.{suffix}").read_text(encoding="utf-8")
    assert written.startswith(starts.get(suffix, "digraph dependencies {"))


def test_the_picture_is_the_one_of_the_library(run, example, folder):
    run("graph", example, "--output", "graph.svg")

    drawn = (folder / "graph.svg").read_text(encoding="utf-8")
    assert drawn == dependency_svg(read(example))


def test_a_name_that_says_nothing_is_answered_with_what_it_may_end_in(run, example):
    result = run("graph", example, "-o", "graph.png")

    assert result.exit_code == 2
    assert "'graph.png' must end in .svg, .dot, .gv or .mmd" in result.stderr


def test_a_problem_with_errors_is_not_drawn(run, folder):
    (folder / "broken.yaml").write_text("actions: {a: {outcomes: {x: 0.5}}}\n")

    result = run("graph", "broken.yaml", "-o", "graph.svg")

    assert result.exit_code == 2
    assert "not 1" in result.stderr
    assert not (folder / "graph.svg").exists()
