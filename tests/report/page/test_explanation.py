"""Why not, as a page: two plans side by side, and where they part."""

from pathlib import Path
from threading import Event

from branchwise import Action, Problem, Reward, explain, generate, read
from branchwise.report.page.explanation import explanation_page

ILLUSTRATIVE = read(Path(__file__).parents[3] / "examples" / "illustrative.yaml")


def test_the_page_says_what_is_lost_and_marks_where_the_plans_part():
    page = explanation_page(explain(ILLUSTRATIVE, "a3", after="a1=ok"))

    assert "a3 is worth 3.698: 8.233 less." in page
    mark = '<span class="tag">here they part</span>'
    assert page.count(mark) == 1
    assert f"<bdi>a4</bdi>&nbsp;=&nbsp;<bdi>ok</bdi> {mark}" in page
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="bw-tree') == 2


def test_without_another_plan_there_is_nothing_to_compare():
    for action in ("a1", "a5"):
        page = explanation_page(explain(ILLUSTRATIVE, action))

        assert "Where it shows" not in page
        assert page.count('class="bw-tree') == 1


def test_an_action_that_cannot_be_taken_says_why():
    page = explanation_page(explain(ILLUSTRATIVE, "a5", after="a3=ok"))

    assert "cannot be taken" in page
    assert "precluded by a3" in page


def test_plans_that_always_end_alike_are_said_to():
    outcomes = {"oil": 0.5, "dry": 0.5}
    here = Action("here", outcomes=outcomes)
    sleep = Action("sleep", outcomes={"rested": 1})
    problem = Problem([here, sleep], [Reward(here["oil"], 8)])

    page = explanation_page(explain(problem, "sleep"))

    assert "sleep would be as good: it is worth the same." in page
    assert "With the same luck both plans always end alike." in page


def test_bounds_are_reported_where_a_limit_was_met():
    stopped = Event()
    stopped.set()
    problem = generate(25, seed="why", budget=15)

    page = explanation_page(explain(problem, "a1", cancel=stopped))

    assert "found (interrupted)" in page
    assert "values are those of plans found by then" in page


def test_names_cannot_become_markup():
    hostile = Action("<b>x</b>", outcomes={"<i>y</i>": 0.5, "z": 0.5})
    other = Action("o", outcomes={"w": 0.9, "l": 0.1})
    rewards = [Reward(hostile["<i>y</i>"], 1), Reward(other["w"], 1)]
    problem = Problem([hostile, other], rewards, budget=1, name="<script>")

    page = explanation_page(explain(problem, "<b>x</b>"))

    for text in ("<b>x", "<i>y", "<script>"):
        assert text not in page
