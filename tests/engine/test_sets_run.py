"""
Plans by some rewarding sets: as good as brute force with their actions alone.

The claims are those of docs/explanation/what-may-be-pruned.md, "Pruning more on
purpose". Brute force leaves actions out by letting them require what never holds.
"""

import math
from itertools import chain, islice, pairwise
from random import Random
from threading import Event

import pytest

import branchwise._core as core
from branchwise import Adversary, LimitError, Solver, Status, evaluate, generate, solve
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import Limits
from branchwise.engine.lower import Lowered
from branchwise.engine.score_graph import _from_core
from branchwise.engine.sets_run import SetsEngine, SetsRun
from branchwise.rewarding import RewardingSets
from branchwise.rewarding import choice as choices
from branchwise.tree.choices.preference import Preference
from branchwise.tree.progress import silent
from oracles.quick_oracle import QuickOracle
from oracles.state_walk import graph_scores, walk_pairs
from problems.gadgets import gadget_oracles
from problems.paper import illustrative
from problems.straight_problem import straight_problem
from problems.strategies import seeded_oracles

CLOSE = 1e-9
FEWEST_NODES = core.Objective.FEWEST_NODES


def go_on(*_):
    return True


def oracles(built, uniform, seed):
    """Built problems, then uniform ones."""
    name = f"some sets {seed}"
    return chain(
        gadget_oracles(built, name, max_states=150),
        seeded_oracles(uniform, name, max_states=150, brute_force=QuickOracle),
    )


def restricted(oracle, actions):
    """Brute force for plans that take these actions only."""
    bodies = {
        name: body if name in actions else body | {"requires": {"any": []}}
        for name, body in oracle.doc["actions"].items()
    }
    return QuickOracle(oracle.doc | {"actions": bodies})


def is_close(one, other, oracle):
    return abs(one - other) <= CLOSE * max(abs(other), oracle.scale)


def some_actions(random, oracle):
    return {name for name in oracle.doc["actions"] if random.random() < 0.6}


def restricted_engine(problem, actions):
    lowered = Lowered(problem)
    engine = core.CanonicalEngine(lowered.instance, 1)
    engine.start(lowered.budget, [a.name not in actions for a in problem.actions])
    return engine


@pytest.mark.parametrize("portion", range(4))
def test_every_state_is_worth_what_it_is_with_these_actions_alone(portion):
    """Value, reward and what is offered, at every state; sums, repeats and all."""
    random, num_restricted = Random(portion), 0
    for oracle in oracles(150, 50, f"states {portion}"):
        actions = some_actions(random, oracle)
        brute_force = restricted(oracle, actions)
        problem = straight_problem(oracle.doc)
        engine = restricted_engine(problem, actions)
        engine.explore(FEWEST_NODES, None, None, go_on)
        num_restricted += engine.is_restricted
        graph = _from_core(core.ScoreGraph(engine), problem, is_canonical=True)
        scores = graph_scores(graph)
        for raw, state, secured, offered, _ in walk_pairs(brute_force, graph):
            assert {problem.actions[i].name for i in offered} <= actions
            score, value = scores[state] + secured, brute_force.value(raw)
            assert is_close(score, value, oracle), (oracle.doc, actions, raw)
            reward = graph.rewards[state] + secured
            assert is_close(reward, brute_force.reward(raw[0]), oracle), oracle.doc
    assert num_restricted > 50


@pytest.mark.parametrize("portion", range(4))
def test_both_searches_find_value_and_fewest_nodes_with_these_actions_alone(portion):
    """And no plan of the whole problem is worth more than the bound that is given."""
    random = Random(portion)
    for oracle in oracles(200, 50, f"searches {portion}"):
        actions = some_actions(random, oracle)
        brute_force = restricted(oracle, actions)
        value, nodes = brute_force.worked_out(brute_force.root)
        best, _ = oracle.worked_out(oracle.root)
        problem = straight_problem(oracle.doc)
        for search in ("explore", "search"):
            engine = restricted_engine(problem, actions)
            bound = engine.whole_bound(None, None, go_on)
            assert bound >= best - CLOSE * oracle.scale, (oracle.doc, actions)
            how = (FEWEST_NODES, None, None, go_on)
            _ = (
                engine.explore(*how)
                if search == "explore"
                else engine.search(0.0, *how)
            )
            plan = core.Plan(engine)
            score = plan.score(plan.root, 0) + engine.secured
            assert is_close(score, value, oracle), (search, oracle.doc, actions)
            if not engine.is_restricted:
                assert is_close(value, best, oracle), (oracle.doc, actions)
            if not brute_force.has_near_ties:
                assert plan.shape()[0] == nodes, (search, oracle.doc, actions)


@pytest.mark.parametrize("portion", range(2))
def test_some_sets_are_worth_as_much_as_in_the_paper_or_more(portion):
    """
    Brute force with the actions of the sets alone, exactly; no less than the engine
    `reference` with the same sets, and no more than the optimum. More are no worse.
    """
    for oracle in oracles(40, 20, f"values {portion}"):
        problem = straight_problem(oracle.doc)
        best, _ = oracle.worked_out(oracle.root)
        solver, before = Solver(problem, num_threads=1), -math.inf
        listed = list(islice(RewardingSets(problem), 9))
        for number in (0, 1, 2, 4, 8):
            some = solver.solve(rewarding_sets=number)
            how = {"engine": "reference", "verify": False}
            paper = solve(problem, rewarding_sets=number, **how)
            actions = {name for each in listed[:number] for name in each.order}
            brute_force = restricted(oracle, actions)
            value, nodes = brute_force.worked_out(brute_force.root)

            assert is_close(some.expected_reward, value, oracle), (oracle.doc, number)
            if not brute_force.has_near_ties and some.is_tie_settled:
                assert some.tree.num_nodes == nodes, (oracle.doc, number)
            slack = CLOSE * oracle.scale
            assert paper.expected_reward - slack <= some.expected_reward
            assert some.expected_reward <= best + slack
            assert best <= some.upper_bound + slack
            assert before - slack <= some.expected_reward
            if some.status is Status.OPTIMAL:
                assert is_close(some.expected_reward, best, oracle), oracle.doc
            worth = float(evaluate(some.tree, problem))
            assert is_close(worth, some.expected_reward, oracle), oracle.doc
            before = some.expected_reward


def test_ever_more_sets_end_with_the_optimum():
    for oracle in oracles(60, 30, "ever more"):
        problem = straight_problem(oracle.doc)
        best, nodes = oracle.worked_out(oracle.root)

        solution = solve(problem, rewarding_sets="auto", num_threads=1, verify=False)

        assert solution.status is Status.OPTIMAL
        assert is_close(solution.expected_reward, best, oracle), oracle.doc
        if solution.is_tie_settled and not oracle.has_near_ties:
            assert solution.tree.num_nodes == nodes, oracle.doc


def test_a_plan_by_one_set_is_a_lower_bound_and_says_so():
    """The strongest set is a1, a4, a5 for 50: 0.6 * 0.3 * 0.6 * 50 = 5.4."""
    solution = solve(illustrative(), rewarding_sets=1)

    assert solution.engine == "canonical"
    assert solution.status is Status.LOWER_BOUND
    assert solution.expected_reward == pytest.approx(5.4)
    assert solution.upper_bound >= 105459 / 12500
    assert solution.statistics.rewarding_sets == 1
    assert "by the strongest rewarding set, 3 of 7 actions" in solution.reason
    assert solution.tree.root.alternatives == ()


def test_sets_that_leave_nothing_out_that_matters_are_optimal():
    """The four sets of the paper's example need all of its actions that matter."""
    solution = solve(illustrative(), rewarding_sets=4)

    assert solution.status is Status.OPTIMAL
    assert solution.is_tie_settled
    assert solution.tree.num_nodes == 33
    assert "which are all that matter" in solution.reason


def test_bounds_that_meet_prove_a_plan_by_some_sets():
    """
    A sure way to 10 and a gamble for 5: knowing everything beforehand is worth no more
    than the first set alone.
    """
    document = {
        "budget": 9,
        "actions": {
            "sure": {"outcomes": {"ok": 1}},
            "gamble": {"outcomes": {"ok": "1/2", "fail": "1/2"}},
            "dear": {"cost": 10, "outcomes": {"ok": 1}},
        },
        "combine": "max",
        "rewards": [
            {"when": "sure=ok", "value": 10},
            {"when": "gamble=ok", "value": 5},
        ],
    }

    solution = solve(straight_problem(document), rewarding_sets=1)

    assert (solution.status, solution.expected_reward) == (Status.OPTIMAL, 10)


def test_twice_as_many_sets_expand_only_what_is_new():
    """What fewer sets have explored is there already; asked again, nothing is new."""
    problem = generate(40, 20, seed=1)
    solver = Solver(problem, num_threads=1)
    counts = [
        solver.solve(rewarding_sets=number).statistics.expanded_states
        for number in (4, 8, 8, 4)
    ]
    alone = Solver(problem, num_threads=1).solve(rewarding_sets=8)

    assert counts[0] < counts[1] < counts[0] + alone.statistics.expanded_states
    assert counts[1:] == [counts[1]] * 3


def test_after_some_sets_the_whole_problem_is_solved_as_ever():
    problem = generate(15, 8, seed=4)
    solver = Solver(problem, num_threads=1)
    solver.solve(rewarding_sets=2)

    again, fresh = solver.solve(), solve(problem, num_threads=1)

    assert again.status is Status.OPTIMAL
    assert again.expected_reward == fresh.expected_reward
    assert again.tree.num_nodes == fresh.tree.num_nodes


def test_sets_go_with_what_has_happened_already():
    """After a1=2 the strongest set left is a4, a5 for 50: 0.3 * 0.6 * 50 = 9."""
    solution = solve(illustrative(), after="a1=2", rewarding_sets=1)

    assert solution.expected_reward == pytest.approx(9)
    assert solution.status is Status.LOWER_BOUND


def test_the_answer_does_not_depend_on_the_number_of_threads():
    problem = generate(40, 20, seed=2)
    one, three = (solve(problem, rewarding_sets=8, num_threads=n) for n in (1, 3))

    assert one.expected_reward == three.expected_reward
    assert one.tree.num_nodes == three.tree.num_nodes
    assert one.upper_bound == three.upper_bound


def test_ever_more_sets_never_make_the_plan_worse():
    """Progress shows the best plan so far, and what no plan can exceed."""
    problem, reports = generate(60, 25, seed=3), []

    solution = solve(
        problem, rewarding_sets="auto", time_limit_seconds=2, progress=reports.append
    )

    known = [r for r in reports if r.lower_bound is not None]
    lowers = [report.lower_bound for report in known]
    uppers = [report.upper_bound for report in known]
    # Plans that are worth the same may differ in the last digit.
    assert all(after >= before - 1e-15 for before, after in pairwise(lowers))
    assert uppers == sorted(uppers, reverse=True)
    assert solution.expected_reward >= lowers[0]
    few = solve(problem, rewarding_sets=4, num_threads=1)
    assert solution.expected_reward >= few.expected_reward - CLOSE
    assert solution.upper_bound <= few.upper_bound + CLOSE


def test_the_best_plan_is_kept():
    """Whatever a later choice comes to: here it has fewer sets, and a worse plan."""
    problem = generate(20, 10, seed=4)
    solver = CanonicalSolver(problem, num_threads=1)
    engine = SetsEngine(
        solver._restrict,
        lambda limits, told: solver._run(limits, Preference.of("order"), told),
    )
    [many], [few] = (choices.SetChoices(problem, number) for number in (8, 1))
    wanted = choices.SetChoices(problem, "auto")
    run = SetsRun(engine, problem, wanted, Limits(), silent)

    first, second = (run._by_sets(each, "auto") for each in (many, few))

    assert solve(problem, rewarding_sets=1).expected_reward < first.expected_reward
    assert second.expected_reward == first.expected_reward
    assert second.statistics.rewarding_sets == 8


def test_ever_more_sets_end_where_the_gap_is_met():
    """The bound of perfect information is close enough to what a few sets are worth."""
    problem = generate(60, 25, seed=3)
    few = solve(problem, rewarding_sets=16)
    gap = few.relative_gap + 0.01

    solution = solve(problem, rewarding_sets="auto", gap=gap)

    assert solution.status in (Status.WITHIN_GAP, Status.OPTIMAL)
    assert solution.relative_gap <= gap


def test_a_run_that_is_asked_to_stop_has_a_plan():
    problem, stop = generate(60, 25, seed=3), Event()

    solution = solve(
        problem, rewarding_sets="auto", cancel=stop, progress=lambda _: stop.set()
    )

    assert solution.status is Status.INTERRUPTED
    assert solution.expected_reward > 0


@pytest.fixture
def too_many_sets(monkeypatch):
    def refuse(*_, **__):
        raise LimitError("there are too many of them")

    monkeypatch.setattr(choices, "RewardingSets", refuse)


@pytest.mark.usefixtures("too_many_sets")
def test_where_sets_cannot_be_listed_a_message_says_how_to_go_on():
    with pytest.raises(LimitError, match="cannot be listed: there are too many of"):
        solve(illustrative(), rewarding_sets=2)


@pytest.mark.usefixtures("too_many_sets")
def test_where_sets_cannot_be_listed_ever_more_of_them_are_all_actions():
    solution = solve(illustrative(), rewarding_sets="auto")

    assert solution.status is Status.OPTIMAL
    assert "cannot be listed" in solution.reason


def test_the_listing_ends_when_no_set_brings_in_another_action():
    """Of 10 rounds of 3 alternatives, 59,049 sets, a few hundred have all actions."""
    actions, rounds = {}, []
    for i in range(10):
        names = [f"a{i}{j}" for j in range(3)]
        actions |= {n: {"outcomes": {"ok": "1/2", "no": "1/2"}} for n in names}
        rounds.append({"any": [f"{name}=ok" for name in names]})
    document = {
        "budget": 12,
        "actions": actions,
        "rewards": [{"when": {"all": rounds}, "value": 1}],
    }
    problem = straight_problem(document)

    [choice] = choices.SetChoices(problem, 10**9)

    assert choice.num_sets == RewardingSets(problem).num_sets == 3**10
    assert len(choice.actions) == 30


@pytest.mark.parametrize("wanted", ["all", "2"])
def test_only_one_word_asks_for_ever_more_sets(wanted):
    with pytest.raises(ValueError, match=f"or `auto`, not `{wanted}`"):
        solve(illustrative(), rewarding_sets=wanted)


def test_the_engine_reference_wants_a_number():
    with pytest.raises(ValueError, match="say how many"):
        solve(illustrative(), rewarding_sets="auto", exact=True)


def test_a_robust_plan_goes_by_all_sets_also_in_a_solver():
    with pytest.raises(ValueError, match="goes by all rewarding sets"):
        Solver(illustrative()).solve(rewarding_sets=1, adversary=Adversary(1))
