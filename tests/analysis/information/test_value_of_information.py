"""
The value of information, against the oracle.

That an outcome is known before starting is put to the oracle in its own words: a free
action that must come first, whose outcomes change the probabilities of another. For
perfect information every way that all attempts may come out is gone through, and the
best that can be had each time is searched for step by step.
"""

import copy
import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction

import pytest

from branchwise import (
    Action,
    Defense,
    Given,
    LimitError,
    Problem,
    Reward,
    generate,
    read_text,
    solve,
)
from branchwise.analysis import OutcomeTest, value_of_information
from branchwise.analysis.attempts import first_apart, one_by_one
from branchwise.analysis.lots import lots_of
from branchwise.rewarding import RewardingSets
from oracles.foresight import Foresight, ranges_of
from oracles.oracle import Oracle, number, possible, value
from problems.strategies import seeded_documents
from problems.wide_documents import WIDE, wide_oracles

OPEN = tuple(each for each in WIDE if each != "hidden")
SHOT = """
budget: unlimited
counters: {rounds: {start: 1, range: 0..1}, struck: {range: 0..2}}
actions:
  shoot:
    attempts: unlimited
    cost: 0
    requires: rounds >= 1 and count(shoot) < 2
    effects: {rounds: -1}
    outcomes: {hit: {probability: 0.5, effects: {struck: 1}}, miss: 0.5}
  keep: {cost: 0, precluded_by: shoot, outcomes: {done: 1}}
combine: sum
rewards:
  - {per: struck, value: 10}
  - {when: keep, value: 5}
  - {when: rounds >= 1, value: 5}
finish: shoot or keep
"""
PLAIN = frozenset({"repeats", "given"})


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def known_first(document, action, results):
    """The document in which a free action tells first how another may come out."""
    known = copy.deepcopy(document)
    for body in known["actions"].values():
        needs = [body["requires"]] if "requires" in body else []
        body["requires"] = {"all": ["known", *needs]}
    free = {"outcomes": {r: str(p) for r, (p, _) in results.items()}}
    is_plain = not isinstance(known["budget"], dict)
    free["cost"] = 0 if is_plain else dict.fromkeys(known["budget"], 0)
    known["actions"] = {"known": free, **known["actions"]}
    known["actions"][action]["given"] = [
        {
            "when": f"known={r}",
            "outcomes": {o: str(p) for o, p in probabilities.items()},
        }
        for r, (_, probabilities) in results.items()
    ]
    return known


@pytest.mark.parametrize("portion", range(3))
def test_knowing_one_action_is_worth_what_the_oracle_says(portion):
    for document in seeded_documents(
        6, seed=f"known {portion}", max_actions=5, max_states=200, without=PLAIN
    ):
        problem = problem_of(document)
        found = value_of_information(problem, num_threads=1)

        for name, body in document["actions"].items():
            probabilities = possible(body["outcomes"])
            results = {o: (p, {o: 1}) for o, p in probabilities.items()}
            known = known_first(document, name, results)
            assert found.action(name).value == pytest.approx(
                float(value(known)), rel=1e-9, abs=1e-9
            ), (document["name"], name)
            assert found.action(name).standard_error == 0


def clairvoyant(document):
    """What can be had on average if every attempt's number from 0 to 1 is known."""
    oracle = Oracle(document)
    attempts = {}
    for name, body in document["actions"].items():
        tables = [
            body["outcomes"],
            *(g["outcomes"] for g in body.get("given", ()) if "outcomes" in g),
        ]
        labels = list(body["outcomes"])
        ends = {Fraction(0)}
        for table in tables:
            probabilities = possible(table)
            total = Fraction(0)
            for label in labels:
                total += probabilities.get(label, 0)
                ends.add(total)
        cuts = sorted(ends)
        most = number(body.get("attempts", 1))
        most = min(most, 6 if most == math.inf else most)
        for attempt in range(int(most)):
            attempts[name, attempt] = list(itertools.pairwise(cuts))
    total = Fraction(0)
    for case in itertools.product(*attempts.values()):
        drawn = {key: low for key, (low, _) in zip(attempts, case, strict=True)}
        total += math.prod(high - low for low, high in case) * best(oracle, drawn)
    return total


def best(oracle, drawn):
    """The best that can be had if these numbers decide."""

    def search(state):
        found = [oracle.reward(state)]
        for step in oracle.steps(state):
            attempt = sum(action == step.action for action, _ in state.happened)
            if (step.action, attempt) not in drawn:
                continue
            reached = Fraction(0)
            for label in oracle.actions[step.action]["outcomes"]:
                share, child = step.children.get(label, (0, None))
                reached += share
                if drawn[step.action, attempt] < reached:
                    break
            paid = zip(oracle.weights, step.cost, strict=True)
            found.append(search(child) - sum(w * c for w, c in paid))
        return max(found)

    return search(oracle.root)


@pytest.mark.parametrize("portion", range(3))
def test_perfect_information_is_worth_what_brute_force_says(portion):
    tried = 0
    for document in seeded_documents(
        12, seed=f"perfect {portion}", max_actions=4, max_states=60
    ):
        problem = problem_of(document)
        split = one_by_one(problem)
        lots = [lots_of(action) for action in split.problem.actions]
        if math.prod(map(len, lots)) > 100:
            continue
        found = value_of_information(problem, num_threads=1)

        expected = clairvoyant(document)
        assert found.perfect.value == pytest.approx(
            float(expected), rel=1e-9, abs=1e-9
        ), document["name"]
        assert found.perfect.standard_error == 0
        gains = [each.gain for each in found.actions]
        assert gains == sorted(gains, reverse=True)
        assert max(gains) <= found.perfect_gain + 1e-9
        tried += 1
    assert tried >= 4


@pytest.mark.parametrize("portion", range(3))
def test_knowing_a_repeated_or_conditioned_action_is_worth_what_brute_force_says(
    portion,
):
    tried = 0
    for document in seeded_documents(
        12, seed=f"foreknown {portion}", max_actions=4, max_states=60
    ):
        found = value_of_information(problem_of(document), num_threads=1)
        for name, body in document["actions"].items():
            ranges = ranges_of(body)
            # The budgets of these documents pay for fewer than eight attempts.
            times = int(min(number(body.get("attempts", 1)), 8))
            if len(ranges) ** times > 100 or (times == 1 and not body.get("given")):
                continue
            expected = sum(
                math.prod(ranges[low] for low in case)
                * Foresight(document, name, [{low: 1} for low in case]).value()
                for case in itertools.product(ranges, repeat=times)
            )
            assert found.action(name).value == pytest.approx(
                float(expected), rel=1e-9, abs=1e-9
            ), (document["name"], name)
            assert found.action(name).standard_error == 0
            tried += 1
    assert tried >= 8


@pytest.mark.parametrize("portion", range(2))
def test_attempts_one_by_one_are_worth_as_much(portion):
    for document in seeded_documents(25, seed=f"one by one {portion}", max_states=150):
        problem = problem_of(document)

        split = one_by_one(problem)

        assert not any(action.is_repeatable for action in split.problem.actions)
        assert solve(split.problem, num_threads=1).expected_reward == pytest.approx(
            float(value(document)), rel=1e-9, abs=1e-9
        ), document["name"]


@pytest.mark.parametrize("feature", OPEN)
def test_attempts_one_by_one_are_worth_as_much_where_states_hold_more(feature):
    """What counters, counts and endings say of attempts is said of each of them."""
    for oracle in wide_oracles(12, seed="one by one", only=(feature, "comparisons")):
        expected = oracle.value(oracle.root)
        if expected == -math.inf:
            continue
        problem = problem_of(oracle.doc)
        repeated = [a.name for a in problem.actions if a.is_repeatable]
        splits = [one_by_one(problem), *(first_apart(problem, a) for a in repeated[:1])]
        for split in splits:
            found = solve(split.problem, num_threads=1, verify=False)
            assert found.expected_reward == pytest.approx(
                float(expected), rel=1e-9, abs=1e-9
            ), oracle.doc


def test_knowing_one_action_is_worth_what_the_oracle_says_where_states_hold_more():
    tried = 0
    for oracle in wide_oracles(14, seed="known", only=OPEN, max_states=60):
        document = oracle.doc
        if oracle.value(oracle.root) == -math.inf:
            continue
        problem = problem_of(document)
        found = value_of_information(problem, num_samples=3, num_threads=1)
        assert found.perfect.value >= max(each.value for each in found.actions)
        for name, body in document["actions"].items():
            if problem.action(name).is_repeatable or body.get("given"):
                continue
            shares = {
                label: each["probability"] if isinstance(each, dict) else each
                for label, each in body["outcomes"].items()
            }
            results = {o: (p, {o: 1}) for o, p in possible(shares).items()}
            known = Oracle(known_first(document, name, results))
            assert found.action(name).value == pytest.approx(
                float(known.value(known.root)), rel=1e-9, abs=1e-9
            ), (document, name)
            tried += 1
    assert tried >= 10


def test_a_test_of_an_outcome_goes_with_counters():
    """By hand: to keep is worth 10; to shoot then costs 5, and gains 10 if it hits."""
    problem = read_text(SHOT, "yaml")
    test = OutcomeTest.of(
        problem.action("shoot"), "hit", sensitivity=1, specificity=1, cost=1
    )

    found = value_of_information(problem, tests=[test])

    assert found.expected_reward == 10
    assert found.tests[0].value == found.perfect.value == pytest.approx(12.5)
    assert found.tests[0].gain == pytest.approx(1.5)


def test_defenses_do_not_stand_in_the_way_of_attempts():
    """They name actions; a repeated one is worth as much to know with them in place."""
    toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, attempts=2)
    problem = Problem([toss], [Reward(toss["heads"], 8)], budget=1)
    guard = Defense("guard", forbids=["toss"])

    found = value_of_information(replace(problem, defenses=(guard,)))

    assert found == value_of_information(problem)
    assert found.perfect.value == 4


def test_of_too_many_cases_some_are_drawn_and_the_error_is_reported():
    """With one reward it makes no difference how rewards add up, but to the sets."""
    problem = generate(14, seed="information", budget=8)
    exact = RewardingSets(problem).perfect_information
    summed = replace(problem, combine="sum")
    assert len(problem.rewards) == 1

    found = value_of_information(summed, num_samples=150)

    assert found.perfect.num_cases == 150
    assert found.perfect.standard_error > 0
    assert abs(found.perfect.value - exact) < 4 * found.perfect.standard_error
    assert found == value_of_information(summed, num_samples=150, num_threads=1)


@pytest.mark.parametrize("portion", range(2))
def test_rewarding_sets_say_the_same_as_all_cases_where_they_are_exact(portion):
    without = PLAIN | {"sum", "cost_weight"}
    for document in seeded_documents(
        8, seed=f"sets {portion}", max_actions=5, max_states=100, without=without
    ):
        found = value_of_information(problem_of(document), num_threads=1)

        expected = clairvoyant(document)
        assert found.perfect.value == pytest.approx(
            float(expected), rel=1e-9, abs=1e-9
        ), document["name"]


def test_a_large_problem_has_its_perfect_information_exactly():
    found = value_of_information(generate(25, seed=3, budget=12))

    assert found.perfect.standard_error == 0
    assert found.perfect.num_cases > 2**15
    assert found.perfect_gain > max(each.gain for each in found.actions) > 0


def test_it_ends_at_its_time_limit():
    with pytest.raises(LimitError):
        value_of_information(generate(40, seed=1, budget=20), time_limit_seconds=1e-6)


def test_one_draw_decides_for_all_clauses():
    usual, better = {"no": "3/4", "yes": "1/4"}, {"no": "1/4", "yes": "3/4"}
    drill = Action("drill", outcomes=usual, given=[Given("test", outcomes=better)])

    def label(outcomes):
        return next(outcome.label for outcome in outcomes if outcome.probability)

    found = [
        (lot.probability, label(lot.action.outcomes), label(given.outcomes))
        for lot in lots_of(drill)
        for given in lot.action.given
    ]

    quarter = Fraction(1, 4)
    assert found == [
        (quarter, "no", "no"),
        (2 * quarter, "no", "yes"),
        (quarter, "yes", "yes"),
    ]


def test_every_attempt_comes_after_the_one_before_it():
    toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    split = one_by_one(Problem([toss], [Reward(toss["heads"], 10)])).problem

    assert [f"{a.name}: {a.requires}" for a in split.actions] == [
        "toss (attempt 1): always",
        'toss (attempt 2): "toss (attempt 1)"',
    ]
    when = '"toss (attempt 1)"=heads or "toss (attempt 2)"=heads'
    assert str(split.rewards[0].when) == when


def test_the_first_attempt_is_one_and_all_others_another():
    toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=3)
    split = first_apart(Problem([toss], [Reward(toss["heads"], 10)]), "toss").problem

    attempts = {action.name: action.attempts for action in split.actions}
    assert attempts == {"toss (attempt 1)": 1, "toss (attempt 2)": 2}
