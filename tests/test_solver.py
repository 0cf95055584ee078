"""One door to every engine: limits, progress, and what can be used again."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Event

import pytest

from branchwise import (
    Action,
    Adversary,
    LimitError,
    Problem,
    Reward,
    Solver,
    Status,
    evaluate,
    generate,
    read,
    read_text,
    solve,
)
from branchwise.errors import BusyError
from branchwise.model import Amounts, Budget, Outcome
from branchwise.model.conditions.condition import NEVER
from branchwise.tree import Stage
from patience import Canceller, with_enough_time
from problems.paper import illustrative
from problems.strategies import seeded_documents

LARGE = Path(__file__).parents[1] / "benchmarks" / "instances" / "hard-60.yaml"


def test_costs_too_fine_for_64_bits_are_for_the_reference():
    """A problem may count in 62 bits; the core wants some of them for itself."""
    fine = Action("fine", cost=Fraction(1, 2**61), outcomes={"ok": 1}, attempts=2)
    dear = Action("dear", cost=1, outcomes={"ok": 1})
    problem = Problem(
        [fine, dear], [Reward(fine["ok"], 1), Reward(dear["ok"], 2)], budget=1
    )

    with pytest.raises(LimitError, match="too fine to be counted in 64 bits"):
        solve(problem, engine="canonical")
    solution = solve(problem)

    assert (solution.engine, solution.expected_reward) == ("reference", 2)
    assert "too fine to be counted in 64 bits" in solution.reason


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gap": -1}, "a gap is a share from 0 up, not -1"),
        ({"time_limit_seconds": 0}, "time_limit_seconds must be more than 0, not 0"),
        ({"memory_limit_bytes": -5}, "memory_limit_bytes must be more than 0, not -5"),
    ],
)
def test_a_limit_that_cannot_be_is_an_error(options, message):
    with pytest.raises(ValueError, match=message):
        solve(illustrative(), **options)


@pytest.mark.parametrize("seed", range(6))
def test_searching_finds_what_exploring_finds(seed):
    problem = generate(18, 9, seed=seed)

    explored = solve(problem, search="exhaustive")
    searched = solve(problem, search="best-first")

    assert searched.status is Status.OPTIMAL
    assert searched.expected_reward == pytest.approx(explored.expected_reward)
    assert searched.tree.num_nodes == explored.tree.num_nodes
    assert evaluate(searched.tree, problem) == pytest.approx(searched.expected_reward)


def test_a_state_where_the_plan_stops_is_worth_its_reward():
    """
    A reward out of all proportion to its probability: the first plan leaves behind
    states that are expanded although nothing can be earned there.
    """
    problem = generate(30, 12, seed=1)

    solution = solve(problem, search="best-first")

    assert solution.status is Status.OPTIMAL
    assert evaluate(solution.tree, problem) == pytest.approx(solution.expected_reward)


@pytest.mark.parametrize("seconds", [0.01, 0.3])
def test_an_unfinished_plan_is_worth_what_it_says(seconds):
    problem = read(LARGE)

    solution = with_enough_time(
        lambda limit: solve(problem, time_limit_seconds=limit), seconds
    )

    assert solution.status is Status.TIME_LIMIT
    assert evaluate(solution.tree, problem) == pytest.approx(solution.expected_reward)
    assert 0 < solution.expected_reward < solution.upper_bound
    assert solution.gap == solution.upper_bound - solution.expected_reward


def test_cancelling_from_another_thread_ends_soon_with_a_plan():
    """Soon is a fifth of a second; a processor that is shared may take longer."""
    another = Canceller()
    solution = solve(
        read(LARGE),
        cancel=another.cancel,
        search="best-first",
        progress=another.listen,
    )

    assert another.seconds_since() < 2
    assert solution.status is Status.INTERRUPTED
    assert solution.first_action is not None
    assert 0 < solution.expected_reward < solution.upper_bound


def test_cancelling_before_the_start_still_gives_a_plan():
    cancel = Event()
    cancel.set()

    solution = solve(read(LARGE), cancel=cancel)

    assert solution.status is Status.INTERRUPTED
    assert solution.expected_reward <= solution.upper_bound


def test_an_engine_without_bounds_is_cancelled_like_ctrl_c():
    cancel = Event()
    cancel.set()

    with pytest.raises(KeyboardInterrupt):
        solve(illustrative(), engine="reference", cancel=cancel)


def test_progress_has_bounds_that_close():
    told = []

    solve(read(LARGE), search="best-first", time_limit_seconds=1, progress=told.append)

    bounds = [now for now in told if now.lower_bound is not None]
    assert {now.stage for now in bounds} == {Stage.SEARCHING}
    assert all(now.lower_bound <= now.upper_bound for now in bounds)
    lowers = [now.lower_bound for now in bounds]
    uppers = [now.upper_bound for now in bounds]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)


def with_probabilities(problem, success):
    """The same problem, but the first action succeeds with this probability."""
    first, *others = problem.actions
    changed = Action(first.name, outcomes={"1": "rest", "2": success})
    return Problem([changed, *others], problem.rewards, budget=problem.budget)


def answer(solution):
    tree = solution.tree
    return (
        pytest.approx(float(solution.expected_reward), abs=1e-12),
        solution.status,
        solution.first_action,
        (tree.num_nodes, tree.num_leaves, tree.depth),
        [(*node.path, node.action, node.reward) for node in tree.walk()],
    )


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
def test_a_solver_gives_the_answers_of_fresh_solves(search):
    problem = illustrative(6)
    solver = Solver(problem)
    questions = [
        problem,
        problem.with_budget(3),
        with_probabilities(problem, 0.2),
        with_probabilities(problem.with_budget(5), 0.9),
        problem.with_budget(7),  # more than before: from the beginning
        problem.with_budget(4),
    ]

    for question in questions:
        again = solver.solve(question, search=search)

        assert answer(solve(question, search=search)) == answer(again)
        assert again.problem == question
        assert evaluate(again.tree, question) == pytest.approx(again.expected_reward)


def test_old_solutions_stay_as_they_were():
    problem = illustrative(6)
    solver = Solver(problem)
    old = solver.solve()
    before = answer(solve(problem))

    solver.solve(with_probabilities(problem, 0.1))
    solver.solve(problem.with_budget(2), search="best-first")
    solver.solve(problem.with_budget(9))

    assert before == answer(old)


def test_an_old_plan_in_hand_stays_as_it_was():
    problem = read(LARGE)
    solver = Solver(problem)
    old = solver.solve(search="best-first", time_limit_seconds=0.3)
    value = old.expected_reward

    solver.solve(problem.with_budget(9), search="best-first", gap=0.5)

    assert old.tree.root.value == value
    assert evaluate(old.tree, problem) == pytest.approx(value)


def test_a_solver_solves_its_own_problem_unless_told_another():
    solver = Solver(illustrative(6))
    solver.solve(illustrative(3))

    assert solver.solve().expected_reward == pytest.approx(8.43672)


@pytest.mark.parametrize("engine", ["auto", "canonical", "paper", "reference"])
def test_a_search_that_there_is_not_is_refused(engine):
    with pytest.raises(ValueError, match="no search `depth-first`; there are auto"):
        solve(generate(8, 4), engine=engine, search="depth-first")


def test_a_search_is_not_ignored_by_an_engine_without_one():
    with pytest.raises(ValueError, match="the engine `paper` does not search"):
        solve(generate(8, 4), engine="paper", search="best-first")


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
def test_a_solver_that_knew_no_charges_learns_of_them(search):
    """Bounds of a problem without charges are too high for one with them."""
    free = illustrative(6)
    charged = replace(free, cost_weight=Amounts(Fraction(1, 2)))
    solver = Solver(free)
    solver.solve(search=search)

    found = solver.solve(charged, search=search)

    assert found.expected_reward == pytest.approx(solve(charged).expected_reward)


def test_a_narrower_problem_is_worth_what_a_fresh_solve_says():
    """Outcomes that became impossible, and actions that require what never holds."""
    for document in seeded_documents(40, "narrower", max_states=300):
        problem = read_text(json.dumps(document), format="json")
        solver = Solver(problem, num_threads=1)
        for action in problem.actions:
            removed = problem.with_action(replace(action, requires=NEVER))
            sure = Outcome(action.labels[0], 1)
            others = [Outcome(label, 0) for label in action.labels[1:]]
            certain = problem.with_action(
                replace(action, outcomes=(sure, *others), given=action.given)
            )
            for other in (removed, certain):
                found = solver.expected_reward(other)
                wider = problem.action(action.name).outcomes[0].probability
                if other is removed or wider:
                    assert found == pytest.approx(
                        float(solve(other).expected_reward), abs=1e-9
                    ), document["name"]
                else:
                    assert found is None
        assert solver.expected_reward(problem) == pytest.approx(
            float(solve(problem).expected_reward), abs=1e-9
        )


def test_a_wider_problem_needs_a_fresh_solve():
    assert Solver(illustrative(5)).expected_reward(illustrative(6)) is None
    assert not Solver(illustrative(5)).fits(illustrative(6))
    assert Solver(illustrative(6)).fits(illustrative(5))


def shape_of(tree):
    """What a tree does after every outcome, read afresh."""
    return {
        node.path: (node.action, node.value, node.has_deviation) for node in tree.walk()
    }


def test_a_listener_that_asks_its_own_solver_is_refused_at_once():
    """It would wait for itself, or get the answer to another question."""
    problem = generate(16, 8, seed=1)
    solver = Solver(problem)

    with pytest.raises(BusyError, match="let the listener use a `Solver` of its own"):
        solver.solve(progress=lambda _: solver.solve(problem.with_budget(2)))
    with pytest.raises(BusyError):
        solver.solve(progress=lambda _: solver.expected_reward(problem))

    assert solver.solve().expected_reward == solve(problem).expected_reward


def test_a_listener_may_ask_another_solver_and_read_older_answers():
    problem = generate(16, 8, seed=1)
    solver, other = Solver(problem), Solver(problem)
    older = solver.solve(problem.with_budget(3))
    told = shape_of(older.tree)
    seen = []

    def listen(_):
        seen.append(other.solve(problem.with_budget(4)).expected_reward)
        seen.append(shape_of(older.tree) == told)

    found = solver.solve(search="best-first", progress=listen)

    assert found.expected_reward == pytest.approx(solve(problem).expected_reward)
    assert seen[:2] == [solve(problem.with_budget(4)).expected_reward, True]


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
def test_threads_that_share_a_solver_all_get_their_own_answers(search):
    problem = generate(16, 8, seed=2)
    budgets = [2, 3, 4, 5, 6, 7, 8] * 3
    alone = {each: solve(problem.with_budget(each)) for each in set(budgets)}
    solver = Solver(problem)

    with ThreadPoolExecutor(6) as pool:
        found = pool.map(
            lambda each: solver.solve(problem.with_budget(each), search=search), budgets
        )
        together = list(zip(budgets, found, strict=True))

    for budget, solution in together:
        assert solution.problem.budget == Budget(budget)
        assert solution.expected_reward == pytest.approx(alone[budget].expected_reward)
        assert shape_of(solution.tree).keys() == shape_of(alone[budget].tree).keys()


def test_a_plan_can_be_read_while_its_solver_finds_others():
    """The states that are explored meanwhile take the place of those in memory."""
    problem = generate(20, 10, seed=3)
    solver = Solver(problem)
    plan = solver.solve(problem.with_budget(4)).tree
    told = {node.path: node.alternatives for node in plan.walk()}

    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(
            lambda: [
                solver.solve(problem.with_budget(each), search="best-first")
                for each in range(5, 11)
            ]
        )
        same = []
        while not later.done() or not same:
            same.append({n.path: n.alternatives for n in plan.walk()} == told)

    assert all(same)


def test_a_robust_plan_stays_as_it_is_when_its_solver_goes_on_to_other_probabilities():
    """Deviations are looked up when asked, by the probabilities of then."""
    problem = read_text(
        """
        actions:
          left: {outcomes: {ok: "0.6 [0.3, 0.8]", fail: rest}}
          right: {outcomes: {ok: "0.55 [0.5, 0.7]", fail: rest}}
        budget: 2
        rewards: [{when: left=ok, value: 10}, {when: right=ok, value: 8}]
        """
    )
    certain = replace(
        problem,
        actions=tuple(
            replace(action, outcomes={"ok": "0.5", "fail": "0.5"})
            for action in problem.actions
        ),
    )
    solver = Solver(problem)
    robust = solver.solve(adversary=Adversary(gamma=1))
    told = shape_of(solve(problem, adversary=Adversary(gamma=1)).tree)

    solver.solve(certain)

    assert any(has_deviation for _, _, has_deviation in told.values())
    assert shape_of(robust.tree) == told
