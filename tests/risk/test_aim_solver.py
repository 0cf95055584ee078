"""
Aims are met as well as by the best of all plans, each tried by brute force.

The documents use the whole format: rewards that add up, penalties, rewards that stop
holding, repeats, conditioning, several resources, and spending that counts.
"""

import json
import math
from fractions import Fraction
from functools import partial
from random import Random

import pytest

from branchwise import (
    Action,
    Adversary,
    AtLeast,
    CVaR,
    ExponentialUtility,
    Problem,
    Reward,
    Status,
    UtilityTable,
    evaluate,
    generate,
    read_text,
    solve,
)
from branchwise.errors import AimError
from branchwise.model import problem_after
from branchwise.tree import Distribution
from oracles.every_plan import (
    TooManyPlansError,
    at_least,
    cvar,
    every_plan,
    expected,
    mean,
)
from oracles.oracle import Oracle
from problems.strategies import seeded_documents
from problems.wide_documents import wide_oracles

PORTIONS = 4
PORTION = 25


def tiny_problems(seed, **knobs):
    """Problems with so few plans that all can be tried, and what each may end with."""
    for document in seeded_documents(
        PORTION, seed=seed, max_actions=4, max_states=40, **knobs
    ):
        try:
            plans = every_plan(document)
        except TooManyPlansError:
            continue
        yield read_text(json.dumps(document), format="json"), plans


def concave(least, most):
    """A table that is worth ever less per unit, and goes past what is reached."""
    half = (most - least) / 2 + 1
    worth = [0, 5000, 5000 + half / 2, 5000 + half / 2 + 1000]
    rewards = [least - 5000, least, least + half, least + half + 5000]
    return UtilityTable(zip(rewards, worth, strict=True))


def some_aims(plans):
    """Aims that fit what these plans may end with, and how well one meets each."""
    rewards = sorted({reward for plan in plans for reward, _ in plan})
    wanted = rewards[len(rewards) * 2 // 3]
    table = concave(rewards[0], rewards[-1])
    [utility] = table.utilities(rewards)
    return (
        (AtLeast(wanted), partial(at_least, wanted=wanted)),
        (CVaR("10%"), partial(cvar, level=Fraction(1, 10))),
        (CVaR("1/2"), partial(cvar, level=Fraction(1, 2))),
        (CVaR(1), mean),
        (table, partial(expected, utility=utility)),
    )


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_no_plan_meets_the_aim_better_or_earns_more_and_meets_it_as_well(portion):
    tried = 0
    for problem, plans in tiny_problems(f"aims {portion}"):
        for aim, worth in some_aims(plans):
            best, earned = max((worth(plan), mean(plan)) for plan in plans)
            answer = solve(problem, aim=aim, exact=True)
            tree = answer.tree

            assert answer.aim.worth == best, (problem.name, aim)
            assert answer.expected_reward == earned, (problem.name, aim)
            assert answer.aim.rewards.chances in plans, (problem.name, aim)
            assert answer.expected_reward == evaluate(tree, problem), problem.name
            assert answer.aim.neutral.expected_reward == max(map(mean, plans)), (
                problem.name
            )
            assert answer.aim.gain >= 0
            assert answer.aim.price >= 0
        tried += 1
    assert tried >= PORTION // 2


# Each is built to break one rule, by what it would then be worth.
BUILT = [
    # Who bets has 10 or -10, never the mean.
    {
        "budget": 1,
        "hidden": {"f": {"yes": "0.5", "no": "rest"}},
        "actions": {"bet": {"outcomes": {"done": 1}}},
        "rewards": [
            {"when": {"all": ["bet", "f=yes"]}, "value": 10},
            {"when": {"all": ["bet", "f=no"]}, "value": -10},
        ],
        "combine": "sum",
        "cost_weight": "1/10",
    },
    # Who flees loses all rewards, and with them a debt of 20.
    {
        "budget": 1,
        "actions": {
            "bet": {"outcomes": {"won": "0.4", "lost": "0.6"}},
            "flee": {"outcomes": {"away": {"probability": 1, "ends": "lose"}}},
        },
        "rewards": [
            {"when": {"not": "flee"}, "value": -20},
            {"when": "bet=won", "value": 100},
        ],
        "combine": "sum",
    },
    # Who tries is left with 9 or nothing, never with the mean.
    {
        "budget": 10,
        "actions": {
            "try": {
                "outcomes": {"ok": "1/2", "dear": {"probability": "1/2", "cost": 9}}
            },
            "sure": {"outcomes": {"done": 1}},
        },
        "rewards": [{"when": "try", "value": 10}, {"when": "sure", "value": 6}],
        "cost_weight": 1,
    },
]


def test_aims_of_wide_problems_are_met_as_by_every_plan():
    """
    Counters, endings, costs of outcomes, hidden facts, `finish`, least cost.

    With hidden facts what is paid is not known where a plan stops: an aim is about what
    is paid in the end, and not about what is expected of it.
    """
    num_tried, num_unsure = 0, 0
    for drawn in (*map(Oracle, BUILT), *wide_oracles(16, "wide aims", max_states=25)):
        try:
            plans = every_plan(drawn.doc, most=120)
        except TooManyPlansError:
            continue
        if not plans:  # Every plan may get stuck.
            continue
        problem = read_text(json.dumps(drawn.doc), format="json")
        for aim, worth in some_aims(plans):
            best, earned = max((worth(plan), mean(plan)) for plan in plans)
            answer = solve(problem, aim=aim, exact=True)

            assert answer.aim.worth == best, (drawn.doc, aim)
            assert answer.expected_reward == earned, (drawn.doc, aim)
            assert answer.expected_reward == evaluate(answer.tree, problem), drawn.doc
            assert answer.aim.rewards.chances in plans, (drawn.doc, aim)
        num_unsure += len(drawn.root.belief) > 1
        num_tried += 1
    assert num_tried >= 10
    assert num_unsure >= 3


@pytest.mark.parametrize("portion", range(2))
def test_floats_and_exponential_utility_agree_with_every_plan(portion):
    for problem, plans in tiny_problems(f"floats {portion}"):
        aim = ExponentialUtility(50)
        best = max(
            math.fsum(-50 * math.expm1(-float(x) / 50) * float(p) for x, p in plan)
            for plan in plans
        )

        answer = solve(problem, aim=aim)

        assert answer.aim.worth == pytest.approx(best, rel=1e-9, abs=1e-9), problem.name
        equivalent = answer.aim.certainty_equivalent
        sure = Distribution(((equivalent, 1.0),))
        assert aim.worth(sure) == pytest.approx(best, rel=1e-9, abs=1e-9)

        worst = solve(problem, aim=CVaR("25%"))

        expected_worst = max(cvar(plan, Fraction(1, 4)) for plan in plans)
        assert worst.aim.worth == pytest.approx(float(expected_worst), abs=1e-9)


SIZES = [1, 2, Fraction(1, 3), 7, 10, 10**6, 2 * 10**13, 10**16, 3 * 10**16 + 1]


def widened(document, random):
    """The same, with rewards and penalties of all sizes."""
    rewards = [
        reward
        | {
            "value": str(
                random.choice(SIZES) * (-1 if Fraction(str(reward["value"])) < 0 else 1)
            )
        }
        for reward in document["rewards"]
    ]
    return document | {"rewards": rewards}


@pytest.mark.parametrize("portion", range(2))
def test_aims_agree_with_every_plan_over_rewards_of_all_sizes(portion):
    """
    How likely a reward is does not depend on how large another one is. A mean of the
    worst cases is had to the 1e-12th part of the largest reward, as every score is.
    """
    tried = 0
    for number, document in enumerate(
        seeded_documents(60, f"wide {portion}", max_actions=4, max_states=40)
    ):
        wide = widened(document, Random(number))
        try:
            plans = every_plan(wide)
        except TooManyPlansError:
            continue
        problem = read_text(json.dumps(wide), format="json")
        levels = sorted({reward for plan in plans for reward, _ in plan})
        for level in levels[-3:]:
            answer = solve(problem, aim=AtLeast(level))
            best = max(at_least(plan, level) for plan in plans)
            assert answer.aim.worth == pytest.approx(float(best), rel=1e-9), level
            assert answer.status is Status.OPTIMAL
        worst = solve(problem, aim=CVaR("25%"))
        mean_of_worst = max(cvar(plan, Fraction(1, 4)) for plan in plans)
        largest = float(max(map(abs, levels)))
        assert worst.aim.worth == pytest.approx(
            float(mean_of_worst), rel=1e-9, abs=4e-11 * largest
        )
        assert worst.status is Status.OPTIMAL
        tried += 1
    assert tried >= 20


def test_a_small_reward_counts_beside_one_of_twenty_trillion():
    """
    `b` alone reaches 10 with 1/4, and `a` after it with another 3/4 * 1/4 = 3/16. An
    end with 1 must not be taken for one with 10, nor the proof for a limit.
    """
    a = Action("a", outcomes={"ok": 0.25, "fail": "rest"})
    b = Action("b", outcomes={"yes": 0.25, "no": "rest"})
    rewards = [Reward(b["yes"], "2e13"), Reward(a["ok"], 10), Reward(a["fail"], 1)]
    problem = Problem([a, b], rewards)

    answer = solve(problem, aim=AtLeast(10))

    assert answer.aim.worth == 7 / 16
    assert answer.status is Status.OPTIMAL
    assert answer.aim.rewards.chances == ((1, 9 / 16), (10, 3 / 16), (2e13, 1 / 4))


@pytest.fixture
def ventures():
    """
    A safe venture and a bold one, of which the budget pays for one.

    The bold one earns 100 half of the time, 50 on average; the safe one 40 nine times
    in ten, 36 on average.
    """
    safe = Action("safe", outcomes={"ok": 0.9, "fail": "rest"})
    bold = Action("bold", outcomes={"ok": 0.5, "fail": "rest"})
    return Problem(
        [safe, bold], [Reward(safe["ok"], 40), Reward(bold["ok"], 100)], budget=1
    )


def test_the_bold_venture_has_the_highest_mean_and_the_safe_one_the_better_worst_half(
    ventures,
):
    answer = solve(ventures, aim=CVaR(0.5), exact=True)

    assert answer.aim.neutral.solution.first_action == "bold"
    assert answer.aim.neutral.worth == 0
    assert answer.first_action == "safe"
    # The worst half: one in ten fails, four in ten earn 40.
    assert answer.aim.worth == Fraction(4 * 40, 5)
    assert answer.aim.price == 14


def test_the_tree_shows_expected_rewards_and_says_what_it_aimed_at(ventures):
    solution = solve(ventures, aim=AtLeast(30), exact=True)

    assert solution.expected_reward == solution.tree.root.value == 36
    assert solution.aim[:5] == ("P(reward >= 30)", Fraction(9, 10), None, True, None)
    assert solution.upper_bound == 50
    assert solution.problem == ventures


def test_a_large_tolerance_is_indifferent_to_risk_and_a_small_one_is_not(ventures):
    first = {
        tolerance: solve(ventures, aim=ExponentialUtility(tolerance))
        for tolerance in (10_000, 10)
    }

    assert first[10_000].first_action == "bold"
    assert first[10_000].aim.certainty_equivalent == pytest.approx(50, abs=0.2)
    assert first[10].first_action == "safe"


def test_an_aim_counts_from_where_the_plan_begins():
    test = Action("test", outcomes={"good": 0.5, "bad": 0.5})
    drill = Action("drill", outcomes={"oil": 0.5, "dry": 0.5}, requires=test["good"])
    problem = Problem([test, drill], [Reward(drill["oil"], 10)], budget=2)

    answer = solve(problem, aim=AtLeast(10), after="test=good", exact=True)

    assert answer.aim.worth == Fraction(1, 2)
    assert [str(event) for event in answer.history] == ["test=good"]
    assert answer.problem == problem_after(problem, "test=good")


def test_many_rewards_that_add_up_are_met_as_well():
    """Twelve rewards have 4,096 sums, too many to state; the states know them, too."""
    actions = [Action(f"a{i}", outcomes={"ok": "1/2", "no": "rest"}) for i in range(12)]
    rewards = [Reward(action["ok"], 1) for action in actions]
    problem = Problem(actions, rewards, budget=3, combine="sum")

    answer = solve(problem, aim=AtLeast(2), exact=True)

    assert answer.aim.worth == Fraction(1, 2)


def test_a_problem_of_25_actions_has_its_cvar_in_seconds():
    problem = generate(25, seed="risk", budget=12)

    answer = solve(problem, aim=CVaR("90%"))

    assert answer.aim.worth >= answer.aim.neutral.worth - 1e-9
    assert answer.expected_reward == pytest.approx(
        float(evaluate(answer.tree, problem))
    )
    assert answer.aim.neutral.expected_reward == solve(problem).expected_reward


def test_a_table_that_ends_too_early_is_refused(ventures):
    with pytest.raises(AimError) as caught:
        solve(ventures, aim=UtilityTable({0: 0, 50: 1}))

    assert str(caught.value) == (
        "aim: the utility table goes from 0 to 50, but rewards may come to 100\n"
        "    fix: say what 100 is worth"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExponentialUtility(0), "a risk tolerance is above 0, not 0"),
        (lambda: CVaR(0), "a level is above 0 and at most 1, not 0"),
        (lambda: UtilityTable({0: 0}), "a utility table has at least two points"),
        (lambda: UtilityTable([(0, 0), (0, 1)]), "a utility table has 0 twice"),
        (
            lambda: UtilityTable({0: 2, 10: 1}),
            "utility falls from 2 at 0 to 1 at 10; it must not",
        ),
    ],
)
def test_an_aim_that_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError) as caught:
        make()

    assert str(caught.value) == message


def test_a_loss_past_what_floats_can_hold_is_refused():
    bet = Action("bet", outcomes={"won": 0.5, "lost": 0.5})
    rewards = [Reward(bet["won"], 10_000), Reward(bet["lost"], -10_000)]
    problem = Problem([bet], rewards, combine="sum")

    with pytest.raises(AimError) as caught:
        solve(problem, aim=ExponentialUtility(1))

    assert str(caught.value) == (
        "aim: a risk tolerance of 1 is too small for a loss of 10000\n"
        "    fix: raise it to 15 or more"
    )


def test_an_exponential_utility_has_no_fractions(ventures):
    with pytest.raises(ValueError) as caught:
        solve(ventures, aim=ExponentialUtility(10), exact=True)

    assert "no exact fractions" in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "paper"},
        {"search": "best-first"},
        {"gap": 0.1},
        {"num_threads": 1},
        {"naive": True},
        {"rewarding_sets": 1},
        {"adversary": Adversary()},
        {"verify": True},
    ],
)
def test_how_to_search_for_the_highest_mean_does_not_go_with_an_aim(options, ventures):
    [name] = options

    with pytest.raises(ValueError, match=f"`{name}` does not go with an aim"):
        solve(ventures, aim=AtLeast(10), **options)
