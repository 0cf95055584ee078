"""Tests of outcomes: what they tell, and that this is worth what brute force says."""

import json
from fractions import Fraction

import pytest

from branchwise import Action, Given, Problem, Reward, read_text
from branchwise.analysis import OutcomeTest, parse_outcome_test, value_of_information
from branchwise.analysis.lots import lots_of, mixture
from oracles.foresight import Foresight, outcome_at, ranges_of
from oracles.oracle import Oracle, possible
from problems.strategies import seeded_documents

HIT, MISS = Fraction(4, 5), Fraction(1, 4)


def worth_tested(document, name):
    """What it is worth to test an action for its last outcome, by brute force."""
    oracle, body = Oracle(document), document["actions"][name]
    counts = [g for g in body.get("given", ()) if oracle.holds(g["when"], oracle.root)]
    at_start = possible((body | (counts[0] if counts else {}))["outcomes"])
    looked_for = list(body["outcomes"])[-1]
    value = Fraction(0)
    for is_positive in (True, False):
        joint = {}
        for low, width in ranges_of(body).items():
            hit = HIT if outcome_at(body, at_start, low) == looked_for else MISS
            joint[low] = width * (hit if is_positive else 1 - hit)
        total = sum(joint.values())
        belief = {low: weight / total for low, weight in joint.items()}
        value += total * Foresight(document, name, [belief]).value()
    return value


@pytest.mark.parametrize("portion", range(3))
def test_a_test_of_any_action_is_worth_what_brute_force_says(portion):
    changing = 0
    for document in seeded_documents(
        10, seed=f"any test {portion}", max_actions=4, max_states=80
    ):
        problem = read_text(json.dumps(document), format="json")
        tests = [
            OutcomeTest.of(
                action, action.labels[-1], sensitivity=HIT, specificity=1 - MISS, cost=1
            )
            for action in problem.actions
        ]

        found = value_of_information(problem, tests=tests, num_threads=1)

        for each in found.tests:
            name = each.test.action
            expected = float(worth_tested(document, name))
            assert each.value == pytest.approx(expected, rel=1e-9, abs=1e-9), (
                document["name"],
                name,
            )
            gain = expected - found.expected_reward - 1
            assert each.gain == pytest.approx(gain, rel=1e-9, abs=1e-9)
            firsts = {result.first_action for result in each.results}
            assert firsts <= {None, *document["actions"]}
            changing += bool({"attempts", "given"} & set(document["actions"][name]))
    assert changing >= 5


@pytest.fixture
def wells():
    probabilities = {"oil": 0.5, "dry": 0.5}
    here, there = (
        Action("here", outcomes=probabilities),
        Action("there", outcomes=probabilities),
    )
    rewards = [Reward(here["oil"], 8), Reward(there["oil"], 8)]
    return Problem([here, there], rewards, budget=1)


def test_a_useless_test_is_worth_its_cost_less(wells):
    test = OutcomeTest.of(
        wells.action("here"), "oil", sensitivity="1/2", specificity="1/2", cost=3
    )

    [found] = value_of_information(wells, tests=[test]).tests

    assert found.gain == -3
    assert [r.probability for r in found.results] == [0.5, 0.5]


def test_a_test_says_where_to_drill(wells):
    """Positive half of the time: then 0.9 of 8; else the other well, half of 8."""
    test = parse_outcome_test("here=oil:90%:90%", wells)

    [found] = value_of_information(wells, tests=[test]).tests

    assert found.value == pytest.approx(0.5 * 0.9 * 8 + 0.5 * 0.5 * 8)
    assert [r.first_action for r in found.results] == ["here", "there"]


def test_a_test_of_more_results_is_given_by_its_likelihoods(wells):
    table = {"rich": {"oil": "3/4"}, "poor": {"dry": 1}, "odd": {"oil": "1/4"}}

    [found] = value_of_information(wells, tests=[OutcomeTest("here", table)]).tests

    assert [r.probability for r in found.results] == [0.375, 0.5, 0.125]
    assert found.value == pytest.approx(6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("here", "`here` is no test; write `action=outcome:sensitivity:specificity`"),
        ("here=oil:90%", "`here=oil:90%` is no test"),
        ("here=gas:90%:90%", "here has no outcome 'gas'"),
        ("hree=oil:90%:90%", "there is no action 'hree'; did you mean `here`?"),
        ("here=oil:190%:90%", "they must be from 0 to 1 and sum to 1"),
        ("here=oil:much:90%", "`much` is not a number"),
    ],
)
def test_what_is_no_test_is_refused(wells, text, message):
    with pytest.raises((ValueError, KeyError)) as caught:
        parse_outcome_test(text, wells)

    assert message in str(caught.value)


def test_of_an_action_that_can_be_repeated_the_first_attempt_is_tested():
    """One may toss twice, and be paid 1 for heads first and less 1/4 for each toss.

    Untested, two tosses are worth 3/4 - 1/4 - 1/8. If the first is known, one tosses
    once for heads: 3/4; else twice, as the second may still be heads: 1/2 - 1/2.
    """
    toss = Action(
        "toss",
        outcomes={"heads": 0.5, "tails": 0.5},
        attempts=2,
        precluded_by="toss=heads",
    )
    rewards = [Reward(toss["heads"], 1)]
    problem = Problem([toss], rewards, cost_weight="1/4")
    test = OutcomeTest.of(toss, "heads", sensitivity=1, specificity=1)

    found = value_of_information(problem, tests=[test])

    assert found.expected_reward == 3 / 4 - 1 / 4 - 1 / 8
    assert found.tests[0].value == 0.5 * (3 / 4) + 0.5 * 0
    assert [r.first_action for r in found.tests[0].results] == ["toss", None]
    # Whoever knows both tosses does not toss at all if both are tails.
    assert found.action("toss").value == 0.5 * (3 / 4) + 0.25 * (1 / 2)


def test_a_test_says_of_every_clause_what_its_lots_say():
    """
    The test is perfect for the probabilities at the start: yes with the upper quarter.

    After `help` the upper three quarters are yes. So a yes stays one, and a no is one
    with help in two of three cases.
    """
    aid = Action("help", outcomes={"done": 1})
    better = Given(aid["done"], outcomes={"no": "1/4", "yes": "3/4"})
    drill = Action("drill", outcomes={"no": "3/4", "yes": "1/4"}, given=[better])
    problem = Problem([aid, drill], [Reward(drill["yes"], 12)])
    test = OutcomeTest.of(drill, "yes", sensitivity=1, specificity=1)

    changed = {result: each for result, _, each in test.results(problem)}

    reported = {
        result: each.action("drill").given[0].outcomes
        for result, each in changed.items()
    }
    assert [o.probability for o in reported["positive"]] == [0, 1]
    assert [o.probability for o in reported["negative"]] == [
        Fraction(1, 3),
        Fraction(2, 3),
    ]


def test_a_mixture_of_lots_is_as_likely_as_they_weigh():
    drill = Action("drill", outcomes={"no": "3/4", "yes": "1/4"})
    half = [Fraction(1, 2), Fraction(1, 2)]

    mixed = mixture(drill, lots_of(drill), half)

    assert [outcome.probability for outcome in mixed.outcomes] == half
