"""What is left of a problem is worth what the whole is worth from there on."""

import json
from fractions import Fraction
from random import Random

import pytest

from branchwise import (
    Action,
    Given,
    Problem,
    Reward,
    evaluate,
    read_text,
    solve,
    validate,
    write_text,
)
from branchwise.errors import HistoryError
from branchwise.model import problem_after
from branchwise.model.budget import ByName
from branchwise.model.condition import ALWAYS, NEVER, any_of
from branchwise.model.counter import Counter
from branchwise.model.execution.history import carried_out
from branchwise.model.hidden import Hidden, assignments
from branchwise.model.outcome import Outcome
from oracles.oracle import Oracle, State
from problems.strategies import seeded_documents

PORTIONS = 3
WAYS = (
    {"engine": "canonical"},
    {"engine": "canonical", "search": "best-first"},
    {"engine": "paper"},
    {"engine": "reference", "exact": True},
)


def problem_of(document):
    return read_text(json.dumps(document), format="json")


def wander(oracle, random):
    """Take steps at random; give each state on the way, and what led to it."""
    state, history = oracle.root, []
    yield state, tuple(history)
    while steps := oracle.steps(state):
        step = random.choice(steps)
        outcome = random.choice(sorted(step.children))
        state = step.children[outcome][1]
        history.append((step.action, outcome))
        yield state, tuple(history)


def told(history):
    return ", ".join(f"{json.dumps(a)}={json.dumps(o)}" for a, o in history)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_the_remainder_is_worth_what_the_oracle_says_of_the_state(portion):
    """60 random problems with every feature, several states of each, every engine."""
    for document in seeded_documents(20, seed=f"remain {portion}", max_states=200):
        problem, oracle, random = (
            problem_of(document),
            Oracle(document),
            Random(portion),
        )
        for _ in range(2):
            for state, history in wander(oracle, random):
                value = oracle.value(state)
                way = random.choice(WAYS)
                solution = solve(problem, after=told(history), **way)

                place = (document["name"], told(history), way)
                assert solution.expected_reward == pytest.approx(
                    float(value), rel=1e-9, abs=1e-9
                ), place
                assert solution.tree.num_nodes == oracle.worth("fewest-nodes", state)
                left = problem_after(problem, told(history))
                assert evaluate(solution.tree, left) == value
                assert tuple(left.budget.values()) == state.left
                assert not [i for i in validate(left) if i.severity == "error"]


def test_the_remainder_of_a_remainder_is_that_of_both_histories():
    for document in seeded_documents(25, seed="twice", max_states=200):
        problem, oracle = problem_of(document), Oracle(document)
        *_, (_, history) = wander(oracle, Random(1))
        middle = len(history) // 2
        first, second = told(history[:middle]), told(history[middle:])

        twice = problem_after(problem_after(problem, first), second)
        once = problem_after(problem, told(history))

        assert (twice.rewards, twice.budget) == (once.rewards, once.budget)
        if once.actions[0].requires != NEVER:  # else no action is left
            assert twice == once, document["name"]
        for format_ in ("yaml", "csv"):
            assert read_text(write_text(once, format_), format=format_) == once
        assert write_text(once, "prism")


def test_what_can_have_happened_is_accepted_in_any_order():
    """Shuffled histories of random problems lead to states that were reachable."""
    for document in seeded_documents(25, seed="shuffled", max_states=200):
        problem, oracle, random = problem_of(document), Oracle(document), Random(3)
        reachable = oracle.reachable()
        *_, (state, history) = wander(oracle, random)
        shuffled = random.sample(history, len(history))

        carried = carried_out(problem, told(shuffled))

        happened = tuple(sorted((e.action, e.outcome) for e in carried.history))
        assert happened == state.happened, document["name"]
        left = tuple(carried.state.left.values())
        assert State(happened, left) in reachable, document["name"]


def test_the_value_is_that_of_the_node_in_the_tree_of_the_whole():
    for document in seeded_documents(25, seed="nodes", max_states=200):
        problem = problem_of(document)
        whole = solve(problem, exact=True)
        nodes = list(whole.tree.walk())
        for node in Random(2).sample(nodes, min(4, len(nodes))):
            solution = solve(problem, after=node.path, exact=True)

            assert solution.expected_reward == node.value, document["name"]
            assert solution.tree.root.state == node.state
            assert solution.history == node.path


def test_what_is_used_up_is_gone_and_what_is_known_is_settled():
    problem = read_text("""
        budget: {money: 9, days: 4}
        actions:
          a: {cost: {money: 2}, outcomes: {x: 0.5, y: 0.5}}
          b:
            cost: {days: 1}
            attempts: 3
            requires: a=x
            precluded_by: b=x or a=y
            outcomes: {x: 0.5, y: 0.5}
            given:
              - {when: a=y, cost: {money: 1}}
              - {when: a=x and b, cost: {money: 4}}
              - {when: not c, cost: {days: 2}}
          c: {cost: {money: 1}, outcomes: {x: 1}}
        rewards:
          - {when: a=y, value: 5}
          - {when: a=x and b=x, value: 7}
          - {when: a, value: 1}
        """)

    left = problem_after(problem, "a=x, b=y")

    b, c = left.actions
    assert (str(b.requires), str(b.precluded_by), b.attempts) == ("always", "b=x", 2)
    assert [str(clause.when) for clause in b.given] == ["always"]
    assert (c.name, str(left.budget)) == ("c", "7 money, 2 days")
    rewards = [(str(reward.when), reward.value) for reward in left.rewards]
    assert rewards == [("b=x", 7), ("always", 1)]


def test_where_nothing_is_left_to_do_the_remainder_is_still_a_problem():
    problem = read_text("""
        actions: {a: {outcomes: {x: 1}}}
        rewards: [{when: a=x, value: 3}]
        """)

    solution = solve(problem, after="a=x")

    assert (solution.first_action, solution.expected_reward) == (None, 3)


def test_counts_of_the_past_are_taken_off_what_is_still_to_come():
    toss = Action("toss", outcomes={"yes": "1/2", "no": "1/2"}, attempts=4)
    claim = Action("claim", outcomes={"done": 1}, requires="count(toss=yes) >= 2")
    stop = Action("stop", outcomes={"done": 1}, precluded_by="count(toss) < 1")
    problem = Problem([toss, claim, stop], [Reward("count(toss=no) == 1", 5)])
    left = problem_after(problem, "toss=yes")

    assert str(left.action("claim").requires) == "count(toss=yes) >= 1"
    assert left.action("stop").precluded_by == NEVER
    assert str(left.rewards[0].when) == "count(toss=no) == 1"
    # Counts only grow: what is too much stays too much.
    assert problem_after(problem, "toss=no, toss=no").rewards == ()
    assert (
        problem_after(problem, "toss=yes, toss=yes").action("claim").requires == ALWAYS
    )


def test_counters_start_where_they_stand_and_facts_are_as_likely_as_by_now():
    disease = Hidden("disease", outcomes={"present": "0.3", "absent": "0.7"})
    test = Action(
        "test",
        outcomes={"positive": "0.2", "negative": "0.8"},
        given=[Given(disease["present"], outcomes={"positive": 1})],
        effects={"visits": 1},
    )
    treat = Action("treat", outcomes={"done": 1})
    problem = Problem(
        [test, treat],
        [Reward(treat.attempted & disease["present"], 10)],
        hidden=[disease],
        counters=[Counter("visits", low=0, high=3)],
    )
    left = problem_after(problem, "test=positive")

    # 0.3 to 0.7 * 0.2
    likely = {o.label: o.probability for o in left.hidden[0].outcomes}
    assert likely == {"present": Fraction(15, 22), "absent": Fraction(7, 22)}
    assert left.counters[0].start == 1


def test_what_is_found_out_about_two_facts_at_once_ties_them_to_each_other():
    coins = [Hidden(name, outcomes={"h": "1/2", "t": "1/2"}) for name in ("a", "b")]
    same = any_of(coins[0]["h"] & coins[1]["h"], coins[0]["t"] & coins[1]["t"])
    look = Action(
        "look",
        outcomes={"same": 0, "different": 1},
        given=[Given(same, outcomes={"same": 1})],
    )
    problem = Problem([look], [Reward(coins[0]["h"], 1)], hidden=coins)
    first, second = problem_after(problem, "look=same").hidden

    assert [str(clause.when) for clause in second.given] == ["a=h", "a=t"]
    assert first.given == ()
    assert {way.labels: way.probability for way in assignments([first, second])} == {
        ByName({"a": "h", "b": "h"}): Fraction(1, 2),
        ByName({"a": "t", "b": "t"}): Fraction(1, 2),
    }


def test_after_an_ending_nothing_is_left_to_do_and_what_is_lost_is_not_paid():
    caught = Outcome("caught", "1/2", ends="lose")
    steal = Action("steal", outcomes=[caught, Outcome("away", "1/2", ends="keep")])
    sell = Action("sell", outcomes={"done": 1}, requires=steal.attempted)
    problem = Problem([steal, sell], [Reward(steal.attempted, 5)])

    for outcome, paid in (("caught", 0), ("away", 5)):
        left = problem_after(problem, f"steal={outcome}")
        assert solve(left).first_action is None
        assert solve(left).expected_reward == paid
    with pytest.raises(HistoryError, match="everything has ended"):
        problem_after(problem, "steal=away, sell=done")
