"""
Canonical states that hold more than outcomes agree with brute force.

Every search, fractions and every objective, on random problems with endings, costs of
outcomes, counters, comparisons and hidden facts.
"""

import math

import pytest

from branchwise import (
    UNLIMITED,
    Action,
    Problem,
    ProblemError,
    Reward,
    evaluate,
    solve,
)
from branchwise.engine.score_graph import canonical_score_graph
from branchwise.model.action import Given
from branchwise.model.conditions.condition import Attempted
from branchwise.model.conditions.quantity import count
from branchwise.model.counter import Counter
from branchwise.model.hidden import Hidden
from branchwise.model.outcome import Outcome
from oracles.plain_force import PlainForce
from oracles.state_walk import graph_scores
from problems.held_problems import FINISH, PARTS, held_problems
from problems.straight_problem import straight_problem
from problems.wide_documents import wide_oracles

MOST_STATES = 1_500
OBJECTIVES = ("least-depth", "least-expected-cost", "fewest-expected-actions", "order")


def wide_problems(count, seed):
    """Random problems, each with its oracle."""
    for oracle in wide_oracles(count, seed=seed):
        yield straight_problem(oracle.doc), oracle


def close(value):
    return pytest.approx(float(value), rel=1e-9, abs=1e-9)


def agree_over_canonical_states(oracle):
    problem = straight_problem(oracle.doc)
    value = oracle.value(oracle.root)
    if value == -math.inf:
        with pytest.raises(ProblemError, match="every plan may get stuck"):
            solve(problem, engine="canonical")
        return
    nodes = oracle.worth("fewest-nodes", oracle.root)
    for search in ("exhaustive", "best-first"):
        found = solve(problem, engine="canonical", search=search)
        assert found.expected_reward == close(value), (search, oracle.doc)
        assert found.tree.num_nodes == nodes, (search, oracle.doc)
        assert evaluate(found.tree, problem) == close(value), oracle.doc
    exact = solve(problem, engine="canonical", exact=True)
    assert exact.expected_reward == value, oracle.doc
    assert exact.tree.num_nodes == nodes, oracle.doc


@pytest.mark.parametrize("portion", range(4))
def test_searches_and_fractions_agree_with_brute_force(portion):
    for oracle in wide_oracles(60, seed=f"canonical {portion}"):
        agree_over_canonical_states(oracle)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_chooses_the_tree_that_the_reference_chooses(objective):
    for problem, oracle in wide_problems(50, "canonical objectives"):
        if oracle.value(oracle.root) == -math.inf:
            continue
        ours = solve(problem, engine="canonical", prefer=objective)
        theirs = solve(problem, engine="reference", prefer=objective, exact=True)
        is_same = [node.action for node in ours.tree.walk()] == [
            node.action for node in theirs.tree.walk()
        ]
        if objective == "order":
            assert is_same, oracle.doc
        assert ours.expected_reward == close(theirs.expected_reward), oracle.doc
        assert ours.tree.num_nodes == theirs.tree.num_nodes, oracle.doc


def test_a_choice_of_ones_own_is_the_same_where_facts_are_hidden():
    def by_length_of_names(_state, action, children):
        own = len(action.name) if action else 0
        return own + sum(likely * below for likely, below in children)

    for problem in held_problems(25, "own choice", ["hidden"]):
        ours, theirs = (
            solve(problem, engine=engine, prefer=by_length_of_names, verify=False)
            for engine in ("canonical", "reference")
        )
        actions = [[node.action for node in s.tree.walk()] for s in (ours, theirs)]
        assert actions[0] == actions[1], problem


@pytest.mark.parametrize("parts", [["hidden", "counters"], ["hidden", FINISH]])
def test_fractions_are_exact_where_facts_are_hidden(parts):
    for problem in held_problems(14, f"exactly {parts}", parts):
        force = PlainForce(problem)
        if force.num_states(MOST_STATES) > MOST_STATES or force.value == -math.inf:
            continue
        found = solve(problem, engine="canonical", exact=True, verify=False)
        assert (found.expected_reward, found.tree.num_nodes) == (
            force.value,
            force.num_nodes,
        ), problem


@pytest.mark.parametrize("part", PARTS)
def test_each_part_alone_agrees_with_brute_force(part):
    """Conditions of any shape, effects both ways, and ranges that hold them up."""
    for problem in held_problems(40, f"alone {part}", [part]):
        check(problem)


@pytest.mark.parametrize("portion", range(3))
def test_all_parts_together_agree_with_brute_force(portion):
    for problem in held_problems(60, f"together {portion}"):
        check(problem)


def check(problem):
    force = PlainForce(problem)
    if force.num_states(MOST_STATES) > MOST_STATES:
        return
    value, nodes = force.solved(force.root)
    if value == -math.inf:
        with pytest.raises(ProblemError, match="every plan may get stuck"):
            solve(problem, engine="canonical")
        return
    for search in ("exhaustive", "best-first"):
        found = solve(problem, engine="canonical", search=search)
        assert found.expected_reward == close(value), (search, problem)
        assert found.tree.num_nodes == nodes, (search, problem)


@pytest.mark.parametrize("part", PARTS)
def test_every_state_scores_what_it_is_worth(part):
    """Neither dropping actions nor merging states changes any score or reward."""
    for problem in held_problems(40, f"every state {part}", [part]):
        check_every_state(problem)


@pytest.mark.parametrize("portion", range(3))
def test_every_state_scores_what_it_is_worth_with_all_parts(portion):
    for problem in held_problems(50, f"every state {portion}"):
        check_every_state(problem)


@pytest.mark.parametrize("part", PARTS)
def test_every_state_scores_what_it_is_worth_where_one_must_finish(part):
    """Whatever can be done may have to be done, as long as one may not stop."""
    for problem in held_problems(9, f"finish {part}", [part, FINISH]):
        check_every_state(problem)


def check_every_state(problem):
    force = PlainForce(problem)
    if force.num_states(MOST_STATES) > MOST_STATES:
        return
    graph = canonical_score_graph(problem, num_threads=1)
    scores = graph_scores(graph)
    start = (force.root, 0, graph.root_gain)
    met, pending = {start[:2]}, [start]
    while pending:
        raw, state, secured = pending.pop()
        worth = force.solved(raw)[0]
        if worth > -math.inf or scores[state] > -math.inf:
            assert scores[state] + secured == close(worth), (problem, raw)
        paid = force.reward(raw)
        if paid > -math.inf:
            assert graph.rewards[state] + secured == close(paid), (problem, raw)
        available = {
            action.name: {outcome.label: rest for outcome, *rest in branches}
            for action, _, branches in force.available(raw)
        }
        for option in graph.options(state):
            action = graph.actions[option]
            children = available[graph.action_names[action]]
            branches = list(graph.branches(option))
            assert len(branches) == len(children), (problem, raw)
            for branch in branches:
                label = graph.labels[action][graph.outcomes[branch]]
                likely, child = children[label]
                assert graph.probabilities[branch] == close(likely), (problem, raw)
                pair = child, graph.children[branch]
                if pair not in met:
                    met.add(pair)
                    pending.append((*pair, secured + graph.gains[branch]))


@pytest.mark.parametrize("start", range(6))
def test_attempts_that_a_counter_bounds_are_all_there(start):
    """Steps of one or two from a counter, one more for each number that it has."""
    doses = Counter("doses", low=0, high=5, start=start)
    outcomes = (
        Outcome("ok", "1/3", effects={doses: -1}),
        Outcome("no", "2/3", effects={doses: -2}),
    )
    treat = Action(
        "treat", outcomes=outcomes, cost=0, attempts=UNLIMITED, requires=doses >= 1
    )
    rewards = [
        Reward(count(Attempted("treat")) >= number, number) for number in range(1, 6)
    ]

    check(Problem([treat], rewards, counters=[doses]))


def test_a_counter_at_the_end_of_its_range_does_not_bound_attempts():
    """It is at least its low end for ever, however often it is lowered."""
    doses = Counter("doses", low=1, high=3, start=2)
    treat = Action(
        "treat",
        outcomes={"ok": "1/3", "no": "2/3"},
        attempts=5,
        requires=doses >= 1,
        effects={doses: -1},
    )

    check(Problem([treat], [Reward("treat=ok", 9)], budget=5, counters=[doses]))


def test_one_state_for_each_number_that_a_counter_may_have():
    """Attempts without end depend on the counter alone, not on how often they were."""
    fuel = Counter("fuel", low=0, high=30, start=30)
    jobs = Counter("jobs", low=0, high=60)
    actions = [
        Action(
            name,
            outcomes=(Outcome("ok", "1/2", effects={jobs: 1}), Outcome("no", "1/2")),
            cost=0,
            attempts=UNLIMITED,
            requires=fuel >= 1,
            effects={fuel: -step},
        )
        for name, step in (("walk", 1), ("run", 2))
    ]
    problem = Problem(
        actions, [Reward(per=jobs, value=1)], counters=[fuel, jobs], combine="sum"
    )

    found = solve(problem, engine="canonical", search="exhaustive")

    assert found.expected_reward == close(15)
    assert found.statistics.full_graph_states == 31


def test_the_best_reward_is_taken_for_each_way_that_all_hidden_facts_may_be():
    """Nothing asks about both facts but the best of two rewards."""
    facts = [Hidden(name, outcomes={"x": "1/3", "y": "2/3"}) for name in ("h0", "h1")]
    tests = [
        Action(
            f"test {fact.name}",
            outcomes={"ok": "1/4", "no": "3/4"},
            given=[Given(fact["x"], outcomes={"ok": "3/4", "no": "1/4"})],
        )
        for fact in facts
    ]
    dig = Action("dig", outcomes={"ok": "1/2", "no": "1/2"}, cost=2)
    rewards = [
        Reward(facts[0]["x"], 5),
        Reward(facts[1]["x"], 3),
        Reward(dig["ok"], 4),
    ]

    check(Problem([*tests, dig], rewards, budget=3, hidden=facts, cost_weight="1/4"))


def test_steps_of_a_counter_are_lost_with_everything_else():
    gain = Counter("gain", low=0, high=9)
    outcomes = (
        Outcome("ok", "3/4", effects={gain: 2}),
        Outcome("fatal", "1/4", ends="lose"),
    )
    dare = Action("dare", outcomes=outcomes, attempts=4)

    check(
        Problem(
            [dare],
            [Reward(per=gain, value=1)],
            budget=4,
            counters=[gain],
            combine="sum",
        )
    )
