"""The JSON document: valid, complete, and true to the solution."""

import copy
import json
import sys
from decimal import Decimal
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

from branchwise import report
from branchwise.formats.read import read_text
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.report.page.solution import solution_page
from branchwise.solver import solve
from branchwise.space.state_space import AvailableAction, Transition
from problems.strategies import seeded_documents
from strict_schema import strict

VALIDATOR = Draft202012Validator(strict(report.schema("solution")))


@pytest.fixture
def oil():
    test = Action("test", outcomes={"good": "1/3", "bad": "rest"})
    drill = Action("drill", outcomes={"oil": 0.5, "dry": 0.5}, requires=test["good"])
    return Problem([test, drill], [Reward(drill["oil"], 200)], budget=2, name="Oil")


def loaded(solution):
    """Read the text back; NaN and Infinity are not JSON."""
    return json.loads(report.json(solution), parse_constant=pytest.fail)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(report.schema("solution"))


def test_the_document_tells_the_solution(oil):
    """Test, and drill if that is good: 1/3 * 1/2 * 200."""
    document = loaded(solve(oil, exact=True))

    VALIDATOR.validate(document)
    assert document["format"] == "branchwise-solution"
    assert document["version"] == 1
    assert document["problem"] == {"name": "Oil", "budget": 2, "budget_exact": "2"}
    assert document["status"] == "optimal"
    assert document["expected_reward"] == pytest.approx(100 / 3)
    assert document["exact"] == "100/3"
    assert document["first_action"] == "test"
    assert document["tree"] == {"nodes": 5, "leaves": 3, "depth": 2}
    assert document["statistics"]["tree_nodes"] == 5
    assert document["policy"][0] == {
        "id": 0,
        "action": "test",
        "value": pytest.approx(100 / 3),
        "value_exact": "100/3",
        "reward": 0,
        "reward_exact": "0",
        "happened": [],
        "left": 2,
        "left_exact": "2",
        "outcomes": [
            {
                "outcome": "good",
                "probability": pytest.approx(1 / 3),
                "probability_exact": "1/3",
                "to": 1,
            },
            {
                "outcome": "bad",
                "probability": pytest.approx(2 / 3),
                "probability_exact": "2/3",
                "to": 2,
            },
        ],
        "alternatives": [],
    }
    assert document["policy"][2]["happened"] == [
        {"action": "test", "outcome": "bad", "count": 1}
    ]


def test_exact_texts_are_there_only_where_numbers_are_exact(oil):
    document = loaded(solve(oil))

    VALIDATOR.validate(document)
    assert document["exact"] is None
    assert "exact" not in json.dumps(document["policy"])


def test_the_best_alternatives_are_said_best_first():
    """Seven ways, of which one can be paid for: five of six others are said."""
    probabilities = [{"no": "rest", "ok": f"{i}/10"} for i in range(1, 8)]
    ways = [
        Action(f"way {i}", outcomes=o) for i, o in enumerate(probabilities, start=1)
    ]
    rewards = [Reward(way["ok"], 10) for way in ways]
    solution = solve(Problem(ways, rewards, budget=1), exact=True)

    document = loaded(solution)

    VALIDATOR.validate(document)
    others = document["policy"][0]["alternatives"]
    assert [other["action"] for other in others] == [
        f"way {i}" for i in (6, 5, 4, 3, 2)
    ]
    assert others[0] == {
        "action": "way 6",
        "value": 6,
        "value_exact": "6",
        "is_bound": False,
    }
    assert (
        "alternatives"
        not in loaded(solve(solution.problem, engine="paper"))["policy"][0]
    )


def test_several_resources_and_no_limit_are_said(oil):
    cost = {"money": "1/2"}
    drill = Action("drill", outcomes={"oil": 1}, cost=cost)
    budget = {"money": "3/2", "days": "unlimited"}
    problem = Problem([drill], [Reward("drill=oil", 1)], budget=budget)

    document = loaded(solve(problem, exact=True))

    VALIDATOR.validate(document)
    assert document["problem"]["budget"] == {"money": 1.5, "days": "unlimited"}
    assert document["policy"][1]["left"] == {"money": 1, "days": "unlimited"}
    assert document["policy"][0]["left_exact"] == {"money": "3/2", "days": "unlimited"}


@pytest.mark.parametrize("exact", [False, True])
def test_random_solutions_are_valid_and_add_up(exact):
    for problem_document in seeded_documents(40, "solution_json"):
        problem = read_text(json.dumps(problem_document, default=str), "json")
        document = loaded(solve(problem, exact=exact))

        VALIDATOR.validate(document)
        policy = document["policy"]
        assert [state["id"] for state in policy] == list(range(len(policy)))
        reached = {0} | {o["to"] for state in policy for o in state["outcomes"]}
        assert reached == set(range(len(policy)))
        for state in policy:
            assert (state["action"] is None) == (not state["outcomes"])
            if state["outcomes"]:
                total = sum(o["probability"] for o in state["outcomes"])
                assert total == pytest.approx(1)
            if exact:
                assert float(Fraction(state["value_exact"])) == state["value"]


def test_the_text_is_the_document(oil):
    solution = solve(oil, exact=True)

    assert loaded(solution) == report.document(solution)


def test_numbers_past_a_float_stay_numbers():
    drill = Action("drill", outcomes={"oil": "1/3", "dry": "rest"})
    problem = Problem([drill], [Reward("drill=oil", 10**400)])

    document = loaded(solve(problem, exact=True))

    VALIDATOR.validate(document)
    assert document["expected_reward"] == 10**400 // 3


class Countdown:
    """A state space of one's own: toss as often as there are coins."""

    def __init__(self, coins):
        self.root = coins

    def actions(self, state):
        if state:
            sides = [Transition(side, 0.5, state - 1) for side in ("heads", "tails")]
            yield AvailableAction("toss", tuple(sides))

    def reward(self, state):
        return 0.0 if state else 7.0


def test_a_state_space_of_ones_own_has_no_problem():
    document = loaded(solve(Countdown(2)))

    VALIDATOR.validate(document)
    assert document["problem"] is None
    assert [state["state"] for state in document["policy"]] == ["2", "1", "0"]
    assert document["policy"][0]["happened"] is None
    assert document["policy"][0]["left"] is None


@pytest.fixture
def fixed_limit(monkeypatch):
    """Python's limit on digits, which all threads share, at its least."""
    usual, fewest = sys.get_int_max_str_digits(), 640
    sys.set_int_max_str_digits(fewest)

    def touch(_):
        raise AssertionError("the limit on digits belongs to the whole process")

    with monkeypatch.context() as patch:
        patch.setattr(sys, "set_int_max_str_digits", touch)
        yield
    assert sys.get_int_max_str_digits() == fewest
    sys.set_int_max_str_digits(usual)


@pytest.mark.usefixtures("fixed_limit")
def test_huge_trees_are_counted_exactly():
    """2,200 coins: 2^2201 - 1 nodes: 663 digits, where Python is told to write 640."""
    text = report.json(solve(Countdown(2_200)))

    document = json.loads(text, parse_int=lambda digits: int(Decimal(digits)))
    assert document["tree"]["nodes"] == 2**2_201 - 1
    assert len(document["policy"]) == 2_201


@pytest.mark.usefixtures("fixed_limit")
def test_huge_trees_have_a_page_and_a_text():
    solution = solve(Countdown(2_200))

    assert "about 3.69e+662" in solution_page(solution)
    assert any("3.69e+662 nodes" in line for line in report.lines(solution))


def test_the_document_is_ones_own_to_change(oil):
    solution = solve(oil)
    document = report.document(solution)
    before = copy.deepcopy(document)
    document["policy"].clear()

    assert report.document(solution) == before


def test_a_plan_from_a_later_state_tells_what_had_happened(oil):
    document = loaded(solve(oil, after="test=good"))

    VALIDATOR.validate(document)
    assert document["after"] == [{"action": "test", "outcome": "good"}]
    assert document["problem"]["budget"] == 1
    assert document["policy"][0]["happened"] == [
        {"action": "test", "outcome": "good", "count": 1}
    ]
