"""Walking through a plan in the page: by mouse, by keyboard, and by a link."""

import pytest

from branchwise.formats.read import read, read_text
from branchwise.generator.generate import generate
from branchwise.report.page import plan_data
from branchwise.report.page.solution import solution_page
from branchwise.report.text.wording import chance, short
from branchwise.solver import solve
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.decision_tree import Node
from pages import ROOT
from problems.stand_ins import branching, solution_of


@pytest.fixture(scope="module")
def solution():
    return solve(read(ROOT / "examples" / "illustrative.yaml"))


# All at once: to ask the browser takes longer than to answer.
PANEL = """(() => {
    const texts = (selector) =>
        [...document.querySelectorAll(selector)].map((found) => found.textContent);
    return {
        labels: texts(".walk .node-facts dt"),
        facts: texts(".walk .node-facts dd"),
        path: texts(".path li"),
        headline: document.querySelector(".headline").innerText,
        outcomes: texts("button.outcome .label"),
        probabilities: texts("button.outcome .probabilities"),
        endings: texts(".endings li span"),
        num_buttons: document.querySelectorAll("button.outcome").length,
    };
})()"""


def below(node):
    """Give how likely each reward is from a node on, leaf by leaf."""
    if node.is_leaf:
        return {node.reward: 1.0}
    endings = {}
    for branch in node.tree.policy[node.key].branches:
        for reward, share in below(node.child(branch.outcome)).items():
            so_far = endings.get(reward, 0.0)
            endings[reward] = so_far + share * branch.probability
    return endings


def check(page, node):
    """Everything that the panel says must be what the engine says of this node."""
    panel = page.run(PANEL)
    shown = dict(zip(panel["labels"], panel["facts"], strict=True))
    assert shown["Probability of being here"] == chance(node.probability)
    assert shown["Reward for stopping here"] == short(node.reward)
    if node.budget_left is not None:
        assert shown["Budget left"] == str(node.budget_left)
    path = [text.replace("\xa0", " ") for text in panel["path"]]
    assert path == ["Start", *(f"{e.action} = {e.outcome}" for e in node.path)]
    if node.is_leaf:
        assert panel["headline"] == f"Stop with {short(node.reward)}"
        assert panel["num_buttons"] == 0
        return
    assert panel["headline"] == node.action
    assert shown["Worth from here on"] == short(node.value)
    assert panel["outcomes"] == list(node.children)
    branches = node.tree.policy[node.key].branches
    assert panel["probabilities"] == [chance(b.probability) for b in branches]
    endings = below(node)
    if len(endings) <= 6:
        expected = [[short(r), chance(endings[r])] for r in sorted(endings)[::-1]]
        listed = panel["endings"]
        assert [listed[i : i + 2] for i in range(0, len(listed), 2)] == expected


def test_every_position_says_what_the_engine_says(opened, solution):
    """Each of the 33 nodes is visited by its link and compared with the engine's."""
    page = opened(solution_page(solution))
    for node in solution.tree.walk():
        steps = "/".join(f"{e.action}={e.outcome}" for e in node.path)
        page.run(f"location.hash = 'at/{steps}'" if steps else "location.hash = ''")
        page.wait_for(
            f"document.querySelectorAll('.path li').length == {len(node.path) + 1}"
        )
        check(page, node)


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_by_mouse(opened, seed):
    solved = solve(generate(14, budget=8, seed=seed))
    page = opened(solution_page(solved))
    node = solved.tree.root
    check(page, node)
    while not node.is_leaf:
        number = (seed + len(node.path)) % len(node.children)
        page.click("button.outcome", number)
        node = list(node.children.values())[number]
        check(page, node)
    assert page.texts(".walk-head button") == ["Back", "Restart", "Copy link"]
    page.click(".walk-head button")
    check(page, node.parent)
    page.click(".walk-head button", 1)
    check(page, solved.tree.root)


def test_a_walk_by_keyboard(opened, solution):
    """Tab leads to the first outcome; after Enter the next outcomes have the focus."""
    page = opened(solution_page(solution))
    for _ in range(20):
        page.press("Tab")
        if page.run("document.activeElement.className") == "outcome":
            break
    page.press("Tab")
    page.press("Enter")
    node = solution.tree.after("a1=ok")
    check(page, node)
    while not node.is_leaf:
        assert page.run("document.activeElement.className") == "outcome"
        assert page.text("[role=status]").startswith(f"{node.path[-1].action} = ")
        page.press("Enter")
        node = next(iter(node.children.values()))
        check(page, node)
    assert page.run("document.activeElement.textContent") == "Restart"
    page.press("Enter")
    check(page, solution.tree.root)


def test_the_tree_leads_to_positions_too(opened, solution):
    page = opened(solution_page(solution))

    page.click(".mark[aria-label^='a4 = ok, 30 %, costs 1: do a5'] .frame")
    check(page, solution.tree.after("a1=ok, a4=ok"))
    page.press("ArrowRight")
    page.press("Enter")
    check(page, solution.tree.after("a1=ok, a4=ok, a5=fail"))


def test_a_link_leads_to_a_position_and_the_address_follows(opened, solution):
    page = opened(solution_page(solution), "#at/a1=ok/a4=ok")

    check(page, solution.tree.after("a1=ok, a4=ok"))
    page.click("button.outcome", 1)
    assert page.run("location.hash") == "#at/a1=ok/a4=ok/a5=ok"
    page.run("history.back()")
    page.wait_for("location.hash === '#at/a1=ok/a4=ok'")
    check(page, solution.tree.after("a1=ok, a4=ok"))
    page.click(".path button")
    check(page, solution.tree.root)
    assert page.run("location.hash") == ""


def test_the_link_can_be_copied(opened, solution):
    page = opened(solution_page(solution), "#at/a1=ok")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.click(".walk-head button", 2)
    page.wait_for(
        "document.querySelector('[role=status]').textContent.includes('link')"
    )
    copied = page.run("navigator.clipboard.readText()")
    assert copied == page.run("location.href")
    assert copied.endswith(".html#at/a1=ok")


@pytest.mark.parametrize("fragment", ["#at/a1=maybe", "#at/a9=ok", "#at/%E0%A4%A"])
def test_a_link_that_leads_nowhere_says_so(opened, solution, fragment):
    page = opened(solution_page(solution), fragment)

    assert "never comes to" in page.text(".walk")
    check(page, solution.tree.root)


def test_shows_what_else_could_be_done(opened, solution, monkeypatch):
    """The plan is worth 8.43672 here, so 8.01672 is 0.42 less."""
    even = Alternative("a4", 8.43672 + 1e-15)
    prospects = (Prospect("ok", 0.8, 10), Prospect("fail", 0.2, 0.0836))
    less = Alternative("a3", 8.01672, prospects=prospects)
    known = (less, Alternative("a2", 9.0, is_bound=True), even)
    monkeypatch.setattr(Node, "alternatives", property(lambda node: known), False)
    page = opened(solution_page(solution))

    shown = page.texts(".walk .alternatives li")
    assert shown == [
        "a3 instead: \u22120.42 (worth 8.017)"
        "10 after ok (80 %), 0.0836 after fail (20 %)",
        "a2 instead: at most +0.5633 (worth at most 9)",
        "a4 instead: just as good (worth 8.437)",
    ]
    page.hover(".mark.first .frame")
    assert page.texts(".card .alternatives li") == shown


def test_where_the_file_ends_before_the_plan_it_says_so(opened, monkeypatch):
    def likely(solution):
        return plan_data.plan_document(solution, max_states=40)

    monkeypatch.setattr(f"{solution_page.__module__}.plan_document", likely)
    page = opened(solution_page(solution_of(branching(10))))

    for _ in range(10):
        if page.count("button.outcome") == 0:
            break
        page.click("button.outcome")
    assert "too unlikely to be in this file" in page.text(".walk")


def test_where_the_least_cost_is_wanted_everything_is_a_cost(opened):
    """
    Repairing first costs 2 + 0.4 * (5 + 0.05 * 50) = 5; replacing first costs
    5 + 0.05 * (2 + 0.4 * 50) = 6.1, which is 1.1 more.
    """
    problem = read_text(
        """
        budget: 8
        objective: least-cost
        finish: repair=ok or replace=ok
        unfinished: 50
        actions:
          repair: {cost: 2, outcomes: {ok: 0.6, no: 0.4}}
          replace: {cost: 5, outcomes: {ok: 0.95, no: 0.05}}
        """,
        format="yaml",
    )
    page = opened(solution_page(solve(problem)))

    assert page.texts(".mark.first .worth") == ["costs 5"]
    assert "Costs from here on" in page.text(".walk")
    (other,) = page.texts(".walk .alternatives li")
    assert other.startswith("replace instead: +1.1 (costs 6.1)")
    assert page.texts(".walk .endings li > span:first-child") == ["0", "50"]
    assert page.count(".held") == 0
