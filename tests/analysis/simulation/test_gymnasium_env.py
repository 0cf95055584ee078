"""The environment: what Gymnasium asks of one, and the rules of the problem."""

import json
import math
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from branchwise import environment, outlook, read, read_text, solve
from branchwise.errors import UnsupportedError
from branchwise.model.features import features_of
from branchwise.space.problem_space import ProblemSpace
from problems.paper import illustrative
from problems.strategies import seeded_documents
from test_wide_doors import PROBLEMS

ROOT = Path(__file__).parents[3]
EXAMPLES = [
    path
    for path in sorted((ROOT / "examples").glob("*.yaml"))
    if not features_of(read(path))  # Those of wide problems are tried below.
]

WEIGHTED = """
    budget: {money: 5, days: unlimited}
    cost_weight: {money: 2, days: 1}
    actions:
      ask:
        cost: {money: 1, days: 3}
        outcomes: {yes: 1}
      build:
        requires: ask=yes
        cost: {money: 3}
        outcomes: {done: 1}
    rewards: [{when: build=done, value: 50}]
"""


def problem_of(document):
    return read_text(json.dumps(document), format="json")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_gymnasium_s_checker_has_nothing_to_say(path):
    """Warnings are errors in these tests, so it has no warnings either."""
    env = environment(read(path), render_mode="ansi")

    check_env(env)


def test_the_checker_accepts_random_problems():
    for document in seeded_documents(15, "environment", max_states=300):
        check_env(environment(problem_of(document), render_mode="ansi"))


def test_masks_are_what_the_state_space_allows():
    """Two hundred steps by chance, each compared with the rules."""
    for document in seeded_documents(40, "masks", max_states=300):
        problem = problem_of(document)
        env, space = environment(problem), ProblemSpace(problem)
        names = [action.name for action in problem.actions]
        _, info = env.reset(seed=3)
        env.action_space.seed(3)
        for _ in range(30):
            available = {action.name for action in space.actions(env._state)}
            expected = [name in available for name in names] + [True]

            assert env.action_masks().tolist() == expected
            assert info["action_mask"].tolist() == expected
            action = env.action_space.sample(info["action_mask"])
            *_, is_over, is_cut, info = env.step(action)
            assert info["is_available"]
            assert not is_cut
            if is_over:
                _, info = env.reset()


def test_the_optimal_plan_earns_its_expected_reward():
    """Within four standard errors, for each of these problems."""
    for problem in (illustrative(), read(ROOT / "examples/oil_wildcatter.yaml")):
        solution = solve(problem)
        expected = outlook(solution.tree, problem).net_rewards
        num_episodes = 3000
        mean = sum(episodes(problem, solution.tree, num_episodes)) / num_episodes

        error = expected.standard_deviation / math.sqrt(num_episodes)
        assert abs(mean - solution.expected_reward) <= 4 * error


def episodes(problem, tree, number):
    """Follow a plan, and give the sum of the rewards of each episode."""
    env = environment(problem)
    names = [action.name for action in problem.actions]
    labels = [(a.name, label) for a in problem.actions for label in a.labels]
    env.reset(seed=11)
    for _ in range(number):
        before, _ = env.reset()
        node, total = tree.root, 0.0
        while node.action is not None:
            after, reward, *_ = env.step(names.index(node.action))
            total += reward
            came_up = (after - before)[: len(labels)].argmax()
            assert labels[came_up][0] == node.action
            node, before = node.child(labels[came_up][1]), after
        _, reward, is_over, _, _ = env.step(env.stop)
        assert is_over
        yield total + reward


def test_an_observation_counts_outcomes_and_what_is_left():
    """Outcomes ask=yes and build=done, then money; days are unlimited."""
    env = environment(read_text(WEIGHTED))
    first, _ = env.reset(seed=1)
    second, paid, *_ = env.step(0)
    third, paid_more, *_ = env.step(1)
    *_, earned, is_over, _, _ = env.step(env.stop)

    assert first.tolist() == [0, 0, 5]
    assert second.tolist() == [1, 0, 4]
    assert third.tolist() == [1, 1, 1]
    assert (paid, paid_more, earned) == (-5, -6, 50)
    assert is_over
    assert env.observation_space.high.tolist() == [1, 1, 5]


def test_an_action_that_is_not_available_stops():
    env = environment(read_text(WEIGHTED))
    env.reset(seed=1)

    _, reward, is_over, is_cut, info = env.step(1)

    assert (reward, is_over, is_cut) == (0, True, False)
    assert info["is_available"] is False


def test_the_same_seed_gives_the_same_run():
    env = environment(read(ROOT / "examples/phishing.yaml"))
    runs = []
    for seed in (5, 5, 6):
        _, info = env.reset(seed=seed)
        env.action_space.seed(5)
        run = []
        for _ in range(12):
            step = env.step(env.action_space.sample(info["action_mask"]))
            info = step[-1]
            run.append((step[0].tolist(), step[1]))
            if step[2]:
                break
        runs.append(run)

    assert runs[0] == runs[1]


def test_it_says_in_words_where_it_is():
    shown, silent = (
        environment(read_text(WEIGHTED), render_mode=mode) for mode in ("ansi", None)
    )
    for env in (shown, silent):
        env.reset(seed=1)
        env.step(0)

    assert shown.render() == "ask=yes, 4 money, unlimited days left"
    assert silent.render() is None


def test_gymnasium_makes_it_by_its_name():
    """The part before the colon is what Gymnasium is to import first."""
    name = "branchwise.analysis.simulation.gymnasium_env:branchwise/Problem-v0"
    env = gymnasium.make(name, problem=illustrative())

    observation, _ = env.reset(seed=1)

    assert observation.tolist()[-1] == 6
    assert isinstance(env.unwrapped.action_masks(), np.ndarray)


def test_without_gymnasium_the_fix_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)

    with pytest.raises(ImportError, match="pip install gymnasium"):
        environment(illustrative())


def played(env, tree):
    """What a run of a plan earns, all its steps added up."""
    (_, info), node, total = env.reset(), tree.root, 0.0
    numbers = {a.name: n for n, a in enumerate(env.problem.actions)}
    while True:
        number = env.stop if node.action is None else numbers[node.action]
        assert info["action_mask"][number]
        before = env._state.happened
        _, reward, is_over, _, info = env.step(number)
        total += reward
        if is_over:
            return total
        fields = env._space.packing.fields.items()
        came = next(
            e for e, f in fields if f.count(env._state.happened) > f.count(before)
        )
        node = node.children[came.outcome]


@pytest.mark.parametrize("name", ["diagnosis", "operation"])
def test_a_plan_of_a_wide_problem_earns_what_it_is_worth(name):
    """Hidden facts are drawn by reset, and rewards are those paid in the end."""
    problem = read_text(PROBLEMS[name], "yaml")
    env, solution = environment(problem), solve(problem)
    check_env(env, skip_render_check=True)
    env.reset(seed=3)
    earned = [played(env, solution.tree) for _ in range(1200)]

    foreseen = outlook(solution.tree, problem).net_rewards
    assert {round(each, 9) for each in earned} <= {
        round(float(each), 9) for each, _ in foreseen.chances
    }
    error = foreseen.standard_deviation / len(earned) ** 0.5
    assert np.mean(earned) == pytest.approx(float(foreseen.mean), abs=4 * error)


def test_an_observation_has_counters_and_what_is_known_but_no_hidden_fact():
    """After one positive test the disease is 27/41 likely, whatever it is."""
    env = environment(read_text(PROBLEMS["diagnosis"], "yaml"))
    observation, _ = env.reset(seed=1)
    # Three outcomes, two things that the disease may be, and the budget.
    assert observation.tolist() == pytest.approx([0, 0, 0, 0.3, 0.7, 5])
    known = set()
    for seed in range(40):
        env.reset(seed=seed)
        seen, *_ = env.step(0)
        known.add(tuple(seen.round(9)))
    positive = [each for each in known if each[0]]
    assert len(known) == 2
    assert positive[0][3] == pytest.approx(27 / 41)


def test_where_a_problem_must_be_finished_stopping_waits():
    text = f"{PROBLEMS['repair']}unfinished: 30\n"
    env = environment(read_text(text, "yaml"))
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [1, 1, 0]
    *_, is_over, _, info = env.step(env.stop)
    assert (is_over, info["is_available"]) == (False, False)
    with pytest.raises(UnsupportedError, match="unfinished: AMOUNT"):
        environment(read_text(PROBLEMS["repair"], "yaml"))
