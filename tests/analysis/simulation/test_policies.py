"""Policies: what is exact of them agrees with a walk by the letter of the problem."""

import json
import math
from fractions import Fraction

import pytest

from branchwise import LimitError, evaluate, read_text, solve
from branchwise.analysis.simulation.policies import GreedyChooser, contender
from branchwise.tree.progress import silent
from oracles.oracle import Oracle
from problems.strategies import seeded_documents
from problems.wide_documents import wide_oracles


@pytest.mark.parametrize("policy", ["greedy-reward", "greedy-expected"])
def test_the_tree_of_a_greedy_policy_is_allowed_and_worth_what_it_says(policy):
    for document in seeded_documents(60, f"{policy}", max_states=150):
        problem = read_text(json.dumps(document), format="json")
        greedy = contender(problem, policy, silent)

        worth = evaluate(greedy.tree, problem)

        assert float(greedy.outlook.net_rewards.mean) == pytest.approx(float(worth))
        assert float(greedy.tree.root.value) == pytest.approx(float(worth))
        assert worth <= solve(problem, exact=True).expected_reward


def courses(oracle, state, tried=()):
    """Every way on to where one may stop: what that pays, and each step before."""
    if oracle.may_stop(state):
        yield oracle.reward(state), tried
    for step in oracle.steps(state):
        extras = oracle.outcome_costs(step.action)
        extra = {o: weighed(oracle, extras[o]) for o in step.children}
        mean = weighed(oracle, step.cost)
        own = mean - sum(p * extra[o] for o, (p, _) in step.children.items())
        for outcome, (p, child) in step.children.items():
            taken = (step.action, p, mean, own + extra[outcome])
            yield from courses(oracle, child, (*tried, taken))


def weighed(oracle, costs):
    return sum(w * c for w, c in zip(oracle.weights, costs, strict=True))


def rank(policy, held, course):
    paid, tried = course
    chance = math.prod((p for _, p, _, _ in tried), start=Fraction(1))
    if policy == "greedy-reward":
        return paid - held - sum(charge for *_, charge in tried), chance
    spent, so_far = 0, 1
    for _, p, mean, _ in tried:
        spent, so_far = spent + so_far * mean, so_far * p
    return (paid - held) * chance - spent, chance


@pytest.mark.parametrize("policy", ["greedy-reward", "greedy-expected"])
def test_a_greedy_policy_follows_the_best_of_all_courses_of_a_wide_problem(policy):
    num_stops = num_steps = 0
    for oracle in wide_oracles(14, f"{policy} courses", max_states=25):
        problem = read_text(json.dumps(oracle.doc), format="json")
        greedy = contender(problem, policy, silent)
        pending = [(greedy.tree.root, oracle.root)]
        while pending:
            node, state = pending.pop()
            can_stop = oracle.may_stop(state)
            held = oracle.reward(state) if can_stop else 0
            found = [c for c in courses(oracle, state) if c[1] and c[0] > -math.inf]
            best = max((rank(policy, held, c) for c in found), default=None)
            if node.action is None:
                num_stops += 1
                assert best is None or (can_stop and best[0] <= 0), oracle.doc
                continue
            num_steps += 1
            mine = [c for c in found if c[1][0][0] == node.action]
            assert not found or max(rank(policy, held, c) for c in mine) == best
            step = next(s for s in oracle.steps(state) if s.action == node.action)
            for outcome, (_, child) in step.children.items():
                pending.append((node.children[outcome], child))
    assert min(num_stops, num_steps) > 10


def test_chance_is_worth_the_mean_of_all_it_may_do():
    """By recursion over the brute force's own steps."""
    for document in seeded_documents(40, "random policy", max_states=150):
        oracle = Oracle(document)

        def worth(state, oracle=oracle):
            steps = oracle.steps(state)
            if not steps:
                return oracle.reward(state)
            return sum(gain(step, oracle) for step in steps) / len(steps)

        def gain(step, oracle, worth=worth):
            paid = sum(w * c for w, c in zip(oracle.weights, step.cost, strict=True))
            return sum(p * worth(s) for p, s in step.children.values()) - paid

        problem = read_text(json.dumps(document), format="json")
        found = contender(problem, "random", silent)

        assert float(found.outlook.net_rewards.mean) == pytest.approx(
            float(worth(oracle.root)), abs=1e-9
        ), document["name"]


@pytest.mark.parametrize("wish", ["reward", "expected"])
def test_the_best_course_is_that_of_brute_force(wish):
    """
    The brute force looks at every order of every outcome from the start on: the best
    reward and how likely it is, or the best reward times probability.
    """
    without = {"sum", "cost_weight"}
    for document in seeded_documents(60, wish, max_states=150, without=without):
        oracle = Oracle(document)
        if oracle.reward(oracle.root):
            continue
        chooser = GreedyChooser(read_text(json.dumps(document), format="json"), wish)

        course = chooser._best(chooser._space.root)

        found = (course.hoped, course.probability) if course else (0, 1)
        expected = best_course(oracle, oracle.root, wish, {})
        if wish == "expected":
            assert found[0] * found[1] == expected[0] * expected[1], document["name"]
        else:
            assert found == expected, document["name"]


def best_course(oracle, state, wish, known):
    """Give reward and probability of the best sequence of outcomes from a state."""
    if state not in known:
        ways = [(oracle.reward(state), 1)]
        for step in oracle.steps(state):
            for share, child in step.children.values():
                reward, probability = best_course(oracle, child, wish, known)
                ways.append((reward, probability * share))
        rank = (lambda way: way) if wish == "reward" else (lambda way: way[0] * way[1])
        known[state] = max(ways, key=rank)
    return known[state]


TWO_WAYS = """
    budget: 2
    actions:
      long shot: {outcomes: {hit: 0.1, miss: rest}}
      safe bet: {outcomes: {won: 0.9, lost: rest}}
      follow up:
        requires: '"safe bet"=won'
        outcomes: {more: 0.5, same: rest}
    rewards:
      - {when: '"long shot"=hit', value: 100}
      - {when: '"safe bet"=won', value: 50}
      - {when: '"follow up"=more', value: 80}
"""


@pytest.mark.parametrize(
    ("wish", "first", "second"),
    [("reward", "long shot", "safe bet"), ("expected", "safe bet", "follow up")],
)
def test_a_greedy_policy_looks_again_after_every_outcome(wish, first, second):
    """
    The long shot pays 100 with 0.1, the safe bet 50 with 0.9: 10 against 45. With 50 in
    hand, following up adds 30 with 0.5, the long shot 50 with 0.1.
    """
    problem = read_text(TWO_WAYS)
    tree = contender(problem, f"greedy-{wish}", silent).tree

    assert tree.root.action == first
    last = list(tree.root.children.values())
    assert second in {node.action for node in last}


def test_a_greedy_policy_stops_where_cost_weighs_more():
    problem = read_text("""
        cost_weight: 1
        actions: {dig: {cost: 60, outcomes: {gold: 0.5, dirt: rest}}}
        rewards: [{when: dig=gold, value: 100}]
    """)

    # 100 - 60 is worth hoping for; 50 - 60 is not.
    assert contender(problem, "greedy-reward", silent).tree.root.action == "dig"
    assert contender(problem, "greedy-expected", silent).tree.root.action is None


def test_too_many_rewarding_sets_are_reported():
    names = [[f"s{i}w{j}" for j in range(8)] for i in range(8)]
    actions = "".join(
        f"  {name}: {{outcomes: {{ok: 0.5, fail: rest}}}}\n"
        for row in names
        for name in row
    )
    needs = " and ".join(f"({' or '.join(f'{n}=ok' for n in row)})" for row in names)
    text = f"actions:\n{actions}rewards: [{{when: {needs}, value: 10}}]\n"

    with pytest.raises(LimitError, match="too many rewarding sets"):
        GreedyChooser(read_text(text), "reward")
