"""The canonical engine: its trees, its bounds, and runs that end early."""

import json
from itertools import groupby
from pathlib import Path
from threading import Event
from time import process_time

import pytest

import branchwise._core as core
from branchwise import (
    Action,
    Problem,
    Reward,
    Status,
    evaluate,
    generate,
    read,
    read_text,
)
from branchwise.engine import canonical_run
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import Limits
from branchwise.engine.lower import Lowered
from branchwise.engine.paper import solve_by_paper
from branchwise.reference.pipeline import solve_by_reference
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.progress import Stage
from patience import Canceller, with_enough_time
from problems.strategies import seeded_documents

ILLUSTRATIVE = Path(__file__).parents[2] / "examples" / "illustrative.yaml"
INSTANCES = Path(__file__).parents[2] / "benchmarks" / "instances"


def solve(problem, *, num_threads=1, **how):
    return CanonicalSolver(problem, num_threads=num_threads).solve(**how)


def nodes(tree):
    return [
        (node.action, node.outcome, node.state, round(float(node.reward), 9))
        for node in tree.walk()
    ]


def hard():
    """A problem that takes far longer than any test."""
    return generate(actions=80, budget=20, seed=1, layers=8, success="0.3-0.8")


@pytest.mark.parametrize(
    ("budget", "num_nodes", "num_states"), [(3, 11, 8), (4, 15, 20), (6, 33, 37)]
)
def test_the_example_has_few_canonical_states(budget, num_nodes, num_states):
    """The paper's accelerated graph has 19, 87 and 168 states (design, section 2)."""
    solution = solve(read(ILLUSTRATIVE).with_budget(budget))

    assert solution.tree.num_nodes == num_nodes
    assert solution.statistics.full_graph_states == num_states


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
@pytest.mark.parametrize("prefer", sorted(set(OBJECTIVE_NAMES) - {"order"}))
def test_the_tree_is_the_reference_s(prefer, search):
    """
    Node by node, for every objective but `order`.

    What is of no use at a state and yet optimal there, since it costs nothing that is
    needed, the engines need not see alike; `order` alone might take it.
    """
    for document in seeded_documents(60, seed=f"trees {prefer}", max_states=300):
        problem = read_text(json.dumps(document), format="json")
        ours = solve(problem, prefer=prefer, search=search)
        theirs = solve_by_reference(problem, prefer=prefer)
        if prefer == "least-expected-cost":
            # Free actions that change nothing tie; what counts is what it costs.
            assert ours.expected_reward == pytest.approx(theirs.expected_reward)
        else:
            assert nodes(ours.tree) == nodes(theirs.tree), document["name"]


def check_bounds(problem):
    """Every score lies between its bounds, by diagrams and by single nodes."""
    engine = core.CanonicalEngine(Lowered(problem).instance, 1)
    engine.explore(core.Objective.FEWEST_NODES, None, None, lambda *_: True)
    plan = core.Plan(engine)
    for state in range(engine.num_states):
        score = plan.score(state, 0)
        for is_rough in (False, True):
            lower, upper = engine.bounds(state, is_rough)
            assert lower - 1e-9 <= score <= upper + 1e-9, (
                problem.name,
                state,
                is_rough,
            )


@pytest.mark.parametrize("portion", range(6))
def test_perfect_information_is_a_bound_at_every_state(portion):
    """With conditioning, repeats, preclusions, sums and charges: never too low."""
    for document in seeded_documents(60, seed=f"bounds {portion}", max_states=500):
        check_bounds(read_text(json.dumps(document), format="json"))


@pytest.mark.parametrize("number", range(4))
def test_perfect_information_is_a_bound_where_rewards_are_deep(number):
    """Layers of actions, as what is rough is the roughest where they share much."""
    for knob in list(knobs())[number::4][:5]:
        check_bounds(generate(**knob))


def test_threads_change_nothing():
    problem = generate(actions=18, budget=12, seed=3)
    answers = []
    for num_threads in (1, 2, 3):
        for search in ("exhaustive", "best-first"):
            solution = solve(problem, num_threads=num_threads, search=search)
            statistics = solution.statistics
            answers.append(
                (
                    search,
                    float(solution.expected_reward).hex(),
                    statistics.full_graph_states,
                    statistics.reduced_graph_states,
                    nodes(solution.tree),
                )
            )
    assert answers[0] == answers[2] == answers[4]
    assert answers[1] == answers[3] == answers[5]
    assert answers[0][1] == answers[1][1]
    assert answers[0][4] == answers[1][4]


@pytest.mark.parametrize("name", [f"mixed-{number:02}" for number in range(1, 11)])
def test_exploring_is_the_same_with_any_number_of_threads(name):
    """Repeated, conditioned and precluded actions, several resources and rewards."""
    problem = read(INSTANCES / f"{name}.yaml")
    answers = []
    for num_threads in (1, 2, 3):
        solution = solve(problem, num_threads=num_threads, search="exhaustive")
        statistics = solution.statistics
        answers.append(
            (
                float(solution.expected_reward).hex(),
                statistics.full_graph_states,
                statistics.expanded_states,
                statistics.reduced_graph_states,
                statistics.num_bytes,
                nodes(solution.tree),
            )
        )
    assert answers[0] == answers[1] == answers[2]


def test_500_actions_in_a_row_work():
    half = {"fail": "1/100", "ok": "99/100"}
    first = Action("a0", outcomes=half)
    later = (
        Action(f"a{i}", outcomes=half, requires=f"a{i - 1}=ok") for i in range(1, 500)
    )
    problem = Problem([first, *later], [Reward("a499=ok", 1)])

    solution = solve(problem)

    assert solution.expected_reward == pytest.approx(0.99**500)
    assert solution.tree.num_nodes == 1001


def test_a_tree_beyond_all_memory_is_measured_and_walked():
    """
    Two outcomes of three let us dig on, up to sixty times.

    So there are 2^k nodes after k failures and as many leaves with gold: in all
    1 + (2 + 1) + (4 + 2) + ... = 3 * 2^60 - 2.
    """
    dig = Action(
        "dig",
        outcomes={"sand": "1/2", "stone": "2/5", "gold": "1/10"},
        attempts=60,
        precluded_by="dig=gold",
    )
    for search in ("exhaustive", "best-first"):
        solution = solve(Problem([dig], [Reward("dig=gold", 1)]), search=search)

        assert solution.expected_reward == pytest.approx(1 - 0.9**60)
        assert solution.tree.num_nodes == 3 * 2**60 - 2
        assert solution.tree.depth == 60
        node = solution.tree.root
        while not node.is_leaf:
            node = node.child("sand")
        assert len(node.path) == 60


def knobs():
    """Random problems of the paper's kind, plain and with everything."""
    extras = {"preclusions": 0.3, "repeats": 0.2, "conditioning": 0.2}
    for seed in range(12):
        yield {"actions": 14, "budget": 9, "seed": seed}
        yield {
            "actions": 12,
            "budget": 8,
            "seed": seed,
            "outcomes": "2-3",
            "rewards": 3,
        }
        yield {"actions": 10, "budget": 7, "seed": seed, **extras}
        yield {"actions": 10, "budget": 7, "seed": seed, "combine": "sum", "rewards": 3}


@pytest.mark.parametrize("number", range(4))
def test_both_searches_and_the_paper_s_stages_find_the_same_tree(number):
    for knob in list(knobs())[number::4]:
        problem = generate(**knob)
        paper = solve_by_paper(problem)
        for search in ("exhaustive", "best-first"):
            solution = solve(problem, search=search)
            assert solution.expected_reward == pytest.approx(paper.expected_reward)
            assert nodes(solution.tree) == nodes(paper.tree), (knob, search)
            if number == 0:
                ours = solution.statistics.full_graph_states
                assert ours <= paper.statistics.full_graph_states, knob


def test_a_time_limit_gives_a_plan_with_bounds():
    problem = hard()
    solution = with_enough_time(lambda limit: solve_within(limit, problem), 0.5)

    assert solution.status is Status.TIME_LIMIT
    assert 0 < solution.expected_reward <= solution.upper_bound
    assert solution.first_action is not None


def solve_within(seconds, problem):
    start = process_time()
    solution = solve(problem, limits=Limits(time_limit_seconds=seconds))
    assert process_time() - start < seconds + 9
    return solution


@pytest.mark.parametrize(
    "knobs",
    [
        {"actions": 200, "budget": 30},
        {"actions": 150, "budget": 40, "prerequisites": "1-8", "or_share": 0.7},
        {"actions": 100, "budget": 30, "repeats": 0.4, "conditioning": 0.3, "seed": 9},
        {"actions": 300, "budget": 20, "layers": 5, "resources": 3, "cost": "1-5"},
    ],
)
def test_diagrams_that_are_too_large_cost_neither_the_limit_nor_the_plan(knobs):
    """These took minutes past the limit, had no plan and no bound below 100."""
    problem = generate(**knobs)
    solution = with_enough_time(lambda limit: solve_within(limit, problem), 1)

    assert solution.status is Status.TIME_LIMIT
    assert 0 < solution.expected_reward <= solution.upper_bound < 100
    worth = evaluate(solution.tree, problem)
    assert float(worth) == pytest.approx(solution.expected_reward)


def test_cancelling_ends_soon_where_diagrams_are_too_large():
    problem, another = generate(actions=200, budget=30), Canceller()
    limits = Limits(cancel=another.cancel)
    solution = solve(problem, limits=limits, progress=another.listen)

    assert another.seconds_since() < 10
    assert solution.status is Status.INTERRUPTED
    assert solution.expected_reward <= solution.upper_bound < 100


def test_a_memory_limit_gives_a_plan_with_bounds():
    limit = core.resident_bytes() + 60_000_000
    solution = solve(
        hard(),
        search="exhaustive",
        limits=Limits(memory_limit_bytes=limit, time_limit_seconds=60),
    )

    assert solution.status is Status.MEMORY_LIMIT
    assert 0 < solution.expected_reward <= solution.upper_bound


def test_another_thread_may_cancel():
    another = Canceller()
    limits = Limits(cancel=another.cancel)
    solution = solve(hard(), limits=limits, progress=another.listen)

    assert another.seconds_since() < 10
    assert solution.status is Status.INTERRUPTED
    assert solution.expected_reward > 0


def test_whoever_cancels_a_long_exploration_has_a_plan():
    # The cheapest rewarding sets share much, and nearly take up the budget.
    problem = generate(actions=200, budget=30, seed=3)
    cancel, stages = Event(), []

    def listen(progress):
        stages.append(progress.stage)
        is_searching = progress.stage is Stage.SEARCHING
        if Stage.SEARCHING in stages and not is_searching:
            assert progress.upper_bound is not None
            if progress.lower_bound > 0:  # How soon is up to the machine.
                cancel.set()

    solution = solve(problem, limits=Limits(cancel=cancel), progress=listen)

    assert stages[0] is Stage.EXPLORING
    assert solution.status is Status.INTERRUPTED
    assert 0 < solution.expected_reward < solution.upper_bound


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.parametrize("num_reports", [5, 12, 25])
def test_a_plan_is_worth_what_was_shown_without_time_to_work_it_out(
    monkeypatch, seed, num_reports
):
    for name in ("_GRACE_SECONDS", "_LEAST_GRACE_SECONDS"):
        monkeypatch.setattr(canonical_run, name, 1e-9)
    problem = generate(actions=100, budget=25, seed=seed)
    cancel, shown = Event(), []

    def listen(progress):
        if progress.lower_bound is not None:
            shown.append(progress.lower_bound)
        if len(shown) >= num_reports:
            cancel.set()

    solution = solve(problem, limits=Limits(cancel=cancel), progress=listen)

    assert solution.status is Status.INTERRUPTED
    assert 0 < max(shown) <= solution.expected_reward * (1 + 1e-9)


def test_progress_tells_stages_and_bounds():
    reports = []
    solve(
        hard(),
        search="best-first",
        limits=Limits(time_limit_seconds=1),
        progress=reports.append,
    )

    assert {report.stage for report in reports} == {Stage.SEARCHING}
    lowers = [report.lower_bound for report in reports]
    uppers = [report.upper_bound for report in reports]
    assert sorted(lowers) == lowers
    assert sorted(uppers, reverse=True) == uppers


def test_what_a_listener_raises_ends_the_run():
    def interrupt(report):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solve(hard(), progress=interrupt)


def test_ctrl_c_while_somebody_listens_ends_with_a_plan():
    def interrupt(report):
        raise KeyboardInterrupt

    solution = solve(hard(), progress=interrupt)

    assert solution.status is Status.INTERRUPTED
    assert 0 <= solution.expected_reward <= solution.upper_bound


def test_another_budget_or_other_probabilities_reuse_what_was_explored():
    problem = generate(actions=14, budget=9, seed=5)
    solver = CanonicalSolver(problem, num_threads=1)
    first = solver.solve()
    before = nodes(first.tree)
    num_states = first.statistics.full_graph_states
    for budget in (9, 7, 8, 5):
        smaller = problem.with_budget(budget)
        again, afresh = solver.solve(smaller), solve(smaller)
        assert again.expected_reward == afresh.expected_reward
        assert nodes(again.tree) == nodes(afresh.tree)
    other = generate(actions=14, budget=9, seed=5, success="0.2-0.9")
    changed, afresh = solver.solve(other), solve(other)

    assert changed.expected_reward == afresh.expected_reward
    assert nodes(changed.tree) == nodes(afresh.tree)
    assert changed.statistics.full_graph_states >= num_states
    assert nodes(first.tree) == before


def test_exploring_and_searching_take_turns_until_one_is_done(monkeypatch):
    """Nobody waits for the one that would take longer; the tree is the same."""
    monkeypatch.setattr(canonical_run, "_SECONDS_WITHOUT_PLAN", 1e-3)
    monkeypatch.setattr(canonical_run, "_SECONDS_FOR_PLAN", 1e-3)
    problem = generate(30, 14, seed="turns", layers=5, or_share=0.7)
    stages = []

    found = solve(problem, progress=lambda now: stages.append(now.stage))

    turns = [stage for stage, _ in groupby(stages)]
    assert turns[:2] == [Stage.EXPLORING, Stage.SEARCHING]
    assert found.status is Status.OPTIMAL
    explored = solve(problem, search="exhaustive")
    assert found.tree.num_nodes == explored.tree.num_nodes
    assert found.expected_reward == pytest.approx(explored.expected_reward, rel=1e-9)


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("search", ["exhaustive", "best-first", "auto"])
def test_sparing_memory_changes_no_answer(search, num_threads):
    """Keys are packed from the first state on, and their index is released."""
    problem = generate(24, budget=10, seed=3, repeats=0.5, conditioning=0.5)
    plain, sparing = (
        CanonicalSolver(problem, num_threads=num_threads, spares_memory=spares_memory)
        for spares_memory in (False, True)
    )
    ours, theirs = sparing.solve(search=search), plain.solve(search=search)

    assert nodes(ours.tree) == nodes(theirs.tree)
    assert ours.expected_reward == theirs.expected_reward
    assert (
        ours.statistics.full_graph_states == theirs.statistics.full_graph_states > 200
    )
    if search != "best-first":
        assert ours.statistics.num_bytes != theirs.statistics.num_bytes
