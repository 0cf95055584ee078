"""Values that others have published of problems with hidden facts and counters."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from branchwise import Action, Given, Problem, Reward, read, solve
from branchwise.model.conditions.condition import all_of, any_of
from branchwise.model.conditions.facts import Facts
from branchwise.model.hidden import Hidden
from problems.advising import advising, best_by_hand
from problems.battery import scheduler

EXAMPLES = Path(__file__).parents[1] / "examples"

# Raiffa's oil wildcatter (Decision Analysis, 1968): how likely the test shows what, by
# what is in the ground. `examples/oil_wildcatter.yaml` has Bayes' rule done by hand.
GROUND = {"dry": "0.5", "wet": "0.3", "soaking": "0.2"}
SEISMIC = {
    "dry": {"none": "0.6", "open": "0.3", "closed": "0.1"},
    "wet": {"none": "0.3", "open": "0.4", "closed": "0.3"},
    "soaking": {"none": "0.1", "open": "0.4", "closed": "0.5"},
}


def test_the_used_car_is_worth_31():
    # DecisionProgramming.jl, "Used Car Buyer": 31 with the stranger's advice.
    solution = solve(read(EXAMPLES / "used_car.yaml"), exact=True)

    assert solution.expected_reward == 31
    assert solution.first_action == "ask the stranger"
    lemon = solution.tree.after('"ask the stranger"="it is a lemon"')
    assert lemon.action == "buy with guarantee"


def test_the_oil_wildcatter_with_hidden_ground_is_worth_what_it_is_by_hand():
    ground = Hidden("ground", outcomes=GROUND)
    drill = Action("drill", cost=70, outcomes={"done": 1})
    test = Action(
        "test",
        cost=10,
        precluded_by=drill.attempted,
        outcomes=SEISMIC["dry"],
        given=[
            Given(ground[each], outcomes=SEISMIC[each]) for each in ("wet", "soaking")
        ],
    )
    rewards = [
        Reward(drill.attempted & ground["wet"], 120),
        Reward(drill.attempted & ground["soaking"], 270),
    ]
    problem = Problem([test, drill], rewards, hidden=[ground], cost_weight=1)
    solution = solve(problem, exact=True)
    by_hand = solve(read(EXAMPLES / "oil_wildcatter.yaml"), exact=True)

    assert solution.expected_reward == by_hand.expected_reward == Fraction(45, 2)
    assert solution.tree.action_after("test=none") is None
    assert solution.tree.action_after("test=open") == "drill"


def pig_breeding():
    """
    The pig breeding problem: three months of a test and an injection, then the market.

    A hidden fact never changes, but luck may be settled beforehand: what becomes of a
    pig in a month is a function of its health, of the injection, and of `luck`, which
    is as likely as the five cases are wide in which these make a difference.
    """
    health = Hidden("health", outcomes={"ill": "0.1", "well": "0.9"})
    wide = {"a": "0.1", "b": "0.1", "c": "0.3", "d": "0.4", "e": "0.1"}
    luck = {month: Hidden(f"luck{month}", outcomes=wide) for month in (1, 2, 3)}
    is_ill, actions, before = health["ill"], [], all_of()
    for month in (1, 2, 3):
        treat, wait = f"treat{month}", f"wait{month}"
        test = Action(
            f"test{month}",
            cost=0,
            outcomes={"positive": "0.1", "negative": "0.9"},
            given=[Given(is_ill, outcomes={"positive": "0.8", "negative": "0.2"})],
            precluded_by=f"{treat} or {wait}",
            requires=before,
        )
        treating = Action(
            treat,
            cost=100,
            outcomes={"done": 1},
            precluded_by=wait,
            requires=before,
        )
        waiting = Action(
            wait,
            cost=0,
            outcomes={"done": 1},
            precluded_by=treat,
            requires=before,
        )
        actions += [test, treating, waiting]
        before = treating.attempted | waiting.attempted
        # Ill next month: 0.1 if well and treated, 0.2 if well, 0.5 if ill and treated,
        # 0.9 if ill.
        now, treated = luck[month], treating.attempted
        is_ill = any_of(
            now["a"],
            now["b"] & ~(~is_ill & treated),
            now["c"] & is_ill,
            now["d"] & is_ill & ~treated,
        )
    rewards = [Reward(before & is_ill, 300), Reward(before & ~is_ill, 1000)]
    hidden = [health, *luck.values()]
    return Problem(actions, rewards, hidden=hidden, cost_weight=1)


def test_pig_breeding_with_perfect_recall_is_worth_729_225():
    # Lauritzen and Nilsson, "Representing and Solving Decision Problems with Limited
    # Information" (2001), have 727 where only the last test is remembered; with all of
    # them it is 729.225 (DecisionProgramming.jl, "Pig breeding problem").
    solution = solve(pig_breeding(), exact=True, verify=False)

    assert solution.expected_reward == Fraction("729.225")


def test_the_tireworld_is_reached_as_likely_as_it_can_be():
    # The Quantitative Verification Benchmark Set, tireworld.17: 729/3125 by Storm.
    solution = solve(read(EXAMPLES / "tireworld.yaml"), exact=True)

    assert solution.expected_reward == Fraction(729, 3125)


def best_by_counters(problem):
    """What the best plan gains in jobs, and how many states the other counters make."""
    counters = {counter.name: counter for counter in problem.counters}
    names = [name for name in counters if name != "jobs"]

    @cache
    def value(state):
        facts = Facts({}, counters=dict(zip(names, state, strict=True)))
        gains = (
            sum(gained(action, outcome, state) for outcome in action.outcomes)
            for action in problem.actions
            if action.requires.holds(facts)
        )
        return max(gains, default=Fraction(0))

    def gained(action, outcome, state):
        changes = action.effects_of(outcome.label)
        after = tuple(
            counters[name].after(stood, changes.get(name, 0))
            for name, stood in zip(names, state, strict=True)
        )
        return outcome.probability * (changes.get("jobs", 0) + value(after))

    root = tuple(counters[name].start for name in names)
    return value(root), value.cache_info().currsize


def test_the_battery_scheduler_is_written_as_the_benchmark_set_means_it():
    # eajs.2 with a capacity of 100: 12,828 states and 26428/6561 by Storm.
    assert best_by_counters(scheduler(100)) == (Fraction(26428, 6561), 12828)


def test_the_battery_scheduler_has_its_known_optimum():
    found = solve(scheduler(100), prefer="order", verify=False)

    assert found.expected_reward == pytest.approx(26428 / 6561)


@pytest.mark.parametrize("num_semesters", [8, 40])
def test_academic_advising_is_solved_with_at_least(num_semesters):
    # The instance has 40 semesters. With fewer they end before graduation more often,
    # which is then as expensive as the competition's file says.
    found = solve(advising(num_semesters), prefer="order", verify=False)

    assert found.expected_reward == pytest.approx(best_by_hand(num_semesters))
