"""Solutions in notebooks: still, safe, and at peace with their neighbors."""

import re
import subprocess
import sys

import pytest

from branchwise.formats.read import read
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.notebook import solution_fragment
from branchwise.solver import solve
from pages import ROOT
from problems.hostile_names import SEEN
from problems.stand_ins import solution_of, tosses


@pytest.fixture(scope="module")
def illustrative():
    return solve(read(ROOT / "examples" / "illustrative.yaml"))


def test_a_solution_shows_itself_in_a_notebook(illustrative):
    shown = illustrative._repr_html_()

    assert shown == solution_fragment(illustrative)
    assert "Illustrative example" in shown
    assert "expected reward <b>8.43672</b>, first action <b><bdi>a1</bdi></b>" in shown
    assert "proven optimal, 33 nodes" in shown
    assert "<svg" in shown


def test_there_is_no_script_in_it_and_no_style_for_others(illustrative):
    shown = solution_fragment(illustrative)

    assert "<script" not in shown
    assert "<style" not in shown
    assert not re.search(r"\son\w+=", shown)


def test_two_solutions_share_no_ids(illustrative):
    ids = [
        set(re.findall(r' id="([^"]+)"', solution_fragment(solution)))
        for solution in (illustrative, solution_of(tosses(3)))
    ]

    assert ids[0]
    assert not ids[0] & ids[1]


def test_a_huge_tree_is_folded():
    shown = solution_fragment(solution_of(tosses(50)))

    assert "2,251,799,813,685,247 nodes" in shown or "about 2.25e+15 nodes" in shown
    assert len(shown) < 60_000


@pytest.mark.parametrize("hostile", SEEN[:7], ids=ascii)
def test_hostile_names_stay_text(hostile):
    action = Action(hostile, outcomes={hostile: "0.5", "otherwise": "0.5"})
    problem = Problem([action], [Reward(action[hostile], 1)], budget=1, name=hostile)
    shown = solution_fragment(solve(problem))

    tags = set(re.findall(r"<(/?\w+)", shown))
    assert tags <= {
        *("div", "/div", "p", "/p", "strong", "/strong", "b", "/b", "br", "bdi"),
        *("/bdi", "svg", "/svg", "title", "/title", "desc", "/desc", "rect", "g"),
        *("/g", "path", "text", "/text"),
    }


def test_what_draws_is_not_loaded_before_it_is_shown():
    module = "branchwise.report.tree_drawing.svg"
    script = f"import sys, branchwise; print('{module}' in sys.modules)"

    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert shown.stdout == "False\n"
