"""Deepening: the optimum by undoing what failed, and only where that holds."""

from itertools import count

import pytest

import branchwise._core as core
from branchwise import Adversary, Solver, evaluate, generate, solve
from branchwise.engine.canonical_policy import tree_of
from branchwise.engine.lower import Lowered
from branchwise.tree.progress import Stage
from branchwise.tree.solution import Status
from oracles.differences import first_difference
from oracles.oracle import number
from oracles.quick_oracle import QuickOracle
from problems.monotone import monotone_oracles
from problems.straight_problem import straight_problem

CLOSE = 1e-9
FEWEST_NODES = core.Objective.FEWEST_NODES


def go_on(*_):
    return True


def engine_of(problem):
    return core.CanonicalEngine(Lowered(problem).instance, 1)


def fitting(count, seed):
    """Brute force over problems that deepening is for; about every second one is."""
    for oracle in monotone_oracles(count, f"deepening {seed}"):
        if engine_of(straight_problem(oracle.doc)).can_deepen:
            yield oracle


@pytest.mark.parametrize("portion", range(4))
def test_it_has_the_best_value_and_the_fewest_nodes(portion):
    """As brute force says, and its plan can be followed."""
    num_fitting = 0
    for oracle in fitting(200, portion):
        num_fitting += 1
        assert first_difference(oracle) is None, oracle.doc
    assert num_fitting > 60


@pytest.mark.parametrize("most_states", [None, 12])
@pytest.mark.parametrize("portion", range(2))
def test_no_state_is_worth_more_than_it_says(portion, most_states):
    """At every state it has met, also with less left, by exploring the same states."""
    for oracle in fitting(120, f"states {portion}"):
        lowered = Lowered(straight_problem(oracle.doc))
        engine = core.CanonicalEngine(lowered.instance, 1)
        engine.deepen(FEWEST_NODES, None, None, go_on, most_states)
        plan, num_states = core.Plan(engine), engine.num_states
        checked = set()
        for budget in budgets_up_to(lowered):
            engine.start(budget)
            engine.explore(FEWEST_NODES, None, None, go_on)
            scores = core.Plan(engine)
            for state in reached(scores):
                if state < num_states:
                    ceiling, _ = plan.ceiling(state, 0)
                    assert ceiling >= scores.score(state, 0) - CLOSE, oracle.doc
                    checked.add(state)
        assert plan.root in checked


def budgets_up_to(lowered):
    """The budget in units, and every one with less of all resources."""
    most = lowered.units_of(lowered.problem)
    for less in count():
        yield [max(units - less, 0) for units in most]
        if less >= max(most):
            return


def reached(plan):
    """All states of an explored graph."""
    met, pending = {plan.root}, [plan.root]
    while pending:
        for _, _, branches in plan.options(pending.pop()) or ():
            for _, child, *_ in branches:
                if child not in met:
                    met.add(child)
                    pending.append(child)
    return met


def nodes(tree):
    return [(node.path, node.action) for node in tree.walk()]


@pytest.mark.parametrize("prefer", ["least-depth", "least-expected-cost", "order"])
def test_ties_are_settled_as_by_other_searches(prefer):
    for oracle in fitting(60, f"ties {prefer}"):
        if oracle.has_near_ties:
            continue
        problem = straight_problem(oracle.doc)
        how = {"prefer": prefer, "num_threads": 1}
        found = solve(problem, search="deepening", **how)
        right = solve(problem, search="exhaustive", **how)
        assert found.is_tie_settled
        assert nodes(found.tree) == nodes(right.tree), oracle.doc


# Two ways to a reward. With `f` undone it is best to take f again, so that no plan can
# be taken over; or it is not, and all can.
BASE = {
    "budget": 3,
    "actions": {
        "f": {"outcomes": {"no": "1/2", "ok": "1/2"}},
        "g": {"outcomes": {"no": "2/3", "ok": "1/3"}},
        "h": {
            "requires": {"any": ["f=ok", "g=ok"]},
            "outcomes": {"no": "1/4", "ok": "3/4"},
        },
        "i": {"cost": 2, "outcomes": {"no": "3/5", "ok": "2/5"}},
    },
    "rewards": [{"when": "h=ok", "value": 10}, {"when": "i=ok", "value": 7}],
}


def changed(action, **body):
    actions = BASE["actions"] | {action: BASE["actions"][action] | body}
    return BASE | {"actions": actions}


OUTSIDE = {
    "preclusion": changed("g", precluded_by="f"),
    "negation": changed("i", requires={"not": "f=no"}),
    "conditioning on failure": changed(
        "i", given=[{"when": "f=no", "outcomes": {"ok": 1}}]
    ),
    "repeats": changed("f", attempts=2),
    "cost weight": BASE | {"cost_weight": 1},
    "penalty": BASE
    | {
        "combine": "sum",
        "rewards": [*BASE["rewards"], {"when": "f=no", "value": -3}],
    },
    "no budget": BASE | {"budget": "unlimited"},
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_where_it_does_not_hold_another_search_takes_over(name):
    document = OUTSIDE[name]
    problem = straight_problem(document)
    oracle = QuickOracle(document)

    solution = solve(problem, search="deepening")

    assert not engine_of(problem).can_deepen
    assert solution.expected_reward == pytest.approx(oracle.value(oracle.root))
    assert "nothing but a loss" in solution.reason


def test_not_against_an_adversary():
    adversary = Adversary(1, distance="0.1")

    found = solve(straight_problem(BASE), search="deepening", adversary=adversary)
    right = solve(straight_problem(BASE), adversary=adversary)

    assert found.expected_reward == pytest.approx(right.expected_reward)
    assert "best first" in found.reason


# What a failure brings about is no loss: it is asked for, or that it was attempted is.
USEFUL_FAILURES = {
    "a failure is a way in": changed("h", requires="f=no"),
    "an attempt is a way in": changed("h", requires="f"),
    "a failure is rewarded": BASE
    | {"rewards": [{"when": {"all": ["f=no", "h=ok"]}, "value": 9}]},
    "an attempt is rewarded": BASE
    | {"combine": "sum", "rewards": [*BASE["rewards"], {"when": "g", "value": 2}]},
}


@pytest.mark.parametrize("name", USEFUL_FAILURES)
@pytest.mark.parametrize("budget", [1, 2, 3, 4])
def test_a_failure_that_something_asks_for_is_no_loss(name, budget):
    document = USEFUL_FAILURES[name] | {"budget": budget}
    problem = straight_problem(document)

    assert engine_of(problem).can_deepen
    assert first_difference(QuickOracle(document)) is None


@pytest.mark.parametrize(
    "costs", [(1, 1, 1, 1), (1, 2, 1, 3), (2, 2, 2, 2), (0, 1, 1, 2)]
)
def test_a_plan_is_taken_over_only_with_as_much_left(costs):
    names = BASE["actions"]
    for budget in range(1, 8):
        document = BASE | {
            "budget": budget,
            "actions": {
                name: names[name] | {"cost": cost}
                for name, cost in zip(names, costs, strict=True)
            },
        }
        assert first_difference(QuickOracle(document)) is None, document


def hard_problem():
    """More than 200,000 canonical states, of which deepening needs a quarter."""
    return generate(
        60,
        13,
        seed=1,
        layers=7,
        prerequisites=(2, 3),
        or_share=0.7,
        success=(0.4, 0.9),
    )


def test_it_needs_few_states_where_the_budget_is_tight():
    problem = hard_problem()

    deepened = solve(problem, search="deepening", num_threads=1)
    explored = solve(problem, search="exhaustive", num_threads=1)

    assert deepened.tree.num_nodes == explored.tree.num_nodes
    assert deepened.expected_reward == pytest.approx(
        explored.expected_reward, rel=1e-12
    )
    few, all_states = deepened.statistics, explored.statistics
    assert few.expanded_states < 0.3 * all_states.expanded_states
    assert few.reduced_graph_states == all_states.reduced_graph_states


def test_auto_deepens_where_the_budget_is_tight():
    stages = []
    solution = solve(hard_problem(), progress=lambda now: stages.append(now.stage))

    assert solution.status is Status.OPTIMAL
    assert Stage.DEEPENING in stages
    assert "deepened" in solution.reason


def test_asked_again_it_goes_on():
    """In turns that get longer it comes to the same."""
    problem = generate(30, 14, seed=0)
    engine, whole = engine_of(problem), engine_of(problem)
    whole.deepen(FEWEST_NODES, None, None, go_on)

    seconds = 0.001
    while not engine.deepen(FEWEST_NODES, seconds, None, go_on)[0]:
        engine.explore(FEWEST_NODES, seconds, None, go_on)  # over the same states
        seconds *= 2

    assert seconds > 0.001
    assert engine.lower_bound == whole.lower_bound


def test_a_limit_leaves_a_plan():
    solution = solve(hard_problem(), search="deepening", time_limit_seconds=0.2)

    assert solution.status is Status.TIME_LIMIT
    assert 0 < solution.expected_reward < solution.upper_bound


def test_a_solver_may_deepen_again_after_a_change():
    """What was solved before does not count for other numbers."""
    solver = Solver(straight_problem(BASE), num_threads=1)
    solver.solve(search="deepening")
    for chance in ("1/10", "9/10"):
        outcomes = {"no": str(1 - number(chance)), "ok": chance}
        document = changed("f", outcomes=outcomes)
        oracle = QuickOracle(document)
        found = solver.solve(straight_problem(document), search="deepening")
        assert found.expected_reward == pytest.approx(oracle.value(oracle.root))


def broken_off(problem, num_states):
    """An engine that may deepen only as long as there are so many states."""
    engine = engine_of(problem)
    is_done, _ = engine.deepen(FEWEST_NODES, None, None, go_on, num_states)
    return None if is_done else engine


@pytest.mark.parametrize("portion", range(2))
def test_wherever_it_is_broken_off_what_it_found_out_holds(portion):
    """The plan in hand is worth what it says, and no plan more than the bound."""
    num_broken = num_good = 0
    for oracle in fitting(60, f"broken {portion}"):
        problem = straight_problem(oracle.doc)
        best = float(oracle.value(oracle.root))
        for num_states in (1, 2, 3, 5, 8, 13, 21, 34):
            engine = broken_off(problem, num_states)
            if engine is None:
                break
            num_broken += 1
            lower, upper = engine.lower_bound, engine.upper_bound
            assert lower <= best + CLOSE, oracle.doc
            assert upper >= best - CLOSE, oracle.doc
            worth = tree_of(core.Plan(engine), problem).root.value
            assert worth >= lower - CLOSE, oracle.doc
            num_good += lower > 0
            engine.search(0.0, FEWEST_NODES, None, None, go_on)
            assert engine.lower_bound == pytest.approx(best), oracle.doc
    assert num_broken > 100
    assert num_good > 10


def test_a_plan_with_less_left_is_in_hand():
    """Three units pay for what four would be best for: what they earn is sure."""
    problem = generate(40, 15, seed=12)
    engine = engine_of(problem)
    best = solve(problem).expected_reward
    lowers = []
    for num_states in (2_000, 8_000, 32_000):
        is_done, _ = engine.deepen(FEWEST_NODES, None, None, go_on, num_states)
        lowers.append(engine.lower_bound)
        assert not is_done
    assert 0 < lowers[0] <= lowers[1] <= lowers[2] <= best + CLOSE
    plan = tree_of(core.Plan(engine), problem)
    assert evaluate(plan, problem) >= lowers[2] - CLOSE
