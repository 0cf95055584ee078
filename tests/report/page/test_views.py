"""The plan as a table and as a graph, beside its tree."""

import csv
import io

import pytest

from branchwise.report.page.solution import solution_page
from branchwise.report.text.wording import chance
from branchwise.solver import solve
from branchwise.tree.choices.policy import children_first
from problems.stand_ins import steps


@pytest.fixture(scope="module")
def solution():
    """Give a plan of six steps: 127 nodes, but few states, as rewards add up."""
    return solve(steps(6))


@pytest.fixture
def page(open_file, solution, tmp_path):
    path = tmp_path / "plan.html"
    path.write_text(solution_page(solution), encoding="utf-8")
    return open_file(path, width=1366)


def saved(page, view, label):
    """Press a button that saves something; give what was saved, and its name."""
    with page.page.expect_download() as download:
        page.page.locator(f"#panel-{view} button", has_text=label).click()
    name = download.value.suggested_filename
    return download.value.path().read_text(encoding="utf-8"), name


def decisions(solution):
    policy, root = solution.tree.policy, solution.tree.root.key
    return [key for key in children_first(policy, root) if policy[key].action]


def test_the_table_has_every_decision_and_is_found_and_saved(page, solution):
    """A state is listed once, whatever number of ways lead there."""
    page.click("#tab-Table")
    num_states = len(decisions(solution))
    assert page.count("#panel-Table tbody tr") == num_states < 63
    assert page.text("#panel-Table tbody tr").startswith("At the start")

    page.page.get_by_label("Find rows of the table").fill("step 3")
    assert f"of {num_states} decisions" in page.text("#panel-Table [role=status]")
    text, name = saved(page, "Table", "Save CSV")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert name == "6-steps-policy.csv"
    assert 0 < len(rows) < num_states
    assert all("step 3" in row["state"] + row["action"] for row in rows)

    page.click("#panel-Table tbody button", 1)
    assert page.text(".path li[aria-current]") != "Start"
    assert page.complaints() == []


def test_the_graph_has_every_state_once_and_is_found_and_saved(page, solution):
    page.page.locator("#tab-Tree").focus()
    page.press("ArrowRight")
    page.press("ArrowRight")  # With the keyboard alone.
    boxes = page.texts("#panel-Graph .state-box .title")
    assert len(boxes) == len(decisions(solution))
    branches = sum(
        len(solution.tree.policy[key].branches) for key in decisions(solution)
    )
    ends = sum(
        solution.tree.policy[branch.state].action is None
        for key in decisions(solution)
        for branch in solution.tree.policy[key].branches
    )
    assert page.count("#panel-Graph .way") == branches - ends
    assert page.texts("#panel-Graph .end, #panel-Graph .nothing").count("stop with 0")

    page.page.get_by_label("Find states of the graph").fill("step 2")
    assert 0 < page.count(".state-box.found") < len(boxes)
    page.run("document.querySelector('#graph-view').focus()")
    page.press("ArrowDown")
    page.press("ArrowDown")
    page.press("Enter")
    assert page.text(".path li[aria-current]") != "Start"
    text, name = saved(page, "Graph", "Save SVG")
    assert name == "6-steps-graph.svg"
    assert text.count("<rect") == len(boxes)
    assert "class=" not in text
    assert chance(1) in text
    assert page.complaints() == []


def test_what_is_open_of_the_tree_is_saved(page):
    num_seen = page.count(".mark")
    text, name = saved(page, "Tree", "Save SVG")

    assert name == "6-steps-tree.svg"
    # Nodes have an outline and a halo each; the halo is not displayed.
    assert text.count("worth ") > 5
    assert text.count("<rect") == 2 * num_seen
