"""Names that try to be more than names, in a browser: they stay text in place."""

import pytest

from branchwise.model.action import Action
from branchwise.model.checks.validate import validate
from branchwise.model.problem import Problem, Reward
from branchwise.report.page.solution import solution_page
from branchwise.report.tree_drawing.lettering import legible
from branchwise.solver import solve
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from browser import Opened
from problems.hostile_names import HOSTILE
from problems.stand_ins import solution_of

WORSE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a=b/#%"]


def asked(name):
    """Give a solution in which everything that can have a name has this one."""
    first = Action(name, outcomes={name: "0.5", "otherwise": "0.5"})
    again = Action(f"{name} again", requires=first[name], outcomes={"ok": 1})
    problem = Problem([first, again], [Reward(again["ok"], 10)], budget=2, name=name)
    if not validate(problem):
        return solve(problem)
    # No problem may have such a name, but a state space of one's own may.
    policy = {
        name: Decision(name, (Branch(name, 0.5, 1), Branch("otherwise", 0.5, 2)), 5, 0),
        1: Decision(f"{name} again", (Branch("ok", 1.0, 3),), 10, 0),
        2: Decision(None, (), 0, 0),
        3: Decision(None, (), 10, 10),
    }
    return solution_of(DecisionTree(policy, name))


@pytest.fixture(scope="module")
def tabs(chromium, tmp_path_factory):
    """A tab of each width: to open one takes longer than all that is done in it."""
    blank = tmp_path_factory.mktemp("hostile") / "blank.html"
    blank.write_text("")
    opened = {width: Opened(chromium, blank, width=width) for width in (390, 1280)}
    yield opened
    for tab in opened.values():
        tab.close()


@pytest.mark.parametrize("hostile", [*HOSTILE, *WORSE], ids=ascii)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_hostile_name_stays_text_and_in_its_place(tabs, hostile, width, tmp_path):
    page, path = tabs[width], tmp_path / "page.html"
    path.write_text(solution_page(asked(hostile)), encoding="utf-8")
    page.go(path)

    assert page.count("script") == 2
    assert page.count("img") == 0
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.text(".headline").strip() == legible(hostile)
    page.click("button.outcome")
    assert page.texts(".outcome .label bdi") == ["ok"]
    assert page.texts(".path bdi") == [legible(hostile)] * 2
    assert page.run("document.documentElement.scrollWidth") <= width
    page.run("dispatchEvent(new PopStateEvent('popstate'))")
    assert page.texts(".path bdi") == [legible(hostile)] * 2
    page.click(".search input")
    page.type(legible(hostile)[:20] or "ok")
    assert page.count(".found button") >= 1
    page.run("document.querySelector('#tree-view').focus()")
    assert page.run("document.documentElement.scrollWidth") <= width
    page.check_silence(path)
