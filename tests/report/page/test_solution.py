"""The page: everything in it, and nothing that is not ours."""

import base64
import hashlib
import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from branchwise.model.action import Action, Given
from branchwise.model.conditions.condition import Attempted
from branchwise.model.problem import Problem, Reward
from branchwise.report.page.solution import solution_page
from branchwise.report.text.wording import chance, short
from branchwise.solver import solve
from branchwise.space.state_space import AvailableAction, Transition
from branchwise.tree.choices.policy import Branch, Decision
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.nearest_thresholds import ActionThreshold, NearestThresholds
from branchwise.tree.prospects.distribution import final_rewards
from problems.hostile_names import HOSTILE

VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}


class Outline(HTMLParser):
    """Collects the elements of a page, and checks that they are nested soundly."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.ids, self.text = set(), [], [], []
        self.open = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.extend(attrs)
        self.ids.extend(value for name, value in attrs if name == "id")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.extend(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def words(page):
    return " ".join(" ".join(Outline(page).text).split())


@pytest.fixture(scope="module")
def drilling():
    test = Action("test", outcomes={"good": "0.4", "bad": "0.6"}, cost=10)
    drill = Action(
        "drill",
        outcomes={"oil": "1/3", "dry": "2/3"},
        cost=70,
        attempts=2,
        requires="test=good",
        precluded_by="drill=oil",
        given=[Given("drill=dry", outcomes={"oil": "0.1", "dry": "0.9"}, cost=20)],
    )
    problem = Problem(
        [test, drill], [Reward(drill["oil"], 200)], budget=100, name="Oil & gas"
    )
    return solve(problem, engine="reference", exact=True)


def test_shows_the_answer(drilling):
    """
    The test is good with 0.4; drilling finds oil with 1/3, and again with 0.1:
    200 * 0.4 * (1/3 + 2/3 * 0.1) = 32.
    """
    text = words(solution_page(drilling))

    assert "Oil & gas" in text
    assert "Expected reward 32" in text
    assert "Start with test ;" in text
    assert "Budget 100" in text
    assert "Status optimal" in text


def test_shows_the_first_decisions(drilling):
    text = words(solution_page(drilling))

    assert "At the start test 100 % 32 100" in text
    assert "test = good drill 40 % 80 90" in text


def test_shows_the_problem(drilling):
    text = words(solution_page(drilling))

    assert "drill test=good drill=oil 70 oil 1/3 , dry 2/3 2 drill=dry" in text
    assert "cost 20" in text
    assert "drill=oil 200" in text


def test_shows_how_it_may_end_and_what_it_took(drilling):
    text = words(solution_page(drilling))

    assert "200 16 %" in text
    assert "0 84 %" in text
    full = drilling.statistics.full_graph_states
    assert f"Full graph {full} states" in text


def test_allows_its_own_style_sheet_and_script_and_nothing_else(drilling):
    page = solution_page(drilling)

    policy = re.search('Content-Security-Policy" content="([^"]*)"', page)[1]
    style = digest(re.search("<style>(.*?)</style>", page, re.DOTALL)[1])
    script = digest(re.search("<script>(.*?)</script>", page, re.DOTALL)[1])
    allowed = f"default-src 'none'; style-src {style}; script-src {script}; "
    assert policy == f"{allowed}base-uri 'none'; form-action 'none'"


def digest(text):
    found = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(found).decode()}'"


def test_needs_no_network(drilling):
    outline = Outline(solution_page(drilling))

    assert not outline.tags & {"link", "img", "iframe", "object", "a"}
    for name, value in outline.attributes:
        assert not name.startswith("on")
        assert name not in {"src", "href", "style"}
        assert "url(" not in (value or "")


def test_labels_point_at_what_they_name(drilling):
    outline = Outline(solution_page(drilling))

    assert len(outline.ids) == len(set(outline.ids))
    named = [v for name, v in outline.attributes if name == "aria-labelledby"]
    assert {part for value in named for part in value.split()} <= set(outline.ids)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_stay_text(hostile, drilling):
    """Compared with a harmless page, no element and no attribute is new."""

    def outline(name):
        branches = Branch(name, 0.5, "won"), Branch("otherwise", 0.5, "lost")
        policy = {
            "start": Decision(name, branches, value=5, reward=0),
            "won": Decision(None, (), value=10, reward=10),
            "lost": Decision(None, (), value=0, reward=0),
        }
        action = Action(
            name, outcomes={name: 1}, requires=Attempted(name), cost={name: 1}
        )
        problem = Problem([action], [Reward(action[name], 10)], name=name)
        tree = DecisionTree(policy, "start")
        return Outline(solution_page(replace(drilling, tree=tree, problem=problem)))

    expected, found = outline("harmless"), outline(hostile)

    # Where a long name may be broken depends on the name.
    assert found.tags - {"wbr"} == expected.tags - {"wbr"}
    assert {n for n, _ in found.attributes} == {n for n, _ in expected.attributes}
    assert "\u202e" not in "".join(found.text)


def test_a_plan_from_a_later_state_says_so_in_its_heading(drilling):
    """Hostile names are text here as well."""
    name = "<b>bold</b>"
    first = Action(name, outcomes={"x": 0.5, "y": 0.5})
    second = Action("second", outcomes={"won": 1})
    problem = Problem([first, second], [Reward(second["won"], 1)], budget=2)

    page = solution_page(solve(problem, after=[first["x"]]))

    assert "after <b>bold</b>=x" in words(page).replace('"', "")
    assert "b" not in Outline(page).tags
    assert "Budget left 1" in words(page)


def test_a_state_space_of_your_own_has_a_page_without_a_problem():
    class Coin:
        root = 0

        def actions(self, state):
            if state == 0:
                sides = Transition("heads", 0.5, 1), Transition("tails", 0.5, 2)
                yield AvailableAction("toss", sides)

        def reward(self, state):
            return float(state == 1)

    text = words(solution_page(solve(Coin())))

    assert "Start with toss ;" in text
    assert "The problem" not in text


def test_a_page_opens_with_the_answer_in_three_sentences(drilling):
    """Testing costs 10, drilling 20 more: what is earned and spent is told apart."""
    solution = solve(replace(drilling.problem, cost_weight={"budget": "0.5"}))
    gross = final_rewards(solution.tree, solution.problem)
    answer = words(solution_page(solution))

    cost = float(gross.mean) - float(solution.expected_reward)
    assert f"Start with {solution.first_action} ; what to do next" in answer
    assert f"{short(gross.mean)} of reward less {short(cost)} of weighted" in answer
    nothing = chance(dict(gross.chances)[0])
    assert f"The chance of ending with nothing is {nothing} ." in answer
    assert "branchwise analyze FILE --only thresholds finds it" in answer


def test_a_page_says_what_would_change_the_start(drilling):
    """What was not looked for is not said; the report itself computes nothing."""
    threshold = ActionThreshold(
        "P(test=good)", 0.4, Fraction(3, 10), Fraction(1, 4), None
    )
    solution = drilling
    known = NearestThresholds((threshold,), 5, Fraction(1, 2))
    none = NearestThresholds((), 5, Fraction(1, 2))

    page = words(solution_page(replace(solution, thresholds=known)))
    assert "P(test=good) below 0.25 (now 0.4): nothing ." in page
    page = words(solution_page(replace(solution, thresholds=none)))
    assert "no single one of 5 numbers does, moved up or down by up to 50 %" in page
