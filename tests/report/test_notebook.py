"""Solutions in notebooks: still, safe, and at peace with their neighbors."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from branchwise import analyze, compare, evaluation, explain, report, simulate
from branchwise.formats.read import read
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report import widget
from branchwise.report.notebook import solution_fragment
from branchwise.solver import solve
from pages import ROOT
from problems.hostile_names import SEEN
from problems.stand_ins import solution_of, tosses

EXAMPLE = ROOT / "examples" / "illustrative.yaml"


@pytest.fixture(scope="module")
def illustrative():
    return solve(read(ROOT / "examples" / "illustrative.yaml"))


def test_a_solution_shows_itself_in_a_notebook(illustrative):
    shown = illustrative._repr_html_()

    assert shown == solution_fragment(illustrative)
    assert "Illustrative example" in shown
    worth = '<span title="8.43672">8.437</span>'
    assert f"expected reward <b>{worth}</b>, first action <b><bdi>a1</bdi></b>" in shown
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


HOST = """<!DOCTYPE html><meta charset="utf-8"><div id="cell"></div>
<script type="module">
const [source, pages] = JSON.parse(document.querySelector("#given").textContent);
const blob = new Blob([source], { type: "text/javascript" });
const made = await import(URL.createObjectURL(blob));
const state = { page: pages[0], height: 500 };
const heard = {};
const on = (event, act) => { heard[event] = act; };
const model = { get: (name) => state[name], on };
made.default.render({ model, el: document.querySelector("#cell") });
window.change = (name, to) => {
    state[name] = name === "page" ? pages[to] : to;
    heard[`change:${name}`]();
};
</script>"""


def test_a_widget_is_alive_in_a_browser(open_file, tmp_path):
    """Its script in a page of our own, with a stand-in for what Jupyter gives it."""
    problems = [read(EXAMPLE), read(EXAMPLE.with_name("oil_wildcatter.yaml"))]
    given = json.dumps(
        [widget._SCRIPT, [report.html(solve(problem)) for problem in problems]]
    ).replace("<", "\\u003c")
    given = f'<script type="application/json" id="given">{given}</script>'
    path = tmp_path / "notebook.html"
    path.write_text(given + HOST, encoding="utf-8")

    page = open_file(path, width=1000)
    frame = page.page.frame_locator("iframe")
    frame.locator(".mark").first.wait_for()
    frame.locator(".walk .outcomes button, .walk .next").first.click()
    assert frame.locator(".path li").count() == 2
    frame.get_by_role("button", name="Back").click()
    assert frame.locator(".path li").count() == 1
    # It has no address, so there is no link to a position.
    assert frame.get_by_role("button", name="Copy link").count() == 0
    with page.page.expect_download() as download:
        frame.get_by_role("button", name="Save what is open").click()
    assert download.value.suggested_filename.endswith("-tree.svg")

    page.run("change('page', 1)")
    page.run("change('height', 640)")
    frame.locator("h1", has_text="Oil wildcatter").wait_for()
    assert page.run("document.querySelector('iframe').clientHeight") == 640
    assert page.complaints() == []


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


def everything():
    """One of everything that a notebook may show."""
    problem = read(EXAMPLE)
    solution = solve(problem)
    analysis = analyze(problem, only=["tornado", "thresholds"])
    return [
        problem,
        solution,
        solution.tree,
        analysis,
        *analysis.sections.values(),
        simulate(problem, num_runs=10),
        explain(problem, "a3"),
        evaluation(solution, problem),
        compare(problem, problem.with_budget(5)),
    ]


def test_whatever_is_found_can_be_shown_and_named():
    """Pages stand in frames, so that their styles meet none of the notebook's."""
    for result in everything():
        shown = result._repr_html_()
        assert "a1" in shown or "P(a4" in shown
        assert "<script" not in shown
        if shown.startswith("<iframe"):
            assert 'srcdoc="&lt;!DOCTYPE html&gt;' in shown


def test_what_is_printed_is_short():
    problem = read(EXAMPLE)
    solution = solve(problem)

    assert str(problem) == "Illustrative example: 7 actions, 3 rewards, budget 6"
    answer = "expected reward 8.43672, first action a1, proven optimal"
    assert str(solution).splitlines()[1] == answer
    assert repr(solution) == (
        "<Solution of 'Illustrative example': 8.43672, a1 first, optimal>"
    )
    assert repr(solution.tree) == "<DecisionTree: a1 first>"


def test_every_table_is_a_frame():
    problem = read(EXAMPLE)
    frames = report.frames(solve(problem))

    assert frames["policy"].loc[0, "action"] == "a1"
    tornado = analyze(problem, only=["tornado"]).sections["tornado"]
    assert list(tornado.frames()) == [table.name for table in tornado.tables()]


class _Trait:
    def __init__(self, *_):
        pass

    def tag(self, **_):
        return self


def test_a_widget_is_the_page_of_the_solution(monkeypatch):
    """With stand-ins, as anywidget brings all of Jupyter along."""

    class Widget:
        def __init__(self, **traits):
            self.traits = traits

    anywidget = SimpleNamespace(AnyWidget=Widget)
    traitlets = SimpleNamespace(Unicode=_Trait, Int=_Trait)
    monkeypatch.setitem(sys.modules, "anywidget", anywidget)
    monkeypatch.setitem(sys.modules, "traitlets", traitlets)
    widget._widget_class.cache_clear()
    solution = solve(read(EXAMPLE))

    shown = report.tree_widget(solution, height=500)

    assert shown.traits["height"] == 500
    assert 'id="plan-data"' in shown.traits["page"]
    assert "srcdoc" in shown._esm
    widget._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match="pip install anywidget"):
        report.tree_widget(solution)
    widget._widget_class.cache_clear()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: solve("oil.yaml"), r"branchwise\.read\('oil\.yaml'\)"),
        (lambda: analyze(Path("oil.yaml")), r"branchwise\.read\('oil\.yaml'\)"),
        (lambda: Action("a", outcomes=None), "outcomes are a mapping"),
        (lambda: Action("a", outcomes="ok"), "outcomes are a mapping"),
        (lambda: Reward(None, 5), "the `when` of a reward is a condition, not None"),
        (
            lambda: Action("a", outcomes={"ok": 1}, requires=5),
            "`requires` is a condition, not 5",
        ),
        (lambda: report.render("no result", 3), "where to write it is a path, not 3"),
        (lambda: read(3), "what to read is a path, not 3"),
        (
            lambda: explain(
                Problem([Action("a", outcomes={"ok": 1})], [], budget=1), None
            ),
            "the action is text",
        ),
    ],
)
def test_wrong_types_are_answered_with_a_sentence(make, message):
    with pytest.raises(TypeError, match=message):
        make()
