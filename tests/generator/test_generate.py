"""What `generate` promises, on hundreds of seeds and with every knob."""

import hashlib
import time
from fractions import Fraction

import pytest

from branchwise import ProblemError, generate, read_text, solve, validate, write_text
from branchwise.model import AllOf, AnyOf, Happened
from branchwise.rewarding import RewardingSets

KNOBS = (
    {},
    {"actions": 6, "budget": 4},
    {"actions": 3, "budget": 3},
    {"actions": 25, "budget": 15, "or_share": 0.3},
    {"actions": 12, "budget": 6, "layers": 5},
    {"prerequisites": "2-4", "layers": 3},
    {"outcomes": "2-3"},
    {"outcomes": 6, "success": "0.05-0.3"},
    {"cost": "1-3", "budget": 20},
    {"cost": "0.5-2.25"},
    {"rewards": 3},
    {"rewards": 3, "combine": "sum"},
    {"preclusions": 0.3},
    {"repeats": 0.3},
    {"conditioning": 0.3},
    {"conditioning": 0.3, "cost": "1-3", "budget": 15},
    {"resources": 3},
    {"cost_weight": 0.5},
    {"budget": "unlimited"},
    {
        "actions": 10,
        "budget": 12,
        "outcomes": "2-3",
        "cost": "1-2",
        "rewards": 2,
        "combine": "sum",
        "preclusions": 0.3,
        "repeats": 0.2,
        "conditioning": 0.3,
        "resources": 2,
        "cost_weight": "0.1",
    },
)
FEATURES = {
    "preclusions": lambda problem: "precluded_by:" in write_text(problem),
    "repeats": lambda problem: any(a.is_repeatable for a in problem.actions),
    "conditioning": lambda problem: any(a.given for a in problem.actions),
    "resources": lambda problem: len(problem.budget) > 1,
    "cost_weight": lambda problem: bool(problem.cost_weight),
    "combine": lambda problem: problem.combine == "sum",
    "rewards": lambda problem: len(problem.rewards) > 1,
    "outcomes": lambda problem: any(len(a.outcomes) > 2 for a in problem.actions),
    "cost": lambda problem: any({*a.cost.values()} != {1} for a in problem.actions),
}
PINNED = {
    "": ("921514b22e609e09acc5ee5873e3a4f67affaab34b3bbe6d0dc210af7b09314e"),
    "actions=25 budget=15 seed=7": (
        "d0896c332a71e65613bdfc6f22028ae8927295c7661b70d8b90d0284683f6171"
    ),
    "actions=200 budget=30 seed=large": (
        "8efd06064bfa68df0db6a6bd2264a1cb4633c309e54a18c8a42fd80b7366cbda"
    ),
    "actions=12 budget=9 outcomes=2-3 preclusions=0.3 repeats=0.2 conditioning=0.3": (
        "2870ca2d4bd69730480af40edae7d2ecb4648aee847301276764681812c6a7aa"
    ),
    "cost=0.5-2.25 resources=2 rewards=3 combine=sum cost_weight=0.1 seed=3": (
        "cb9b1b242c8c9de47efbb322b046fa60dfc4c4d2ee90cbf3b8cfb14d8b60713d"
    ),
}


@pytest.mark.parametrize("knobs", KNOBS, ids=str)
def test_problems_are_feasible_and_not_trivial(knobs):
    """
    The rewarding sets, found by other means, say so: the last reward has two or more,
    of two or more actions each, and they begin with one of two or more actions.
    """
    for seed in range(25):
        problem = generate(**knobs, seed=seed)
        assert validate(problem) == ()
        found = list(RewardingSets(problem))
        best = [each for each in found if each.reward == best_reward(problem)]
        assert len(best) >= 2
        assert all(len(each.needs) >= 2 for each in found)
        begin = {a.name for a in problem.actions if str(a.requires) == "always"}
        assert len({event.action for each in best for event in each.needs} & begin) > 1


def best_reward(problem):
    return max(reward.value for reward in problem.rewards)


@pytest.mark.parametrize("knobs", KNOBS, ids=str)
def test_what_is_asked_for_is_there_and_nothing_else(knobs):
    asked = {name for name in FEATURES if name in knobs}
    for seed in range(10):
        problem = generate(**knobs, seed=seed)
        assert {
            name for name, is_there in FEATURES.items() if is_there(problem)
        } == asked


@pytest.mark.parametrize("seed", range(20))
def test_a_plan_is_worth_carrying_out_and_no_more_than_perfect_information(seed):
    problem = generate(8, 6, seed=seed, cost_weight=1, conditioning=0.3)

    solution = solve(problem)

    assert solution.first_action is not None
    assert 0 < solution.expected_reward <= RewardingSets(problem).perfect_information


@pytest.mark.parametrize("pinned", PINNED, ids=lambda text: text or "as usual")
def test_the_same_arguments_make_the_same_file_on_every_machine(pinned):
    knobs = dict(word.split("=") for word in pinned.split())

    text = write_text(generate(**knobs))

    assert hashlib.sha256(text.encode()).hexdigest() == PINNED[pinned]


def test_the_name_makes_the_problem_again():
    problem = generate(12, 8, seed="x y", success="0.4-0.9", layers=4)

    command = "branchwise generate --actions 12 --budget 8 --seed 'x y' --layers 4 "
    assert problem.name == command + "--success 0.4-0.9"
    assert read_text(write_text(problem)) == problem


def test_other_seeds_make_other_problems():
    assert len({generate(seed=seed).actions for seed in range(50)}) == 50


def test_a_knob_changes_nothing_but_its_own_aspect():
    plain = generate(seed=4)
    repeated = generate(seed=4, repeats=0.5)

    for one, other in zip(plain.actions, repeated.actions, strict=True):
        assert (one.requires, one.outcomes) == (other.requires, other.outcomes)


def test_numbers_keep_to_what_was_asked_for():
    problem = generate(60, 40, outcomes="2-4", success="0.3-0.6", cost="1-4")

    assert {len(action.outcomes) for action in problem.actions} == {2, 3, 4}
    assert {action.cost.total() for action in problem.actions} == {1, 2, 3, 4}
    for action in problem.actions:
        success = 1 - action.outcome("fail").probability
        assert Fraction(3, 10) <= success <= Fraction(6, 10)
        assert (success * 100).denominator == 1


@pytest.mark.parametrize(("or_share", "least", "most"), [(0.2, 10, 45), (1, 100, 100)])
def test_the_share_of_or_decides_what_several_prerequisites_are(or_share, least, most):
    kinds = [
        type(action.requires)
        for seed in range(20)
        for action in generate(20, 20, or_share=or_share, layers=3, seed=seed).actions
        if action.requires.parts()
    ]
    several = kinds.count(AnyOf) + kinds.count(AllOf)

    assert least <= 100 * kinds.count(AnyOf) / several <= most


def test_a_plan_takes_an_action_of_every_layer():
    for seed in range(20):
        sets = RewardingSets(generate(layers=6, seed=seed))
        assert min(len(each.needs) for each in sets) >= 6


def test_the_paper_s_kind_has_one_reward_and_no_condition_is_mixed():
    for seed in range(20):
        problem = generate(25, 15, seed=seed)
        conditions = [action.requires for action in problem.actions]
        conditions.append(problem.rewards[0].when)
        assert len(problem.rewards) == 1
        for condition in conditions:
            assert all(isinstance(part, Happened) for part in condition.parts())


def test_what_cannot_be_says_why_and_what_to_change():
    with pytest.raises(ProblemError) as caught:
        generate(20, 5, layers=5, prerequisites=3, cost="1-9")

    assert str(caught.value) == (
        "generate: none of 50 random problems will do: mostly, an action cannot be "
        "afforded\n    fix: raise the budget, or ask for fewer layers or lower costs"
    )


def test_two_hundred_actions_take_well_under_a_second():
    start = time.process_time()
    problem = generate(200, 30, seed=1)

    assert len(problem.actions) == 200
    assert time.process_time() - start < 2  # A processor may be shared.


STATES = (
    {"hidden": 2},
    {"counters": 2},
    {"endings": 0.3},
    {"outcome_costs": 0.4, "cost": "1-3", "budget": 8},
    {
        "hidden": 1,
        "counters": 1,
        "endings": 0.2,
        "outcome_costs": 0.3,
        "conditioning": 0.3,
        "repeats": 0.2,
        "resources": 2,
    },
)


@pytest.mark.parametrize("knobs", STATES, ids=str)
def test_states_may_hold_more_and_the_problem_stays_feasible(knobs):
    """
    A plan that reaches the reward is one of the rewarding sets of the same problem
    without what states hold: the seed alone decides all else.
    """
    for seed in range(3):
        problem = generate(**{"actions": 8, "budget": 6, "seed": seed, **knobs})
        assert validate(problem) == ()
        assert read_text(write_text(problem)) == problem
        assert len(problem.actions) == 8 + knobs.get("hidden", 0)
        assert len(problem.hidden) == knobs.get("hidden", 0)
        assert len(problem.counters) == knobs.get("counters", 0)
        outcomes = [
            outcome for action in problem.actions for outcome in action.outcomes
        ]
        assert any(outcome.ends for outcome in outcomes) == ("endings" in knobs)
        costs = [outcome.cost.named for outcome in outcomes]
        assert any(costs) == ("outcome_costs" in knobs)
        assert solve(problem).expected_reward > 0
